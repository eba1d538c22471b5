import type { z } from 'zod';
import { describeCondition, valueAt, type ConfigKey } from './config-keys.ts';
import { nearest } from './near-miss.ts';

/** The parsed data and the keys of its schema, for hints. */
export interface Parsed {
  readonly value: unknown;
  readonly keys: readonly ConfigKey[];
  /** The source of a key, by its path, such as `--seed`. Messages name the source in place of the key. */
  readonly setBy?: ReadonlyMap<string, string>;
}

/** Describes what is wrong with parsed data, place by place. With `of`, it adds hints for data that a person wrote. */
export function describeIssues(error: z.ZodError, of?: Parsed): string {
  const parts = error.issues.map((issue) => {
    const path = placeWords(issue.path);
    const place = of?.setBy?.get(path) ?? path;
    const words = describeIssue(issue, of);
    const saysPlace = of !== undefined && issue.code === 'unrecognized_keys';
    return place === '' || saysPlace ? words : `${place}: ${words}`;
  });
  return parts.join(of === undefined ? '; ' : '. ');
}

/** Describes one issue. Only the text of an unknown key contains its place. */
export function describeIssue(issue: z.core.$ZodIssue, of?: Parsed): string {
  if (of === undefined) return issue.message;
  const value = valueAt(of.value, issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return describeUnknownKeys(issue, of);
    case 'invalid_value':
      return describeWrongChoice(value, issue.values);
    case 'invalid_union':
      return 'options' in issue && issue.options !== undefined
        ? describeWrongChoice(value, issue.options)
        : issue.message;
    case 'too_small':
    case 'too_big':
      return issue.origin === 'string' ? issue.message : describeWrongValue(issue, value, of);
    case 'invalid_type':
      return describeWrongValue(issue, value, of);
    default:
      return issue.message;
  }
}

const placeWords = (path: readonly PropertyKey[]): string =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : String(part))).join('.');

function describeUnknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, of: Parsed): string {
  const known = keysAt(issue.path, of);
  const inside = issue.path.length === 0 ? '' : ` in ${placeWords(issue.path)}`;
  const sentences = issue.keys.map(
    (key, index) =>
      `${index === 0 ? 'unknown' : 'Unknown'} key "${key}"${inside}${hintFor(key, issue.path, known, of.keys)}`,
  );
  return `${sentences.join(' ')} ${known.length === 0 ? 'It has no keys' : `Keys: ${known.join(', ')}`}`;
}

/** A hint at what may have been meant: a key of this place, or a key of that name elsewhere. */
function hintFor(
  key: string,
  path: readonly PropertyKey[],
  known: readonly string[],
  all: readonly ConfigKey[],
): string {
  const full = [...path, key].join('.');
  const conditions = all.find(({ name }) => name === full || name.startsWith(`${full}.`))?.when ?? [];
  if (conditions.length > 0) return `: it goes only with ${conditions.map(describeCondition).join(' and ')}.`;
  const sameName = known.filter((name) => name.toLowerCase() === key.toLowerCase());
  const near = sameName.length > 0 ? sameName : meant(key, nearest(key, known), all).slice(0, 3);
  return near.length === 0 ? '.' : `; did you mean ${near.join(' or ')}?`;
}

/** Similar keys of this place and equal names elsewhere. Where there are none, similar names elsewhere. */
function meant(key: string, here: readonly string[], all: readonly ConfigKey[]): readonly string[] {
  const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
  const paths = [...new Set(all.map(({ name }) => name))];
  const namesakes = paths.filter((path) => lastName(path).toLowerCase() === key.toLowerCase());
  // short words resemble too many others
  if (here.length + namesakes.length > 0 || key.length < 5) return [...here, ...namesakes];
  const near = nearest(key, [...new Set(paths.map(lastName))]);
  return paths.filter((path) => near.includes(lastName(path)));
}

/** The keys that are allowed at a place, given the other keys of the data. */
function keysAt(path: readonly PropertyKey[], of: Parsed): readonly string[] {
  const known = of.keys.filter((key) => isBelow(path, key.name.split('.')) && isKnown(key, of));
  return [...new Set(known.flatMap(({ name }) => name.split('.')[path.length] ?? []))];
}

const isBelow = (path: readonly PropertyKey[], names: readonly string[]): boolean =>
  path.every((part, index) => names[index] === '*' || names[index] === String(part));

/** Whether the conditions of a key hold. A key that is left out counts with its default; an unknown default is no obstacle. */
function isKnown({ when }: ConfigKey, { value, keys }: Parsed): boolean {
  return when.every(({ key, is }) => {
    const other = valueAt(value, key.split('.')) ?? keys.find(({ name }) => name === key)?.default;
    return other === undefined || is.includes(other);
  });
}

function describeWrongChoice(value: unknown, choices: readonly unknown[]): string {
  // an optional union also contains `undefined`, which is no choice
  const words = choices.filter((choice) => choice !== undefined).map(String);
  const near = typeof value === 'string' ? nearest(value, words) : [];
  const given = value === undefined ? 'nothing is given; it is' : `${JSON.stringify(value)} is not`;
  return `${given} one of ${words.join(', ')}${near.length === 0 ? '' : ` (did you mean ${near.join(' or ')}?)`}`;
}

function describeWrongValue(issue: z.core.$ZodIssue, value: unknown, of: Parsed): string {
  const isIt = (names: readonly string[]): boolean =>
    names.length === issue.path.length && isBelow(issue.path, names);
  const key = of.keys.find((candidate) => isIt(candidate.name.split('.')) && isKnown(candidate, of));
  if (key === undefined)
    return isObjectWanted(issue)
      ? `${shown(value)} is given where an object is wanted: ${describeInner(issue.path, value, of)}`
      : issue.message;
  const most =
    typeof value === 'number' && value > Number.MAX_SAFE_INTEGER && key.type.startsWith('integer from')
      ? ` to ${Number.MAX_SAFE_INTEGER}`
      : '';
  const list =
    typeof value === 'string' && key.type === 'list of string'
      ? `, such as ${JSON.stringify(value.split(','))}`
      : '';
  return `${shown(value)} is given where ${key.type}${most} is wanted${list}`;
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

const isObjectWanted = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type' && issue.expected === 'object';

/** The keys of the object, with a hint at the key that accepts the given value. */
function describeInner(path: readonly PropertyKey[], value: unknown, of: Parsed): string {
  const known = keysAt(path, of);
  if (known.length === 0) return 'it has no keys';
  const takes = of.keys.find(
    ({ name, type }) => isBelow(path, name.split('.')) && type.split(' | ').includes(JSON.stringify(value)),
  );
  const meant = takes === undefined ? '' : `; did you mean ${takes.name}=${String(value)}?`;
  return `its keys are ${known.join(', ')}${meant}`;
}
