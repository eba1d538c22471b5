import { reward } from '../../../envs/core/step.ts';
import { breakVault, worldOf, type Flaw } from './break-env.ts';
import type { Action, World } from './vault.ts';

const boxOf = (action: unknown): number =>
  (action as Action).do === 'open' ? (action as Action & { do: 'open' }).box : -1;

/** The box with the coin goes first, as a list made from hidden facts would have it. */
const coinFirst = (actions: readonly unknown[], { coin }: World): readonly unknown[] =>
  actions.toSorted((a, b) => Number(boxOf(b) === coin) - Number(boxOf(a) === coin));

/** Flaws of keys and of hidden facts. */
export const keyFlaws: readonly Flaw[] = [
  {
    law: 'state-key-alias',
    says: 'leaves the coin out of the state key',
    definition: breakVault({
      turn: (_, { world }) => ({ stateKey: JSON.stringify([world.open, world.lamp]) }),
    }),
  },
  {
    law: 'state-key-alias',
    says: 'leaves the opened boxes out of the state key',
    definition: breakVault({
      turn: (_, { world }) => ({ stateKey: JSON.stringify([world.coin, world.open.length, world.lamp]) }),
    }),
  },
  {
    law: 'state-key-alias',
    says: 'leaves the opened boxes out of the state key and has no snapshots',
    definition: breakVault({
      turn: (_, { world }) => ({ stateKey: JSON.stringify([world.coin, world.open.length, world.lamp]) }),
      env: () => ({ snapshots: undefined as never }),
    }),
  },
  {
    law: 'state-key-alias',
    says: 'pays by the number of steps, which no key contains',
    definition: breakVault({
      env: (env) => {
        let steps = 0;
        return {
          reset: (task, context) => {
            steps = 0;
            return env.reset(task, context);
          },
          step: async (action, context) => {
            steps += 1;
            const paid = reward({ time: -0.125 * steps });
            return { ...(await env.step(action, context)), reward: paid };
          },
          snapshots: {
            take: () => ({
              ...env.snapshots?.take(),
              world: worldOf(env) as never,
              episode: { steps },
              steps,
            }),
            restore: (snapshot) => {
              ({ steps } = snapshot.episode as { steps: number });
              return env.snapshots?.restore(snapshot) as never;
            },
          },
        };
      },
    }),
  },
  {
    law: 'state-key-split',
    says: 'counts steps in the state key',
    definition: breakVault({ turn: ({ stateKey }, { steps }) => ({ stateKey: `${stateKey} at ${steps}` }) }),
  },
  {
    law: 'anchor-key',
    says: 'puts the hidden coin into the anchor key',
    definition: breakVault({
      turn: ({ anchorKey }, { world }) => ({ anchorKey: `${anchorKey} ${world.coin}` }),
    }),
  },
  {
    law: 'anchor-key',
    says: 'leaves the opened boxes out of the anchor key',
    definition: breakVault({ turn: (_, { world }) => ({ anchorKey: String(world.lamp) }) }),
  },
  {
    law: 'anchor-key',
    says: 'puts luck that was never shown into the anchor key',
    definition: breakVault({
      env: (env) => ({
        step: async (action, context) => {
          const result = await env.step(action, context);
          return result.kind === 'ongoing'
            ? { ...result, anchorKey: `${result.anchorKey} ${context.rng.fork('omen').int(2)}` }
            : result;
        },
      }),
    }),
  },
  {
    law: 'hidden',
    says: 'lists the box with the coin first',
    definition: breakVault({
      turn: ({ admissible = [] }, { world }) => ({ admissible: coinFirst(admissible, world) }),
    }),
  },
  {
    law: 'hidden',
    says: 'pays for approaching the hidden coin',
    definition: breakVault({
      env: (env) => ({
        step: async (action, context) => {
          const { coin } = worldOf(env);
          const result = await env.step(action, context);
          const warmth = boxOf(action) >= 0 ? 1 / (1 + Math.abs(boxOf(action) - coin)) : 0;
          return { ...result, reward: reward({ ...result.reward.terms, warmth }) };
        },
      }),
    }),
  },
  {
    law: 'hidden',
    says: 'shows in its text whether the coin is on the left',
    definition: breakVault({
      turn: ({ observation }, { world }) => ({
        observation: { ...(observation as object), lamp: world.coin === 0 ? 'lit' : 'dark' },
      }),
    }),
  },
];
