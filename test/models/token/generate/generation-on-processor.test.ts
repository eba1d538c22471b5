import { describe } from 'vitest';
import { generationContract } from './generation-contract.ts';

describe('generation on wasm', () =>
  generationContract({ backend: 'wasm', episodes: 32, turns: 3, maxTokens: 9, isExact: true }));
describe('generation on cpu', () =>
  generationContract({ backend: 'cpu', episodes: 8, turns: 2, maxTokens: 9, isExact: true }));
