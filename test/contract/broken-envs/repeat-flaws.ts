import { createRng } from '../../../envs/core/rng.ts';
import { breakVault, worldOf, type Flaw } from './break-env.ts';
import type { Sight, World } from './vault.ts';

const lampOf = (observation: unknown, lit: boolean): Sight => ({
  ...(observation as Sight),
  lamp: lit ? 'lit' : 'dark',
});

let everReset = 0;

/** Flaws that only a second episode reveals. */
export const repeatFlaws: readonly Flaw[] = [
  {
    law: 'repeat',
    says: 'draws from Math.random, late in an episode',
    definition: breakVault({
      turn: ({ observation }, { steps }) => ({
        observation: steps < 4 ? observation : lampOf(observation, Math.random() < 0.5),
      }),
    }),
  },
  {
    law: 'repeat',
    says: 'looks at the clock',
    definition: breakVault({
      env: (env) => ({
        step: async (action, context) => {
          const result = await env.step(action, context);
          return { ...result, observation: lampOf(result.observation, context.now() % 2 < 1) };
        },
      }),
    }),
  },
  {
    law: 'repeat',
    says: 'depends on how many episodes the process has started',
    definition: breakVault({
      env: (env) => ({
        reset: async (task, context) => {
          const opening = await env.reset(task, context);
          everReset += 1;
          return { ...opening, observation: lampOf(opening.observation, createRng(everReset).int(2) === 0) };
        },
      }),
    }),
  },
  {
    law: 'initial-state',
    says: 'depends on the name of the run',
    definition: breakVault({
      env: (env) => ({
        reset: async (task, context) => {
          const opening = await env.reset(task, context);
          return {
            ...opening,
            observation: lampOf(
              opening.observation,
              createRng(0).fork(context.path.replace(/\d+$/, '')).int(2) === 0,
            ),
          };
        },
      }),
    }),
  },
  {
    law: 'reuse',
    says: 'keeps what the previous episode opened',
    definition: breakVault({
      env: (env) => {
        let before: World | undefined;
        return {
          reset: async (task, context) => {
            const opening = await env.reset(task, context);
            if (before === undefined) return opening;
            const world = { ...worldOf(env), lamp: before.lamp || before.open.includes(true) };
            return {
              ...opening,
              ...env.snapshots?.restore({ world: { ...world }, episode: { steps: 0 }, steps: 0 }),
            };
          },
          step: async (action, context) => {
            const result = await env.step(action, context);
            before = worldOf(env);
            return result;
          },
        };
      },
    }),
  },
  {
    law: 'reuse',
    says: 'resets its world only at the end of an episode',
    definition: breakVault({
      env: (env) => {
        let lit = false;
        return {
          reset: async (task, context) => {
            const opening = await env.reset(task, context);
            return { ...opening, observation: lampOf(opening.observation, lit) };
          },
          step: async (action, context) => {
            const result = await env.step(action, context);
            lit = result.kind === 'ongoing' && worldOf(env).open.filter(Boolean).length === 1;
            return result;
          },
        };
      },
    }),
    options: { maxSteps: 12 }, // all episodes end
  },
  {
    law: 'concurrency',
    says: 'counts the steps of all episodes together, which shows only when they are out of step',
    definition: breakVault({
      host: (host) => {
        let steps = 0;
        const create: typeof host.create = async () => {
          const env = await host.create();
          let own = 0;
          return {
            ...env,
            reset: (task, context) => {
              own = 0;
              return env.reset(task, context);
            },
            step: async (action, context) => {
              own += 1;
              steps = own;
              const result = await env.step(action, context);
              return { ...result, observation: lampOf(result.observation, steps % 2 === 0) };
            },
          };
        };
        return { create };
      },
    }),
  },
  {
    law: 'concurrency',
    says: 'keeps the state of an episode in the host',
    definition: breakVault({
      host: (host) => {
        let shared: World | undefined;
        const create: typeof host.create = async () => {
          const env = await host.create();
          return {
            ...env,
            reset: async (task, context) => {
              const opening = await env.reset(task, context);
              shared = worldOf(env);
              return opening;
            },
            step: async (action, context) => {
              if (shared !== undefined && shared.open.length === worldOf(env).open.length) {
                env.snapshots?.restore({ world: { ...shared }, episode: { steps: 0 }, steps: 0 });
              }
              const result = await env.step(action, context);
              shared = worldOf(env);
              return result;
            },
          };
        };
        return { create };
      },
    }),
  },
  {
    law: 'luck',
    says: 'declares itself deterministic despite luck',
    definition: breakVault({ definition: { deterministic: true } }),
  },
];
