import type { AskAgent } from '../core/context.ts';
import type { Snapshot } from '../core/env.ts';
import { reward, type Reward, type StepResult, type Turn } from '../core/step.ts';
import type { Retriever } from '../engines/retrieval/retriever.ts';
import { shortDigest } from '../kit/short-digest.ts';
import { actionHelp, confidenceHelp, type SearchAction } from './action.ts';
import type { SearchConfig } from './config.ts';
import { findLines } from './find-lines.ts';
import { askedStems } from '../engines/questions/answers/mentions.ts';
import { passageOf, shownTitle, type SearchObservation, type ShownDoc } from './observation.ts';
import { offeredActions, questionActions, type ReadMentions } from './offered-actions.ts';
import { brierOf } from './reward/brier.ts';
import type { Misleads, Question } from '../engines/questions/files/question.ts';
import { isMatch } from '../engines/questions/answers/exact-match.ts';
import { paidVerdicts } from './reward/reward-terms.ts';
import { holdsAnswer, supportingAmong } from './reward/retrieval-hit.ts';
import { tokenF1 } from '../engines/questions/answers/token-f1.ts';
import { savePoint, startOf, type ResultDocument, type SavedEpisode, type SearchState } from './snapshot.ts';
import type { TaskRef } from '../core/task.ts';

/** What the episodes of a host share. */
export interface SearchRules {
  readonly config: SearchConfig;
  readonly retriever: Retriever;
  readonly question: (ref: TaskRef) => Question;
  readonly misleads: Misleads;
  readonly readMentions: ReadMentions;
}

/** What a step is called with. */
export interface CallContext {
  readonly signal: AbortSignal;
  /** The share of the training that is done; undefined outside a training. */
  readonly progress: number | undefined;
  /** The language model of the agent; undefined where it has none. */
  readonly askAgent: AskAgent | undefined;
}

type Result = StepResult<SearchObservation, SearchAction>;
type Terms = Readonly<Record<string, number>>;

const noTerms: Terms = {};

/** One question, from its words to an answer. */
export class SearchEpisode {
  readonly #rules: SearchRules;
  readonly #asked: Question;
  readonly #behind: Question;
  readonly #askedStems: ReadonlySet<string>;
  readonly #fromQuestion: readonly SearchAction[];
  #state: SearchState;
  #said: SearchObservation;
  #results: readonly ResultDocument[];
  #docs: readonly ShownDoc[] = [];
  #parts: readonly string[] | undefined;

  constructor(rules: SearchRules, from: TaskRef | SavedEpisode) {
    const saved: SavedEpisode =
      'state' in from
        ? from
        : {
            state: startOf(from),
            said: {
              kind: 'question',
              help: rules.config.weights.confidence > 0 ? `${actionHelp}\n${confidenceHelp}` : actionHelp,
            },
            results: [],
            parts: undefined,
          };
    this.#rules = rules;
    this.#state = saved.state;
    this.#said = saved.said;
    this.#results = saved.results;
    this.#parts = saved.parts;
    this.#docs = this.#shownDocs();
    this.#asked = rules.question(saved.state.task);
    this.#behind = rules.question(saved.state.behind);
    this.#askedStems = askedStems(this.#asked.question);
    this.#fromQuestion = questionActions(this.#asked.question);
  }

  get question(): Question {
    return this.#asked;
  }

  turn(): Turn<SearchObservation, SearchAction> {
    return {
      observation: this.#said,
      stateKey: this.stateKey(),
      anchorKey: this.#anchorKey(),
      admissible: this.#rules.config.mode === 'text' ? undefined : [...this.#offered()],
      stepsLeft: undefined,
      seat: 0,
    };
  }

  stateKey(): string {
    const { task, behind, results, page, shown, opened, judged, hits, isTidy } = this.#state;
    const all = [
      behind.panel,
      behind.index,
      results,
      page?.doc,
      page?.part,
      shown,
      opened,
      judged,
      hits,
      isTidy,
    ];
    return `${task.panel}/${task.index}|${shortDigest(JSON.stringify(all))}`;
  }

  async act(action: SearchAction, call: CallContext): Promise<Result> {
    const hasThought = action.kind === 'think' || action.thought !== undefined;
    if (!hasThought && this.#state.isTidy) this.#state = { ...this.#state, isTidy: false };
    switch (action.kind) {
      case 'search':
        return this.#search(action.query, call);
      case 'open':
        return this.#open(action.doc, action.part ?? 1, call.signal);
      case 'find':
        return this.#find(action.text);
      case 'judge':
        return this.#judge(action.doc, action.verdict);
      case 'think':
        return this.#goOn({ kind: 'noted' });
      case 'answer':
        return this.#answer(action.text, action.confidence);
      default:
        return action satisfies never;
    }
  }

  save(): Snapshot {
    return savePoint({ state: this.#state, said: this.#said, results: this.#results, parts: this.#parts });
  }

  async #search(query: string, { signal, progress, askAgent }: CallContext): Promise<Result> {
    if (query.trim() === '') return this.#refuse('A search needs words.');
    const { retriever, config } = this.#rules;
    const { task } = this.#state;
    const hits = await retriever.search(query, config.topk, signal, {
      question: this.#asked.question,
      answers: this.#behind.answers,
      progress,
      key: `${task.panel}/${task.index}`,
      askAgent,
    });
    this.#results = hits.map(({ id, title, text }) => ({ id, title, text }));
    this.#docs = this.#shownDocs();
    this.#parts = undefined;
    const ids = this.#results.map(({ id }) => id);
    const { page: _page, ...state } = this.#state;
    const { misleads } = this.#rules;
    const misleading = ids.filter((id) => !state.shown.includes(id) && misleads(id) === true).length;
    this.#state = { ...state, results: ids, shown: sortedUnion(state.shown, ids) };
    const passages = this.#docs.map(({ id, title, passage }) => ({ id, title, text: passage }));
    const terms = { ...this.#cost(), ...this.#retrieved(passages) };
    return this.#goOn({ kind: 'results', docs: [...this.#docs] }, terms, {
      searches: 1,
      ...(misleading === 0 ? {} : { misleadingShown: misleading }),
    });
  }

  async #open(doc: number, part: number, signal: AbortSignal): Promise<Result> {
    const result = this.#results[doc - 1];
    if (result === undefined) return this.#refuse(`There is no Doc ${doc}.`);
    const isOpen = this.#state.page?.doc === doc && this.#parts !== undefined;
    const parts = isOpen
      ? (this.#parts ?? [])
      : ((await this.#rules.retriever.open(result.id, signal))?.parts ?? [result.text]);
    const text = parts[part - 1];
    if (text === undefined) return this.#refuse(`Doc ${doc} has ${parts.length} parts.`);
    this.#parts = parts;
    this.#state = {
      ...this.#state,
      page: { doc, part },
      opened: sortedUnion(this.#state.opened, [result.id]),
    };
    const title = shownTitle(result.title);
    const terms = { ...this.#cost(), ...this.#retrieved([{ id: result.id, title: result.title, text }]) };
    return this.#goOn({ kind: 'page', doc, title, part, parts: parts.length, text }, terms, { opened: 1 });
  }

  #find(text: string): Result {
    if (this.#parts === undefined) return this.#refuse('No document is open.');
    if (text.trim() === '') return this.#refuse('Give words to find.');
    return this.#goOn({ kind: 'found', lines: [...findLines(this.#parts, text)] });
  }

  #judge(doc: number, verdict: 'good' | 'misleading'): Result {
    const result = this.#results[doc - 1];
    if (result === undefined) return this.#refuse(`There is no Doc ${doc}.`);
    const { judged } = this.#state;
    if (judged.some(([id]) => id === result.id)) return this.#refuse(`Doc ${doc} has been judged.`);
    const isMisleading = this.#rules.misleads(result.id);
    const isRight = isMisleading === undefined ? undefined : (verdict === 'misleading') === isMisleading;
    const weight = judged.length < paidVerdicts ? this.#rules.config.weights.judge / paidVerdicts : 0;
    this.#state = { ...this.#state, judged: added(judged, result.id, verdict) };
    const terms = weight === 0 || isRight === undefined ? noTerms : { judge: isRight ? weight : -weight };
    const count = isRight === undefined ? {} : { [isRight ? 'judgedRight' : 'judgedWrong']: 1 };
    const caught =
      isMisleading === true ? { misleadingJudged: 1, misleadingCaught: isRight === true ? 1 : 0 } : {};
    return this.#goOn({ kind: 'noted' }, terms, { ...count, ...caught });
  }

  #answer(text: string, confidence: number | undefined): Result {
    const { config } = this.#rules;
    const { weights } = config;
    const isRight = isMatch(text, this.#behind.answers, config.matching);
    const f1 = tokenF1(text, this.#behind.answers);
    const { isTidy, hits, shown } = this.#state;
    this.#said = { kind: 'judged', isRight };
    return {
      kind: 'terminated',
      outcome: isRight ? 'solved' : 'failed',
      observation: this.#said,
      reward: paid({
        answer: isRight ? weights.answer : 0,
        f1: weights.f1 * f1,
        // where it is paid for, a confidence is part of the format
        format: isTidy && (confidence !== undefined || weights.confidence === 0) ? weights.format : 0,
        confidence: weights.confidence === 0 ? 0 : -weights.confidence * brierOf(confidence, isRight),
      }),
      inadmissible: false,
      metrics: {
        f1,
        supportingShown: hits.length,
        documentsShown: shown.length,
        ...(confidence === undefined ? {} : { confidence }),
      },
      stateKey: `${this.stateKey()}|answered`,
    };
  }

  /** The share of the supporting documents that are shown for the first time, in reward. */
  #retrieved(shown: readonly ResultDocument[]): Terms {
    const { weights } = this.#rules.config;
    const { hits } = this.#state;
    const all = this.#behind.supporting.length;
    const found =
      all === 0 ? (holdsAnswer(this.#behind, shown) ? [-1] : []) : supportingAmong(this.#behind, shown);
    const fresh = [...found].filter((hit) => !hits.includes(hit));
    if (fresh.length === 0) return noTerms;
    this.#state = { ...this.#state, hits: [...hits, ...fresh].toSorted((a, b) => a - b) };
    return weights.retrieval === 0
      ? noTerms
      : { retrieval: (weights.retrieval * fresh.length) / Math.max(1, all) };
  }

  #cost(): Terms {
    const { weights, maxSteps } = this.#rules.config;
    return weights.cost === 0 ? noTerms : { cost: -weights.cost / maxSteps };
  }

  #goOn(said: SearchObservation, terms: Terms = noTerms, metrics: Terms = noTerms): Result {
    this.#said = said;
    return { kind: 'ongoing', ...this.turn(), reward: reward(terms), inadmissible: false, metrics };
  }

  #refuse(message: string): Result {
    this.#said = { kind: 'refused', message };
    return { kind: 'ongoing', ...this.turn(), reward: reward({}), inadmissible: true };
  }

  #offered(): readonly SearchAction[] {
    const { config, readMentions } = this.#rules;
    const { page, judged } = this.#state;
    const verdicts = new Map(judged);
    const numbered = this.#results.map(({ id }, index) => [index + 1, verdicts.get(id)] as const);
    return offeredActions(
      {
        question: this.#asked.question,
        asked: this.#askedStems,
        fromQuestion: this.#fromQuestion,
        docs: this.#docs,
        dismissed: new Set(numbered.flatMap(([doc, verdict]) => (verdict === 'misleading' ? [doc] : []))),
        judged: new Set(numbered.flatMap(([doc, verdict]) => (verdict === undefined ? [] : [doc]))),
        judging: config.judging,
        page:
          page === undefined || this.#parts === undefined
            ? undefined
            : { ...page, parts: this.#parts.length, text: this.#parts[page.part - 1] ?? '' },
      },
      readMentions,
    );
  }

  /** The documents shown and opened, what is in sight now, and the verdicts: all that was shown, but not its order. */
  #anchorKey(): string {
    const { task, results, page, shown, opened, judged } = this.#state;
    return `${task.panel}/${task.index}|${shortDigest(JSON.stringify([results, page?.doc, page?.part, shown, opened, judged]))}`;
  }

  #shownDocs(): readonly ShownDoc[] {
    const { passageWords } = this.#rules.config;
    return this.#results.map(({ id, title, text }) => ({
      id,
      title: shownTitle(title),
      ...passageOf(text, passageWords),
    }));
  }
}

/** Only terms that pay. */
const paid = (terms: Terms): Reward =>
  reward(Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== 0)));

type Judged = SearchState['judged'];

const added = (judged: Judged, id: string, verdict: Judged[number][1]): Judged => {
  const own: Judged[number] = [id, verdict];
  return [...judged, own].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
};

function sortedUnion(sorted: readonly string[], more: readonly string[]): string[] {
  const fresh = more.filter((id) => !sorted.includes(id));
  return fresh.length === 0 ? [...sorted] : [...new Set([...sorted, ...fresh])].toSorted();
}
