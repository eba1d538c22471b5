import type { Context } from '../context.ts';
import type { Snapshot } from '../env.ts';
import { isSameWorld, swapAt, type Swap } from './hidden-laws.ts';
import { expertly, replay, reset, searcherRng, type Recording } from './play.ts';
import { shorten, textOf } from './sight.ts';
import { restoreSnapshot, spread, type SavedPoint } from './snapshot-laws.ts';
import type { AnyActingTurn, AnyEnv, AnyHost, Subject } from './subject.ts';

/** A point of a searcher's episode, and the world that differs from it in what was not shown. */
interface OtherWorld {
  readonly point: SavedPoint;
  readonly snapshot: Snapshot;
}

/**
 * The searcher gets its turns again while the env stands in a world that differs in what was not shown: whatever it knows
 * besides the turns then tells it something else, and its choice gives that away.
 */
export async function checkSearcherSight(subject: Subject, host: AnyHost, saved: readonly SavedPoint[]): Promise<void> {
  const { report, plan } = subject;
  if (host.experts?.searcher === undefined) return;
  const untested = (why: string): void => report.unchecked('experts', `whether the searcher looks where an agent cannot: ${why}`);
  const swapHidden = host.audit?.swapHidden?.bind(host.audit);
  const searched = saved.filter(({ recording }) => recording.style === 'searcher');
  if (swapHidden === undefined) return untested('the host has no audit.swapHidden');
  if (searched.length === 0) return untested('there are no snapshots of its episodes');
  if (report.isBroken('experts')) return untested('an expert breaks the law already');
  const worlds = searched.flatMap((point) => otherWorldAt(subject, swapHidden, point));
  if (worlds.length === 0) return untested('audit.swapHidden changed no world at any point of its episodes');
  const run = subject.run('searcher-sight');
  const tried = spread(worlds, plan.points);
  for (const recording of new Set(tried.map(({ point }) => point.recording))) {
    const turns = await turnsOf(subject, host, run, recording);
    const env = await subject.create(host, run);
    for (const world of tried.filter(({ point }) => point.recording === recording)) await checkWorld(subject, { host, env, run }, world, turns);
    await subject.close(env, run);
  }
}

/** At most one: none where nothing is hidden, or where the swap came to the same world. */
function otherWorldAt(subject: Subject, swapHidden: Swap, point: SavedPoint): readonly OtherWorld[] {
  const swapped = swapAt(swapHidden, point, subject.rng.fork(`searcher-${point.recording.label}-${point.step}`));
  return swapped === undefined || isSameWorld(swapped, point) ? [] : [{ point, snapshot: swapped.snapshot }];
}

/** The turns of the recording, as an env gives them. */
async function turnsOf(subject: Subject, host: AnyHost, run: Context, recording: Recording): Promise<readonly AnyActingTurn[]> {
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
  await reset(subject, on.env, task, on.run); // an env may be known by its latest reset, in whatever the searcher looks at
  const { stateKey } = restoreSnapshot(on.env, snapshot, { task, step: point.step });
  const searcher = expertly({ task, call: 'searcher' }, () => on.host.experts?.searcher?.(searcherRng(subject, label)));
  for (const [step, turn] of turns.slice(0, point.step + 1).entries()) {
    subject.report.checked('experts');
    const seen = step === point.step ? { ...turn, stateKey } : turn; // the one part of a turn that no agent sees
    const chosen = textOf(expertly({ task, step, call: 'searcher' }, () => searcher?.act(seen)));
    const recorded = moves[step]?.text ?? chosen; // an episode that was cut off has a turn without a move
    if (chosen === recorded) continue;
    return subject.report.found({
      law: 'experts',
      where: { task, step, call: 'searcher' },
      what: `it chose ${shorten(recorded)} in one world and ${shorten(chosen)} in another that differs only in what was not shown.`,
      mend: 'Let it see turns alone, without their state keys.',
    });
  }
}
