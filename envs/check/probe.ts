import { forkContext, StepContext, type Context } from '../core/context.ts';
import type { Rng } from '../core/rng.ts';
import type { Turn } from '../core/step.ts';
import { replay, viewAt, stepEnv, type EpisodePoint } from './play.ts';
import { copy, type TurnView } from './turn-view.ts';
import { restoreSnapshot, type SavedPoint } from './snapshot-laws.ts';
import type { AnyActingTurn, AnyEnv, Subject } from './subject.ts';

/** An env at a point of an episode, ready to continue. */
export interface Stand {
  readonly env: AnyEnv;
  readonly turn: Turn<unknown, unknown> | undefined;
  readonly sight: TurnView;
}

/** Brings `env` to the point: by its snapshot where snapshots can be trusted, else by playing up to it. */
export async function standAt(
  subject: Subject,
  env: AnyEnv,
  run: Context,
  point: EpisodePoint | SavedPoint,
): Promise<Stand> {
  if ('snapshot' in point && !subject.report.isBroken('snapshot')) {
    const turn = restoreSnapshot(env, point.snapshot, { task: point.recording.task, step: point.step });
    return { env, turn, sight: subject.look(turn) };
  }
  await replay(subject, { env, run }, point.recording, (_, step) => step < point.step);
  return { env, turn: undefined, sight: viewAt(point) };
}

/** Two worlds that receive the same actions. */
export interface WorldPair {
  readonly left: Stand;
  readonly right: Stand;
  /** The point of the left world, for the report. */
  readonly point: EpisodePoint;
  /** The next action; undefined to stop. */
  readonly choose: Chosen;
  /** Receives each pair of results. False ends the comparison. */
  readonly compare: (left: TurnView, right: TurnView, action: unknown) => boolean;
}

export type Chosen = (before: { readonly left: TurnView; readonly right: TurnView }, step: number) => unknown;

/** Plays both worlds with equal random streams until `compare` or `choose` stops it, or an episode ends. */
export async function sideBySide(subject: Subject, run: Context, worlds: WorldPair): Promise<void> {
  const { task } = worlds.point.recording;
  const episode = forkContext(run, 'side-by-side');
  try {
    const luck = new StepContext(episode);
    let [left, right] = [worlds.left.sight, worlds.right.sight];
    for (let step = 0; step < subject.plan.lookahead; step += 1) {
      const action = worlds.choose({ left, right }, step);
      if (action === undefined) return;
      const at = { task, step: worlds.point.step + step };
      left = subject.look(await stepEnv(subject, { env: worlds.left.env, luck, at }, copy(action)));
      right = subject.look(await stepEnv(subject, { env: worlds.right.env, luck, at }, copy(action)));
      if (!worlds.compare(left, right, action)) return;
      if (left.kind !== '"ongoing"' || right.kind !== '"ongoing"') return;
    }
  } finally {
    episode[Symbol.dispose]();
  }
}

/** An action from the options, for a world that lists none. Undefined where the options give none. */
export function actionFor(subject: Subject, turn: Turn<unknown, unknown> | undefined, rng: Rng): unknown {
  return turn === undefined ? undefined : subject.actions?.(turn as AnyActingTurn, rng);
}
