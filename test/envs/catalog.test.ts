import { expect, test } from 'vitest';
import { builtInEnvs, createRegistry, householdHardEnv, householdSmallEnv } from '../../envs/index.ts';

test('built-in envs are found by id, and a bare name finds the newest version', () => {
  const registry = createRegistry(builtInEnvs);
  expect(registry.find('household').id).toBe('household-v1');
  expect(registry.find('lights-out').id).toBe('lights-out-v1');
  expect(registry.get('household-hard-v1')).toBe(householdHardEnv);
  expect(registry.find('household-small')).toBe(householdSmallEnv);
});
