import { UsageError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import { differencesOf, type Difference } from '../../envs/core/json-differences.ts';
import { solvedValue, tableOf } from '../../trainers/results/rates.ts';
import type { EvaluationResult } from '../../trainers/results/result.ts';
import { poolSeeds } from '../../trainers/results/summarise.ts';
import type { Beginning, TrainingSettings } from '../../trainers/run/lineage.ts';
import type { EvaluationLine } from '../../trainers/run/metrics-schema.ts';

/** One result of a side, and what is known of the training behind it. */
export interface Member {
  /** Its folder or file, as the user named it. */
  readonly where: string;
  readonly name: string;
  readonly result: EvaluationResult;
  /** Of a run. */
  readonly settings?: TrainingSettings;
  readonly versions?: Readonly<Record<string, string>>;
  /** Of a run: on `dev`, in their order. */
  readonly evaluations?: readonly EvaluationLine[];
  /** What is wrong with other results of the run, for people. */
  readonly notes: readonly string[];
}

/** What is compared: a method by its seeds, or one result. */
export interface Side {
  readonly name: string;
  readonly members: readonly Member[];
  /** Of all members together. */
  readonly result: EvaluationResult;
}

/** Several members are pooled: trainings of one method that differ in nothing but the seed. */
export function makeSide(name: string, members: readonly Member[]): Side {
  const [first, ...others] = members;
  if (first === undefined) throw new RangeError('a side takes at least one result');
  if (others.length === 0) return { name, members, result: { ...first.result, agent: name } };
  const pooled = members.map((member) => ({ member, seed: seedOf(member) }));
  assertOneMethod(
    name,
    pooled.map(({ member: { where, settings }, seed }) => ({ where, seed, settings: settings?.settings })),
  );
  return {
    name,
    members,
    result: poolSeeds(
      pooled.map(({ member, seed }) => ({ seed, result: member.result })),
      { agent: name },
    ),
  };
}

function seedOf({ where, result }: Member): number {
  const [run, ...more] = result.training?.runs ?? [];
  if (run !== undefined && more.length === 0) return run.seed;
  throw new UsageError({
    where,
    what:
      run === undefined
        ? 'its result does not say what was trained, so it cannot be pooled with others.'
        : 'it is pooled over several seeds already.',
    fix:
      run === undefined
        ? 'Give the folder of the run, or evaluate it again with this version.'
        : 'Compare it as a side of its own, or name the folders of its runs.',
  });
}

/** A training that is to be pooled with others. */
export interface PooledTraining {
  /** How the user named it. */
  readonly where: string;
  readonly seed: number;
  /** Undefined where only a digest is known: results of other digests are refused when they are pooled. */
  readonly settings: Json | undefined;
}

/** Refuses to pool one seed twice, and trainings that differ in more than the seed, and names what they differ in. */
export function assertOneMethod(name: string, trainings: readonly PooledTraining[]): void {
  const known = trainings.filter(({ settings }) => settings !== undefined);
  const [first] = known;
  for (const { where, settings } of known.slice(1)) {
    const differences = differencesOf(first?.settings ?? {}, settings ?? {});
    if (differences.length === 0) continue;
    throw new UsageError({
      where: `${name}: ${first?.where ?? ''} and ${where}`,
      what: `they were trained with settings that differ in more than the seed: ${describeDifferences(differences)}.`,
      fix: 'Pool only seeds of one method with the same settings; the others are another row.',
    });
  }
  const bySeed = new Map<number, string>();
  for (const { where, seed } of trainings) {
    const before = bySeed.get(seed);
    if (before !== undefined)
      throw new UsageError({
        where: `${name}: ${before} and ${where}`,
        what: `seed ${seed} comes twice.`,
        fix: 'Name each training once, and trainings of different seeds.',
      });
    bySeed.set(seed, where);
  }
}

/**
 * Identifies initial weights: a model by its digest, or else its folder, and an adapter over it by its
 * folder.
 */
export const tellBeginning = ({ folders: [model = '', ...adapter], digest }: Beginning): string =>
  [digest ?? model, ...adapter].join(', ');

/** Says where trainings that are pooled began from different weights. */
export function beginningNotes(
  name: string,
  trainings: readonly Pick<TrainingSettings, 'begins'>[],
): readonly string[] {
  const begins = new Map(
    trainings.flatMap(({ begins }) =>
      begins.folders.length === 0 ? [] : [[tellBeginning(begins), begins.folders.join(', ')]],
    ),
  );
  return begins.size < 2
    ? []
    : [`${name}: its runs began from different weights: ${[...begins.values()].join('; ')}.`];
}

/** The number of differences that are listed. If all settings differ, the first ones are enough. */
const mostDifferences = 12;

/** `credit.kind gigpo and grpo, update.learningRate 0.003 and 0.001`. */
export function describeDifferences(differences: readonly Difference[]): string {
  const words = (value: Json | undefined): string =>
    value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value);
  const isOther = differences.some(({ key }) => key === 'credit.kind'); // it implies the other keys of `credit`
  const counted = isOther
    ? differences.filter(({ key }) => key === 'credit.kind' || !key.startsWith('credit.'))
    : differences;
  const told = counted
    .slice(0, mostDifferences)
    .map(({ key, one, other }) => `${key} ${words(one)} and ${words(other)}`);
  return `${told.join(', ')}${counted.length > mostDifferences ? ` and ${counted.length - mostDifferences} more` : ''}`;
}

/** In what the settings of two sides differ; undefined where they are not known of both, as of results in files. */
export function settingsApart(one: Side, other: Side): readonly Difference[] | undefined {
  const [here, there] = [one, other].map(
    ({ members }) => members.find(({ settings }) => settings !== undefined)?.settings,
  );
  return here === undefined || there === undefined ? undefined : differencesOf(here.settings, there.settings);
}

/** What a seed of a side came to. */
export interface SeedFigures {
  readonly seed: number;
  /** Of the folder of its run, where that is known. */
  readonly run?: string;
  readonly checkpoint?: string;
  readonly success: number;
  readonly score: number;
}

export function figuresBySeed({ episodes, seeds, training }: EvaluationResult): readonly SeedFigures[] {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [solved, scores] = [tableOf(episodes, solvedValue), tableOf(episodes, ({ score }) => score)];
  return solved.map((row, index) => {
    const run = training?.runs[index];
    return {
      seed: run?.seed ?? seeds[index] ?? 0,
      ...(run === undefined ? {} : { run: run.name, checkpoint: run.checkpoint }),
      success: mean(row),
      score: mean(scores[index] ?? []),
    };
  });
}
