import { expect, test } from 'vitest';
import { backendPreferenceOf, policyConfigSchema } from '../../../trainers/policy/policy-config.ts';

const preferenceOf = (given: Record<string, unknown>, trainedOn?: string): string =>
  backendPreferenceOf(policyConfigSchema.parse(given), trainedOn);
const token = { kind: 'token', model: 'a-model' };

test('auto prefers speed for language models, and equal bytes for choice policies', () => {
  expect(preferenceOf({ kind: 'choice' })).toBe('equal-bytes');
  expect(preferenceOf(token)).toBe('speed');
  expect(preferenceOf({ ...token, workers: 0 })).toBe('speed');
});

test('auto keeps wasm for what only wasm can do', () => {
  expect(preferenceOf({ ...token, precision: 'bf16' })).toBe('equal-bytes');
  expect(preferenceOf({ ...token, workers: 2 })).toBe('equal-bytes');
});

test('auto evaluates a run of wasm on wasm, and other runs by speed', () => {
  expect(preferenceOf({ ...token, workers: 2 }, 'wasm')).toBe('equal-bytes');
  expect(preferenceOf({ ...token, workers: 0 }, 'tensorflow')).toBe('speed');
  expect(preferenceOf({ kind: 'choice' }, 'tensorflow')).toBe('equal-bytes');
});
