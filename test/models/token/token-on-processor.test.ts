import { describe } from 'vitest';
import {
  composedAttention,
  composedAttentionGradient,
} from '../../../models/token/operations/composed-attention.ts';
import { attentionContract } from './attention-contract.ts';
import { networkContract } from './network-contract.ts';
import { operationsContract } from './operations-contract.ts';

describe('transformer operations on wasm', () => operationsContract({ backend: 'wasm', runs: 60 }));
describe('transformer operations on cpu', () => operationsContract({ backend: 'cpu', runs: 30 }));
describe('transformer on wasm', () => networkContract({ backend: 'wasm', runs: 20 }));
describe('transformer on cpu', () => networkContract({ backend: 'cpu', runs: 10 }));
describe('attention on wasm', () =>
  attentionContract({ backend: 'wasm', runs: 30, differentiatesCaches: true }));
describe('attention on cpu', () =>
  attentionContract({ backend: 'cpu', runs: 15, differentiatesCaches: true }));
const composed = { attention: composedAttention, attentionGradient: composedAttentionGradient };
describe('attention composed of other operations', () =>
  attentionContract({ backend: 'wasm', runs: 15, kernels: composed, differentiatesCaches: false }));
