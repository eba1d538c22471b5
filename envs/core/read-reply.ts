import { z } from 'zod';
import type { Reply } from './textual.ts';

type Malformed = (why: string) => Extract<Reply<never>, { readonly kind: 'malformed' }>;

/** Reads a tool call in JSON as models write it: the action itself, or its name with the arguments beside it. */
export function readCall<Act>(said: string, schema: z.ZodType<Act>, malformed: Malformed): Reply<Act> {
  let call: unknown;
  try {
    call = JSON.parse(said);
  } catch {
    return malformed('That is no JSON.');
  }
  const named = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }).safeParse(call);
  return actionOf(named.success ? { ...named.data.arguments, kind: named.data.name } : call, schema, malformed);
}

/**
 * Reads what a player said: a tool call in JSON, or words.
 *
 * @param reader.fieldsOf the fields of an action as words say them, trimmed and not empty; undefined where they say none
 * @param reader.help how actions are written, for who wrote none
 */
export function readReply<Act>(text: string, reader: { readonly schema: z.ZodType<Act>; readonly fieldsOf: (said: string) => unknown; readonly help: string }): Reply<Act> {
  const said = text.trim();
  const malformed: Malformed = (why) => ({ kind: 'malformed', why: `${why} ${reader.help}`, text });
  if (said === '') return malformed('Nothing was said.');
  if (said.startsWith('{')) return readCall(said, reader.schema, malformed);
  const fields = reader.fieldsOf(said);
  return fields === undefined ? malformed('No action was recognised.') : actionOf(fields, reader.schema, malformed);
}

function actionOf<Act>(fields: unknown, schema: z.ZodType<Act>, malformed: Malformed): Reply<Act> {
  const read = schema.safeParse(fields);
  return read.success ? { kind: 'action', action: read.data } : malformed(`${read.error.issues[0]?.message ?? 'It is no action'}.`);
}
