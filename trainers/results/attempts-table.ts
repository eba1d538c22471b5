import { terminalLine } from '../../envs/core/terminal-text.ts';
import type { AttemptsReport } from './attempts.ts';
import type { ScoreEstimate } from './estimate.ts';
import { alignColumns } from './table.ts';
import { formatScore } from './table-columns.ts';

/** Success within k turns as a table with its conventions. */
export function attemptLines(report: AttemptsReport, agent: string, decorated: boolean): readonly string[] {
  const { withoutFeedback, withFeedback, turns, attempts, conventions } = report;
  const bold = (text: string): string => (decorated ? `\u001b[1m${text}\u001b[22m` : text);
  const ks = withoutFeedback.within.map(({ k }) => k);
  const rates = (curve: typeof withoutFeedback): readonly string[] =>
    curve.within.map(({ rate, low, high }) => formatScore({ mean: rate, low, high }));
  const [head = '', ...rows] = alignColumns([
    ['turns k', ...ks.map(String)],
    ['without feedback', ...rates(withoutFeedback)],
    ...(withFeedback === undefined
      ? []
      : [
          ['with feedback', ...rates(withFeedback)],
          ['gain of feedback', ...withFeedback.gain.map((gain) => signed(gain))],
        ]),
  ]);
  const given =
    withFeedback === undefined
      ? []
      : [
          `Feedback: ${terminalLine(withFeedback.feedback)}, given ${withFeedback.given.toFixed(1)} times an episode. ${conventions.feedback}`,
        ];
  return [
    `${terminalLine(agent)}: success within k of ${turns} turns, at most ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} at a task, in % with 95 % intervals.`,
    '',
    bold(head),
    ...rows,
    '',
    ...slopeLines(report),
    `${conventions.turn} ${conventions.within}`,
    ...given,
  ];
}

function slopeLines({ withoutFeedback, withFeedback, conventions }: AttemptsReport): readonly string[] {
  const { perTurn, r2 } = withoutFeedback;
  if (perTurn === undefined) return [];
  const fit = (value: number | undefined): string => (value === undefined ? '' : `, R² ${value.toFixed(2)}`);
  const also =
    withFeedback?.perTurn === undefined
      ? ''
      : `; with feedback ${signed(withFeedback.perTurn)}${fit(withFeedback.r2)}`;
  return [`Gain per turn: ${signed(perTurn)}${fit(r2)}${also}. ${conventions.perTurn}`];
}

/** With its sign, in percentage points. */
const signed = (estimate: ScoreEstimate): string => {
  const words = formatScore(estimate);
  return estimate.mean > 0 ? `+${words}` : words;
};
