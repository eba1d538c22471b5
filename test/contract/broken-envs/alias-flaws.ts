import type { AnyEnvDefinition } from '../../../envs/core/env.ts';
import { defineTextEnv } from '../../../envs/kit/text-env.ts';
import type { TextStep } from '../../../envs/kit/text-world.ts';
import { breakVault, type Flaw } from './break-env.ts';
import type { Action } from './vault.ts';

/** A safe whose task hides whether it is a trap; its planner ends every episode at once. */
interface Safe {
  readonly trap: boolean;
  readonly turned: boolean;
}

const dials = Array.from({ length: 12 }, (_, dial) => `dial ${dial}`);

/** A safe with one state key for everything: `rule` gives the result of turning a dial, and dial 0 opens it. */
function safe(rule: (state: Safe, dial: string) => TextStep<Safe>): AnyEnvDefinition {
  const definition: AnyEnvDefinition = defineTextEnv({
    id: 'safe-v1',
    summary: 'Open the safe',
    turnLimit: 20,
    panels: { train: 6 },
    task: ({ index }): { readonly instruction: string; readonly start: Safe } => ({
      instruction: `Open safe ${index}.`,
      start: { trap: index % 2 === 1, turned: false },
    }),
    observe: () => 'A safe with twelve dials.',
    actions: () => dials,
    step: (state, action) =>
      action === 'dial 0' ? { state, outcome: 'solved', reward: { open: 1 } } : rule(state, action),
    information: () => 'safe',
    experts: { planner: () => ['dial 0'] },
  });
  return {
    ...definition,
    open: async (config, context) => {
      const host = await definition.open(config, context);
      return {
        ...host,
        create: async () => {
          const env = await host.create();
          const { snapshots } = env;
          return {
            reset: async (task, own) => ({ ...(await env.reset(task, own)), stateKey: 'safe' }),
            step: async (action, own) => ({ ...(await env.step(action, own)), stateKey: 'safe' }),
            close: () => env.close(),
            ...(snapshots === undefined
              ? {}
              : {
                  snapshots: {
                    take: () => snapshots.take(),
                    restore: (snapshot) => ({ ...snapshots.restore(snapshot), stateKey: 'safe' }),
                  },
                }),
          };
        },
      };
    },
  };
}

const planned = { episodes: 1, pairs: 1 }; // only the planner plays, and two states are compared

/** State keys that leave something out. Only one way of continuing from two states of one key finds each of them. */
export const aliasFlaws: readonly Flaw[] = [
  {
    law: 'state-key-alias',
    says: 'hides the coin and lists no actions', // only the recorded actions show what can be done
    definition: breakVault({
      turn: (_, { world }) => ({ admissible: undefined, stateKey: JSON.stringify([world.open, world.lamp]) }),
    }),
    options: {
      actions: (_, rng): Action => (rng.int(3) === 0 ? { do: 'shake' } : { do: 'open', box: rng.int(3) }),
    },
  },
  {
    law: 'state-key-alias',
    says: 'leaves the effect of one dial out of the state key', // a random walk turns it only by chance, and has one turn
    definition: safe((state, dial) => ({
      state,
      outcome: 'failed',
      reward: { alarm: dial === 'dial 3' && state.trap ? -1 : 0 },
    })),
    options: planned,
  },
  {
    law: 'state-key-alias',
    says: 'leaves the effect of two turns together out of the state key', // no single turn shows it
    definition: safe((state) =>
      state.turned
        ? { state, outcome: 'failed', reward: { alarm: state.trap ? -1 : 0 } }
        : { state: { ...state, turned: true } },
    ),
    options: planned,
  },
];
