import { choiceDecision } from '../../agents/policy/admissible.ts';
import type { Agent } from '../../agents/core/agent.ts';
import { createEnvPool } from '../../agents/rollout/env-pool.ts';
import { runGroups } from '../../agents/rollout/group.ts';
import { episodeLimitsSchema } from '../../agents/rollout/limits.ts';
import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import { createContext } from '../../envs/core/context.ts';
import type { EnvHost } from '../../envs/core/env.ts';
import { householdEnv } from '../../envs/household/definition.ts';
import { openEnv } from '../../envs/open.ts';

/** The published training set-up: 16 tasks of 8 members, here about 30 steps each. */
export const publishedShape = { env: 'household-v1', tasks: 16, members: 8, slips: 0.3 } as const;

/** Plays batches of household tasks, each with luck and tasks of its own. */
export async function openBatches(): Promise<(seed: number) => Promise<readonly TrajectoryGroup[]>> {
  const clock = { now: () => performance.now() };
  const host = await openEnv(householdEnv, {}, createContext({ seed: 0, ...clock }));
  const plan = {
    envs: createEnvPool(host),
    env: { id: publishedShape.env, config: {} },
    source: host,
    agent: slippingSearcher(host),
    limits: episodeLimitsSchema.parse({}),
    members: publishedShape.members,
    strategy: { kind: 'fail-fast' },
    concurrency: publishedShape.tasks * publishedShape.members,
    order: 'task',
  } as const;
  return async (seed) => {
    const tasks = Array.from({ length: publishedShape.tasks }, (_, index) => ({
      panel: 'train',
      index: seed * publishedShape.tasks + index,
    }));
    const groups: TrajectoryGroup[] = [];
    for await (const { group } of runGroups(
      { ...plan, tasks, label: `batch-${seed}` },
      createContext({ seed, ...clock }),
    ))
      groups.push(group);
    return groups;
  };
}

/** Half-learned: it knows the way and often strays from it, so that members meet at anchors and come back to them. */
function slippingSearcher(host: EnvHost<string, string>): Agent<string, string> {
  return {
    id: 'slipping-searcher',
    begin: (_episode, { rng }) => {
      const searcher = host.experts?.searcher?.(rng.fork('searcher'));
      return {
        act: async (turn, context) => {
          const admissible = turn.admissible ?? [];
          const slips = context.rng.uniform() < publishedShape.slips;
          const wanted = searcher?.act(turn) ?? 'look';
          const index = slips ? context.rng.int(admissible.length) : admissible.indexOf(wanted);
          const decision = choiceDecision(householdEnv.text, { admissible, index, logprob: -1 });
          return {
            reply: { kind: 'action', action: admissible[index] ?? wanted },
            decision,
            policyVersion: undefined,
          };
        },
      };
    },
  };
}
