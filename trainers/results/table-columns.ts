import type { BenchColumn } from '../../envs/core/presets.ts';
import { terminalLine } from '../../envs/core/terminal-text.ts';
import type { RateEstimate, ScoreEstimate } from './estimate.ts';
import { solvedValue } from './rates.ts';
import type { EvaluationResult } from './result.ts';
import { arePooledTooFew, trainingsOf } from './few-trainings.ts';
import { grouped, percentDigits } from './number-words.ts';
import { addTokens } from './token-counts.ts';

/** What a column of a table shows. */
export type TableColumn = BenchColumn;

/** The columns of tables that nobody gave others. */
export const plainColumns: readonly TableColumn[] = [
  { kind: 'families' },
  { kind: 'success', title: 'All' },
  { kind: 'score', title: 'score', graded: true },
  { kind: 'turns' },
  { kind: 'tokens' },
];

/** A column with its header and the cell of each result. */
export interface LaidColumn {
  readonly head: string;
  readonly cell: (result: EvaluationResult) => string;
}

/** The columns for these results. A family that no column names gets one of its own, before the first that is of no family. */
export function layColumns(
  columns: readonly TableColumn[],
  results: readonly EvaluationResult[],
): readonly LaidColumn[] {
  const named = columns.flatMap((column) => (column.kind === 'family' ? [column.family] : []));
  const others = [...new Set(results.flatMap((result) => Object.keys(result.byFamily)))]
    .filter((family) => !named.includes(family))
    .toSorted();
  const unnamed = others.map((family) => familyColumn(family, family, results));
  const hasPlace = named.length === 0 || columns.some(({ kind }) => kind === 'families');
  const end = columns.findLastIndex(({ kind }) => kind === 'family');
  return columns.flatMap((column, index) => {
    const laid = column.kind === 'families' ? unnamed : layColumn(column, results);
    return hasPlace || index !== end ? laid : [...laid, ...unnamed];
  });
}

function layColumn(
  column: Exclude<TableColumn, { readonly kind: 'families' }>,
  results: readonly EvaluationResult[],
): readonly LaidColumn[] {
  switch (column.kind) {
    case 'family':
      return [familyColumn(column.family, column.title, results)];
    case 'success':
      return [{ head: column.title, cell: (result) => formatScore(shownRate(result, result.success)) }];
    case 'score':
      return column.graded === true && !isGraded(results)
        ? []
        : [{ head: column.title, cell: (result) => formatScore(shownScore(result, result.score)) }];
    case 'turns':
      return [
        { head: 'turns', cell: ({ meanTurns }) => (meanTurns === undefined ? '-' : meanTurns.toFixed(1)) },
      ];
    case 'time':
      return [{ head: 'time', cell: ({ seconds }) => formatSeconds(seconds) }];
    case 'tokens':
      return results.every(({ tokens }) => tokens === undefined)
        ? []
        : [tokenColumn('prompt', 'tokens in'), tokenColumn('completion', 'tokens out')];
    default:
      return column satisfies never;
  }
}

function familyColumn(family: string, title: string, results: readonly EvaluationResult[]): LaidColumn {
  const tasks = Math.max(0, ...results.map((result) => result.byFamily[family]?.tasks ?? 0));
  return {
    head: `${terminalLine(title)} (${tasks})`,
    cell: (result) => {
      const rate = result.byFamily[family];
      return rate === undefined ? '-' : formatScore(shownRate(result, rate));
    },
  };
}

function tokenColumn(name: 'prompt' | 'completion', head: string): LaidColumn {
  return {
    head,
    cell: ({ episodes }) => {
      const ended = episodes.filter(({ outcome }) => outcome !== 'faulted');
      const tokens = addTokens(ended.map((row) => row.tokens));
      if (tokens === undefined) return '-';
      if (tokens.uncounted === tokens.replies) return 'not counted';
      return `${tokens.uncounted > 0 ? 'over ' : ''}${grouped(Math.round(tokens[name] / ended.length))}`;
    },
  };
}

/** `93.3 [87.7, 96.4]`: percent, one digit. */
/** The mean and the interval of a result as they are shown: pooled over too few trainings, the interval is left out. */
export const shownScore = (
  result: Pick<EvaluationResult, 'shown' | 'seeds'>,
  { mean, low, high }: ScoreEstimate,
): ScoreEstimate => (arePooledTooFew(trainingsOf(result)) ? { mean } : { mean, low, high });

/** {@link shownScore} of a share. */
export const shownRate = (
  result: Pick<EvaluationResult, 'shown' | 'seeds'>,
  { rate, low, high }: RateEstimate,
): ScoreEstimate => shownScore(result, { mean: rate, low, high });

/** As papers print scores: times 100, one digit, with the interval, or a dash where there is none. */
export function formatScore(estimate: ScoreEstimate): string {
  const interval = knownInterval(estimate);
  return `${percentDigits(estimate.mean)} [${interval === undefined ? '–' : `${percentDigits(interval.low)}, ${percentDigits(interval.high)}`}]`;
}

/** The interval of an estimate. One of no width comes of values that are all the same, of which resampling knows no doubt: nothing is known. */
export function knownInterval({
  low,
  high,
}: ScoreEstimate): { readonly low: number; readonly high: number } | undefined {
  return low === undefined || high === undefined || low === high ? undefined : { low, high };
}

/**
 * Whether scores differ from success: some solved episode paid other than 1, or another paid other than 0.
 */
export function isGraded(results: readonly Pick<EvaluationResult, 'episodes'>[]): boolean {
  return results.some(({ episodes }) => episodes.some((row) => row.score !== solvedValue(row)));
}

/** `4.2 s`, `12 min`, `3.1 h`. */
function formatSeconds(seconds: number): string {
  if (seconds < 99.95) return `${seconds.toFixed(1)} s`;
  return seconds < 5_970 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
