import type { z } from 'zod';
import type { Snapshot } from '../core/env.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { describeIssues } from '../core/issues.ts';
import { canonicalJson, type Json } from '../core/json.ts';

/** A value that cannot be changed in place. */
export type Frozen<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
  : Value;

/** A state: the frozen copy that the world is shown, and its canonical text. */
export interface KeptState<State> {
  readonly state: Frozen<State>;
  readonly json: Json;
  /** Equal states have equal texts. */
  readonly text: string;
}

/**
 * Reads a snapshot back.
 *
 * @param schema of `world` and `episode`
 * @param where the env, for the error
 * @throws UsageError where the snapshot was not taken from such an env
 */
export function readSnapshot<Saved>(schema: z.ZodType<Saved>, snapshot: Snapshot, where: string): Saved {
  const parsed = schema.safeParse({ world: snapshot.world, episode: snapshot.episode });
  if (parsed.success) return parsed.data;
  throw foreignSnapshot(where, `it is not a snapshot of this env: ${describeIssues(parsed.error)}.`);
}

/** The error of a snapshot that does not fit. */
export function foreignSnapshot(where: string, what: string): UsageError {
  return new UsageError({
    where: `snapshot of ${where}`,
    what,
    fix: 'Restore only what snapshots.take() of the same env and configuration gave.',
  });
}

/** Copies and freezes a state: neither the author's own constants nor a later change can reach it. @throws UsageError where it is not JSON */
export function keepState<State>(place: string, state: State | Frozen<State>): KeptState<State> {
  const text = jsonText(place, 'the state', state);
  const json = freeze(JSON.parse(text) as Json);
  return { state: json as Frozen<State>, json, text }; // it equals what was given, which has that type
}

/** The canonical text of a value. @throws UsageError that says which part is not JSON */
export function jsonText(place: string, of: string, value: unknown): string {
  try {
    return canonicalJson(value);
  } catch (thrown) {
    throw new UsageError({
      where: `${place}, ${of}`,
      what: `it is no JSON: ${messageOf(thrown)}.`,
      fix: 'Make it of plain objects, lists, texts, finite numbers, booleans and null.',
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
