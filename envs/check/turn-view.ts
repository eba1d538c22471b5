import { createHash } from 'node:crypto';
import { canonicalJson } from '../core/json.ts';
import type { Textual } from '../core/textual.ts';
import { attemptNow } from './attempt-now.ts';

const fields = [
  'kind',
  'outcome',
  'limit',
  'instruction',
  'observation',
  'reward',
  'otherRewards',
  'inadmissible',
  'admissible',
  'stateKey',
  'anchorKey',
  'stepsLeft',
  'seat',
  'text.observation',
  'text.action',
] as const;

export type TurnField = (typeof fields)[number];

/**
 * What one call returned: each field as canonical text, so that it can be compared and cannot change any
 * more. Also the observation and the listed actions in words, which most agents read. They are printed
 * immediately.
 */
export type TurnView = Readonly<Record<TurnField, string>>;

/** The fields of a turn and of a result that an agent sees. */
export const shownFields: readonly TurnField[] = [
  'kind',
  'outcome',
  'limit',
  'instruction',
  'observation',
  'admissible',
  'seat',
  'text.observation',
  'text.action',
];

/** The fields that equal worlds must agree on after equal actions. */
export const resultFields: readonly TurnField[] = [
  'kind',
  'outcome',
  'limit',
  'observation',
  'reward',
  'otherRewards',
  'inadmissible',
  'stateKey',
  'text.observation',
];

/** The fields that must not change while hidden facts stay hidden. */
export const outwardFields: readonly TurnField[] = [
  'kind',
  'outcome',
  'limit',
  'observation',
  'reward',
  'otherRewards',
  'inadmissible',
  'admissible',
  'anchorKey',
  'stepsLeft',
  'seat',
  'text.observation',
  'text.action',
];

/** The fields that a restored turn shares with the turn at the time of taking. */
export const turnFields: readonly TurnField[] = [
  'observation',
  'admissible',
  'stateKey',
  'anchorKey',
  'stepsLeft',
  'seat',
  'text.observation',
  'text.action',
];

/** The canonical text of a value, also of values that JSON cannot represent. */
export function textOf(value: unknown): string {
  if (value === undefined) return 'undefined';
  try {
    return canonicalJson(value);
  } catch (thrown) {
    return `not JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}

/** Records an opening, a turn or a step result; with `text`, in words too. */
export function look(returned: object, text?: Textual<unknown, unknown>): TurnView {
  const values = returned as Partial<Record<TurnField, unknown>>;
  const words = text === undefined ? {} : wordsOf(returned, text);
  return Object.fromEntries(
    fields.map((field) => {
      const value = words[field] ?? values[field];
      return [field, digested.has(field) ? comparable(value) : textOf(value)];
    }),
  ) as Record<TurnField, string>;
}

/** Fields that are only compared, never read back. */
const digested: ReadonlySet<TurnField> = new Set(['observation', 'text.observation']);
const longest = 20_000;
const partLength = 16_384;

/** Canonical text. Of a long one its start, its length and digests of its parts, as JSON, so that thousands of turns fit in memory. */
function comparable(value: unknown): string {
  if (typeof value === 'string' && value.length > longest) return digestOf(value);
  const text = textOf(value);
  return text.length > longest ? digestOf(text) : text;
}

let latest = { text: '', digest: '' }; // an observation in words is often the observation itself

function digestOf(text: string): string {
  if (latest.text === text) return latest.digest;
  const parts = Array.from({ length: Math.ceil(text.length / partLength) }, (_, part) =>
    createHash('sha1')
      .update(text.slice(part * partLength, (part + 1) * partLength))
      .digest('base64url')
      .slice(0, 12),
  );
  const digest = JSON.stringify({
    start: text.slice(0, 200),
    characters: text.length,
    parts: parts.join(' '),
  });
  latest = { text, digest };
  return digest;
}

/** How many characters the observation has as canonical text. */
export function observedCharacters({ observation }: TurnView): number {
  const digest = /^\{"start":.*"characters":(\d+),"parts":"[\w -]*"\}$/.exec(observation)?.[1];
  return digest === undefined ? observation.length : Number(digest);
}

/** The words. Where printing throws, which another law reports, the error message replaces them. */
function wordsOf(
  returned: { readonly observation?: unknown; readonly admissible?: unknown },
  text: Textual<unknown, unknown>,
): Partial<Record<TurnField, unknown>> {
  const { observation, admissible } = returned;
  const said = (say: () => unknown): unknown => {
    const attempt = attemptNow(say);
    return attempt.kind === 'returned' ? attempt.value : `it threw: ${attempt.message}`;
  };
  return {
    'text.observation': said(() => text.observation(observation)),
    ...(Array.isArray(admissible)
      ? { 'text.action': said(() => admissible.map((action: unknown) => text.action(action))) }
      : {}),
  };
}

/**
 * The first difference in words, such as `observation differs at $.items[2]: "cup" and "plate"`. Undefined
 * where there is none.
 */
export function difference(
  first: TurnView,
  second: TurnView,
  among: readonly TurnField[] = fields,
): string | undefined {
  const field = among.find((name) => first[name] !== second[name]);
  if (field === undefined) return undefined;
  return `${field} differs${placeOfDifference(first[field], second[field])}`;
}

/** The place where two canonical texts differ, such as ` at $.items[2]: "cup" and "plate"`. */
export function placeOfDifference(first: string, second: string): string {
  let at = '$';
  let [a, b] = [readBack(first), readBack(second)];
  for (;;) {
    const step = stepInto(a, b);
    if (step === undefined) break;
    at += step.label;
    [a, b] = [step.a, step.b];
  }
  const [left, right] = fromDifference(textOf(a), textOf(b));
  return `${at === '$' ? '' : ` at ${at}`}: ${shorten(left)} and ${shorten(right)}`;
}

function stepInto(
  a: unknown,
  b: unknown,
): { readonly label: string; readonly a: unknown; readonly b: unknown } | undefined {
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return undefined;
  const left = new Map<string, unknown>(Object.entries(a));
  const right = new Map<string, unknown>(Object.entries(b));
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const [x, y] = [left.get(key), right.get(key)];
    if (textOf(x) !== textOf(y)) return { label: Array.isArray(a) ? `[${key}]` : `.${key}`, a: x, b: y };
  }
  return undefined;
}

/** Two texts from shortly before their first difference on, where it lies behind what is shown of them. */
function fromDifference(first: string, second: string): readonly [string, string] {
  let at = 0;
  while (at < first.length && first[at] === second[at]) at += 1;
  if (at < shownCharacters - 20) return [first, second];
  const start = at - 30;
  return [`...${first.slice(start)}`, `...${second.slice(start)}`];
}

function readBack(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text === 'undefined' ? undefined : text;
  }
}

const shownCharacters = 120;

/** Shortens to 120 characters, to keep reports readable. */
export function shorten(text: string): string {
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters - 3)}...`;
}

/** The value as a stored trajectory would return it; the value itself where JSON cannot represent it. */
export function copy(value: unknown): unknown {
  try {
    return JSON.parse(textOf(value)) as unknown;
  } catch {
    return value;
  }
}
