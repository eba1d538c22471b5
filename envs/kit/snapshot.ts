import type { z } from 'zod';
import type { Snapshot } from '../core/env.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { describeIssues } from '../core/issues.ts';
import { canonicalJson, type Json } from '../core/json.ts';

/** A deeply readonly value. */
export type Frozen<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
  : Value;

/** A state: the frozen copy that the world sees, and its canonical text. */
export interface KeptState<State> {
  readonly state: Frozen<State>;
  readonly json: Json;
  /** Equal states have equal texts. */
  readonly text: string;
}

/**
 * Parses a snapshot.
 *
 * @param schema the schema of `world` and `episode`
 * @param where the env, for the error
 * @throws UsageError where the snapshot does not match the schema
 */
export function readSnapshot<Saved>(schema: z.ZodType<Saved>, snapshot: Snapshot, where: string): Saved {
  const parsed = schema.safeParse({ world: snapshot.world, episode: snapshot.episode });
  if (parsed.success) return parsed.data;
  throw foreignSnapshot(where, `it is not a snapshot of this env: ${describeIssues(parsed.error)}.`);
}

/** The error for a snapshot that does not fit. */
export function foreignSnapshot(where: string, what: string): UsageError {
  return new UsageError({
    where: `snapshot of ${where}`,
    what,
    fix: 'Restore only a snapshot that snapshots.take() returned for the same env and config.',
  });
}

/**
 * Copies and freezes a state. Neither constants of the author nor later changes can affect the copy. Large parts that an
 * earlier state has too are not copied again: they are frozen already, and their text is known.
 *
 * @throws UsageError where the state is not JSON
 */
export function keepState<State>(place: string, state: State | Frozen<State>): KeptState<State> {
  const quick = keep(state, 0);
  if (quick !== undefined) return { state: quick.json as Frozen<State>, json: quick.json, text: quick.text };
  const text = jsonText(place, 'the state', state);
  const json = freeze(JSON.parse(text) as Json);
  return { state: json as Frozen<State>, json, text }; // equal to the given state, so it has that type
}

/**
 * The canonical text of a value.
 *
 * @throws UsageError that names the part that is not JSON
 */
export function jsonText(place: string, of: string, value: unknown): string {
  try {
    return canonicalJson(value);
  } catch (thrown) {
    throw new UsageError({
      where: `${place}, ${of}`,
      what: `it is not JSON: ${messageOf(thrown)}.`,
      fix: 'Use only plain objects, arrays, strings, finite numbers, booleans and null.',
    });
  }
}

function freeze(value: Json): Json {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value) as Json[]) freeze(part);
    Object.freeze(value);
  }
  return value;
}

interface Kept {
  readonly json: Json;
  readonly text: string;
}

/** The canonical texts of large parts of states, which {@link keep} made and froze. */
const keptTexts = new WeakMap<object, string>();

/** Shorter texts are written again: looking them up would cost as much. */
const worthKeeping = 48; // characters

/** Deeper values, and cycles, are left to `canonicalJson`. */
const deepest = 64;

/**
 * A frozen copy of a value, with keys in canonical order, and its canonical text: what parsing the text of `canonicalJson`
 * gives, in one pass. Undefined for what is not JSON and for rare shapes, which `canonicalJson` writes or refuses.
 */
function keep(value: unknown, depth: number): Kept | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return { json: value, text: JSON.stringify(value) };
    case 'number':
      return Number.isFinite(value) ? { json: value + 0, text: JSON.stringify(value) } : undefined; // no -0
    case 'object': {
      if (value === null) return { json: value, text: 'null' };
      const known = keptTexts.get(value);
      if (known !== undefined) return { json: value as Json, text: known }; // `keep` made it
      if (depth > deepest) return undefined;
      return Array.isArray(value) ? keepList(value, depth) : keepRecord(value, depth);
    }
    default:
      return undefined;
  }
}

function keepList(list: readonly unknown[], depth: number): Kept | undefined {
  const copy: Json[] = [];
  let text = '[';
  for (let index = 0; index < list.length; index += 1) {
    const part = keep(list[index], depth + 1);
    if (part === undefined) return undefined;
    copy.push(part.json);
    text += index === 0 ? part.text : `,${part.text}`;
  }
  return remember(copy, `${text}]`, depth);
}

function keepRecord(record: object, depth: number): Kept | undefined {
  const prototype: unknown = Object.getPrototypeOf(record);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const copy: Record<string, Json> = {};
  let text = '{';
  for (const key of Object.keys(record).sort()) {
    if (key === '__proto__') return undefined; // an assignment would not make a property of it
    const part = keep((record as Readonly<Record<string, unknown>>)[key], depth + 1);
    if (part === undefined) return undefined;
    copy[key] = part.json;
    text += `${text.length === 1 ? '' : ','}${JSON.stringify(key)}:${part.text}`;
  }
  return remember(copy, `${text}}`, depth);
}

/** Whole states are always remembered: an author may return the state that was given. */
function remember(json: Json & object, text: string, depth: number): Kept {
  Object.freeze(json);
  if (depth === 0 || text.length >= worthKeeping) keptTexts.set(json, text);
  return { json, text };
}
