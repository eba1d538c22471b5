import { describeFault, type Fault } from '../../envs/core/errors.ts';
import type { Logger } from '../../envs/core/log.ts';
import { terminalLine } from '../../envs/core/terminal-text.ts';
import type { Progress } from '../terminal/progress.ts';

/** Faster openings need no line. */
const quietMs = 2_000;

/**
 * Reports the progress of an env that opens slowly, such as a shop that reads its catalogue. Also reports
 * what it skipped, one line each, and an env that does not close. Other events are ignored.
 *
 * @param now monotonic milliseconds
 */
export function createOpeningLog(progress: Progress, now: () => number): Logger {
  let first: number | undefined;
  return {
    event: (_path, event) => {
      if (event.type === 'opening-tally') progress.say(tallyLine(event));
      if (event.type === 'closing-fail') progress.say(closingLine(event.fault));
      if (event.type !== 'opening-advance') return;
      const at = now();
      first ??= at;
      if (at - first < quietMs) return;
      const { part, done, total, unit } = event;
      if (done < total) progress.report({ label: `opening: ${part}`, done, total, unit });
      else progress.clear();
    },
  };
}

const closingLine = (fault: Fault): string =>
  `warning: ${terminalLine(describeFault(fault))}; closing was abandoned, and no episode is lost. Fix close so that it ends.`;

/** What an opening env counted, such as lines that it skipped. */
export interface Tally {
  readonly part: string;
  readonly name: string;
  readonly count: number;
}

export const tallyLine = ({ part, name, count }: Tally): string =>
  `opening: ${part}: ${terminalLine(name)}: ${count}`;
