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
  return actionOf(
    named.success ? { ...named.data.arguments, kind: named.data.name } : call,
    schema,
    malformed,
  );
}

/**
 * Reads a player's reply, for `text.parse` of an env whose actions are tool calls. A reply is words or JSON:
 * `{"name": "read_order", "arguments": {"order": 123}}`, or the action itself, `{"kind": "read_order", "order": 123}`.
 *
 * @param reader.schema the schema of the actions: a union of objects by `kind`, which is the name of the tool
 * @param reader.fieldsOf returns the fields of the action that trimmed words describe, or undefined. Without it only JSON is read
 * @param reader.help how to write an action, appended to the reason of a malformed reply
 * @returns the action, or a malformed reply with the reason, which the player sees before its next try
 */
export function readReply<Act>(
  text: string,
  reader: {
    readonly schema: z.ZodType<Act>;
    readonly fieldsOf?: (said: string) => unknown;
    readonly help: string;
  },
): Reply<Act> {
  const said = text.trim();
  const malformed: Malformed = (why) => ({ kind: 'malformed', why: `${why} ${reader.help}`, text });
  if (said === '') return malformed('Nothing was said.');
  if (said.startsWith('{')) return readCall(said, reader.schema, malformed);
  const fields = reader.fieldsOf?.(said);
  return fields === undefined
    ? malformed('No action was recognised.')
    : actionOf(fields, reader.schema, malformed);
}

function actionOf<Act>(fields: unknown, schema: z.ZodType<Act>, malformed: Malformed): Reply<Act> {
  const read = schema.safeParse(fields);
  return read.success ? { kind: 'action', action: read.data } : malformed(`${whyNot(read.error)}.`);
}

/** The first issue with its place, so that the player can fix it. */
function whyNot({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'It is no action';
  const place = issue.path.join('.');
  if (place === 'kind') return 'There is no action of that name';
  return place === '' ? issue.message : `${place}: ${issue.message}`;
}
