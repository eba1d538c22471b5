import { z } from 'zod';
import type { ChatModel } from '../../chat/chat-model.ts';
import type { Hit, Retriever } from '../../retrieval/retriever.ts';
import { isMatch } from '../answers/exact-match.ts';
import { normalise, normalWords } from '../answers/normalise.ts';
import type { Question } from '../files/question.ts';
import type { Change, HarderQuestion } from './harder-question.ts';

/** How a model makes questions harder, and how they are verified. */
export interface ModelSynthesisOptions {
  readonly rounds: number;
  /** Answers of the model with the documents, and without them. */
  readonly tries: number;
  readonly signal: AbortSignal;
}

/** Why a question was not kept. */
export type Rejection =
  | 'no change was usable'
  | 'not answered with the documents'
  | 'answered without the documents'
  | 'another answer fits';

export type ModelSynthesis =
  | { readonly kind: 'kept'; readonly made: HarderQuestion }
  | { readonly kind: 'rejected'; readonly why: Rejection };

/** Characters of each document that the model reads. */
const mostCharacters = 4_000;
const longestQuestion = 4_000;
/** The share of the words of an injected fact that its page must have. */
const wordsOnPage = 0.6;

const entitySchema = z.object({ entity: z.string().min(2).max(200) });
const injectedSchema = z.object({
  question: z.string().min(10).max(longestQuestion),
  fact: z.string().min(3),
});
const fuzzedSchema = z.object({
  question: z.string().min(10).max(longestQuestion),
  detail: z.string().min(2),
  vaguer: z.string().min(2),
});
const alternativeSchema = z.object({ fits: z.boolean() });

type Draft = HarderQuestion & { readonly pages: readonly Hit[] };

/**
 * Makes a question about a free corpus harder with a model, as ASearcher does (arXiv:2508.07976, data synthesis; the words of the
 * prompts are ours): facts of a page take the place of an entity's name, and details become vaguer. Then the three checks of the
 * paper: basic quality and an answer that follows from the documents, no answer without them, and no other answer that fits.
 *
 * @throws FaultError where the model or the corpus fails
 */
export async function synthesiseWithModel(
  seed: Question,
  { model, retriever }: { readonly model: ChatModel; readonly retriever: Retriever },
  options: ModelSynthesisOptions,
): Promise<ModelSynthesis> {
  const { rounds, signal } = options;
  const rejected = (why: Rejection): ModelSynthesis => ({ kind: 'rejected', why });
  let draft: Draft = {
    question: seed.question,
    answers: seed.answers,
    supporting: seed.supporting,
    changes: [],
    pages: await pagesOf(seed, retriever, signal),
  };
  const asked = new Asked(model, signal);
  for (let round = 0; round < rounds; round += 1) {
    const next = round % 2 === 0 ? await inject(draft, asked, retriever, signal) : await fuzz(draft, asked);
    if (next !== undefined) draft = next;
  }
  if (draft.changes.length === 0) return rejected('no change was usable');
  const why = await flawOf(draft, asked, options.tries);
  if (why !== undefined) return rejected(why);
  const { pages: _pages, ...made } = draft;
  return { kind: 'kept', made };
}

/** Questions to a model. Replies in JSON that are of another form are undefined. */
class Asked {
  readonly #model: ChatModel;
  readonly #signal: AbortSignal;

  constructor(model: ChatModel, signal: AbortSignal) {
    this.#model = model;
    this.#signal = signal;
  }

  async text(content: string): Promise<string> {
    const reply = await this.#model.ask([{ role: 'user', content }], [], this.#signal);
    return reply.content.replace(/^[\s\S]*<\/think>/, '').trim();
  }

  async json<T>(content: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const [json = ''] = /\{[\s\S]*\}/.exec(await this.text(content)) ?? [];
    try {
      return schema.parse(JSON.parse(json));
    } catch {
      return undefined;
    }
  }
}

/** The documents that a seed names, or else the best for its question. */
async function pagesOf(
  { question, supporting }: Question,
  retriever: Retriever,
  signal: AbortSignal,
): Promise<readonly Hit[]> {
  const pages: Hit[] = [];
  for (const id of supporting) {
    const page = await retriever.open(id, signal);
    if (page !== undefined) pages.push({ id, title: page.title, text: page.parts.join('\n'), score: 0 });
  }
  return pages.length > 0 ? pages : retriever.search(question, 3, signal);
}

async function inject(
  draft: Draft,
  asked: Asked,
  retriever: Retriever,
  signal: AbortSignal,
): Promise<Draft | undefined> {
  const chosen = await asked.json(
    [
      'Choose one person, place, work or thing that this question names. Not its answer.',
      `Question: ${draft.question}`,
      'Reply with JSON: {"entity": "the name as it stands in the question"}',
    ].join('\n'),
    entitySchema,
  );
  if (chosen === undefined || !has(draft.question, chosen.entity)) return undefined;
  const hits = await retriever.search(chosen.entity, 5, signal);
  const page = hits.find(({ title }) => normalise(title) === normalise(chosen.entity));
  if (page === undefined) return undefined;
  const made = await asked.json(
    [
      `Write the question again without the name ${JSON.stringify(chosen.entity)}: put a fact from the document in its place, so that`,
      'a reader has to find out who or what is meant. Its answer must stay the same, and must not be in the question.',
      `Question: ${draft.question}`,
      `Document: ${page.title}\n${page.text.slice(0, mostCharacters)}`,
      'Reply with JSON: {"question": "the new question", "fact": "the fact, in the words of the document"}',
    ].join('\n'),
    injectedSchema,
  );
  if (made === undefined || has(made.question, chosen.entity)) return undefined;
  const onPage = new Set(normalWords(page.text));
  const words = normalWords(made.fact);
  if (words.length === 0 || words.filter((word) => onPage.has(word)).length < wordsOnPage * words.length)
    return undefined;
  return changed(draft, 'inject', made.question, page);
}

async function fuzz(draft: Draft, asked: Asked): Promise<Draft | undefined> {
  const made = await asked.json(
    [
      'Make one specific detail of this question vaguer, such as an exact date, number or place. Its answer must stay the same,',
      'must still be the only one that fits, and must not be in the question.',
      `Question: ${draft.question}`,
      ...documentsOf(draft),
      'Reply with JSON: {"question": "the new question", "detail": "the detail as it stood", "vaguer": "what stands there now"}',
    ].join('\n'),
    fuzzedSchema,
  );
  if (made === undefined || !has(draft.question, made.detail) || has(made.question, made.detail))
    return undefined;
  return has(made.question, made.vaguer) ? changed(draft, 'fuzz', made.question, undefined) : undefined;
}

/** The basic quality of a change: another question, which does not have its answer. */
function changed(draft: Draft, change: Change, question: string, page: Hit | undefined): Draft | undefined {
  if (normalise(question) === normalise(draft.question)) return undefined;
  if (draft.answers.some((answer) => has(question, answer))) return undefined;
  const isNew = page !== undefined && !draft.pages.some(({ id }) => id === page.id);
  return {
    ...draft,
    question: question.replaceAll(/\s+/g, ' ').trim(),
    supporting: isNew ? [...draft.supporting, page.id] : draft.supporting,
    changes: [...draft.changes, change],
    pages: isNew ? [...draft.pages, page] : draft.pages,
  };
}

/** Why a draft is no good question; undefined where it is one. */
async function flawOf(draft: Draft, asked: Asked, tries: number): Promise<Rejection | undefined> {
  const { question, answers } = draft;
  const answer = (documents: readonly string[]): Promise<string> =>
    asked.text(
      ['Answer with the answer alone, in a few words.', `Question: ${question}`, ...documents].join('\n'),
    );
  const others = new Set<string>();
  let right = 0;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const given = await answer(documentsOf(draft));
    if (isMatch(given, answers, 'exact')) right += 1;
    else if (given !== '') others.add(given);
  }
  if (right === 0) return 'not answered with the documents';
  for (let attempt = 0; attempt < tries; attempt += 1)
    if (isMatch(await answer([]), answers, 'contains')) return 'answered without the documents';
  for (const other of others) {
    const verdict = await asked.json(
      [
        `Does this other answer fit the question as well, by the documents? The known answer is ${answers.join(' or ')}.`,
        `Question: ${question}`,
        `Other answer: ${other.slice(0, 300)}`,
        ...documentsOf(draft),
        'Reply with JSON: {"fits": true} or {"fits": false}. The same answer in other words does not count: false.',
      ].join('\n'),
      alternativeSchema,
    );
    if (verdict?.fits !== false) return 'another answer fits';
  }
  return undefined;
}

const documentsOf = ({ pages }: Draft): readonly string[] =>
  pages.map(({ title, text }) => `Document: ${title}\n${text.slice(0, mostCharacters)}`);

/** Whether a text has another one, as whole words in normal form. */
const has = (text: string, part: string): boolean => {
  const wanted = normalise(part);
  return wanted !== '' && ` ${normalise(text)} `.includes(` ${wanted} `);
};
