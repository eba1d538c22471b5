import { listedIn, viewAfter, type Move, type Recording } from './play.ts';
import { textOf } from './turn-view.ts';
import type { Subject } from './subject.ts';

/** Says what was played and what was tried, and finds fault where nobody could choose an action. Returns why nothing was played, where that is so. */
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
      what: `not one step could be played, so that next to nothing was looked at: ${why}.`,
      fix: `Give some to try: \`cairn check ${definition.id} --actions FILE\`, of one action a line, in words; from a program \`options.actions\` of checkEnv.`,
    });
    return why;
  }
  noteActions(subject, recordings);
  if (recordings.some(hasSeveralSeats))
    report.note('several seats act in an episode: credit is given to one, so that `cairn train` refuses it');
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

/** Finds fault where nothing that was tried could be done, and says what became of the actions that the check was given. */
function noteActions({ report, actions, definition }: Subject, recordings: readonly Recording[]): void {
  const moves = recordings.flatMap((recording) => recording.moves);
  const given = moves.filter((move) => move.given);
  const undone = (of: readonly Move[]): number =>
    of.filter(({ after }) => after.inadmissible === 'true').length;
  const crashed = recordings.some(({ end }) => end === 'crashed'); // by actions that are none of the moves
  if (actions !== undefined && given.length > 0)
    report.note(
      `${counted(given.length, 'step was one', 'steps were some')} of the actions that were given; ${undone(given)} of them could not be done`,
    );
  if (actions !== undefined && given.length === 0 && !crashed)
    report.note('the actions that were given were never tried: turns list theirs, and experts choose theirs');
  if (!crashed && !report.isBroken('admissible') && undone(moves) === moves.length) {
    report.found({
      law: 'playable',
      where: {},
      what: `not one of ${counted(moves.length, 'step', 'steps')} could be done: every action was called inadmissible, so that next to nothing was looked at.`,
      fix:
        given.length === 0
          ? 'List actions that can be done, and call inadmissible only what cannot.'
          : `Give actions that can be done: \`cairn check ${definition.id} --actions FILE\`; from a program \`options.actions\` of checkEnv.`,
    });
    return;
  }
  report.checked('playable');
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const hasSeveralSeats = ({ opening, moves }: Recording): boolean =>
  moves.some((_, step) => (moves[step - 1]?.after ?? opening).seat !== opening.seat);

/** Different actions that turns listed, how many of them were done, and the steps whose action was not on the list. */
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
