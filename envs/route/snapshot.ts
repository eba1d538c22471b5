import { z } from 'zod';
import type { Snapshot } from '../core/env.ts';
import type { Json } from '../core/json.ts';
import type { TaskRef } from '../core/task.ts';
import { readSnapshot } from '../kit/snapshot.ts';
import { routeObservationSchema, type RouteObservation } from './observation.ts';

const text = z.string();
const refSchema = z.strictObject({ panel: text, index: z.int().min(0) });

const worldSchema = z.strictObject({
  task: refSchema,
  /** The task whose answers are right; another one only where `checkEnv` swaps hidden facts. */
  behind: refSchema,
  /** Calls with what was shown of their replies. */
  calls: z.array(z.strictObject({ model: text, query: text, text })),
  /** Millionths of a dollar. */
  cost: z.number().min(0),
  /** What was written and shown, where the format counts. */
  transcript: text,
});

const savedSchema = z.object({
  world: worldSchema,
  episode: z.strictObject({ said: routeObservationSchema }),
});

/** The part of an episode that decides what comes next. */
export type RouteState = Readonly<z.output<typeof worldSchema>>;

export interface SavedEpisode {
  readonly state: RouteState;
  /** What was shown last. */
  readonly said: RouteObservation;
}

export const savePoint = ({ state, said }: SavedEpisode): Snapshot => ({
  world: JSON.parse(JSON.stringify(state)) as Json,
  episode: { said: JSON.parse(JSON.stringify(said)) as Json },
  steps: 0,
});

/**
 * Parses a snapshot.
 *
 * @throws UsageError where the snapshot was not taken from this env
 */
export function readPoint(snapshot: Snapshot): SavedEpisode {
  const { world, episode } = readSnapshot(savedSchema, snapshot, 'route-v1');
  return { state: world, said: episode.said };
}

export const startOf = ({ panel, index }: TaskRef): RouteState => ({
  task: { panel, index },
  behind: { panel, index },
  calls: [],
  cost: 0,
  transcript: '',
});
