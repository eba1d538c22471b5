import { describe, expect, test } from 'vitest';
import { lossesOn } from './losses-on.ts';
import { expectNear } from './tensor-checks.ts';
import { tokenModelContract } from './token-model-contract.ts';

const families = ['llama', 'qwen2', 'qwen3'];

describe('token model on wasm', () =>
  tokenModelContract({ backend: 'wasm', exact: true, families, updates: 200, thorough: true }));
describe('token model on cpu', () =>
  tokenModelContract({ backend: 'cpu', exact: true, families, updates: 8, thorough: true }));

test.each(['sft', 'rl'] as const)('wasm and cpu agree on every loss of 20 updates: %s', async (kind) => {
  const onWasm = await lossesOn('wasm', kind, 20);
  expectNear(onWasm, await lossesOn('cpu', kind, 20), 1e-3);
  expect(onWasm[16] as number).toBeLessThan((onWasm[0] as number) - 0.1); // the same batch, learnt four times
});
