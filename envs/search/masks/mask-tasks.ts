import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createRng, type Rng } from '../../core/rng.ts';
import { UsageError } from '../../core/errors.ts';
import { textOf, titleOf, type StoredDocument } from '../../engines/retrieval/document.ts';
import { normalise } from '../../engines/questions/answers/normalise.ts';
import type { Question } from '../../engines/questions/files/question.ts';
import type { PanelName } from '../../engines/questions/files/question-source.ts';
import { salientSpans, sentencesOf, type Span } from './salient-spans.ts';

const size = (usual: number, panel: string) =>
  z.int().min(0).max(100_000).default(usual).describe(`number of tasks of the panel ${panel}, at most`);

/** Tasks that ask for masked parts of sentences. */
export const masksSchema = z.strictObject({
  counts: z
    .array(z.int().min(1).max(10))
    .min(1)
    .max(20)
    .default([1])
    .describe('masks of a task, which is its difficulty; they take turns'),
  seed: z.int().min(0).default(1).describe('seed of the choice of documents, sentences and masks'),
  train: size(1_000, 'train'),
  dev: size(100, 'dev'),
  test: size(300, 'test'),
});
export type MasksConfig = z.output<typeof masksSchema>;

/** The documents that tasks are made of. */
export interface MaskedDocuments {
  readonly size: number;
  documentAt(number: number): StoredDocument;
}

/** The texts of a document that an agent can answer with, in the form of {@link normalise}. */
export type AnswersOf = (document: StoredDocument) => ReadonlySet<string>;

/** Documents that are looked at, at most. */
const mostLooks = 200_000;
/** Words of a sentence, and those that must be left beside the masks. */
const [fewestWords, mostWords, fewestLeft] = [8, 60, 6] as const;

/**
 * Makes tasks of any corpus: a sentence with its salient parts masked, to be filled in by searching (MaskSearch,
 * arXiv:2505.20285, retrieval-augmented mask prediction). A document has one task at most. Its id decides the panel, so
 * that no two panels share a document: 80 of 100 documents are for training, 10 for `dev`, 10 for `test`.
 *
 * @param answersOf limits the masked texts, where answers are listed; default: no limit
 * @throws UsageError where no document has a sentence with enough names, dates or numbers
 */
export function maskTasks(
  documents: MaskedDocuments,
  config: MasksConfig,
  answersOf?: AnswersOf,
): Readonly<Record<PanelName, readonly Question[]>> {
  const rng = createRng(config.seed).fork('search-masks');
  const panels = {
    train: new Panel('train', config, answersOf),
    dev: new Panel('dev', config, answersOf),
    test: new Panel('test', config, answersOf),
  };
  const all = Object.values(panels);
  for (const number of drawnNumbers(rng.fork('documents'), documents.size)) {
    if (all.every(({ isFull }) => isFull)) break;
    const document = documents.documentAt(number);
    panels[panelOf(document.id)].offer(document, rng.fork(number));
  }
  const made = { train: panels.train.tasks(), dev: panels.dev.tasks(), test: panels.test.tasks() };
  if (Object.values(made).some((tasks) => tasks.length > 0)) return made;
  throw new UsageError({
    where: 'search-v1, masks',
    what: `no document has a sentence of ${fewestWords} to ${mostWords} words with ${Math.min(...config.counts)} names, dates or numbers to mask${answersOf === undefined ? '' : ' that mode=choices lists as answers'}.`,
    fix: `Lower masks.counts, ${answersOf === undefined ? '' : 'set mode=text, '}or give a corpus of sentences.`,
  });
}

/** Numbers of documents in random order, each once. */
function* drawnNumbers(rng: Rng, documents: number): Generator<number, void> {
  if (documents <= mostLooks) {
    yield* rng.shuffle(Array.from({ length: documents }, (_, number) => number));
    return;
  }
  const seen = new Set<number>();
  while (seen.size < mostLooks) {
    const number = rng.int(documents);
    if (seen.has(number)) continue;
    seen.add(number);
    yield number;
  }
}

function panelOf(id: string): PanelName {
  const share = createHash('sha256').update(`masks ${id}`).digest().readUInt32LE(0) % 100;
  return share < 80 ? 'train' : share < 90 ? 'dev' : 'test';
}

/** The tasks of a panel by their number of masks. */
class Panel {
  readonly #name: PanelName;
  readonly #size: number;
  readonly #counts: readonly number[];
  readonly #answersOf: AnswersOf | undefined;
  readonly #made = new Map<number, Question[]>();

  constructor(name: PanelName, config: MasksConfig, answersOf: AnswersOf | undefined) {
    this.#name = name;
    this.#size = config[name];
    this.#counts = config.counts;
    this.#answersOf = answersOf;
  }

  get isFull(): boolean {
    return this.#lacking().length === 0;
  }

  /** Makes a task of a document, with the most masks that are still wanted. */
  offer(document: StoredDocument, rng: Rng): void {
    const lacking = this.#lacking();
    if (lacking.length === 0) return;
    const listed = this.#answersOf?.(document);
    const isUsable = ({ text }: Span): boolean => listed === undefined || listed.has(normalise(text));
    const usable = sentencesOf(textOf(document)).flatMap((sentence) => {
      const words = sentence.split(' ').length;
      const spans = words < fewestWords || words > mostWords ? [] : salientSpans(sentence).filter(isUsable);
      return spans.length === 0 ? [] : [{ sentence, spans }];
    });
    for (const count of lacking.toSorted((a, b) => b - a)) {
      const masked = rng
        .shuffle(usable.filter(({ spans }) => spans.length >= count))
        .map(({ sentence, spans }) => ({ sentence, spans: rng.shuffle([...spans]).slice(0, count) }))
        .find(({ sentence, spans }) => hasContext(sentence, spans));
      if (masked === undefined) continue;
      const list = this.#made.get(count) ?? [];
      this.#made.set(count, list);
      list.push(taskOf(document, masked.sentence, masked.spans));
      return;
    }
  }

  /** The tasks, with the numbers of masks in turns. */
  tasks(): readonly Question[] {
    const left = new Map([...this.#made].map(([count, list]) => [count, [...list]]));
    const tasks: Question[] = [];
    while (tasks.length < this.#size) {
      const before = tasks.length;
      for (const count of this.#counts) {
        const task = left.get(count)?.shift();
        if (task !== undefined && tasks.length < this.#size)
          tasks.push({ ...task, id: `${this.#name}-${tasks.length}` });
      }
      if (tasks.length === before) break;
    }
    return tasks;
  }

  /** The numbers of masks of which tasks are missing. */
  #lacking(): readonly number[] {
    return [...new Set(this.#counts)].filter((count) => {
      const share = this.#counts.filter((other) => other === count).length / this.#counts.length;
      return (this.#made.get(count)?.length ?? 0) < Math.ceil(this.#size * share);
    });
  }
}

const hasContext = (sentence: string, spans: readonly Span[]): boolean =>
  sentence.split(' ').length - spans.reduce((sum, { text }) => sum + text.split(' ').length, 0) >= fewestLeft;

function taskOf(
  document: StoredDocument,
  sentence: string,
  chosen: readonly Span[],
): Omit<Question, 'id'> & { id: '' } {
  const spans = chosen.toSorted((a, b) => a.start - b.start);
  let masked = '';
  let at = 0;
  for (const [index, { start, end }] of spans.entries()) {
    masked += `${sentence.slice(at, start)}[mask${spans.length === 1 ? '' : ` ${index + 1}`}]`;
    at = end;
  }
  masked += sentence.slice(at);
  const parts = spans.map(({ text }) => text);
  return {
    id: '',
    question:
      spans.length === 1
        ? `Which text stands at the mask? ${masked}`
        : `Which texts stand at the masks? Give them in order, with semicolons between them. ${masked}`,
    answers: [parts.join('; ')],
    parts,
    family: `${spans.length}-mask`,
    supporting: [document.id],
    hops: 1,
    path: [titleOf(document)],
    traps: 0,
  };
}
