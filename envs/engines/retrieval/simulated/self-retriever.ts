import { hash } from 'node:crypto';
import type { AskAgent } from '../../../core/context.ts';
import { UsageError } from '../../../core/errors.ts';
import type { Json } from '../../../core/json.ts';
import { plainQuery, type Hit, type Page, type Retriever, type SearchPurpose } from '../retriever.ts';
import { documentsIn } from './model-source.ts';

/**
 * The policy as its own search engine (SSRL): the model of the agent that searches also writes the documents, from what
 * it knows. It sees the question and the query, and never the answer. Documents are observations, so nothing of them is
 * trained on. No other program is asked.
 */
export class SelfRetriever implements Retriever {
  readonly identity: Json;
  readonly #words: number;

  /** @param words words of a document, about */
  constructor(words: number) {
    this.#words = words;
    this.identity = { kind: 'self', words };
  }

  /** @throws UsageError where the agent has no language model */
  async search(
    query: string,
    limit: number,
    signal: AbortSignal,
    purpose?: SearchPurpose,
  ): Promise<readonly Hit[]> {
    signal.throwIfAborted();
    const ask: AskAgent | undefined = purpose?.askAgent;
    if (ask === undefined || purpose === undefined) throw withoutModel();
    const plain = plainQuery(query);
    const reply = await ask(promptFor(plain, { question: purpose.question, limit, words: this.#words }));
    signal.throwIfAborted();
    const key = hash('sha256', `${plain}\n${reply}`, 'base64url').slice(0, 22);
    return documentsIn(reply, key).slice(0, limit);
  }

  /** Nothing: the whole document was shown by the search. */
  async open(_id: string, signal: AbortSignal): Promise<Page | undefined> {
    signal.throwIfAborted();
    return undefined;
  }

  async close(): Promise<void> {}
}

function promptFor(
  query: string,
  { question, limit, words }: { readonly question: string; readonly limit: number; readonly words: number },
): string {
  return [
    'You are a search engine. Write the documents that you find for a query, from what you know.',
    `A user searches in order to answer: ${question}`,
    `The query is: ${query}`,
    `Write ${limit} documents of about ${words} words each.`,
    'Write each on a line of its own, as: Doc 1 (Title: "the title") the text',
  ].join('\n');
}

const withoutModel = (): UsageError =>
  new UsageError({
    where: 'search-v1, backend.kind self',
    what: 'the agent has no language model that could write the documents of its searches.',
    fix: 'Play with a language model (--agent openai:MODEL, or a token policy), or choose another backend.',
  });
