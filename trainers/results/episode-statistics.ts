import { calibrationOf } from './calibration.ts';
import { createRng, type Rng } from '../../envs/core/rng.ts';
import { bootstrapMean, defaultResamples, type SeedsByTasks } from './bootstrap.ts';
import type { ScoreEstimate } from './estimate.ts';
import { confidence, wilsonInterval } from './intervals.ts';
import type { EpisodeRow, EvaluationResult, FamilyResult, IntervalMethod, RetriedFault } from './result.ts';
import { groupRows, rateInterval, solvedValue, tableOf } from './rates.ts';
import { passesOf } from './passes.ts';
import { inadmissibleIn } from './inadmissible.ts';
import { readingOf } from './reading.ts';
import { addTokens } from './token-counts.ts';

/** Share of faulted episodes above which an evaluation is unreliable. */
export const faultTolerance = 0.01;

type Statistics = Pick<
  EvaluationResult,
  | 'interval'
  | 'success'
  | 'passes'
  | 'score'
  | 'byFamily'
  | 'metrics'
  | 'calibration'
  | 'meanTurns'
  | 'faults'
  | 'steps'
  | 'tokens'
  | 'reading'
  | 'inadmissible'
>;

/** Retried episodes: how many, and their known faults. */
export interface Retries {
  readonly retried: number;
  readonly retries: readonly RetriedFault[];
}

/**
 * Every number of a result, computed from its rows and the fingerprint, which seeds the bootstrap.
 *
 * Success has a Wilson interval if each task was played once, otherwise a bootstrap over tasks, with
 * Student's t over several seeds. Scores have the bootstrap, or success's interval if they equal success.
 *
 * If all values are equal, resampling gives no width. Values that are all 0 or all 1 get Wilson's interval
 * for so many tasks (for scores, assuming rewards between 0 and 1). A single task otherwise says nothing
 * about others: its success ranges from 0 to 1, and its score has no interval.
 */
export function statisticsOf(rows: readonly EpisodeRow[], fingerprint: string, tries: Retries): Statistics {
  const interval = methodFor(rows);
  const rng = createRng(0).fork('evaluate').fork(fingerprint);
  const { tasks: _tasks, rate, low, high, ...rest } = estimate(rows, interval, rng);
  const tokens = addTokens(rows.map((row) => row.tokens));
  const reading = readingOf(rows);
  const calibration = calibrationOf(rows);
  const byFamily = [...groupRows(rows, (row) => row.family)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([family, members]) => [family, estimate(members, interval, rng.fork(family))] as const);
  const success = { rate, low, high };
  const passes = passesOf(rows, { success, interval, rng: rng.fork('passes') });
  return {
    interval,
    success,
    ...(passes === undefined ? {} : { passes }),
    ...rest,
    byFamily: Object.fromEntries(byFamily),
    ...metricsOf(rows, rng.fork('metrics')),
    ...(calibration === undefined ? {} : { calibration }),
    faults: faultsOf(rows, tries),
    steps: rows.reduce((sum, row) => sum + row.turns, 0),
    ...(tokens === undefined ? {} : { tokens }),
    ...(reading === undefined ? {} : { reading }),
    inadmissible: inadmissibleIn(rows),
  };
}

function metricsOf(rows: readonly EpisodeRow[], rng: Rng): Pick<Statistics, 'metrics'> {
  const names = [...new Set(rows.flatMap(({ metrics }) => Object.keys(metrics ?? {})))].toSorted();
  if (names.length === 0) return {};
  return {
    metrics: Object.fromEntries(
      names.map((name) => [
        name,
        scoreInterval(
          tableOf(rows, ({ metrics }) => metrics?.[name] ?? 0),
          rng.fork(name),
        ),
      ]),
    ),
  };
}

function methodFor(rows: readonly EpisodeRow[]): IntervalMethod {
  if (new Set(rows.map((row) => row.seed)).size > 1) {
    return { kind: 'student-seeds-bootstrap-tasks', level: confidence, resamples: defaultResamples };
  }
  const tasks = new Set(rows.map((row) => row.index)).size;
  if (rows.length > tasks) return { kind: 'bootstrap-tasks', level: confidence, resamples: defaultResamples };
  return { kind: 'wilson', level: confidence };
}

function estimate(rows: readonly EpisodeRow[], method: IntervalMethod, rng: Rng): FamilyResult {
  const solved = tableOf(rows, solvedValue);
  const ended = rows.filter((row) => row.outcome !== 'faulted');
  const success = rateInterval(solved, method, rng.fork('success'));
  // the same quantity gets the same interval under any name
  const isSuccess = rows.every((row) => row.score === solvedValue(row));
  return {
    ...success,
    tasks: solved[0]?.length ?? 0,
    score: isSuccess
      ? { mean: success.rate, low: success.low, high: success.high }
      : scoreInterval(
          tableOf(rows, (row) => row.score),
          rng.fork('score'),
        ),
    ...(ended.length === 0
      ? {}
      : { meanTurns: ended.reduce((sum, row) => sum + row.turns, 0) / ended.length }),
  };
}

function scoreInterval(scores: SeedsByTasks, rng: Rng): ScoreEstimate {
  const flat = scores.flat();
  const tasks = scores[0]?.length ?? 0;
  const [first] = flat;
  if ((first === 0 || first === 1) && flat.every((score) => score === first)) {
    const { rate, low, high } = wilsonInterval(first * tasks, tasks);
    return { mean: rate, low, high };
  }
  if (tasks === 1) return { mean: flat.reduce((sum, score) => sum + score, 0) / flat.length };
  return bootstrapMean(scores, { rng });
}

function faultsOf(rows: readonly EpisodeRow[], { retried, retries }: Retries): EvaluationResult['faults'] {
  const faults = rows.filter((row) => row.outcome === 'faulted');
  const faulted = faults.length;
  const solved = rows.filter((row) => row.outcome === 'solved').length;
  const share = faulted / rows.length;
  const scores = rows.flatMap((row) => (row.outcome === 'faulted' ? [] : [row.score]));
  return {
    count: faulted,
    retried,
    ...(retries.length === 0
      ? {}
      : { retries: retries.toSorted((a, b) => a.seed - b.seed || a.index - b.index) }),
    share,
    rateLow: solved / rows.length,
    ...(scores.length === 0
      ? {}
      : {
          rateHigh: solved / scores.length,
          scoreHigh: scores.reduce((sum, score) => sum + score, 0) / scores.length,
        }),
    ...causesOf(faults),
    excessive: share > faultTolerance,
  };
}

function causesOf(faults: readonly EpisodeRow[]): Pick<EvaluationResult['faults'], 'byCause' | 'first'> {
  const [first] = faults;
  if (first === undefined) return {};
  const { seed, index, turns, cause = 'unknown', fault, code } = first;
  return {
    byCause: Object.fromEntries(
      [...groupRows(faults, (row) => row.cause ?? 'unknown')].map(([name, members]) => [
        name,
        members.length,
      ]),
    ),
    first: {
      seed,
      index,
      steps: turns,
      cause,
      ...(fault === undefined ? {} : { fault }),
      ...(code === undefined ? {} : { code }),
    },
  };
}
