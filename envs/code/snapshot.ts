import { z } from 'zod';
import type { Snapshot } from '../core/env.ts';
import { readSnapshot } from '../kit/snapshot.ts';
import { programObservationSchema } from './observation.ts';

const ref = z.strictObject({ panel: z.string(), index: z.int().min(0) });

const savedSchema = z.object({
  world: z.strictObject({
    task: ref,
    /** The task whose hidden tests judge: its own, unless an audit has swapped them. */
    judgedBy: ref,
    program: z.string().optional(),
    choice: z.array(z.int().min(0)).optional(),
  }),
  episode: z.strictObject({
    steps: z.int().min(0),
    observation: programObservationSchema,
    tried: z.record(z.string(), z.number()),
  }),
});

/** A point of an episode as plain values. */
export type SavedPoint = z.output<typeof savedSchema>;

/**
 * Parses a snapshot.
 *
 * @throws UsageError where the snapshot was not taken from such an env
 */
export const readPoint = (snapshot: Snapshot): SavedPoint => readSnapshot(savedSchema, snapshot, 'a program');
