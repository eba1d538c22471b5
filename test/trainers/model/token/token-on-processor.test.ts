import { describe } from 'vitest';
import { networkContract } from './network-contract.ts';
import { operationsContract } from './operations-contract.ts';

describe('operations of a transformer on wasm', () => operationsContract({ backend: 'wasm', runs: 60 }));
describe('operations of a transformer on cpu', () => operationsContract({ backend: 'cpu', runs: 30 }));
describe('a transformer on wasm', () => networkContract({ backend: 'wasm', runs: 20 }));
describe('a transformer on cpu', () => networkContract({ backend: 'cpu', runs: 10 }));
