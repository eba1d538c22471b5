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
 * Copies and freezes a state. Neither constants of the author nor later changes can affect the copy.
 *
 * @throws UsageError where the state is not JSON
 */
export function keepState<State>(place: string, state: State | Frozen<State>): KeptState<State> {
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
