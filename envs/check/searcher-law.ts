import type { Context } from '../core/context.ts';
import type { Snapshot } from '../core/env.ts';
import { shownTurn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { attemptNow } from './attempt-now.ts';
import { findHiding, isSameWorld, swapAt, type Swap } from './hidden-laws.ts';
import { askSearcher, expertly, replay, reset, searcherRng, type Recording } from './play.ts';
import { shorten, textOf } from './turn-view.ts';
import { restoreSnapshot, type SavedPoint } from './snapshot-laws.ts';
import type { AnyActingTurn, AnyEnv, AnyHost, AnySearcher, Subject } from './subject.ts';

/** A point of a searcher's episode, and a world that differs from it in hidden facts. */
interface OtherWorld {
  readonly point: SavedPoint;
  readonly snapshot: Snapshot;
}

/** A change of the searcher's turns, or of the world around it, that no agent sees. */
interface Blindfold {
  readonly says: string;
  readonly fix: string;
  readonly see: (turn: AnyActingTurn) => AnyActingTurn;
  /** Runs before each act. */
  readonly before: (step: number) => Promise<void>;
}

/**
 * The searcher gets the turns of its episodes again, first without state keys, then while the env plays
 * another task. By turns alone it must repeat its choices. The law needs neither snapshots nor an audit.
 */
export async function checkSearcherTurns(
  subject: Subject,
  host: AnyHost,
  recordings: readonly Recording[],
): Promise<void> {
  const { report, plan } = subject;
  const searched = recordings.filter(({ style }) => style === 'searcher');
  if (searched.length === 0 || report.isBroken('experts')) return;
  const run = subject.run('searcher-turns');
  // resets per episode, limited because some envs take long for one
  const resets = Math.max(1, Math.floor(plan.points / searched.length));
  for (const recording of searched) {
    const turns = await turnsOf(subject, host, run, recording);
    const keyless: Blindfold = {
      says: 'without the parts of turns that no agent sees, such as state keys and metrics,',
      fix: 'Use only the parts of a turn that an agent sees: no state keys, no metrics and no extra fields.',
      see: shownTurn,
      before: () => Promise.resolve(),
    };
    if (!(await searchesAlike(subject, host, { recording, turns }, keyless))) continue;
    const other = otherTasks(host, recordings, recording.task);
    if (other.length === 0) {
      report.unchecked(
        'experts',
        'whether the searcher knows its task by more than its turns: there is one task alone',
      );
      continue;
    }
    const env = await subject.create(host, run);
    const elsewhere: Blindfold = {
      says: 'given the same turns while the env played another task,',
      fix: 'Derive all knowledge of the task from turns, not from variables of the env.',
      see: (turn) => turn,
      before: async (step) => {
        if (step < resets) await reset(subject, env, other[step % other.length] as TaskRef, run);
      },
    };
    await searchesAlike(subject, host, { recording, turns }, elsewhere);
    await subject.close(env, run);
  }
}

/** Other tasks: those that were played, or the next one of the panel. */
function otherTasks(
  host: AnyHost,
  recordings: readonly Recording[],
  { panel, index }: TaskRef,
): readonly TaskRef[] {
  const played = recordings
    .map(({ task }) => task)
    .filter((task) => task.panel !== panel || task.index !== index);
  const size = host.panels.find(({ name }) => name === panel)?.size ?? 1;
  return played.length > 0 || size === 1 ? played : [{ panel, index: (index + 1) % size }];
}

/** Whether the searcher repeats its recorded choices. Reports a finding where it does not, or throws. */
async function searchesAlike(
  subject: Subject,
  host: AnyHost,
  { recording, turns }: { readonly recording: Recording; readonly turns: readonly AnyActingTurn[] },
  { says, fix, see, before }: Blindfold,
): Promise<boolean> {
  const { task, label, moves } = recording;
  let searcher: AnySearcher | undefined;
  for (const [step, turn] of turns.slice(0, moves.length).entries()) {
    subject.report.checked('experts');
    await before(step);
    const where = { task, step, call: 'searcher' };
    const chosen = attemptNow(() => {
      searcher ??= host.experts?.searcher?.(searcherRng(subject, label));
      return textOf(askSearcher(subject, searcher, see(turn), where));
    });
    const recorded = moves[step]?.text ?? '';
    if (chosen.kind === 'returned' && chosen.value === recorded) continue;
    const did =
      chosen.kind === 'returned'
        ? `it chose ${shorten(chosen.value)} instead of ${shorten(recorded)}`
        : chosen.message.replace(/\.$/, '');
    subject.report.found({ law: 'experts', where, what: `${says} ${did}.`, fix });
    return false;
  }
  return true;
}

/**
 * The searcher gets its turns again while the env is in a world with other hidden facts. A searcher that uses
 * more than its turns then learns something else, and its choice reveals it.
 */
export async function checkSearcherSight(
  subject: Subject,
  host: AnyHost,
  saved: readonly SavedPoint[],
): Promise<void> {
  const { report } = subject;
  if (host.experts?.searcher === undefined) return;
  const untested = (why: string): void =>
    report.unchecked('experts', `whether the searcher looks where an agent cannot: ${why}`);
  const swapHidden = host.audit?.swapHidden?.bind(host.audit);
  const searched = saved.filter(({ recording }) => recording.style === 'searcher');
  if (swapHidden === undefined) return untested('the host has no audit.swapHidden');
  if (searched.length === 0) return untested('there are no snapshots of its episodes');
  if (report.isBroken('experts')) return untested('an expert breaks the law already');
  const tried = await findHiding(subject, searched, (point) => otherWorldAt(subject, swapHidden, point));
  if (tried.length === 0)
    return untested('audit.swapHidden changed no world at any point that was tried of its episodes');
  const run = subject.run('searcher-sight');
  for (const recording of new Set(tried.map(({ point }) => point.recording))) {
    const turns = await turnsOf(subject, host, run, recording);
    const env = await subject.create(host, run);
    for (const world of tried.filter(({ point }) => point.recording === recording))
      await checkWorld(subject, { host, env, run }, world, turns);
    await subject.close(env, run);
  }
}

/** Undefined where nothing is hidden, or where the swap gave the same world. */
function otherWorldAt(subject: Subject, swapHidden: Swap, point: SavedPoint): OtherWorld | undefined {
  const swapped = swapAt(
    subject,
    swapHidden,
    point,
    subject.rng.fork(`searcher-${point.recording.label}-${point.step}`),
  );
  return swapped === undefined || isSameWorld(swapped, point)
    ? undefined
    : { point, snapshot: swapped.snapshot };
}

/** The turns of the recording, as an env returns them. */
async function turnsOf(
  subject: Subject,
  host: AnyHost,
  run: Context,
  recording: Recording,
): Promise<readonly AnyActingTurn[]> {
  const env = await subject.create(host, run);
  const turns: AnyActingTurn[] = [];
  await replay(subject, { env, run }, recording, (_sight, _step, returned) => {
    if (!('kind' in returned) || returned.kind === 'ongoing') turns.push(returned);
  });
  await subject.close(env, run);
  return turns;
}

async function checkWorld(
  subject: Subject,
  on: { readonly host: AnyHost; readonly env: AnyEnv; readonly run: Context },
  { point, snapshot }: OtherWorld,
  turns: readonly AnyActingTurn[],
): Promise<void> {
  const { task, label, moves } = point.recording;
  // the searcher might look at the state of the env's latest reset
  await reset(subject, on.env, task, on.run);
  const { stateKey } = restoreSnapshot(on.env, snapshot, { task, step: point.step });
  const searcher = expertly({ task, call: 'searcher' }, () =>
    on.host.experts?.searcher?.(searcherRng(subject, label)),
  );
  for (const [step, turn] of turns.slice(0, point.step + 1).entries()) {
    subject.report.checked('experts');
    // the one part of a turn that no agent sees
    const seen = step === point.step ? { ...turn, stateKey } : turn;
    const chosen = textOf(askSearcher(subject, searcher, seen, { task, step }));
    const recorded = moves[step]?.text ?? chosen; // an episode that was cut off has a turn without a move
    if (chosen === recorded) continue;
    return subject.report.found({
      law: 'experts',
      where: { task, step, call: 'searcher' },
      what: `it chose ${shorten(recorded)} in one world and ${shorten(chosen)} in another that differs only in hidden facts.`,
      fix: 'Use turns alone, without their state keys.',
    });
  }
}
