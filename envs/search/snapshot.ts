import { z } from 'zod';
import type { Snapshot } from '../core/env.ts';
import type { Json } from '../core/json.ts';
import type { TaskRef } from '../core/task.ts';
import { readSnapshot } from '../kit/snapshot.ts';
import { searchObservationSchema, type SearchObservation } from './observation.ts';

const text = z.string();
const refSchema = z.strictObject({ panel: text, index: z.int().min(0) });

const worldSchema = z.strictObject({
  task: refSchema,
  /** The task whose answers are right; another one only where `checkEnv` swaps hidden facts. */
  behind: refSchema,
  /** Ids of the last results. */
  results: z.array(text),
  /** The open document by its number in the results, and the part that is shown. */
  page: z.strictObject({ doc: z.int().min(1), part: z.int().min(1) }).exactOptional(),
  /** Ids of all documents that were shown or opened, sorted. */
  shown: z.array(text),
  opened: z.array(text),
  /** Verdicts by id, sorted. */
  judged: z.array(z.tuple([text, z.enum(['good', 'misleading'])])),
  /** Supporting documents that were shown, by place, or -1 for an answer that was shown. */
  hits: z.array(z.int()),
  /** Whether each action so far came with a thought. */
  isTidy: z.boolean(),
});

const documentSchema = z.strictObject({ id: text, title: text, text });

const savedSchema = z.object({
  world: worldSchema,
  episode: z.strictObject({
    said: searchObservationSchema,
    results: z.array(documentSchema),
    parts: z.array(text).exactOptional(),
  }),
});

/** The part of an episode that decides what comes next. */
export type SearchState = Readonly<z.output<typeof worldSchema>>;
/** A result with its text. */
export type ResultDocument = Readonly<z.output<typeof documentSchema>>;

export interface SavedEpisode {
  readonly state: SearchState;
  /** What was shown last. */
  readonly said: SearchObservation;
  readonly results: readonly ResultDocument[];
  /** The parts of the open document. */
  readonly parts: readonly string[] | undefined;
}

export function savePoint({ state, said, results, parts }: SavedEpisode): Snapshot {
  const episode = { said, results, ...(parts === undefined ? {} : { parts }) };
  return {
    world: JSON.parse(JSON.stringify(state)) as Json,
    episode: JSON.parse(JSON.stringify(episode)) as Json,
    steps: 0,
  };
}

/**
 * Parses a snapshot.
 *
 * @throws UsageError where the snapshot was not taken from this env
 */
export function readPoint(snapshot: Snapshot): SavedEpisode {
  const { world, episode } = readSnapshot(savedSchema, snapshot, 'search-v1');
  return { state: world, said: episode.said, results: episode.results, parts: episode.parts };
}

export const startOf = (ref: TaskRef): SearchState => {
  const task = { panel: ref.panel, index: ref.index };
  return { task, behind: task, results: [], shown: [], opened: [], judged: [], hits: [], isTidy: true };
};
