import { hash } from 'node:crypto';
import { z } from 'zod';
import { FaultError } from '../../../core/errors.ts';
import { baseOf, JsonClient, requestLimits } from '../../json-client/json-client.ts';
import { retrieverFault } from '../retriever-fault.ts';
import { plainQuery, type Hit, type SearchPurpose } from '../retriever.ts';
import type { DocumentSource } from './simulated-retriever.ts';

/** A language model that writes documents. */
export const modelSourceSchema = z.strictObject({
  url: z.string().min(1).describe('address of an OpenAI-compatible server, with or without /v1'),
  model: z.string().min(1).describe('name of the model'),
  keyName: z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/, 'must be the name of an environment variable')
    .optional()
    .describe('environment variable with the key of the server'),
  words: z.int().min(5).max(1_000).default(30).describe('words of a document, about'),
  maxTokens: z.int().min(16).max(100_000).default(1_024).describe('most tokens of a reply'),
  temperature: z.number().min(0).max(2).default(0.8).describe('temperature of the model'),
  cached: z.int().min(0).max(1_000_000).default(10_000).describe('number of replies kept in memory'),
  ...requestLimits,
});
export type ModelSource = z.output<typeof modelSourceSchema>;

const replySchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }) })).min(1),
});

/** Characters of a document that a model wrote, at most. */
const longestDocument = 20_000;

/**
 * Documents by a language model. The prompt asks for useful ones or for noise, and has the question and its answer
 * (ZeroSearch, arXiv:2505.04588, section 3.2; the words of the prompt are ours). Equal requests get equal documents.
 *
 * @param key of the server, if it needs one
 * @param now monotonic milliseconds
 * @throws UsageError where the address is no HTTP address
 */
export function modelSource(
  config: ModelSource,
  options: { readonly key: string | undefined; readonly now: () => number },
): DocumentSource {
  const { model, words, maxTokens, temperature, cached } = config;
  const base = `${baseOf(config.url, 'simulated search, model', /\/(?:v1\/?)?(?:chat\/completions)?$/)}/v1`;
  const headers = options.key === undefined ? {} : { authorization: `Bearer ${options.key}` };
  const client = new JsonClient(base, config, { now: options.now, headers, faultOf: retrieverFault });
  const known = new Map<string, readonly Hit[]>();
  return {
    identity: { kind: 'model', model, words, maxTokens, temperature },
    documents: async (query, { limit, isNoisy, purpose, signal }) => {
      const content = promptFor(plainQuery(query), { limit, words, isNoisy, purpose });
      const key = hash('sha256', content, 'base64url').slice(0, 22);
      let hits = known.get(key);
      if (hits === undefined) {
        const path = 'chat/completions';
        const body = { model, messages: [{ role: 'user', content }], max_tokens: maxTokens, temperature };
        const { choices } = await client.post(path, body, replySchema, signal);
        hits = documentsIn(choices[0]?.message.content ?? '', key).slice(0, limit);
        if (hits.length === 0) throw client.shape(path, 'the reply of the model has no text');
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
      await client.close();
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

/** The documents of a reply, in the form asked for; a reply in another form is one document. */
export function documentsIn(reply: string, key: string): readonly Hit[] {
  const text = reply.replace(/^[\s\S]*<\/think>/, '').trim();
  if (text === '') return [];
  const parts = text
    .split(/^\s*(?:\*\*)?Doc(?:ument)? \d+(?:\*\*)?[ :.]*/im)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.map((part, index) => {
    const titled = /^\(Title: "?([^")\n]{1,200})"?\)\s*/i.exec(part);
    const body = part.slice(titled?.[0].length ?? 0, longestDocument).trim();
    return {
      id: `simulated-${key}-${index + 1}`,
      title: titled?.[1]?.trim() ?? body.split(/\s+/).slice(0, 6).join(' '),
      text: body,
      score: 1 / (index + 1),
    };
  });
}

/** @throws FaultError where the key that a config names is not set */
export function keyFor(
  { keyName }: Pick<ModelSource, 'keyName'>,
  system: Readonly<Record<string, string | undefined>> | undefined,
): string | undefined {
  if (keyName === undefined) return undefined;
  const key = system?.[keyName];
  if (key !== undefined && key !== '') return key;
  throw new FaultError({
    kind: 'retriever-failed',
    code: 'unreachable',
    message: `the environment variable ${keyName} has no key of the server`,
    retryable: false,
  });
}
