import fc from 'fast-check';
import { expect } from 'vitest';
import { createContext } from '../../envs/core/context.ts';
import type { Env, EnvHost, Snapshot } from '../../envs/core/env.ts';
import { createRng } from '../../envs/core/rng.ts';
import type { StepResult } from '../../envs/core/step.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Played } from './played.ts';

// Laws of the contract as properties, for worlds of words: far more episodes of one world than the check of any env takes.

/** A world of words, and how it is played where a law is looked for. */
export interface LawfulWorld<Manner> {
  readonly tasks: fc.Arbitrary<TaskRef>;
  /** In what ways it may be opened. */
  readonly manners: fc.Arbitrary<Manner>;
  readonly open: (manner: Manner) => EnvHost<string, string>;
  /** Plays at most so many steps, deep and odd ones too. */
  readonly wander: (
    env: Env<string, string>,
    task: TaskRef,
    options: { readonly seed: string; readonly most: number },
  ) => Promise<Played>;
  /** Steps that an episode may go on. */
  readonly longest: number;
}

const context = createContext({ seed: 1, now: () => 0 });
const anySeed = fc.nat(1_000_000).map(String);
const members = ['a', 'b', 'c', 'd', 'e', 'f'];

async function holds<Manner>(
  { tasks, manners, open }: LawfulWorld<Manner>,
  numRuns: number,
  law: (host: EnvHost<string, string>, task: TaskRef, seed: string) => Promise<void>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(tasks, anySeed, manners, (task, seed, manner) => law(open(manner), task, seed)),
    { numRuns },
  );
}

/** Turns of a task with equal anchor keys list equal actions. Returns how often a key was met again. */
export async function equalAnchorsListEqualActions<Manner>(
  world: LawfulWorld<Manner>,
  numRuns: number,
): Promise<number> {
  let again = 0;
  await holds(world, numRuns, async (host, task, seed) => {
    const env = await host.create();
    const actionsOf = new Map<string, readonly string[]>();
    for (const member of members) {
      for (const { anchorKey = '', admissible = [] } of (
        await world.wander(env, task, { seed: seed + member, most: world.longest })
      ).turns) {
        const before = actionsOf.get(anchorKey);
        if (before !== undefined) again += 1;
        expect(admissible).toEqual(before ?? admissible);
        actionsOf.set(anchorKey, admissible);
      }
    }
  });
  return again;
}

/** The same action in states of a task with equal keys leads to the same. Returns how often one was done again. */
export async function equalStatesHaveEqualFutures<Manner>(
  world: LawfulWorld<Manner>,
  numRuns: number,
): Promise<number> {
  let again = 0;
  await holds(world, numRuns, async (host, task, seed) => {
    const env = await host.create();
    const futures = new Map<string, string>();
    for (const member of members) {
      const { turns, actions, last } = await world.wander(env, task, {
        seed: seed + member,
        most: world.longest,
      });
      for (const [step, action] of actions.entries()) {
        const after = turns[step + 1] ?? last;
        const now = `${turns[step]?.stateKey} ${action}`;
        const then = `${after?.stateKey} ${after?.observation}`;
        if (futures.has(now)) again += 1;
        expect(futures.get(now) ?? then).toBe(then);
        futures.set(now, then);
      }
    }
  });
  return again;
}

/**
 * An episode whose hidden facts are swapped continues unchanged, except for state keys, until an action
 * reveals them.
 * @param options.revealed reads the revealed facts from a result
 * @returns the number of swapped episodes, how many of them had another state key, the number of compared
 *   steps, and how often revealed facts differed
 */
export async function hiddenFactsStayHidden<Manner>(
  world: LawfulWorld<Manner>,
  options: { readonly numRuns: number; readonly revealed: (result: StepResult<string, string>) => unknown },
): Promise<{
  readonly swaps: number;
  readonly keyed: number;
  readonly compared: number;
  readonly shown: number;
}> {
  let [swaps, keyed, compared, shown] = [0, 0, 0, 0];
  await holds(world, options.numRuns, async (host, task, seed) => {
    const [here, there] = [await host.create(), await host.create()];
    const rng = createRng(6).fork(seed);
    if ((await world.wander(here, task, { seed, most: rng.int(30) })).last?.kind === 'terminated') return;
    const snapshot = here.snapshots?.take();
    const swapped =
      snapshot === undefined ? undefined : host.audit?.swapHidden?.(snapshot, createRng(5).fork(seed));
    if (snapshot === undefined || swapped === undefined) return;
    let turn = here.snapshots?.restore(snapshot);
    const other = there.snapshots?.restore(swapped.snapshot);
    expect(other).toEqual({ ...turn, stateKey: other?.stateKey });
    swaps += 1;
    if (other?.stateKey !== turn?.stateKey) keyed += 1;
    for (let step = 0; step < world.longest; step += 1) {
      const action = rng.pick(turn?.admissible ?? []);
      const [result, otherResult] = [await here.step(action, context), await there.step(action, context)];
      if (swapped.reveals(action)) {
        if (options.revealed(result) !== options.revealed(otherResult)) shown += 1;
        return;
      }
      compared += 1;
      expect(otherResult).toEqual({ ...result, stateKey: otherResult.stateKey });
      if (result.kind !== 'ongoing') return;
      turn = result;
    }
  });
  return { swaps, keyed, compared, shown };
}

/** A snapshot of any moment, through JSON and in a fresh env, goes on as the episode did, to equal snapshots. */
export async function snapshotsGoOn<Manner>(world: LawfulWorld<Manner>, numRuns: number): Promise<void> {
  await holds(world, numRuns, async (host, task, seed) => {
    const first = await host.create();
    const { turns, actions, last } = await world.wander(first, task, { seed, most: world.longest });
    const at = createRng(7).fork(seed).int(turns.length);
    const second = await host.create();
    await second.reset(task, context);
    for (const action of actions.slice(0, at)) await second.step(action, context);
    const saved = JSON.parse(JSON.stringify(second.snapshots?.take())) as Snapshot;
    const third = await host.create();
    const { observation, admissible, anchorKey, stateKey, stepsLeft } = turns[at] ?? {};
    expect(third.snapshots?.restore(saved)).toMatchObject({
      observation,
      admissible,
      anchorKey,
      stateKey,
      stepsLeft,
    });
    for (const [offset, action] of actions.slice(at).entries())
      expect(await third.step(action, context)).toEqual(turns[at + offset + 1] ?? last);
    if (last?.kind === 'ongoing') expect(third.snapshots?.take()).toEqual(first.snapshots?.take());
  });
}
