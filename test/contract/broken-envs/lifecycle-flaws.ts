import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Context } from '../../../envs/core/context.ts';
import type { AnyEnvDefinition, Snapshot } from '../../../envs/core/env.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import { OrderGuard } from '../../../envs/wrappers/order-guard.ts';
import type { AnyActingTurn } from '../../../envs/check/subject.ts';
import { breakVault, worldOf, type AnyEnv, type Flaw } from './break-env.ts';
import { sealOf, vault, type Action, type World } from './vault.ts';

const unguarded: NonNullable<Flaw['options']> = {
  open: (definition, config, context) => definition.open(definition.config.parse(config), context),
};
const short: NonNullable<Flaw['options']> = { deadlineMs: 60, graceMs: 20 };

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
const untilAborted = <T>({ signal }: { readonly signal: AbortSignal }): Promise<T> =>
  new Promise<T>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('given up')), { once: true });
  });

/** The vault behind a guard of its own, with some calls of the guard replaced. */
const guarded = (change: (guard: OrderGuard<unknown, unknown>) => Partial<AnyEnv>): AnyEnvDefinition =>
  breakVault({
    env: (env) => {
      const guard = new OrderGuard(env, vault.id);
      return {
        reset: (task, context) => guard.reset(task, context),
        step: (action, context) => guard.step(action, context),
        close: () => guard.close(),
        ...change(guard),
      };
    },
  });

/** What a careless author leaves open, and how the test removes it. */
const left: (() => unknown)[] = [];
export const cleanUp = (): void => {
  for (const take of left.splice(0)) take();
};

/** Flaws of calls: order, hangs, snapshots, later changes, experts and leaked resources. */
export const lifecycleFlaws: readonly Flaw[] = [
  {
    law: 'playable',
    says: 'lists nothing to do and has no expert',
    where: {},
    definition: breakVault({
      turn: () => ({ admissible: undefined }),
      host: () => ({ experts: undefined as never }),
    }),
  },
  {
    law: 'hang',
    says: 'never opens',
    where: { call: 'open' },
    definition: { ...breakVault({}), open: () => never() },
    options: short,
  },
  {
    law: 'hang',
    says: 'never returns from reset',
    where: { task: { panel: 'train', index: 0 }, step: 0, call: 'reset' },
    definition: breakVault({ env: () => ({ reset: () => never() }) }),
    options: short,
  },
  {
    law: 'hang',
    says: 'waits in a step until it is aborted',
    where: { task: { panel: 'train', index: 0 }, step: 3, call: 'step' },
    definition: breakVault({
      env: (env) => ({
        step: (action, context: Context) =>
          (action as Action).do === 'shake' ? untilAborted(context) : env.step(action, context),
      }),
    }),
    options: short,
  },
  {
    law: 'hang',
    says: 'never returns from close',
    where: { call: 'close' },
    definition: breakVault({ env: () => ({ close: () => never() }) }),
    options: short,
  },
  slipping('step before reset', 'step', 'fresh'),
  slipping('step after the end', 'step', 'ended'),
  slipping('step after close', 'step', 'closed'),
  slipping('reset after close', 'reset', 'closed'),
  {
    law: 'order',
    says: 'refuses a step after close with an error of its own',
    where: { call: 'step after close' },
    definition: guarded((guard) => {
      let closed = false;
      return {
        step: (action, context) =>
          closed ? Promise.reject(new Error('the vault is shut')) : guard.step(action, context),
        close: () => {
          closed = true;
          return guard.close();
        },
      };
    }),
    options: unguarded,
  },
  {
    law: 'order',
    says: 'throws when it is closed twice',
    where: { call: 'second close' },
    definition: guarded((guard) => {
      let closed = false;
      return {
        close: async () => {
          if (closed) throw new Error('closed already');
          closed = true;
          await guard.close();
        },
      };
    }),
    options: unguarded,
  },
  {
    law: 'mutation',
    says: 'changes its last observation in place',
    definition: breakVault({
      env: (env) => {
        let last: { lamp?: string } = {};
        return {
          step: async (action, context) => {
            const result = await env.step(action, context);
            last.lamp = 'stale';
            last = result.observation as { lamp?: string };
            return result;
          },
        };
      },
    }),
  },
  {
    law: 'mutation',
    says: 'reuses one list of admissible actions for all turns',
    definition: breakVault({
      env: (env) => {
        const list: unknown[] = [];
        return {
          step: async (action, context) => {
            const result = await env.step(action, context);
            if (result.kind !== 'ongoing') return result;
            list.splice(0, list.length, ...(result.admissible ?? []));
            return { ...result, admissible: list };
          },
        };
      },
    }),
  },
  {
    law: 'mutation',
    says: 'changes the action that it is given',
    definition: breakVault({
      env: (env) => ({
        step: async (action, context) => {
          const result = await env.step(action, context);
          (action as { done?: boolean }).done = true;
          return result;
        },
      }),
    }),
  },
  {
    law: 'mutation',
    says: 'hands out its live world as a snapshot',
    definition: breakVault({
      env: (env) => {
        const live: { world?: unknown } = {};
        return {
          snapshots: {
            take: () => {
              live.world = env.snapshots?.take().world;
              return { ...env.snapshots?.take(), world: live, episode: { steps: 0 }, steps: 0 } as never;
            },
            restore: (snapshot) =>
              env.snapshots?.restore({
                ...snapshot,
                world: (snapshot.world as { world: never }).world,
              }) as never,
          },
        };
      },
    }),
  },
  {
    law: 'mutation',
    says: 'changes the snapshot that it restored',
    where: { call: 'snapshots.restore' },
    definition: breakVault({
      env: (env) => {
        let restored: { world: { open: readonly boolean[] } } | undefined;
        return {
          reset: (task, context) => {
            restored = undefined;
            return env.reset(task, context);
          },
          step: async (action, context) => {
            const result = await env.step(action, context);
            if (restored !== undefined) restored.world.open = [...worldOf(env).open];
            return result;
          },
          snapshots: {
            take: () => env.snapshots?.take() as never,
            restore: (snapshot) => {
              restored = snapshot as never;
              return env.snapshots?.restore(snapshot) as never;
            },
          },
        };
      },
    }),
  },
  {
    law: 'snapshot',
    says: 'restores a snapshot rightly only once',
    where: { call: 'snapshots.restore' },
    definition: (() => {
      const used = new WeakSet<object>();
      return breakVault({
        env: (env) => ({
          snapshots: {
            take: () => env.snapshots?.take() as never,
            restore: (snapshot) => {
              const { coin, lamp, open } = snapshot.world as unknown as World;
              const again = used.has(snapshot);
              used.add(snapshot);
              return env.snapshots?.restore({
                ...snapshot,
                world: { coin, lamp: lamp !== again, open: [...open] },
              }) as never;
            },
          },
        }),
      });
    })(),
  },
  {
    law: 'snapshot',
    says: 'restores a snapshot without the lamp',
    where: { call: 'snapshots.restore' },
    definition: breakVault({
      env: (env) => ({
        snapshots: {
          take: () => env.snapshots?.take() as never,
          restore: (snapshot) =>
            env.snapshots?.restore({
              ...snapshot,
              world: { ...(snapshot.world as object), lamp: false },
            }) as never,
        },
      }),
    }),
    options: { points: 40 }, // lamps are seldom lit
  },
  {
    law: 'snapshot',
    says: 'restores a snapshot only in the env that took it',
    definition: breakVault({
      env: (env) => {
        const taken: unknown[] = [];
        return {
          snapshots: {
            take: () => {
              const snapshot = env.snapshots?.take();
              taken.push(snapshot);
              return {
                ...snapshot,
                world: snapshot?.world ?? {},
                episode: { steps: 0, number: taken.length - 1 },
                steps: 0,
              };
            },
            restore: (snapshot) =>
              env.snapshots?.restore(
                taken[(snapshot.episode as { number: number }).number] as never,
              ) as never,
          },
        };
      },
    }),
  },
  {
    law: 'snapshot',
    says: 'switches the lamp by taking a snapshot',
    definition: breakVault({
      env: (env) => ({
        snapshots: {
          take: () => {
            const snapshot = env.snapshots?.take() as Snapshot;
            const world = snapshot.world as unknown as World;
            env.snapshots?.restore({
              world: { ...world, lamp: !world.lamp },
              episode: { steps: 0 },
              steps: 0,
            });
            return { ...snapshot, episode: { steps: 0 }, steps: 0 };
          },
          restore: (snapshot) => env.snapshots?.restore(snapshot) as never,
        },
      }),
    }),
  },
  {
    law: 'json',
    says: 'takes a snapshot that contains a Set',
    definition: breakVault({
      env: (env) => ({
        snapshots: {
          take: () => ({ ...env.snapshots?.take(), world: new Set() as never, episode: {}, steps: 0 }),
          restore: () => never() as never,
        },
      }),
    }),
  },
  {
    law: 'crash',
    says: 'throws on an action that only an earlier turn listed',
    where: { call: 'step' },
    definition: breakVault({
      env: (env) => ({
        step: async (action, context) => {
          const { do: kind, box = 0 } = action as { do: string; box?: number };
          if (kind === 'open' && worldOf(env).open[box] !== false) throw new Error('the box is open');
          return env.step(action, context);
        },
      }),
    }),
    options: { tasksPerPanel: 1, episodes: 2, leastSteps: 1 },
  },
  {
    law: 'experts',
    says: 'plans to open the wrong box',
    definition: breakVault({
      host: () => ({ experts: { planner: () => [{ do: 'open', box: 0 }, { do: 'shake' }] } }),
    }),
  },
  {
    law: 'experts',
    says: 'plans differently each time',
    definition: breakVault({
      host: (host) => {
        let asked = 0;
        const shakes = (): readonly Action[] =>
          Array.from({ length: (asked += 1) % 3 }, () => ({ do: 'shake' }));
        return { experts: { planner: (task) => [...shakes(), ...(host.experts?.planner?.(task) ?? [])] } };
      },
    }),
  },
  {
    law: 'experts',
    says: 'has a searcher that takes what it has not seen',
    where: { call: 'searcher' },
    definition: breakVault({
      host: () => ({ experts: { searcher: () => ({ act: () => ({ do: 'take' }) }) } }),
    }),
  },
  {
    law: 'experts',
    says: 'searches by the world that the env left in a variable',
    where: { call: 'searcher' },
    definition: knowingSearcher((world) => world),
  },
  {
    law: 'experts',
    says: 'searches by the state key',
    where: { call: 'searcher' },
    definition: knowingSearcher((_, { stateKey = '' }) => JSON.parse(stateKey) as World),
  },
  {
    law: 'experts',
    says: 'searches by the metrics, which are for people',
    where: { call: 'searcher' },
    definition: telling(
      (coin) => ({ metrics: { coin } }),
      (turn) => ('metrics' in turn ? turn.metrics?.['coin'] : undefined),
    ),
  },
  {
    law: 'schema',
    says: 'adds a field that its schema does not know',
    definition: telling(
      (coin) => ({ aside: coin }),
      () => undefined,
    ),
  },
  {
    law: 'experts',
    says: 'searches by the plan for the task that its latest reset left in a variable',
    where: { call: 'searcher' },
    definition: taskKnowingSearcher(),
  },
  {
    law: 'experts',
    says: 'searches by the state key of an earlier turn',
    where: { call: 'searcher' },
    definition: keyKeepingSearcher(),
  },
  {
    law: 'experts',
    says: 'has a searcher that removes actions from the list of its turn',
    where: { call: 'searcher' },
    definition: breakVault({
      host: () => ({
        experts: { searcher: () => ({ act: (turn) => (turn.admissible as Action[]).shift() }) },
      }),
    }),
  },
  {
    law: 'crash',
    says: 'has a planner that throws',
    definition: breakVault({
      host: () => ({
        experts: {
          planner: () => {
            throw new Error('no plan');
          },
        },
      }),
    }),
  },
  leaking('a timer', () => {
    const timer = setInterval(() => undefined, 1_000);
    left.push(() => clearInterval(timer));
  }),
  leaking('a timer that does not keep the process alive, and runs on and on', () => {
    const timer = setInterval(() => undefined, 1_000).unref();
    left.push(() => clearInterval(timer));
  }),
  leaking('a listening socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    left.push(() => server.close());
  }),
  leaking('an open file', () => {
    openSync('package.json', 'r');
  }),
  leaking('a child process', () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 60_000)'], { stdio: 'ignore' });
    left.push(() => child.kill('SIGKILL'));
  }),
  ...(process.platform === 'linux' // other systems do not report it
    ? [
        leaking('a child process that does not keep the process alive', () => {
          const child = spawn('sleep', ['60'], { stdio: 'ignore', detached: true });
          child.unref();
          left.push(() => child.kill('SIGKILL'));
        }),
      ]
    : []),
];

const noSwaps = { secrets: (task: TaskRef): readonly string[] => [sealOf(task)] };

/** A searcher that opens the box that the planner names for the task started last. There is no audit to swap hidden facts. */
function taskKnowingSearcher(): AnyEnvDefinition {
  let latest: TaskRef | undefined;
  return breakVault({
    env: (env) => ({
      reset: (task, context) => {
        latest = task;
        return env.reset(task, context);
      },
    }),
    host: ({ experts }) => ({
      audit: noSwaps,
      experts: {
        searcher: () => {
          let plan: unknown[] | undefined;
          return { act: () => (plan ??= [...(experts?.planner?.(latest as TaskRef) ?? [])]).shift() };
        },
      },
    }),
  });
}

/** A searcher that opens the first box, and then the one named by the key of the previous turn. */
function keyKeepingSearcher(): AnyEnvDefinition {
  return breakVault({
    host: () => ({
      audit: noSwaps,
      experts: {
        searcher: () => {
          let earlier: string | undefined;
          return {
            act: ({ stateKey = '' }): Action => {
              const known = earlier === undefined ? undefined : (JSON.parse(earlier) as World);
              earlier = stateKey;
              if (known === undefined) return { do: 'open', box: 0 };
              const { coin } = known;
              const { open } = JSON.parse(stateKey) as World;
              return open[coin] === true ? { do: 'take' } : { do: 'open', box: coin };
            },
          };
        },
      },
    }),
  });
}

/** The vault whose results reveal too much. Its searcher opens the box that `hear` reads from them, or else the first possible box. */
function telling(
  more: (coin: number) => object,
  hear: (turn: AnyActingTurn) => number | undefined,
): AnyEnvDefinition {
  return breakVault({
    env: (env) => ({
      step: async (action, context) => ({ ...(await env.step(action, context)), ...more(worldOf(env).coin) }),
    }),
    host: () => ({
      experts: {
        searcher: () => ({
          act: (turn) => {
            const actions = turn.admissible as readonly Action[];
            const box = hear(turn);
            return (
              actions.find((action) => action.do === 'take') ??
              actions.find((action) => action.do === 'open' && action.box === box) ??
              actions[0]
            );
          },
        }),
      },
    }),
  });
}

/** The vault with a searcher that opens the box of the coin at once. `look` finds the box in the world and the turn. */
function knowingSearcher(look: (world: World, turn: AnyActingTurn) => World): AnyEnvDefinition {
  let current: AnyEnv | undefined;
  return breakVault({
    env: (env) => ({
      reset: (task, context) => {
        current = env;
        return env.reset(task, context);
      },
    }),
    host: () => ({
      experts: {
        searcher: () => ({
          act: (turn): Action => {
            const { coin, open } = look(worldOf(current as AnyEnv), turn);
            return open[coin] === true ? { do: 'take' } : { do: 'open', box: coin };
          },
        }),
      },
    }),
  });
}

/** Enforces the order of all calls except one: `call` is allowed in `phase`. */
function slipping(says: string, call: 'reset' | 'step', phase: 'fresh' | 'ended' | 'closed'): Flaw {
  return {
    law: 'order',
    says: `accepts a ${says}`,
    where: { call: says },
    definition: breakVault({
      env: (env) => {
        const guard = new OrderGuard(env, vault.id);
        let now: 'fresh' | 'running' | 'ended' | 'closed' = 'fresh';
        return {
          reset: (task, context) => {
            if (call === 'reset' && now === phase) return env.reset(task, context);
            if (now !== 'closed') now = 'running';
            return guard.reset(task, context);
          },
          step: async (action, context) => {
            if (call === 'step' && now === phase) return env.step(action, context);
            const result = await guard.step(action, context);
            if (result.kind !== 'ongoing') now = 'ended';
            return result;
          },
          close: () => {
            now = 'closed';
            return guard.close();
          },
        };
      },
    }),
    options: unguarded,
  };
}

function leaking(what: string, leak: () => void | Promise<void>): Flaw {
  return {
    law: 'resources',
    says: `leaves ${what} behind`,
    definition: breakVault({
      host: (host) => ({
        close: async () => {
          await leak();
          await host.close();
        },
      }),
    }),
  };
}
