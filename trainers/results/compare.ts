import { UsageError } from '../../envs/core/errors.ts';
import { canonicalJson } from '../../envs/core/json.ts';
import { createRng, type Rng } from '../../envs/core/rng.ts';
import { bootstrapDifference, type SeedsByTasks } from './bootstrap.ts';
import { solvedValue, tableOf } from './rates.ts';
import type { MeanEstimate, ScoreEstimate } from './estimate.ts';
import { trainingsOf } from './few-trainings.ts';
import { countPairs, mcnemarProbability, pairedDifference, type PairedCounts } from './paired.ts';
import { nothingRead } from './reading.ts';
import type { EvaluationResult } from './result.ts';
import { tellApart } from './tell-apart.ts';

/**
 * Two agents on the same tasks. Differences are the first minus the second. A single task says nothing about
 * others: a resampled difference then ranges from -1 to 1, and that of scores has no interval.
 */
export interface Comparison {
  /** Names of the two, made distinct if they are equal. */
  readonly first: string;
  readonly second: string;
  readonly panel: EvaluationResult['panel'];
  readonly success: MeanEstimate;
  readonly score: ScoreEstimate;
  /**
   * One episode for each task: the four cells and McNemar's exact probability. Otherwise only resampling is
   * available.
   */
  readonly pairs:
    | ({
        readonly kind: 'mcnemar';
        readonly p: number;
        /** By Holm, if there are several comparisons. */ readonly adjusted?: number;
      } & PairedCounts)
    | { readonly kind: 'bootstrap' };
  /**
   * Number of trainings behind each side's figures; with one, the variation between trainings is not
   * included. 0 for agents not trained here.
   */
  readonly trainings: { readonly first: number; readonly second: number };
}

/**
 * Compares two agents task by task. @throws UsageError for results of different panels, and for a choice
 * agent against one that writes text: choosing from a list and writing are different problems
 */
export function compareResults(first: EvaluationResult, second: EvaluationResult): Comparison {
  assertComparable([first, second]);
  const rng = createRng(0).fork('compare').fork(first.panel.fingerprint);
  const solved = [tableOf(first.episodes, solvedValue), tableOf(second.episodes, solvedValue)] as const;
  const scores = [
    tableOf(first.episodes, (row) => row.score),
    tableOf(second.episodes, (row) => row.score),
  ] as const;
  const [nameOfFirst = first.agent, nameOfSecond = second.agent] = tellApart([first, second]);
  const common = {
    first: nameOfFirst,
    second: nameOfSecond,
    panel: first.panel,
    trainings: { first: trainingsOf(first), second: trainingsOf(second) },
  };
  const once = playedOnce(first) && playedOnce(second);
  const counts = countTasks(solved);
  const success = once ? pairedDifference(counts) : rateDifference(solved, rng.fork('success'));
  // The same quantity gets the same interval under any name.
  const score =
    canonicalJson(scores) === canonicalJson(solved) ? success : difference(scores, rng.fork('score'));
  return {
    ...common,
    success,
    score,
    pairs: once ? { kind: 'mcnemar', p: mcnemarProbability(counts), ...counts } : { kind: 'bootstrap' },
  };
}

/** A value for each seed and task, of both agents. */
type Tables = readonly [first: SeedsByTasks, second: SeedsByTasks];

function rateDifference(solved: Tables, rng: Rng): MeanEstimate {
  const { mean, low = -1, high = 1 } = difference(solved, rng);
  return { mean, low: Math.max(-1, low), high: Math.min(1, high) };
}

/**
 * By resampling. If all values are equal, resampling gives no width. Equal differences of zeros and ones then
 * have the interval of counts on so many tasks; other equal values, and single tasks, have none.
 */
function difference(values: Tables, rng: Rng): ScoreEstimate {
  const { mean, low, high } = bootstrapDifference(...values, { rng });
  if (low === high && values.flat(2).every((value) => value === 0 || value === 1))
    return pairedDifference(countTasks(values));
  return values[0][0]?.length === 1 || low === high ? { mean } : { mean, low, high };
}

/** By the first seed: the only one, or like the others. */
function countTasks([first, second]: Tables): PairedCounts {
  const isOne = (value: number): boolean => value === 1;
  return countPairs((first[0] ?? []).map(isOne), (second[0] ?? []).map(isOne));
}

const playedOnce = (result: EvaluationResult): boolean =>
  result.episodesPerTask === 1 && result.seeds.length === 1;

/**
 * True if the figures say nothing about the agent: every episode was faulted, or no reply could be parsed.
 */
export const nothingMeasured = ({ faults, reading, episodes }: EvaluationResult): boolean =>
  faults.count === episodes.length || nothingRead(reading);

/** Refuses results of different tasks, or of choice agents together with text agents. @throws UsageError */
export function assertComparable(results: readonly EvaluationResult[]): void {
  assertSamePanel(results);
  const choice = results.find((result) => result.shown.kind === 'choice');
  const text = results.find((result) => result.shown.kind === 'text');
  if (choice === undefined || text === undefined) return;
  throw new UsageError({
    where: `results of ${choice.agent} and ${text.agent}`,
    what: 'the first chooses among listed actions, the second writes text: their numbers are not comparable.',
    fix: 'Compare choice agents with choice agents and text agents with text agents.',
  });
}

/** Refuses results of different panels. @throws UsageError */
export function assertSamePanel(results: readonly EvaluationResult[]): void {
  const [first] = results;
  const other = results.find((result) => result.panel.fingerprint !== first?.panel.fingerprint);
  if (first === undefined || other === undefined) return;
  const panelOf = ({ env, panel }: EvaluationResult): string =>
    `${panel.name} of ${env} (${panel.fingerprint})`;
  throw new UsageError({
    where: `results of ${first.agent} and ${other.agent}`,
    what: `they are of different panels: ${panelOf(first)} and ${panelOf(other)}.`,
    fix: 'Evaluate both agents on the same env, config, panel and number of tasks.',
  });
}
