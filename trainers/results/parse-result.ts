import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { Json } from '../../envs/core/json.ts';
import { differencesOf, type Difference } from '../../envs/core/json-differences.ts';
import { statisticsOf } from './episode-statistics.ts';
import { evaluationResultSchema, resultSchemaNumber, type EvaluationResult } from './result.ts';

const anySchemaNumber = z.object({ schema: z.int() });

/**
 * Parses a result from outside, such as a file; `where` names it. @throws UsageError for a newer format,
 * malformed data, and every number that does not follow from the episodes
 */
export function parseResult(value: unknown, where: string): EvaluationResult {
  const version = anySchemaNumber.safeParse(value);
  if (version.success && version.data.schema > resultSchemaNumber) {
    throw new UsageError({
      where,
      what: `it is a result of format ${version.data.schema}; this version reads up to ${resultSchemaNumber}.`,
      fix: 'Use the version of cairn-gym that wrote it, or a newer one.',
    });
  }
  const parsed = evaluationResultSchema.superRefine(checkEpisodes).safeParse(value);
  if (!parsed.success) throw refusal(where, describeIssues(parsed.error));
  const wrong = firstWrongNumber(parsed.data);
  if (wrong !== undefined) throw refusal(where, wrong);
  return parsed.data;
}

const refusal = (where: string, what: string): UsageError =>
  new UsageError({
    where,
    what: `it is not the result of an evaluation: ${what}.`,
    fix: 'Give a file that `cairn-gym eval --json` wrote.',
  });

/** Verifies that every seed played every task of the panel equally often. */
function checkEpisodes(
  { episodes, seeds, training, panel, episodesPerTask }: EvaluationResult,
  context: z.RefinementCtx,
): void {
  const wrong = (message: string): void => context.addIssue({ code: 'custom', path: ['episodes'], message });
  if (episodes.length === 0) return wrong('there are none');
  const trained = training?.runs.map(({ seed }) => seed) ?? [];
  if ((trained.length > 1 || seeds.length > 1) && training !== undefined && trained.join() !== seeds.join())
    return wrong(`they have seeds ${seeds.join(', ')}, and the trainings ${trained.join(', ')}`);
  const wanted = seeds.length * panel.tasks * episodesPerTask;
  if (episodes.length !== wanted)
    return wrong(`expected ${wanted} over all seeds and tasks, not ${episodes.length}`);
  if (panel.indices !== undefined && panel.indices.length !== panel.tasks)
    return wrong(`the panel has ${panel.tasks} tasks, and ${panel.indices.length} indices`);
  const indices = new Set(indicesOf(panel));
  const beyond = episodes.find(({ index }) => !indices.has(index));
  if (beyond !== undefined)
    return wrong(
      `one is of task ${beyond.index}, and the panel has ${panel.indices?.join(', ') ?? panel.tasks}`,
    );
  const stranger = episodes.find(({ seed }) => !seeds.includes(seed));
  if (stranger !== undefined)
    return wrong(`one has seed ${stranger.seed}, and the seeds are ${seeds.join(', ')}`);
  const uneven = describeUneven({ episodes, seeds, panel, episodesPerTask });
  if (uneven !== undefined) wrong(uneven);
}

const indicesOf = ({ tasks, indices }: EvaluationResult['panel']): readonly number[] =>
  indices ?? Array.from({ length: tasks }, (_, index) => index);

/**
 * The tasks that were played too often or too seldom, if any. The number of episodes is already known to be
 * right.
 */
function describeUneven({
  episodes,
  seeds,
  panel,
  episodesPerTask,
}: Pick<EvaluationResult, 'episodes' | 'seeds' | 'panel' | 'episodesPerTask'>): string | undefined {
  const counts = new Map<string, number>(
    seeds.flatMap((seed) => indicesOf(panel).map((index) => [`task ${index} with seed ${seed}`, 0] as const)),
  );
  for (const { seed, index } of episodes)
    counts.set(`task ${index} with seed ${seed}`, (counts.get(`task ${index} with seed ${seed}`) ?? 0) + 1);
  const told = (isOdd: (count: number) => boolean): readonly string[] =>
    [...counts]
      .filter(([, count]) => isOdd(count))
      .slice(0, 1)
      .map(([name, count]) => `${count} of ${name}`);
  const odd = [...told((count) => count > episodesPerTask), ...told((count) => count < episodesPerTask)];
  return odd.length === 0
    ? undefined
    : `expected ${episodesPerTask} of each task with each seed, and there are ${odd.join(' and ')}`;
}

/**
 * The first number that does not follow from the episodes. Numbers that older versions omitted are not
 * required.
 */
function firstWrongNumber(result: EvaluationResult): string | undefined {
  const { episodes, panel, faults } = result;
  const rows = episodes.toSorted((a, b) => a.seed - b.seed || a.index - b.index);
  const computed = statisticsOf(rows, panel.fingerprint, {
    retried: faults.retried,
    retries: faults.retries ?? [],
  });
  const { toolCallsOnly: _told, ...reading } = result.reading ?? {}; // reported by the agent only
  const stated = { ...result, ...(result.reading !== undefined && { reading }) };
  for (const part of [
    'interval',
    'success',
    'passes',
    'score',
    'meanTurns',
    'faults',
    'steps',
    'tokens',
    'reading',
    'inadmissible',
    'byFamily',
    'metrics',
    'calibration',
  ] as const) {
    const [one, follows] = [stated[part], computed[part]];
    if (one === undefined) continue;
    const wrong = differencesOf(asJson({ [part]: one }), asJson({ [part]: follows ?? null })).find(
      (difference) => matters(difference, part),
    );
    if (wrong !== undefined)
      return `${wrong.key} is ${wordsFor(wrong.one)}, and the episodes give ${wordsFor(wrong.other)}`;
  }
  return undefined;
}

/** Plain numbers and texts, without what is not set. */
const asJson = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

const wordsFor = (value: Json | undefined): string =>
  value === undefined ? 'not there' : JSON.stringify(value);

/** Sums in another order differ in their last digits, and a missing family was removed. */
function matters({ one, other }: Difference, part: keyof EvaluationResult): boolean {
  if (one === undefined) return part === 'byFamily';
  if (typeof one !== 'number' || typeof other !== 'number') return true;
  return Math.abs(one - other) > 1e-9 * Math.max(1, Math.abs(other));
}
