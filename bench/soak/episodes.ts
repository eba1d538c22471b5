import { createRandomAgent } from '../../agents/policy/random.ts';
import { createEnvPool } from '../../agents/rollout/env-pool.ts';
import { runGroups } from '../../agents/rollout/group.ts';
import { episodeLimitsSchema } from '../../agents/rollout/limits.ts';
import { createContext } from '../../envs/core/context.ts';
import { readPanel } from '../../envs/core/task.ts';
import { householdEnv } from '../../envs/household/definition.ts';
import { openEnv } from '../../envs/open.ts';

/** One round: every task of `dev` played at random, in an env that is opened and closed for it. Returns the steps. */
export async function playRound(seed: number, signal: AbortSignal): Promise<number> {
  const context = createContext({ seed, now: () => performance.now(), signal });
  const host = await openEnv(householdEnv, {}, context);
  const envs = createEnvPool(host);
  const config = householdEnv.config.parse({});
  let steps = 0;
  try {
    const plan = {
      envs,
      env: { id: householdEnv.id, config },
      agent: createRandomAgent({ text: householdEnv.text }),
      limits: episodeLimitsSchema.parse({}),
      source: host,
      label: `soak-${seed}`,
      members: 2,
      strategy: { kind: 'fail-fast' },
      concurrency: 64,
      tasks: readPanel(host, { env: householdEnv.id, config, name: 'dev' }).tasks,
      order: 'completion',
    } as const;
    for await (const { group } of runGroups(plan, context))
      for (const member of group.members) steps += member.steps.length;
  } finally {
    await envs.close();
    await host.close();
  }
  return steps;
}
