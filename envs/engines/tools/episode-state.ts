import { z } from 'zod';
import type { Snapshot } from '../../core/env.ts';
import type { Json } from '../../core/json.ts';
import { readSnapshot } from '../../kit/snapshot.ts';
import { toolCallSchema, type ToolCall } from './action.ts';
import { toolObservationSchema, type ToolObservation } from './observation.ts';
import type { Leaf, SavedValues } from './seen-values.ts';
import type { AnyRow } from './tables.ts';
import type { RowPatch } from './world.ts';

const text = z.string();
const count = z.int().min(0);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isLeaf = (value: unknown): value is Leaf =>
  isText(value) || typeof value === 'number' || typeof value === 'boolean';

/** A record or a list whose items pass a test. Plain loops: a restore must cost little, and schemas of items cost much. */
const recordOf = <Item>(isItem: (value: unknown) => value is Item) =>
  z.custom<Readonly<Record<string, Item>>>((value) => {
    if (!isObject(value)) return false;
    for (const key in value) if (!isItem(value[key])) return false;
    return true;
  }, 'must be an object of such values');
const listOf = <Item>(isItem: (value: unknown) => value is Item) =>
  z.custom<readonly Item[]>(
    (value) => Array.isArray(value) && value.every(isItem),
    'must be a list of such values',
  );

/** Rows were validated by their table when they were put. */
const isRows = (value: unknown): value is Readonly<Record<string, AnyRow>> =>
  isObject(value) && Object.values(value).every((row) => isObject(row) && isText(row['id']));
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
const isLeaves = (value: unknown): value is readonly Leaf[] => Array.isArray(value) && value.every(isLeaf);
const isCount = (value: unknown): value is number => Number.isInteger(value);
const patchSchema = recordOf(isRows);
const textsSchema = listOf(isText);

/** What rewards need to know of earlier steps. It holds only what the config pays for. */
export interface EpisodeLog {
  /** Calls so far, for the graded match. */
  readonly calls: readonly ToolCall[];
  /** Names of the tools called so far, in order. */
  readonly names: readonly string[];
  /** Whether a call had a wrong form. */
  readonly hasWrongForm: boolean;
  /** Texts of results so far, sorted, for BFCL's check. */
  readonly results: readonly string[];
}

/** The world of an episode: everything that later results depend on. */
export interface SavedWorld {
  readonly panel: string;
  readonly index: number;
  /** Start rows that were replaced by `audit.swapHidden`. */
  readonly swapped: RowPatch;
  readonly put: RowPatch;
  readonly removed: Readonly<Record<string, readonly string[]>>;
  /** The number of the current request. */
  readonly request: number;
  /** Which texts of the request were communicated, and which of its rows were read. */
  readonly told: readonly number[];
  readonly read: readonly number[];
  /** Failed calls so far of tools that fail at first. */
  readonly failed: Readonly<Record<string, number>>;
  readonly user?: Json;
  /** Marks of the world's own grader, sorted. */
  readonly marks: readonly string[];
  readonly log: EpisodeLog;
}

/** What a world of tables adds to a snapshot. */
export type WorldPart = Pick<SavedWorld, 'swapped' | 'put' | 'removed' | 'read' | 'marks'> &
  Pick<SavedShown, 'reads'>;

/** What was shown. */
export interface SavedShown {
  readonly observation: ToolObservation;
  /** Calls and messages, each with a digest of its last answer. */
  readonly knowledge: Readonly<Record<string, string>>;
  readonly seen: SavedValues;
  /** Answers of the user. */
  readonly answers: readonly string[];
  /** What was read: `table/key`. */
  readonly reads: readonly string[];
}

const savedSchema: z.ZodType<{ readonly world: SavedWorld; readonly episode: SavedShown }> = z.strictObject({
  world: z.strictObject({
    panel: text,
    index: count,
    swapped: patchSchema,
    put: patchSchema,
    removed: recordOf(isTexts),
    request: count,
    told: listOf(isCount),
    read: listOf(isCount),
    failed: recordOf(isCount),
    user: z.custom<Json>((value) => value !== undefined).exactOptional(),
    marks: textsSchema,
    log: z.strictObject({
      calls: z.array(toolCallSchema),
      names: textsSchema,
      hasWrongForm: z.boolean(),
      results: textsSchema,
    }),
  }),
  episode: z.strictObject({
    observation: toolObservationSchema,
    knowledge: recordOf(isText),
    seen: recordOf(isLeaves),
    answers: textsSchema,
    reads: textsSchema,
  }),
});

/**
 * Parses a snapshot.
 *
 * @throws UsageError where it was not taken from such an env
 */
export const readPoint = (
  snapshot: Snapshot,
  where: string,
): { readonly world: SavedWorld; readonly episode: SavedShown } => readSnapshot(savedSchema, snapshot, where);

/** The parts of a snapshot as JSON. */
export const savePoint = (world: SavedWorld, episode: SavedShown): Snapshot => ({
  world: asJson(world),
  episode: asJson(episode),
  steps: 0,
});

/** Both parts are JSON by their schemas; only the types cannot see it, because some keys may be absent. */
const asJson = (value: SavedWorld | SavedShown): Json => value as unknown as Json;
