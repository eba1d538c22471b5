import { UsageError } from '../envs/core/errors.ts';
import { notFinite } from './not-finite.ts';

/** Refuses an array of a batch, and why. */
export type RefuseArray = (array: string, what: string) => never;

/**
 * Refusals of a batch whose packing is wrong.
 * @param kind of batch, such as `choice batch`
 * @param type that says what its arrays hold
 */
export function refusalOf(kind: string, type: string): RefuseArray {
  return (array, what) => {
    throw new UsageError({
      where: `${kind}, ${array}`,
      what: `it ${what}`,
      fix: `Fix the code that packs the batch: see ${type} for the shapes.`,
    });
  };
}

/** Offsets into an array that ends at `end`: they begin with 0, never fall, and end with it. */
export function assertStarts(refuse: RefuseArray, name: string, starts: Int32Array, end: number): void {
  if (starts.length === 0 || starts[0] !== 0) refuse(name, 'does not begin with 0.');
  for (let at = 1; at < starts.length; at += 1) {
    if ((starts[at] as number) < (starts[at - 1] as number))
      refuse(`${name}[${at}]`, `is ${starts[at]}, below the entry before it.`);
  }
  if (starts.at(-1) !== end)
    refuse(name, `ends with ${starts.at(-1)}, but there are ${end} entries to share out.`);
}

/** The numbers that training reads, by their names; those that are left out of a batch are not looked at. */
export interface TrainingNumbers {
  /** So many entries are due in each array of `numbers`. */
  readonly count: number;
  readonly numbers: Readonly<Record<string, Float32Array | undefined>>;
  readonly weight: Float32Array;
  readonly normaliser: number | undefined;
}

/**
 * Refuses arrays of the wrong length, weights below 0 and a normaliser that is not above 0.
 * @param batch its name in errors
 * @throws RunError where a number is not finite
 */
export function assertTrainingNumbers(
  refuse: RefuseArray,
  batch: string,
  { count, numbers, weight, normaliser }: TrainingNumbers,
): void {
  for (const [name, values] of Object.entries({ ...numbers, weight })) {
    if (values !== undefined) assertNumbers(refuse, { batch, name }, values, count);
  }
  const below = weight.findIndex((value) => value < 0);
  if (below !== -1) refuse(`weight[${below}]`, `is ${weight[below]}, below 0.`);
  if (normaliser !== undefined && !(normaliser > 0 && Number.isFinite(normaliser)))
    refuse('normaliser', `is ${normaliser}, not above 0.`);
}

/** So many finite numbers. */
export function assertNumbers(
  refuse: RefuseArray,
  { batch, name }: { readonly batch: string; readonly name: string },
  values: Float32Array,
  count: number,
): void {
  if (values.length !== count) refuse(name, `has ${values.length} entries where ${count} are due.`);
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at !== -1) throw notFinite(batch, `${name}[${at}]`, values[at] as number);
}
