import { describe, expect, it } from 'vitest';
import { assertEnv } from '../../envs/check/check-env.ts';
import { loadEnvModule } from '../../envs/load-env-module.ts';
import { inAll } from '../support/thorough.ts';

describe('the examples of environments', () => {
  it.each([
    ['coin-env', 1],
    ['maze-env', 1],
    ['sort-env', 1],
    ...inAll([['board-envs', 4]]),
    ['change-puzzle', 1],
  ] as const)('examples/%s.ts keeps the laws', async (name, count) => {
    const environments = await loadEnvModule(`examples/${name}.ts`);
    expect(environments).toHaveLength(count);
    for (const environment of environments) await assertEnv(environment, { auditTasks: 10 });
  });
});
