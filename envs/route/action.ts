import { z } from 'zod';
import { readCall } from '../core/read-reply.ts';
import type { Reply } from '../core/textual.ts';

/** Characters of what an agent writes, at most. */
const longest = 10_000;
const free = z.string().max(longest);
const thought = free.optional().describe('what was thought before the action');
const where = free
  .optional()
  .describe('what was shown about the model, or where the answer was seen; it stands in listed actions');

/** What an agent does. */
export const routeActionSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('route'),
      model: z.string().max(200).describe('name of a model, as the task writes it'),
      query: free.describe('question for the model'),
      where,
      thought,
    })
    .describe('asks a model; its answer is shown'),
  z.strictObject({ kind: z.literal('think'), text: free }).describe('changes nothing'),
  z
    .strictObject({ kind: z.literal('answer'), text: free, where, thought })
    .describe('ends the episode with this answer'),
]);
export type RouteAction = Readonly<z.output<typeof routeActionSchema>>;

/** How to write actions. The tags are those of Router-R1. */
export const actionHelp = [
  'Think in <think> and </think>. Then do one thing:',
  '<search>NAME: question</search> asks the model of that name, and its answer comes in <information>;',
  '<answer>the answer alone</answer> ends the task.',
].join('\n');

/**
 * An action in words. A listed action says what is known about the model: `route one fact, excellent, price low "NAME:
 * question"`.
 */
export function describeAction(action: RouteAction): string {
  const said =
    'thought' in action && action.thought !== undefined ? `<think>${action.thought}</think>\n` : '';
  return `${said}${tagOf(action)}`;
}

function tagOf(action: RouteAction): string {
  switch (action.kind) {
    case 'route':
      return action.where === undefined
        ? `<search>${action.model}: ${action.query}</search>`
        : `route ${action.where} "${action.model}: ${plainQuotes(action.query)}"`;
    case 'answer':
      return action.where === undefined
        ? `<answer>${action.text}</answer>`
        : `answer ${action.where} "${action.text}"`;
    case 'think':
      return `<think>${action.text}</think>`;
    default:
      return action satisfies never;
  }
}

/** Titles of works have quotes in questions. In a listed action, which stands in quotes itself, they become typographic ones. */
const plainQuotes = (text: string): string => text.replaceAll(/"([^"]*)"/g, '“$1”');
const straightQuotes = (text: string): string => text.replaceAll(/“([^”]*)”/g, '"$1"');

/** The first action of a reply, as Search-R1 and Router-R1 find it. */
const tagPattern = /<(search|answer)>([\s\S]*?)<\/\1>/;
/** A reply with nothing but a thought and one action. */
const tidyPattern = /^\s*<think>([\s\S]*?)<\/think>\s*<(search|answer)>[\s\S]*?<\/\2>\s*$/;
const listedPattern = /^(route|answer) ([^"\n]+) "([^"\n]*)"$/;

/**
 * Reads a reply: the first tag with its content, or a tool call in JSON. The thought is kept only where the reply has
 * nothing but `<think>…</think>` and the action, so that the format can be judged.
 */
export function readAction(text: string): Reply<RouteAction> {
  const said = text.trim();
  const malformed = (why: string): Extract<Reply<never>, { readonly kind: 'malformed' }> => ({
    kind: 'malformed',
    why: `My previous action is invalid. ${why} ${actionHelp}`,
    text,
  });
  if (said === '') return malformed('Nothing was said.');
  if (said.startsWith('{')) return readCall(said, routeActionSchema, malformed);
  const [, verb, where, quoted = ''] = listedPattern.exec(said) ?? [];
  const [, tag, content = ''] = verb === undefined ? (tagPattern.exec(said) ?? []) : [];
  if (verb === undefined && tag === undefined) {
    const [, alone] = /^<think>([\s\S]*)<\/think>$/.exec(said) ?? [];
    return alone === undefined || alone.length > longest
      ? malformed('It has no action.')
      : { kind: 'action', action: { kind: 'think', text: alone } };
  }
  const isRoute = verb === 'route' || tag === 'search';
  const fields = isRoute
    ? routeFields(verb === undefined ? content.trim() : straightQuotes(quoted))
    : { kind: 'answer', text: verb === undefined ? content.trim() : quoted };
  if (fields === undefined) return malformed('<search> takes a name of a model, a colon and a question.');
  const [, thoughtOf] = tidyPattern.exec(said) ?? [];
  const read = routeActionSchema.safeParse({
    ...fields,
    ...(where === undefined ? {} : { where }),
    ...(thoughtOf === undefined ? {} : { thought: thoughtOf }),
  });
  return read.success ? { kind: 'action', action: read.data } : malformed('It is too long.');
}

function routeFields(content: string): Readonly<Record<string, unknown>> | undefined {
  const colon = content.indexOf(':');
  if (colon < 1) return undefined;
  return { kind: 'route', model: content.slice(0, colon).trim(), query: content.slice(colon + 1).trim() };
}

/** Language models write these freely and see no list of them. */
export const isSample = ({ kind }: RouteAction): boolean => kind !== 'think';
