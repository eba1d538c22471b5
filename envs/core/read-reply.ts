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
 * Reads what a player said, for `text.parse` of an env whose actions are calls of tools: a call in JSON, as
 * `{"name": "read_order", "arguments": {"order": 123}}` or as the action itself, `{"kind": "read_order", "order": 123}`; or words.
 *
 * @param reader.schema of the actions: objects told apart by `kind`, which is the name of the tool
 * @param reader.fieldsOf the fields of an action as words say them, trimmed and not empty; undefined where they say none. Left out, only JSON is read
 * @param reader.help how actions are written, for who wrote none
 * @returns what is malformed with the reason, which the player is told before it is asked again
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

/** The first thing that is wrong, with its place: a player cannot mend what it is not told. */
function whyNot({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'It is no action';
  const place = issue.path.join('.');
  if (place === 'kind') return 'There is no action of that name';
  return place === '' ? issue.message : `${place}: ${issue.message}`;
}
