import { canonicalJson } from '../core/json.ts';
import type { Searcher } from '../core/env.ts';
import type { Rng } from '../core/rng.ts';
import type { Ongoing, Opening } from '../core/step.ts';
import type { SearchAction } from './action.ts';
import type { SearchObservation } from './observation.ts';
import { objectIn, parseChain } from '../engines/questions/world/parse-question.ts';
import type { RelationForms } from '../engines/questions/world/relations.ts';
import { isDoubtfulTitle } from './world/page-text.ts';

type Turn = Opening<SearchObservation, SearchAction> | Ongoing<SearchObservation, SearchAction>;

/** A text that a player may read: the title and the words of a document. */
interface Source {
  readonly doc: number;
  readonly title: string;
  readonly text: string;
  readonly isCut: boolean;
}

/** Knows the forms of our questions and pages: it takes a question apart, and looks up one fact after the other. */
export class SearchSearcher implements Searcher<SearchObservation, SearchAction> {
  readonly #rng: Rng;
  readonly #relations: readonly RelationForms[];
  #subject = '';
  /** Relations still to follow, the next one first. */
  #toDo: RelationForms[] = [];
  #sources: readonly Source[] = [];
  #hasSearched = false;
  readonly #opened = new Set<string>();
  /** Numbers of documents of the last search that were judged. */
  readonly #judged = new Set<number>();
  #wide = false;

  /** @param relations the relations of the world, with the forms of its questions and pages */
  constructor(rng: Rng, relations: readonly RelationForms[]) {
    this.#rng = rng;
    this.#relations = relations;
  }

  act(turn: Turn): SearchAction {
    if ('instruction' in turn) this.#read(turn.instruction);
    this.#look(turn.observation);
    return listed(this.#verdict(turn) ?? this.#decide(), turn) ?? this.#anything(turn);
  }

  /** A verdict on an outdated edition or a letter, where verdicts are listed. */
  #verdict({ admissible }: Turn): SearchAction | undefined {
    if (admissible?.some(({ kind }) => kind === 'judge') !== true) return undefined;
    const doubtful = this.#sources.find(({ doc, title }) => isDoubtfulTitle(title) && !this.#judged.has(doc));
    if (doubtful === undefined) return undefined;
    this.#judged.add(doubtful.doc);
    const verdict: SearchAction = { kind: 'judge', doc: doubtful.doc, verdict: 'misleading' };
    return admissible.some((action) => bare(action) === bare(verdict)) ? verdict : undefined;
  }

  #read(question: string): void {
    const parsed = parseChain(question, this.#relations);
    this.#subject = parsed?.subject ?? '';
    this.#toDo = [...(parsed?.relations ?? [])];
  }

  #look(observation: SearchObservation): void {
    if (observation.kind === 'results')
      this.#sources = observation.docs.map(({ title, passage, isCut }, index) => ({
        doc: index + 1,
        title,
        text: passage,
        isCut,
      }));
    if (observation.kind === 'page') {
      const { doc, title, text, part, parts } = observation;
      this.#sources = [...this.#sources, { doc, title, text, isCut: part < parts }];
    }
  }

  #decide(): SearchAction | undefined {
    const [relation, ...later] = this.#toDo;
    if (relation === undefined || this.#subject === '') return undefined;
    if (!this.#hasSearched) return this.#searchFor(this.#subject);
    const pages = this.#sources.filter(({ title }) => title === this.#subject);
    for (const { text } of pages) {
      const object = objectIn(text, this.#subject, relation);
      if (object === undefined) continue;
      if (later.length === 0) return { kind: 'answer', text: object };
      [this.#subject, this.#toDo, this.#wide] = [object, later, false];
      return this.#searchFor(object);
    }
    const cut = pages.find(({ isCut, title }) => isCut && !this.#opened.has(title));
    if (cut !== undefined) {
      this.#opened.add(cut.title);
      return { kind: 'open', doc: cut.doc };
    }
    if (this.#wide) return undefined;
    this.#wide = true;
    return { kind: 'search', query: `${this.#subject} ${this.#subject}` };
  }

  #searchFor(query: string): SearchAction {
    this.#hasSearched = true;
    this.#sources = [];
    this.#judged.clear();
    return { kind: 'search', query };
  }

  #anything({ admissible }: Turn): SearchAction {
    const answers = admissible?.filter(({ kind }) => kind === 'answer') ?? [];
    if (answers.length > 0) return this.#rng.pick(answers);
    return { kind: 'answer', text: 'unknown' };
  }
}

/** The listed action of the same kind and text, so that demonstrations choose from the list; else the wanted one. */
function listed(wanted: SearchAction | undefined, { admissible }: Turn): SearchAction | undefined {
  if (wanted === undefined || admissible === undefined) return wanted;
  const key = bare(wanted);
  return admissible.find((action) => bare(action) === key) ?? wanted;
}

function bare(action: SearchAction): string {
  const { where: _where, thought: _thought, ...rest } = { where: undefined, thought: undefined, ...action };
  return canonicalJson(rest).toLowerCase();
}
