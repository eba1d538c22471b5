import { describeFault, type Fault } from '../../envs/core/errors.ts';
import type { Logger } from '../../envs/core/log.ts';
import { terminalLine } from '../../envs/core/terminal-text.ts';
import type { Progress } from '../terminal/progress.ts';

/** What has opened by then needs no line. */
const quietMs = 2_000;

/**
 * Says how far an environment that takes long to open has come, such as a shop that reads its catalogue, and what it passed over, a
 * line each; and of one that does not close. Of other events it says nothing.
 *
 * @param now milliseconds that never run backwards
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
  `warning: ${terminalLine(describeFault(fault))}; it was given up, and nothing that was played is lost. Let close end.`;

/** What an opening env counted, such as lines that it passed over. */
export interface Tally {
  readonly part: string;
  readonly name: string;
  readonly count: number;
}

export const tallyLine = ({ part, name, count }: Tally): string =>
  `opening: ${part}: ${terminalLine(name)}: ${count}`;
