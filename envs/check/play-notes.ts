import { listedIn, viewAfter, type Move, type Recording } from './play.ts';
import { textOf } from './turn-view.ts';
import type { Subject } from './subject.ts';

/**
 * Notes what was played and tried, and reports where nobody could choose an action. Returns why nothing was
 * played, if so.
 */
export function noteEpisodes(subject: Subject, recordings: readonly Recording[]): string | undefined {
  const { report, plan, definition } = subject;
  const steps = recordings.reduce((sum, { moves }) => sum + moves.length, 0);
  const ended = recordings.filter(({ end }) => end === 'ended').length;
  report.note(
    `${counted(recordings.length, 'episode was', 'episodes were')} played, ${counted(steps, 'step', 'steps')}; ${ended} ended`,
  );
  if (recordings.length === 0) return undefined;
  if (steps === 0) {
    if (recordings.some(({ end }) => end === 'crashed')) return 'the first step of every episode failed';
    const why =
      'there was nobody to choose an action: turns list none, no expert chose one, and the check was given none';
    report.found({
      law: 'playable',
      where: {},
      what: `no step could be played, so almost nothing was checked: ${why}.`,
      fix: `Supply actions to try: \`npx cairn-gym check ${definition.id} --actions FILE\` with one action in words per line, or \`options.actions\` of checkEnv.`,
    });
    return why;
  }
  noteActions(subject, recordings);
  if (recordings.some(hasSeveralSeats))
    report.note(
      'several seats act in an episode: credit is given to one, so that `cairn-gym train` refuses it',
    );
  const tries = triesIn(recordings);
  if (tries.listed > 0) {
    report.note(
      `of ${counted(tries.listed, 'action', 'different actions')} that turns listed, ${tries.tried} ${tries.tried === 1 ? 'was' : 'were'} tried; ${counted(tries.stale, 'step', 'steps')} tried one that the turn did not list`,
    );
  }
  if (steps < plan.leastSteps) {
    report.note(
      `fewer than ${plan.leastSteps} steps is little: a law that only some steps break may look kept; --episodes and --tasks (episodes, tasksPerPanel) for more`,
    );
  }
  return undefined;
}

/** Reports where no action was admissible, and notes the fate of the actions that the options supplied. */
function noteActions({ report, actions, definition }: Subject, recordings: readonly Recording[]): void {
  const moves = recordings.flatMap((recording) => recording.moves);
  const given = moves.filter((move) => move.given);
  const undone = (of: readonly Move[]): number =>
    of.filter(({ after }) => after.inadmissible === 'true').length;
  const crashed = recordings.some(({ end }) => end === 'crashed'); // by actions that are not among the moves
  if (actions !== undefined && given.length > 0)
    report.note(
      `${counted(given.length, 'step', 'steps')} with a supplied action; ${undone(given)} of them were inadmissible`,
    );
  if (actions !== undefined && given.length === 0 && !crashed)
    report.note('the supplied actions were never tried: turns list their actions, and experts choose theirs');
  if (!crashed && !report.isBroken('admissible') && undone(moves) === moves.length) {
    report.found({
      law: 'playable',
      where: {},
      what: `none of ${counted(moves.length, 'step', 'steps')} was admissible, so almost nothing was checked.`,
      fix:
        given.length === 0
          ? 'List only actions that can be done, and mark only the others as inadmissible.'
          : `Supply admissible actions: \`npx cairn-gym check ${definition.id} --actions FILE\`, or \`options.actions\` of checkEnv.`,
    });
    return;
  }
  report.checked('playable');
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const hasSeveralSeats = ({ opening, moves }: Recording): boolean =>
  moves.some((_, step) => (moves[step - 1]?.after ?? opening).seat !== opening.seat);

/**
 * The number of different listed actions, how many of them were done, and the steps whose action was not
 * listed.
 */
function triesIn(recordings: readonly Recording[]): {
  readonly listed: number;
  readonly tried: number;
  readonly stale: number;
} {
  const listed = new Set<string>();
  const tried = new Set<string>();
  let stale = 0;
  for (const recording of recordings) {
    for (const [step, { text }] of recording.moves.entries()) {
      const list = listedIn(viewAfter(recording, step)).map(textOf);
      for (const action of list) listed.add(action);
      if (list.includes(text)) tried.add(text);
      else if (list.length > 0) stale += 1;
    }
  }
  return { listed: listed.size, tried: tried.size, stale };
}
