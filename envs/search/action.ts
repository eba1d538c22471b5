import { z } from 'zod';
import { readCall } from '../core/read-reply.ts';
import type { Reply } from '../core/textual.ts';

/** Characters of what an agent writes, at most. */
const longest = 10_000;
const free = z.string().max(longest);
const doc = z.int().min(1).max(1_000).describe('number of a document in the last results');
const thought = free.optional().describe('what was thought before the action');
const where = free
  .optional()
  .describe('where the text was seen: the words around it and the place of the document');

/** What an agent does. */
export const searchActionSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({ kind: z.literal('search'), query: free, where, thought })
    .describe('searches; the best documents are shown'),
  z
    .strictObject({ kind: z.literal('open'), doc, part: z.int().min(1).max(10_000_000).optional(), thought })
    .describe('shows a part of a document'),
  z
    .strictObject({ kind: z.literal('find'), text: free, thought })
    .describe('shows the lines of the open document that have the text'),
  z
    .strictObject({ kind: z.literal('judge'), doc, verdict: z.enum(['good', 'misleading']), where, thought })
    .describe('says what a document is worth'),
  z.strictObject({ kind: z.literal('think'), text: free }).describe('changes nothing'),
  z
    .strictObject({
      kind: z.literal('answer'),
      text: free,
      confidence: z.number().min(0).max(1).optional().describe('probability that the answer is right'),
      where,
      thought,
    })
    .describe('ends the episode with this answer'),
]);
export type SearchAction = Readonly<z.output<typeof searchActionSchema>>;

/** How to write actions, in a few lines. */
export const actionHelp = [
  'Think in <think> and </think>. Then do one thing:',
  '<search>words</search>, <open>Doc 1</open>, <open>Doc 1, part 2</open>, <find>words</find>, <judge>Doc 1: misleading</judge>, <judge>Doc 1: good</judge>,',
  'or end with <answer>the answer alone</answer>.',
].join('\n');

/** What to write after an answer, where a confidence is paid for. */
export const confidenceHelp =
  'After the answer, write the probability that it is right, from 0 to 1: <confidence>0.7</confidence>';

/**
 * An action in words. It has the tags of Search-R1, with `open`, `find` and `judge` beside its `search` and `answer`. An
 * action of the list says where its text was seen: `answer where it was written by _ in first "Doran Velk"`. A listed
 * verdict says what the document looks like: `judge misleading where a letter about _ in first "Doc 1"`.
 */
export function describeAction(action: SearchAction): string {
  const thought =
    'thought' in action && action.thought !== undefined ? `<think>${action.thought}</think>\n` : '';
  return `${thought}${tagOf(action)}`;
}

const confidenceTag = (confidence: number | undefined): string =>
  confidence === undefined ? '' : `<confidence>${confidence}</confidence>`;

function tagOf(action: SearchAction): string {
  switch (action.kind) {
    case 'search':
      return action.where === undefined
        ? `<search>${action.query}</search>`
        : `search where ${action.where} "${action.query}"`;
    case 'answer':
      return action.where === undefined
        ? `<answer>${action.text}</answer>${confidenceTag(action.confidence)}`
        : `answer where ${action.where} "${action.text}"`;
    case 'open':
      return `<open>Doc ${action.doc}${action.part === undefined ? '' : `, part ${action.part}`}</open>`;
    case 'find':
      return `<find>${action.text}</find>`;
    case 'judge':
      return action.where === undefined
        ? `<judge>Doc ${action.doc}: ${action.verdict}</judge>`
        : `judge ${action.verdict} where ${action.where} "Doc ${action.doc}"`;
    case 'think':
      return `<think>${action.text}</think>`;
    default:
      return action satisfies never;
  }
}

/** The first action of a reply, as Search-R1 finds it. */
const tagPattern = /<(search|answer|open|find|judge)>([\s\S]*?)<\/\1>/;
/** A reply with nothing but a thought and one action, and what may follow an answer. */
const tidyPattern =
  /^\s*<think>([\s\S]*?)<\/think>\s*(?:<(search|open|find|judge)>[\s\S]*?<\/\2>|<answer>[\s\S]*?<\/answer>(?:\s*<analysis>[\s\S]*?<\/analysis>)?(?:\s*<confidence>[\s\S]*?<\/confidence>)?)\s*$/;
const answerEnd = '</answer>';
/** The confidence after an answer, in the tags of RLCR. */
const confidencePattern = /<confidence>([\s\S]*?)<\/confidence>/;
const listedPattern = /^(search|answer|judge (?:good|misleading)) where ([^"\n]+) "([^"\n]*)"$/;

/**
 * Reads a reply: the first tag with its content, as in Search-R1, or a tool call in JSON. The thought is kept only where
 * the reply has nothing but `<think>…</think>` and the action, so that the format can be judged.
 */
export function readAction(text: string): Reply<SearchAction> {
  const said = text.trim();
  const malformed = (why: string): Extract<Reply<never>, { readonly kind: 'malformed' }> => ({
    kind: 'malformed',
    why: `My previous action is invalid. ${why} ${actionHelp}`,
    text,
  });
  if (said === '') return malformed('Nothing was said.');
  if (said.startsWith('{')) return readCall(said, searchActionSchema, malformed);
  const [, verb, where, quoted = ''] = listedPattern.exec(said) ?? [];
  if (verb !== undefined) {
    const [kind = '', verdict] = verb.split(' ');
    const content = verdict === undefined ? quoted : `${quoted}: ${verdict}`;
    const read = searchActionSchema.safeParse({ ...fieldsOf(kind, content), where });
    return read.success ? { kind: 'action', action: read.data } : malformed('It is too long.');
  }
  const [, kind, content = ''] = tagPattern.exec(said) ?? [];
  if (kind === undefined) {
    const [, alone] = /^<think>([\s\S]*)<\/think>$/.exec(said) ?? [];
    return alone === undefined || alone.length > longest
      ? malformed('It has no action.')
      : { kind: 'action', action: { kind: 'think', text: alone } };
  }
  const fields = fieldsOf(kind, content.trim());
  if (fields === undefined)
    return malformed(`<${kind}> does not take ${JSON.stringify(content.slice(0, 100))}.`);
  const [, stated] =
    kind === 'answer' ? (confidencePattern.exec(said.slice(said.indexOf(answerEnd))) ?? []) : [];
  const confidence = stated === undefined ? undefined : probabilityIn(stated);
  if (stated !== undefined && confidence === undefined)
    return malformed(
      `<confidence> takes a number from 0 to 1, not ${JSON.stringify(stated.trim().slice(0, 100))}.`,
    );
  const [, thought] = tidyPattern.exec(said) ?? [];
  const read = searchActionSchema.safeParse({
    ...fields,
    ...(confidence === undefined ? {} : { confidence }),
    ...(thought === undefined ? {} : { thought }),
  });
  return read.success ? { kind: 'action', action: read.data } : malformed('It is too long.');
}

/** The probability that a text states, or undefined. */
function probabilityIn(text: string): number | undefined {
  const trimmed = text.trim();
  const value = /^(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  return value >= 0 && value <= 1 ? value : undefined;
}

function fieldsOf(kind: string, content: string): Readonly<Record<string, unknown>> | undefined {
  switch (kind) {
    case 'search':
      return { kind, query: content };
    case 'answer':
    case 'find':
      return { kind, text: content };
    case 'open': {
      const [, doc, part] = /^(?:doc\s*)?(\d{1,4})(?:\s*,?\s*part\s*(\d{1,8}))?$/i.exec(content) ?? [];
      if (doc === undefined) return undefined;
      return { kind, doc: Number(doc), ...(part === undefined ? {} : { part: Number(part) }) };
    }
    default: {
      const [, doc, verdict] = /^(?:doc\s*)?(\d{1,4})\s*[:,]?\s*(good|misleading)$/i.exec(content) ?? [];
      return verdict === undefined ? undefined : { kind, doc: Number(doc), verdict: verdict.toLowerCase() };
    }
  }
}

/** Language models write these freely and see no list of them. */
export const isSample = ({ kind }: SearchAction): boolean => kind === 'search' || kind === 'answer';
