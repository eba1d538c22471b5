import type { Baseline, Searcher } from '../core/env.ts';
import type { TaskRef } from '../core/task.ts';
import type { SearchAction } from './action.ts';
import type { SearchObservation } from './observation.ts';
import { textOf, titleOf, type StoredDocument } from '../engines/retrieval/document.ts';
import type { QuestionSource } from '../engines/questions/files/question-source.ts';
import type { Question } from '../engines/questions/files/question.ts';
import { holdsAnswer } from './reward/retrieval-hit.ts';

type SearchBaseline = Baseline<SearchObservation, SearchAction>;

/**
 * The baselines that papers print beside a search agent. Their reader is ideal: it answers rightly where a text that
 * it has seen contains a gold answer. So their scores bound those of any reader of the same texts.
 *
 * @param options.taskCount tasks of a panel
 */
export function searchBaselines(
  source: Pick<QuestionSource, 'question'>,
  options: {
    readonly taskCount: (panel: string) => number;
    readonly maxSteps: number;
    /** Whether a player without a language model can search. */
    readonly canSearch: boolean;
    /** What the baseline `gold documents` opens; undefined where supporting documents are unknown. */
    readonly gold: 'path' | 'supporting' | undefined;
    /** The document with that id, where the engine has its documents itself. */
    readonly documentNow: ((id: string) => StoredDocument | undefined) | undefined;
  },
): Readonly<Record<string, SearchBaseline>> {
  const { taskCount, maxSteps, canSearch, gold, documentNow } = options;
  const searches = Math.max(0, Math.floor((maxSteps - 1) / 2));
  const closedBook: SearchBaseline = {
    summary: 'nothing: it answers with the last name of the question',
    play: (ref) => new Reader(source.question(ref), []),
  };
  if (!canSearch) return { 'closed book': closedBook };
  return {
    'closed book': closedBook,
    'random document': {
      summary:
        'the first document found for another question of the panel, all parts that its steps allow, by an ideal reader',
      play: (ref, rng) => {
        const count = taskCount(ref.panel);
        if (count < 2) return new Reader(source.question(ref), []);
        // a step from 1 to count - 1: never the question itself
        const other: TaskRef = { ...ref, index: (ref.index + 1 + rng.int(count - 1)) % count };
        return new Reader(source.question(ref), [source.question(other).question]);
      },
    },
    'top-1 document': {
      summary:
        'the first document found for the question, all parts that its steps allow, by an ideal reader',
      play: (ref) => new Reader(source.question(ref), [source.question(ref).question]),
    },
    ...(gold === undefined
      ? {}
      : {
          'gold documents': {
            summary:
              gold === 'path'
                ? 'the first document found for each name on the way to the answer, all parts that its steps allow, by an ideal reader'
                : 'the supporting documents of the question, by id or else by title, by an ideal reader',
            play: (ref) => {
              const question = source.question(ref);
              if (gold === 'path') return new Reader(question, question.path.slice(0, searches));
              const known = question.supporting.flatMap((id) => documentNow?.(id) ?? []);
              const ids = new Set(known.map(({ id }) => id));
              const titles = question.supporting.filter((name) => !ids.has(name));
              return new Reader(question, titles.slice(0, searches), known);
            },
          } satisfies SearchBaseline,
        }),
  };
}

/** The part of a turn that a reader looks at. */
interface ReadTurn {
  readonly observation: SearchObservation;
  readonly stepsLeft?: number | undefined;
}

/**
 * Searches, and opens one document of each search: the one whose id or title is the query, else the first. It reads the parts of that
 * document in order, as long as enough steps are left for the other searches and the answer. It answers rightly if what it read, or a
 * document that was given, contains an answer.
 */
class Reader implements Searcher<SearchObservation, SearchAction> {
  readonly #question: Question;
  readonly #queries: readonly string[];
  readonly #seen: { readonly id: string; readonly title: string; readonly text: string }[] = [];
  #next = 0;
  #hasSeen: boolean;

  constructor(question: Question, queries: readonly string[], given: readonly StoredDocument[] = []) {
    this.#question = question;
    this.#queries = queries;
    for (const document of given)
      this.#seen.push({ id: document.id, title: titleOf(document), text: textOf(document) });
    this.#hasSeen = holdsAnswer(question, this.#seen);
  }

  act({ observation, stepsLeft = Infinity }: ReadTurn): SearchAction {
    if (observation.kind === 'page') {
      const { doc, title, text, part, parts } = observation;
      this.#seen.push({ id: '', title, text });
      this.#hasSeen ||= holdsAnswer(this.#question, this.#seen);
      const needed = 2 * (this.#queries.length - this.#next) + 1; // a search and a page each, and the answer
      if (!this.#hasSeen && part < parts && stepsLeft > needed) return { kind: 'open', doc, part: part + 1 };
    }
    if (observation.kind === 'results' && observation.docs.length > 0) {
      const asked = this.#queries[this.#next - 1];
      const at = observation.docs.findIndex(({ id, title }) => id === asked || title === asked);
      return { kind: 'open', doc: Math.max(at, 0) + 1 };
    }
    const query = this.#hasSeen ? undefined : this.#queries[this.#next];
    if (query !== undefined) {
      this.#next += 1;
      return { kind: 'search', query };
    }
    const { answers, question } = this.#question;
    const text = this.#hasSeen ? answers[0] : (question.match(/\p{Lu}[\p{L}\p{N}]+/gu) ?? []).at(-1);
    return { kind: 'answer', text: text ?? 'unknown' };
  }
}
