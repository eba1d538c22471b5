import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import type { Opening, StepResult, Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';

/** An observation of one env of a mixture. */
export interface MixtureObservation {
  readonly env: string;
  readonly observation: unknown;
}

/** An action of one env of a mixture. */
export interface MixtureAction {
  readonly env: string;
  readonly action: unknown;
}

export type AnyEnv = Env<unknown, unknown>;

/** Keys of two envs are never equal, because an id has no blank. */
const keyIn = (env: string, key: string | undefined): string | undefined =>
  key === undefined ? undefined : `${env} ${key}`;

/** A turn of an env as a turn of the mixture. */
export function mixedTurn(
  env: string,
  turn: Turn<unknown, unknown>,
): Turn<MixtureObservation, MixtureAction> {
  const { observation, stateKey, anchorKey, admissible, stepsLeft, seat } = turn;
  return {
    observation: { env, observation },
    stateKey: keyIn(env, stateKey),
    anchorKey: keyIn(env, anchorKey),
    admissible: admissible?.map((action) => ({ env, action })),
    stepsLeft,
    seat,
  };
}

function mixedResult(
  env: string,
  result: StepResult<unknown, unknown>,
): StepResult<MixtureObservation, MixtureAction> {
  if (result.kind === 'ongoing') return { ...result, ...mixedTurn(env, result) };
  return {
    ...result,
    observation: { env, observation: result.observation },
    stateKey: keyIn(env, result.stateKey),
    ...(result.anchorKey === undefined ? {} : { anchorKey: keyIn(env, result.anchorKey) }),
  };
}

/** A snapshot of one env as a snapshot of the mixture. */
export function mixedSnapshot(env: string, { world, episode, steps }: Snapshot): Snapshot {
  return { world: { env, world }, episode, steps };
}

/** The env of a snapshot, and the snapshot that this env took. */
export function ownSnapshot({ world, episode, steps }: Snapshot): {
  readonly env: string;
  readonly snapshot: Snapshot;
} {
  const { env, world: own } = world as { readonly env: string; readonly world: Json };
  return { env, snapshot: { world: own, episode, steps } };
}

/** Plays the tasks of all envs of a mixture, one at a time. It has one env of each. */
export class MixtureEnv implements Env<MixtureObservation, MixtureAction> {
  readonly #envs: ReadonlyMap<string, AnyEnv>;
  readonly #find: (task: TaskRef) => { readonly id: string; readonly task: TaskRef };
  #playing: { readonly id: string; readonly env: AnyEnv } | undefined;
  /** Present where every env can be saved. */
  readonly snapshots?: Snapshots<MixtureObservation, MixtureAction>;

  /** @param find the env and its own task of a task of the mixture */
  constructor(
    envs: ReadonlyMap<string, AnyEnv>,
    find: (task: TaskRef) => { readonly id: string; readonly task: TaskRef },
  ) {
    this.#envs = envs;
    this.#find = find;
    if ([...envs.values()].every(({ snapshots }) => snapshots !== undefined))
      this.snapshots = this.#ownSnapshots();
  }

  async reset(task: TaskRef, context: ResetContext): Promise<Opening<MixtureObservation, MixtureAction>> {
    const { id, task: own } = this.#find(task);
    const { env } = (this.#playing = this.#of(id));
    const opening = await env.reset(own, context);
    return { ...mixedTurn(id, opening), instruction: opening.instruction };
  }

  async step(
    { env: id, action }: MixtureAction,
    context: Context,
  ): Promise<StepResult<MixtureObservation, MixtureAction>> {
    const playing = this.#playing;
    if (playing?.id === id) return mixedResult(id, await playing.env.step(action, context));
    throw new UsageError({
      where: 'step of a mixture',
      what: `the action ${canonicalJson(action)} is one of ${id}, and the episode is one of ${playing?.id ?? 'no env'}.`,
      fix: 'Pass an action of the env that the observation names.',
    });
  }

  async close(): Promise<void> {
    const closed = await Promise.allSettled([...this.#envs.values()].map((env) => env.close()));
    for (const end of closed) if (end.status === 'rejected') throw end.reason;
  }

  #of(id: string): { readonly id: string; readonly env: AnyEnv } {
    const env = this.#envs.get(id);
    if (env !== undefined) return { id, env };
    throw new UsageError({
      where: 'snapshots.restore of a mixture',
      what: `the snapshot is one of ${id}, which the mixture does not contain.`,
      fix: `Restore snapshots of this mixture: it contains ${[...this.#envs.keys()].join(', ')}.`,
    });
  }

  #ownSnapshots(): Snapshots<MixtureObservation, MixtureAction> {
    return {
      take: () => {
        const playing = this.#playing;
        const taken = playing?.env.snapshots?.take();
        if (playing !== undefined && taken !== undefined) return mixedSnapshot(playing.id, taken);
        throw new UsageError({
          where: 'snapshots.take of a mixture',
          what: 'no episode is under way.',
          fix: 'Call reset first.',
        });
      },
      restore: (saved) => {
        const { env: id, snapshot } = ownSnapshot(saved);
        const playing = this.#of(id);
        const turn = playing.env.snapshots?.restore(snapshot);
        if (turn === undefined) throw new TypeError(`${id} cannot restore snapshots`);
        this.#playing = playing;
        return mixedTurn(id, turn);
      },
    };
  }
}
