import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { mapDefinition, mapHost, mapMembers } from '../../envs/core/map-env.ts';
import { reward, type StepResult } from '../../envs/core/step.ts';
import type { Context } from '../../envs/core/context.ts';

/** How rewards reach the trainer: as they are, replaced by the toss of a coin, or with the opposite sign. */
export const rewardArms = ['true', 'random', 'inverted'] as const;
export type RewardArm = (typeof rewardArms)[number];

/**
 * The env with rewards that are true, random or inverted. Outcomes stay as they are, so success still measures what was learned. A random
 * reward is 1 or 0 at the end of an episode, with equal probability and from the stream of the step.
 */
export function controlRewards(definition: AnyEnvDefinition, arm: RewardArm): AnyEnvDefinition {
  if (arm === 'true') return definition;
  const change = (result: StepResult<unknown, unknown>, context: Context): StepResult<unknown, unknown> => {
    const { terms } = result.reward;
    const changed =
      arm === 'random'
        ? { random: result.kind === 'ongoing' ? 0 : context.rng.fork('control').int(2) }
        : Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, -value]));
    return { ...result, reward: reward(changed) };
  };
  return mapDefinition(definition, {
    deterministic: arm === 'random' ? false : definition.deterministic,
    open: async (config, context) => {
      const host = await definition.open(config, context);
      return mapHost(host, {
        create: async () => {
          const env = await host.create();
          const copy = mapMembers(env, (_name, value) => value);
          const step = async (action: unknown, at: Context): Promise<StepResult<unknown, unknown>> =>
            change(await env.step(action, at), at);
          return Object.defineProperty(copy, 'step', { value: step, enumerable: true });
        },
      });
    },
  });
}
