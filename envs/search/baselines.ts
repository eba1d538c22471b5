import type { Baseline, Searcher } from '../core/env.ts';
import type { TaskRef } from '../core/task.ts';
import type { SearchAction } from './action.ts';
import type { SearchObservation } from './observation.ts';
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
  },
): Readonly<Record<string, SearchBaseline>> {
  const { taskCount, maxSteps, canSearch } = options;
  const closedBook: SearchBaseline = {
    summary: 'nothing: it answers with the last name of the question',
    play: (ref) => new Reader(source.question(ref), []),
  };
  if (!canSearch) return { 'closed book': closedBook };
  return {
    'closed book': closedBook,
    'random document': {
      summary: 'the first document found for another question of the panel, by an ideal reader',
      play: (ref, rng) => {
        const other: TaskRef = { panel: ref.panel, index: rng.int(taskCount(ref.panel)) };
        return new Reader(source.question(ref), [source.question(other).question]);
      },
    },
    'top-1 document': {
      summary: 'the first document found for the question, by an ideal reader',
      play: (ref) => new Reader(source.question(ref), [source.question(ref).question]),
    },
    'gold documents': {
      summary: 'the first document found for each name on the way to the answer, by an ideal reader',
      play: (ref) => {
        const question = source.question(ref);
        const queries = question.path.length > 0 ? question.path : question.supporting;
        return new Reader(question, queries.slice(0, Math.max(0, Math.floor((maxSteps - 1) / 2))));
      },
    },
  };
}

/** Searches, opens the first document of each search, and answers rightly if one of them contains an answer. */
class Reader implements Searcher<SearchObservation, SearchAction> {
  readonly #question: Question;
  readonly #queries: readonly string[];
  #next = 0;
  #hasSeen = false;

  constructor(question: Question, queries: readonly string[]) {
    this.#question = question;
    this.#queries = queries;
  }

  act({ observation }: { readonly observation: SearchObservation }): SearchAction {
    if (observation.kind === 'page') {
      const { title, text } = observation;
      this.#hasSeen ||= holdsAnswer(this.#question, [{ id: '', title, text }]);
    }
    if (observation.kind === 'results' && observation.docs.length > 0) return { kind: 'open', doc: 1 };
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
