import { z } from 'zod';
import { unpackFloats } from '../packed-floats.ts';
import { trajectorySchema, type Trajectory, type TrajectoryStep } from '../trajectory.ts';
import {
  decisionFromLine,
  decisions,
  frameFromLine,
  groupLine,
  headShape,
  keyFromLine,
  place,
  stepFromLine,
  stepShape,
  tailShape,
  text,
} from './line-parts.ts';

/** Version 2 of the trajectory format; `write-v2.ts` goes the other way. */

const step = z.strictObject({
  ...stepShape,
  decision: z.discriminatedUnion('kind', decisions).optional(),
  penalty: z.number().nonnegative().optional(),
});

/** The first line of a group. */
export const groupLineV2 = groupLine(2);

/** The fields before the steps in the line of a member, and those behind them. */
export const trajectoryHeadV2 = z.strictObject(headShape);
export const trajectoryTailV2 = z.strictObject({
  ...tailShape,
  finalStateKey: place.optional(),
  finalAnchorKey: place.optional(),
  /** Float64 arrays by their names, as base64 of their little-endian bytes. */
  evidence: z.record(text.regex(/^[a-z][a-z0-9-]*$/), text).optional(),
});

/** One member of a group. */
export const trajectoryLineV2 = z.strictObject({
  ...trajectoryHeadV2.shape,
  steps: z.array(step),
  ...trajectoryTailV2.shape,
});

/** The trajectory of a line that the schema has accepted. Throws a `TypeError` on a reference to a string that is not in the table. */
export function fromLineV2(line: z.output<typeof trajectoryLineV2>): Trajectory {
  const { steps, strings, evidence } = line;
  return {
    ...frameFromLine(line),
    schema: trajectorySchema,
    steps: steps.map((taken) => stepOf(taken, strings)),
    finalStateKey: keyFromLine(line.finalStateKey, strings),
    finalAnchorKey: keyFromLine(line.finalAnchorKey, strings),
    ...(evidence === undefined ? {} : { evidence: evidenceOf(evidence) }),
  };
}

function stepOf(taken: z.output<typeof step>, strings: readonly string[]): TrajectoryStep {
  const { decision, penalty } = taken;
  return {
    ...stepFromLine(taken, strings),
    decision: decision && decisionFromLine(decision, strings),
    penalty,
  };
}

const evidenceOf = (packed: Readonly<Record<string, string>>): Readonly<Record<string, Float64Array>> =>
  Object.fromEntries(
    Object.entries(packed).map(([name, base64]) => [name, unpackFloats(base64, `evidence.${name}`)]),
  );
