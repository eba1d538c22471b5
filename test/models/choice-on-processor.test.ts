import { describe } from 'vitest';
import { choiceContract } from './choice-contract.ts';
import { composedKernels, kernelContract } from './kernel-contract.ts';

describe('kernels on wasm', () => kernelContract({ backend: 'wasm' }));
describe('kernels on cpu', () => kernelContract({ backend: 'cpu' }));
describe('operations composed of TensorFlow.js ones on cpu', () =>
  kernelContract({ backend: 'cpu', kernels: composedKernels }));
describe('choice model on wasm', () => choiceContract({ backend: 'wasm', tolerance: 2e-6, exact: true }));
describe('choice model on cpu', () => choiceContract({ backend: 'cpu', tolerance: 2e-6, exact: true }));
