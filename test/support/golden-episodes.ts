import type { Agent } from '../../agents/core/agent.ts';
import { choiceDecision } from '../../agents/policy/admissible.ts';
import { runGroups } from '../../agents/rollout/group.ts';
import { episodeLimitsSchema } from '../../agents/rollout/limits.ts';
import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import { corridor, type CorridorMove, type CorridorView } from './corridor.ts';
import { collect, corridorStage, groupsPlan, testContext } from './rollout.ts';

/**
 * The episodes that `test/golden/trajectories` holds as each schema stored them. They solve, fail by each cap and by the
 * turn limit, and fault; their steps have every verdict, and penalties that floating point cannot add and take away again: (-0.01 - 0.25) + 0.25 is not -0.01.
 */
export async function playGoldenEpisodes(): Promise<readonly TrajectoryGroup[]> {
  const stage = await corridorStage({
    config: { turns: 12 },
    failure: { call: 'step', kind: 'throw', when: (call) => call === 35 },
  });
  const plan = groupsPlan(stage, {
    agent: clumsyAgent,
    limits: episodeLimitsSchema.parse({
      wallMs: 600_000,
      malformed: { inARow: 2 },
      inadmissible: { inARow: 3, penalty: 0.25 },
    }),
    label: 'golden',
    members: 6,
    strategy: { kind: 'retry', retries: 0 },
    concurrency: 1,
    tasks: [0, 1, 2].map((index) => ({ panel: 'train', index })),
  });
  const results = await collect(runGroups(plan, testContext()));
  await stage.envs.close();
  return results.map(({ group }) => group);
}

/** Some of its replies are malformed, and some cannot be done. */
const clumsyAgent: Agent<CorridorView, CorridorMove> = {
  id: 'clumsy',
  begin: () => ({
    act: async ({ admissible = [] }, { rng }) => {
      const luck = rng.uniform();
      if (luck < 0.15) {
        const reply = { kind: 'malformed', why: 'it names no move', text: 'go nowhere' } as const;
        return { reply, decision: undefined, policyVersion: 3 };
      }
      const action = luck < 0.4 ? 'left' : rng.pick(admissible);
      const index = admissible.indexOf(action);
      const logprob = 0 - Math.log(admissible.length);
      return {
        reply: { kind: 'action', action },
        decision: index < 0 ? undefined : choiceDecision(corridor.text, { admissible, index, logprob }),
        policyVersion: 3,
      };
    },
  }),
};
