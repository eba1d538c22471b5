import type { Fields, FieldValue } from '../../../envs/core/features.ts';
import { hashText, mix } from '../text.ts';

/** A named fact as hashes. */
export interface FieldCodes {
  readonly name: number;
  readonly value: FieldValue;
  /** Hash of a value that is a text, to find the kind of cell that it names. */
  readonly text: number | undefined;
  /** The value itself, for crosses with other things. Large numbers of one bin share it. */
  readonly key: number;
  /** All features of the value: the key, and the bin and the thresholds of a number. */
  readonly codes: readonly number[];
}

/** The fields in the order of their names, so that the order in the declaration does not matter. */
export function readFields(fields: Fields | undefined): readonly FieldCodes[] {
  if (fields === undefined) return [];
  return Object.keys(fields)
    .toSorted()
    .map((field) => readField(hashText(field), fields[field] as FieldValue));
}

function readField(name: number, value: FieldValue): FieldCodes {
  if (typeof value === 'number') {
    const bin = binOf(value);
    const isSmall = Number.isInteger(value) && Math.abs(value) <= 64;
    const key = mix(name, isSmall ? mix(1, value) : mix(2, bin));
    return {
      name,
      value,
      text: undefined,
      key,
      codes: [key, mix(name, mix(3, bin)), ...thresholds(name, value)],
    };
  }
  const text = typeof value === 'string' ? hashText(value) : undefined;
  const key = mix(name, text === undefined ? mix(4, value === true ? 1 : 0) : mix(5, text));
  return { name, value, text, key, codes: [key] };
}

/** Two bins an octave, with the sign: 0 for 0, 1 for at most 1, 3 for at most 2, and so on. Tiny and huge numbers share the last bins. */
export function binOf(value: number): number {
  if (value === 0) return 0;
  const bin = Math.ceil(2 * Math.log2(Math.abs(value))) + 1;
  const bounded = Math.max(-40, Math.min(80, bin)) + 41; // at least 1, so that the sign shows
  return value < 0 ? -bounded : bounded;
}

/** A thermometer: one feature for each bound that the number reaches, the bounds being 1, 1.5, 2, 3, 4, 6, 8 and so on. */
function thresholds(name: number, value: number): readonly number[] {
  const codes: number[] = [];
  const size = Math.abs(value);
  const sign = value < 0 ? 7 : 6;
  for (let step = 0, bound = 1; bound <= size && step < 24; step += 1) {
    codes.push(mix(name, mix(sign, step)));
    bound = step % 2 === 0 ? bound * 1.5 : (bound / 1.5) * 2;
  }
  return codes;
}
