import { setImmediate as nextTurn } from 'node:timers/promises';
import { StepContext, type Context } from '../core/context.ts';
import type { Rng } from '../core/rng.ts';
import type { Law } from './laws.ts';
import { callBefore, replay, reset, viewAfter, stepEnv, type Recording } from './play.ts';
import { copy, difference, shownFields, type TurnView } from './turn-view.ts';
import type { AnyEnv, AnyHost, Subject } from './subject.ts';

/** Replays each recording under `law`'s conditions and reports the first view that differs. */
async function compareAll(
  subject: Subject,
  on: { readonly env: AnyEnv; readonly run: Context; readonly pause?: () => Promise<void> },
  recordings: readonly Recording[],
  told: { readonly law: Law; readonly what: string; readonly fix: string },
): Promise<void> {
  for (const recording of recordings) {
    await replay(subject, on, recording, (sight, step) => {
      subject.report.checked(told.law);
      const differs = difference(viewAfter(recording, step), sight);
      if (differs === undefined) return true;
      subject.report.found({
        law: told.law,
        where: callBefore(recording.task, step),
        what: `${told.what}: ${differs}.`,
        fix: told.fix,
      });
      return false;
    });
  }
}

/** Replays in new envs of another host, with another clock. */
export async function checkRepeat(
  subject: Subject,
  host: AnyHost,
  recordings: readonly Recording[],
): Promise<void> {
  const run = subject.run('again');
  for (const recording of recordings) {
    const env = await subject.create(host, run);
    await compareAll(subject, { env, run }, [recording], {
      law: 'repeat',
      what: 'a replay with the same seed and actions in a new env gave another result',
      fix: 'Draw random numbers from context.rng alone, read no clock, and do not depend on the order of sets, files or promises.',
    });
    await subject.close(env, run);
  }
}

/** Replays everything in one env, in the opposite order, with an interrupted episode before each. */
export async function checkReuse(
  subject: Subject,
  host: AnyHost,
  recordings: readonly Recording[],
): Promise<void> {
  const run = subject.run('reuse');
  const env = await subject.create(host, run);
  for (const [index, recording] of recordings.toReversed().entries()) {
    await breakOff(subject, env, recordings[index], run);
    await compareAll(subject, { env, run }, [recording], {
      law: 'reuse',
      what: 'a replay in an env that had played before gave another result',
      fix: 'Reset all state in reset.',
    });
  }
  await subject.close(env, run);
}

async function breakOff(
  subject: Subject,
  env: AnyEnv,
  recording: Recording | undefined,
  run: Context,
): Promise<void> {
  const move = recording?.moves[0];
  if (recording === undefined || move === undefined) return;
  await reset(subject, env, recording.task, run);
  await stepEnv(
    subject,
    { env, luck: new StepContext(run), at: { task: recording.task, step: 0 } },
    copy(move.action),
  );
}

/** Replays many episodes concurrently, each in its own env, with pauses that shuffle their order. */
export async function checkConcurrency(
  subject: Subject,
  host: AnyHost,
  recordings: readonly Recording[],
): Promise<void> {
  const run = subject.run('together');
  const width =
    recordings.length === 0
      ? 0
      : Math.min(subject.plan.concurrency, host.maxConcurrency ?? Number.POSITIVE_INFINITY);
  if (!subject.hasRoomForTwo(host, 'concurrency')) return;
  for (let first = 0; first < recordings.length; first += width) {
    const wave = Array.from(
      { length: width },
      (_, lane) => recordings[(first + lane) % recordings.length] as Recording,
    );
    const lanes = wave.map(async (recording, lane) => {
      const rng = subject.rng.fork(`pause-${first + lane}`);
      const env = await subject.create(host, run);
      const pause = (): Promise<void> => giveWay(rng);
      await compareAll(subject, { env, run, pause }, [recording], {
        law: 'concurrency',
        what: `a replay beside ${wave.length - 1} other episodes gave another result`,
        fix: 'Keep all state of an episode in its env, and none in the host or the module.',
      });
      await subject.close(env, run);
    });
    const ends = await Promise.allSettled(lanes);
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }
}

/**
 * Yields for longer than a call takes that waits for nothing, so that calls of different steps overlap. Now
 * and then it yields until the next turn of the event loop.
 */
async function giveWay(rng: Rng): Promise<void> {
  for (let turn = rng.int(64); turn > 0; turn -= 1) await Promise.resolve();
  if (rng.int(8) === 0) await nextTurn();
}

/**
 * Replays the actions with another random stream on another path. Openings must be equal. Everything must be
 * equal where the env is declared deterministic. The anchor key must be equal as long as the same has been
 * shown.
 */
export async function checkLuck(
  subject: Subject,
  host: AnyHost,
  recordings: readonly Recording[],
): Promise<void> {
  if (!subject.definition.deterministic)
    subject.report.unchecked('luck', 'the env says that it is not deterministic');
  const run = subject.run('other-luck', 'other-luck');
  for (const recording of recordings) {
    const env = await subject.create(host, run);
    await replay(subject, { env, run }, recording, (sight, step) =>
      compareLuck(subject, recording, sight, step),
    );
    await subject.close(env, run);
  }
}

function compareLuck(subject: Subject, recording: Recording, sight: TurnView, step: number): boolean {
  const { report, definition } = subject;
  const recorded = viewAfter(recording, step);
  const where = callBefore(recording.task, step);
  if (step === 0) {
    report.checked('initial-state');
    const differs = difference(recorded, sight);
    if (differs === undefined) return true;
    report.found({
      law: 'initial-state',
      where,
      what: `with another path, clock and seed the same task had another opening: ${differs}.`,
      fix: 'Derive the initial state from the task alone, for example with createRng of its panel and index.',
    });
    return false;
  }
  if (definition.deterministic) {
    report.checked('luck');
    const differs = difference(recorded, sight);
    if (differs === undefined) return true;
    const what = `the env is declared deterministic, but with another rng ${differs}.`;
    report.found({ law: 'luck', where, what, fix: 'Set deterministic: false, or do not use context.rng.' });
    return false;
  }
  if (difference(recorded, sight, shownFields) !== undefined) return false;
  report.checked('anchor-key');
  const differs = difference(recorded, sight, ['anchorKey']);
  if (differs === undefined) return true;
  report.found({
    law: 'anchor-key',
    where,
    what: `everything shown is equal, but with another rng ${differs}.`,
    fix: 'Make the anchor key of the task and of what was shown, and of nothing else.',
  });
  return false;
}
