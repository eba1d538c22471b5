import { describe, expect, it } from 'vitest';
import { assertEnv } from '../../envs/check/check-env.ts';
import { loadEnvModule } from '../../envs/load-env-module.ts';

describe('the examples of environments', () => {
  it.each(['coin-env', 'maze-env', 'sort-env', 'change-puzzle'])('examples/%s.ts keeps the laws', async (name) => {
    const environments = await loadEnvModule(`examples/${name}.ts`);
    expect(environments).toHaveLength(1);
    for (const environment of environments) await assertEnv(environment);
  });
});
