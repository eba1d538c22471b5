import { z } from 'zod';
import type { Snapshot } from '../core/env.ts';
import type { Json } from '../core/json.ts';
import { readSnapshot } from '../kit/snapshot.ts';
import type { EpisodeTask } from './episode.ts';
import { comparisons, measures, tests, type ComparisonOperator, type Draft } from './draft/draft.ts';
import { saidSchema, type Said } from './observation.ts';

/** The state of an episode. */
export interface SavedEpisode {
  readonly draft: Draft | undefined;
  readonly said: Said;
  readonly looked: readonly string[];
  readonly lastResult: string;
}

const text = z.string();
const columnSchema = z.strictObject({ table: text, column: text });
const keySchema = z.strictObject({ from: columnSchema, to: columnSchema });
const comparisonSchema = z.enum(Object.keys(comparisons) as [ComparisonOperator, ...ComparisonOperator[]]);
const conditionsSchema = z.array(
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('compare'),
      of: columnSchema,
      is: comparisonSchema,
      value: z.union([text, z.number()]),
    }),
    z.strictObject({ kind: z.literal('test'), of: columnSchema, is: z.enum(tests) }),
    z.strictObject({ kind: z.literal('without'), key: keySchema }),
  ]),
);
const shownSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('count') }),
  z.strictObject({ kind: z.literal('column'), of: columnSchema, measure: z.enum(measures).exactOptional() }),
]);
const draftSchema = z.strictObject({
  from: text,
  joins: z.array(keySchema),
  shows: z.array(shownSchema),
  before: z.strictObject({ how: z.enum(['EXCEPT', 'INTERSECT']), where: conditionsSchema }).exactOptional(),
  where: conditionsSchema,
  group: columnSchema.exactOptional(),
  having: z.strictObject({ is: comparisonSchema, count: z.int() }).exactOptional(),
  order: z
    .strictObject({ by: z.union([z.literal('count'), columnSchema]), descending: z.boolean() })
    .exactOptional(),
  limit: z.int().exactOptional(),
});
const refSchema = z.strictObject({ panel: text, index: z.int().min(0) });
const savedSchema = z.object({
  world: z.strictObject({ task: refSchema, behind: refSchema, draft: draftSchema.exactOptional() }),
  episode: z.strictObject({ said: saidSchema, looked: z.array(text), lastResult: text }),
});

/**
 * The point as JSON. Hidden facts are stored as the task that they belong to: its answer and the rows of its
 * database.
 */
export function savePoint(
  { ref, behind }: EpisodeTask,
  { draft, said, looked, lastResult }: SavedEpisode,
): Snapshot {
  const at = ({ panel, index }: EpisodeTask['ref']): Json => ({ panel, index });
  const world = { task: at(ref), behind: at(behind), ...(draft === undefined ? {} : { draft }) };
  return {
    world: JSON.parse(JSON.stringify(world)) as Json,
    episode: JSON.parse(JSON.stringify({ said, looked, lastResult })) as Json,
    steps: 0,
  };
}

/**
 * Parses a snapshot.
 *
 * @throws UsageError where the snapshot was not taken from this env
 */
export function readPoint(snapshot: Snapshot): {
  readonly task: EpisodeTask;
  readonly saved: SavedEpisode;
} {
  const { world, episode } = readSnapshot(savedSchema, snapshot, 'sql-v1');
  return { task: { ref: world.task, behind: world.behind }, saved: { draft: world.draft, ...episode } };
}
