import type { ActionTarget } from '../../../envs/core/features.ts';
import { hashText, mix } from '../text.ts';
import { readFields, type FieldCodes } from './field-codes.ts';

/** The target of an action as hashes, the same in every turn. */
export interface TargetCodes {
  readonly verb: number;
  /** Hash of the value; undefined without one. */
  readonly value: number | undefined;
  /** Verb and value. */
  readonly plain: number;
  /** Verb, value and direction. */
  readonly action: number;
  /** Everything: equal targets have equal keys. */
  readonly key: number;
  readonly cell: ActionTarget['cell'];
  readonly direction: ActionTarget['direction'];
  /** Whether the direction is one step up, down, left or right. */
  readonly isStraight: boolean;
  readonly fields: readonly FieldCodes[];
}

/** The code of a step between two cells. */
export const stepCode = (rows: number, columns: number): number => mix(rows + 1024, columns + 1024);

const oneVerb = hashText('');

export function readTarget(target: ActionTarget): TargetCodes {
  const { verb: name, value: text, cell, direction } = target;
  const verb = name === undefined ? oneVerb : hashText(name);
  const value = text === undefined ? undefined : hashText(text);
  const plain = mix(verb, value ?? 0);
  const action = direction === undefined ? plain : mix(plain, stepCode(...direction));
  const fields = readFields(target.fields);
  let key = cell === undefined ? action : mix(action, stepCode(...cell));
  for (const field of fields) key = mix(key, field.key);
  const isStraight = direction !== undefined && Math.abs(direction[0]) + Math.abs(direction[1]) === 1;
  return { verb, value, plain, action, key, cell, direction, isStraight, fields };
}

/** A target in the current turn. */
export interface PlacedTarget {
  readonly codes: TargetCodes;
  /** Where it is, if it has a place. It may lie outside of the grid. */
  readonly place: readonly [row: number, column: number] | undefined;
}

/** The step between two cells, at most three each way. */
export function clippedStep(from: readonly [number, number], to: readonly [number, number]): number {
  const clip = (step: number): number => Math.max(-3, Math.min(3, step));
  return stepCode(clip(to[0] - from[0]), clip(to[1] - from[1]));
}
