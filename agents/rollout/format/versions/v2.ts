import { z } from 'zod';
import { unpackFloats } from '../packed-floats.ts';
import type { Trajectory, TrajectoryStep } from '../../trajectory.ts';
import {
  decisionFromLine,
  decisions,
  groupLine,
  headShape,
  keyFromLine,
  place,
  stepFromLine,
  stepShape,
  tailShape,
  trajectoryFromLine,
  text,
} from './line-parts.ts';

/** Reads version 2 of the trajectory format. `write-v2.ts` writes it. */

const step = z.strictObject({
  ...stepShape,
  decision: z.discriminatedUnion('kind', decisions).optional(),
  penalty: z.number().nonnegative().optional(),
});

/** The first line of a group. */
export const groupLineV2 = groupLine(2);

/** The fields before the steps in a member's line, and those after them. */
export const trajectoryHeadV2 = z.strictObject(headShape);
export const trajectoryTailV2 = z.strictObject({
  ...tailShape,
  finalStateKey: place.optional(),
  finalAnchorKey: place.optional(),
  /** Float64 arrays by name, as base64 of their little-endian bytes. */
  evidence: z.record(text.regex(/^[a-z][a-z0-9-]*$/), text).optional(),
});

/** One member of a group. */
export const trajectoryLineV2 = z.strictObject({
  ...trajectoryHeadV2.shape,
  steps: z.array(step),
  ...trajectoryTailV2.shape,
});

/** Converts a validated line to a trajectory. @throws TypeError for input that version 2 never wrote */
export function fromLineV2(line: z.output<typeof trajectoryLineV2>): Trajectory {
  const { strings, evidence } = line;
  const trajectory = trajectoryFromLine(line, {
    steps: line.steps.map((taken) => stepOf(taken, strings)),
    finalStateKey: keyFromLine(line.finalStateKey, strings),
    finalAnchorKey: keyFromLine(line.finalAnchorKey, strings),
  });
  return evidence === undefined ? trajectory : { ...trajectory, evidence: evidenceOf(evidence) };
}

const stepOf = (taken: z.output<typeof step>, strings: readonly string[]): TrajectoryStep =>
  stepFromLine(taken, strings, {
    decision: taken.decision && decisionFromLine(taken.decision, strings),
    reward: taken.reward,
    penalty: taken.penalty,
  });

const evidenceOf = (packed: Readonly<Record<string, string>>): Readonly<Record<string, Float64Array>> =>
  Object.fromEntries(
    Object.entries(packed).map(([name, base64]) => [name, unpackFloats(base64, `evidence.${name}`)]),
  );
