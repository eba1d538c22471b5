import { hash } from 'node:crypto';
import { z } from 'zod';
import { openChatModel, type ChatModelOptions } from '../../chat/chat-model.ts';
import { modelConfigShape, modelIdentity } from '../../chat/model-config.ts';
import { retrieverFault } from '../retriever-fault.ts';
import { plainQuery, type Hit, type SearchPurpose } from '../retriever.ts';
import type { DocumentSource } from './simulated-retriever.ts';

/** A language model that writes documents. */
export const modelSourceSchema = z.strictObject({
  ...modelConfigShape,
  words: z.int().min(5).max(1_000).default(30).describe('words of a document, about'),
  maxTokens: z.int().min(16).max(100_000).default(1_024).describe('most tokens of a reply'),
  temperature: z.number().min(0).max(2).default(0.8).describe('temperature of the model'),
  cached: z.int().min(0).max(1_000_000).default(10_000).describe('number of replies kept in memory'),
});
export type ModelSource = z.output<typeof modelSourceSchema>;

/** Characters of a document that a model wrote, at most. */
const longestDocument = 20_000;

/**
 * Documents by a language model. The prompt asks for useful ones or for noise, and has the question and its answer
 * (ZeroSearch, arXiv:2505.04588, section 3.2; the words of the prompt are ours). Equal requests get equal documents.
 *
 * @throws UsageError where the address is no HTTP address, or the environment variable with the key is not set
 */
export function modelSource(
  config: ModelSource,
  options: Pick<ChatModelOptions, 'system' | 'now'>,
): DocumentSource {
  const { words, cached } = config;
  const model = openChatModel(config, {
    ...options,
    where: 'simulated search, model',
    faultOf: retrieverFault,
  });
  const known = new Map<string, readonly Hit[]>();
  return {
    identity: { kind: 'model', ...modelIdentity(config), words },
    documents: async (query, { limit, isNoisy, purpose, signal }) => {
      const content = promptFor(plainQuery(query), { limit, words, isNoisy, purpose });
      const key = hash('sha256', content, 'base64url').slice(0, 22);
      let hits = known.get(key);
      if (hits === undefined) {
        const reply = await model.ask([{ role: 'user', content }], [], signal);
        hits = documentsIn(reply.content, key).slice(0, limit);
        if (hits.length === 0) throw model.unusable('the reply of the model has no text');
      }
      known.delete(key);
      known.set(key, hits);
      for (const oldest of known.keys()) {
        if (known.size <= cached) break;
        known.delete(oldest);
      }
      return hits;
    },
    close: async () => {
      known.clear();
      await model.close();
    },
  };
}

function promptFor(
  query: string,
  options: {
    readonly limit: number;
    readonly words: number;
    readonly isNoisy: boolean;
    readonly purpose: SearchPurpose | undefined;
  },
): string {
  const { limit, words, isNoisy, purpose } = options;
  const about =
    purpose === undefined
      ? []
      : [
          `A user searches in order to answer: ${purpose.question}`,
          `The answer is: ${purpose.answers.join(' or ')}`,
        ];
  const kind = isNoisy
    ? 'Each document is about the words of the query, but is of no use for it: it does not contain what the user needs.'
    : 'Each document is useful for the query: it contains what the user needs at this step.';
  return [
    'You are a search engine. Write the documents that you find for a query.',
    ...about,
    `The query is: ${query}`,
    `Write ${limit} documents of about ${words} words each. ${kind}`,
    'Write each on a line of its own, as: Doc 1 (Title: "the title") the text',
  ].join('\n');
}

/**
 * The documents of a reply in the form asked for. What stands before the first of them is none. A reply in another form is
 * one document.
 */
export function documentsIn(reply: string, key: string): readonly Hit[] {
  const text = reply.replace(/^[\s\S]*<\/think>/, '').trim();
  if (text === '') return [];
  const parts = text.split(/^\s*(?:\*\*)?Doc(?:ument)? \d+(?:\*\*)?[ :.]*/im);
  const documents = (parts.length > 1 ? parts.slice(1) : parts)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return documents.map((part, index) => {
    const { title, end } = titleIn(part);
    const body = part.slice(end, longestDocument).trim();
    return {
      id: `simulated-${key}-${index + 1}`,
      title: title ?? body.split(/\s+/).slice(0, 6).join(' '),
      text: body,
      score: 1 / (index + 1),
    };
  });
}

/** The title in `(Title: …)` at the start of a text, and where the text after it begins. It may have parentheses. */
function titleIn(text: string): { readonly title: string | undefined; readonly end: number } {
  const none = { title: undefined, end: 0 };
  const [opening] = /^\(Title: */i.exec(text) ?? [];
  if (opening === undefined) return none;
  const quoted = /"([^"\n]{1,200})" *\)/y;
  quoted.lastIndex = opening.length;
  const [, title] = quoted.exec(text) ?? [];
  if (title !== undefined) return { title: title.trim(), end: quoted.lastIndex };
  let depth = 1;
  for (let at = opening.length; at < opening.length + 204 && at < text.length && text[at] !== '\n'; at += 1) {
    depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0;
    if (depth === 0) {
      const plain = text.slice(opening.length, at).replaceAll('"', '').trim();
      return { title: plain === '' ? undefined : plain, end: at + 1 };
    }
  }
  return none;
}
