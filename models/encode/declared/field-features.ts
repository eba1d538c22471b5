import type { ChoiceRows } from '../choice-rows.ts';
import { mix } from '../text.ts';
import { binOf, type FieldCodes } from './field-codes.ts';
import { salt } from './salts.ts';
import type { PlacedTarget, TargetCodes } from './target-codes.ts';

/** Pairs of fields are features where there are at most so many fields, and all of them together where there are at most `mostTogether`. */
const mostInPairs = 6;
const mostTogether = 4;

const together = (fields: readonly FieldCodes[]): number =>
  fields.reduce((hash, { key }) => mix(hash, key), fields.length);

export function addStateFields(fields: readonly FieldCodes[], rows: ChoiceRows): void {
  for (const { codes } of fields) for (const code of codes) rows.add(mix(salt.stateField, code));
  if (fields.length > 1 && fields.length <= mostTogether) rows.add(mix(salt.stateFields, together(fields)));
}

/** The fields of the observation, each crossed with the action, and the fields of the action beside them. */
export function addFields(
  fields: readonly FieldCodes[],
  target: TargetCodes,
  ranks: FieldRanks | undefined,
  rows: ChoiceRows,
): void {
  const { action, plain } = target;
  for (const { codes } of fields) for (const code of codes) rows.add(mix(salt.field, mix(action, code)));
  if (fields.length > 1 && fields.length <= mostInPairs) addPairs(fields, action, rows);
  if (fields.length > 2 && fields.length <= mostTogether)
    rows.add(mix(salt.allFields, mix(action, together(fields))));
  for (const own of target.fields) {
    for (const code of own.codes) rows.add(mix(salt.ownField, mix(plain, code)));
    for (const field of fields) addComparison(own, field, plain, rows);
    if (typeof own.value !== 'number') continue;
    addBetween(own, fields, plain, rows);
    const rank = ranks?.of(own);
    if (rank !== undefined) rows.add(mix(salt.rank, mix(plain, mix(own.name, rank))));
  }
}

function addPairs(fields: readonly FieldCodes[], action: number, rows: ChoiceRows): void {
  for (const [index, { key }] of fields.entries())
    for (let other = 0; other < index; other += 1)
      rows.add(mix(salt.fieldPair, mix(action, mix(key, (fields[other] as FieldCodes).key))));
}

/** How a fact of the action differs from one of the observation. */
function addComparison(own: FieldCodes, field: FieldCodes, plain: number, rows: ChoiceRows): void {
  const names = mix(mix(own.name, field.name), plain);
  if (typeof own.value === 'number' && typeof field.value === 'number') {
    const difference = own.value - field.value;
    rows.add(mix(salt.compared, mix(names, Math.sign(difference))));
    rows.add(mix(salt.compared, mix(names, mix(1, binOf(difference)))));
  } else rows.add(mix(salt.compared, mix(names, own.value === field.value ? 3 : 4)));
}

/** Where a number of the action lies between two numbers of the observation, in eighths. */
function addBetween(
  { name, value }: FieldCodes,
  fields: readonly FieldCodes[],
  plain: number,
  rows: ChoiceRows,
): void {
  if (typeof value !== 'number' || fields.length > mostInPairs) return;
  for (const [index, one] of fields.entries()) {
    if (typeof one.value !== 'number') continue;
    for (let before = 0; before < index; before += 1) {
      const other = fields[before] as FieldCodes;
      if (typeof other.value !== 'number' || other.value === one.value) continue;
      const share = (value - one.value) / (other.value - one.value);
      const eighth = Math.max(-1, Math.min(9, Math.round(8 * share)));
      rows.add(mix(salt.between, mix(mix(plain, name), mix(mix(one.name, other.name), eighth))));
    }
  }
}

/** Where the number of an action stands among those of all actions of the turn: from 0 for the smallest to 8 for the largest. */
export class FieldRanks {
  readonly #values = new Map<number, number[]>();

  constructor(targets: readonly (PlacedTarget | undefined)[]) {
    for (const target of targets) {
      if (target === undefined) continue;
      for (const { name, value } of target.codes.fields) {
        if (typeof value !== 'number') continue;
        const values = this.#values.get(name);
        if (values === undefined) this.#values.set(name, [value]);
        else values.push(value);
      }
    }
    for (const values of this.#values.values()) values.sort((a, b) => a - b);
  }

  /** Undefined where no other action has such a field. */
  of({ name, value }: FieldCodes): number | undefined {
    const values = this.#values.get(name) ?? [];
    if (values.length < 2) return undefined;
    return Math.round((8 * values.indexOf(value as number)) / (values.length - 1));
  }
}
