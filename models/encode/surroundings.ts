/**
 * Features of the text around the candidates in the observation. If an action names a thing by a mere sign
 * (the number of a product or of a hit), its own words have no meaning. The text after the sign in the
 * observation has. If candidates stand side by side, as the values of one option do, taking one affects the
 * others.
 *
 * It is independent of the env. It uses separators, words that a text shares with the task, sums of money,
 * and what this episode has shown and done.
 */
import type { ChoiceRows } from './choice-rows.ts';
import { argumentOf, layOut } from './page-layout.ts';
import { contentWords, TaskMatch, type Affordable } from './task-match.ts';
import { hashText, mix } from './text.ts';

/** Salts of the feature kinds, apart from those of the encoder that it adds to. */
const salt = {
  opening: 101,
  offers: 102,
  pageShare: 103,
  pageAmounts: 104,
  underWay: 105,
  steps: 106,
  takenHere: 107,
  openMatches: 108,
  placeOf: 109,
  own: 110,
  phrase: 111,
  inList: 112,
  about: 113,
  rank: 114,
  aboutAmounts: 115,
  rankTried: 116,
  outcome: 117,
  outcomeBest: 118,
  length: 119,
  underWayAmounts: 120,
  underWayAmong: 121,
  ahead: 122,
} as const;

const amountCodes: Readonly<Record<Affordable, number>> = { unknown: 0, all: 1, some: 2, none: 3 };
const openingPieces = 4;

/** A share as one of eleven steps. */
const steps = (share: number): number => Math.round(share * 10);
const few = (count: number, most = 3): number => Math.min(count, most);

/** A candidate's own words. */
interface Argument {
  readonly text: string;
  readonly words: readonly number[];
}

/** The known facts about a candidate at one decision. */
interface Standing {
  /** Words of it that stand in the task in a row, all of them; 0 where not all do. */
  phrase: number;
  /** Number of its list, or -1 where the observation does not show it. */
  list: number;
  /** Whether no other of its list stands in the task with more words. */
  bestOfList: boolean;
  /** What follows it says so much of the task, from 0 to 1; undefined where nothing follows it. */
  about: number | undefined;
  amounts: Affordable;
  /** Candidates of which more is said. */
  rank: number;
  /** Candidates before it that are not too dear and have not been tried. */
  ahead: number;
}

/** How well something shown fits the task. */
interface Fit {
  /** How many of the task's words it has, as a share of them. */
  readonly share: number;
  readonly amounts: Affordable;
}

/** What an action has led to so far: all that was shown until its alternatives were offered again. */
interface Outcome {
  readonly action: string;
  /** The alternatives among which it was taken. */
  readonly offers: string;
  readonly words: Set<number>;
  /** What its first page said of money; undefined until it has led anywhere. */
  amounts: Affordable | undefined;
  /** Actions taken under it since it was taken last, by the alternatives that they were among. */
  readonly taken: Map<string, Set<string>>;
}

const nothing: ReadonlySet<string> = new Set();
const newOutcome = (action: string, offers: string): Outcome => ({
  action,
  offers,
  words: new Set(),
  amounts: undefined,
  taken: new Map(),
});

/** One episode. Call `look`, `addState`, `addCandidate` for each candidate, and `took`, in turn. */
export class Surroundings {
  readonly #match: TaskMatch;
  readonly #read: (text: string) => readonly number[];
  readonly #outcomes = new Map<string, Outcome>();
  #underWay: Outcome[] = [];
  readonly #tried = new Map<string, number>();
  readonly #root = newOutcome('', '');
  #takenHere = nothing;
  #actions: readonly string[] = [];
  #arguments: readonly Argument[] = [];
  #standings: readonly Standing[] = [];
  #page: Fit = { share: 0, amounts: 'unknown' };
  #offers = '';
  #opening: readonly string[] = [];
  #steps = 0;

  /** `read` gives the content words of a text; it may remember them. */
  constructor(task: string, read: (text: string) => readonly number[] = contentWords) {
    this.#match = new TaskMatch(task);
    this.#read = read;
  }

  /** Takes in one decision. `observation` is without the task. */
  look(observation: string, candidates: readonly string[]): void {
    this.#offers = candidates.join('\n');
    this.#actions = candidates;
    this.#arguments = candidates.map((candidate) => {
      const text = argumentOf(candidate);
      return { text, words: this.#read(text) };
    });
    const { spots, pieces } = layOut(
      observation,
      this.#arguments.map(({ text }) => text),
    );
    this.#opening = pieces.slice(0, openingPieces);
    const shown = new Set(pieces.flatMap((piece) => this.#read(piece)));
    this.#page = { share: this.#shareOf(this.#match.shared(shown)), amounts: this.#match.affordable(pieces) };
    this.#noteOutcomes(shown);
    this.#takenHere = this.#enclosing().taken.get(this.#offers) ?? nothing;
    this.#standings = this.#stand(spots);
  }

  took(index: number): void {
    const action = this.#actions[index] ?? '';
    this.#steps += 1;
    const { taken } = this.#enclosing();
    taken.set(this.#offers, new Set(taken.get(this.#offers)).add(action));
    const outcome = this.#outcomes.get(action) ?? newOutcome(action, this.#offers);
    outcome.taken.clear();
    this.#outcomes.set(action, outcome);
    this.#underWay.push(outcome);
    this.#tried.set(action, (this.#tried.get(action) ?? 0) + 1);
  }

  /** Whether the candidate stands in the observation for what follows it there. */
  isSign(index: number): boolean {
    return this.#standings[index]?.about !== undefined;
  }

  addState(rows: ChoiceRows): void {
    const { share, amounts } = this.#page;
    for (const piece of this.#opening)
      rows.add(mix(salt.opening, hashText(piece.replaceAll(/\p{N}+/gu, '#'))));
    rows.add(mix(salt.offers, Math.round(2 * Math.log2(1 + this.#actions.length))));
    rows.add(mix(salt.pageShare, steps(share)));
    rows.add(mix(salt.pageAmounts, amountCodes[amounts]));
    this.#addUnderWay(rows);
    rows.add(mix(salt.steps, few(this.#steps, 20)));
    rows.add(mix(salt.takenHere, few(this.#takenHere.size)));
    rows.add(mix(salt.openMatches, few(this.#openMatches())));
  }

  addCandidate(index: number, verb: number, rows: ChoiceRows): void {
    const standing = this.#standings[index];
    const argument = this.#arguments[index];
    const action = this.#actions[index];
    if (standing === undefined || argument === undefined || action === undefined) return;
    const { phrase, list, bestOfList, about, amounts, rank, ahead } = standing;
    const { words } = argument;
    const add = (kind: number, value: number): void => rows.add(mix(kind, mix(verb, value)));
    const shared = words.filter((word) => this.#match.words.has(word)).length;
    const own = words.length === 0 ? 0 : Math.ceil((3 * shared) / words.length);
    const tried = few(this.#tried.get(action) ?? 0);
    add(salt.placeOf, few(index, 24));
    add(salt.length, few(words.length, 12));
    add(salt.own, own * 4 + few(shared));
    add(salt.phrase, few(phrase));
    const here = (this.#takenHere.has(action) ? 2 : 0) + (this.#rivalTaken(index) ? 1 : 0);
    add(salt.inList, mix(here, (phrase > 0 ? 4 : own) * 4 + (bestOfList ? 2 : 0) + (list < 0 ? 1 : 0)));
    if (about !== undefined) {
      add(salt.about, steps(about));
      add(salt.rank, few(rank, 6));
      add(salt.aboutAmounts, amountCodes[amounts]);
      add(salt.rankTried, mix(few(rank, 2), tried * 4 + amountCodes[amounts]));
      add(salt.ahead, mix(few(ahead, 8), few(tried, 1) * 4 + amountCodes[amounts]));
    }
    const outcome = this.#outcomes.get(action);
    if (outcome?.amounts === undefined) return;
    const fit = this.#fitOf(outcome);
    add(salt.outcome, steps(fit.share) * 4 + amountCodes[fit.amounts]);
    add(salt.outcomeBest, this.#isBest(outcome) ? 1 : 0);
  }

  /** What is known by now of that which the last choice among other alternatives led to. */
  #addUnderWay(rows: ChoiceRows): void {
    const outcome = this.#underWay.at(-1);
    if (outcome === undefined) return;
    const { share, amounts } = this.#fitOf(outcome);
    const best = this.#isBest(outcome) ? 1 : 0;
    const others = few(
      [...this.#outcomes.values()].filter(
        ({ offers, amounts: known }) => offers === outcome.offers && known !== undefined,
      ).length - 1,
    );
    rows.add(mix(salt.underWay, steps(share)));
    rows.add(mix(salt.underWayAmounts, amountCodes[amounts] * 2 + best));
    rows.add(mix(salt.underWayAmong, others * 2 + best));
  }

  /** The choice among other alternatives that led here. */
  #enclosing(): Outcome {
    return this.#underWay.at(-1) ?? this.#root;
  }

  /** Closes what was under way when its alternatives are offered again, and adds what is shown to the rest. */
  #noteOutcomes(shown: ReadonlySet<number>): void {
    const again = this.#underWay.findIndex(({ offers }) => offers === this.#offers);
    if (again >= 0) this.#underWay.length = again;
    for (const outcome of this.#underWay) {
      outcome.amounts ??= this.#page.amounts;
      for (const word of this.#match.words) if (shown.has(word)) outcome.words.add(word);
    }
  }

  #fitOf({ words, amounts = 'unknown' }: Outcome): Fit {
    return { share: this.#shareOf(words.size), amounts };
  }

  #shareOf(shared: number): number {
    const all = this.#match.words.size;
    return all === 0 ? 0 : shared / all;
  }

  #stand(spots: ReturnType<typeof layOut>['spots']): readonly Standing[] {
    const standings = this.#arguments.map(({ words }): Standing => ({
      phrase: this.#match.phraseLength(words),
      list: -1,
      bestOfList: false,
      about: undefined,
      amounts: 'unknown',
      rank: 0,
      ahead: 0,
    }));
    const sizes = new Map<number, number>();
    const longest = new Map<number, number>();
    for (const { candidate, list } of spots) {
      const standing = standings[candidate] as Standing;
      standing.list = list;
      sizes.set(list, (sizes.get(list) ?? 0) + 1);
      longest.set(list, Math.max(longest.get(list) ?? 0, standing.phrase));
    }
    for (const standing of standings)
      standing.bestOfList = standing.phrase > 0 && standing.phrase === longest.get(standing.list);
    this.#standAlone(
      spots.filter(({ list, after }) => sizes.get(list) === 1 && after.length > 0),
      standings,
    );
    return standings;
  }

  /** Says of those that stand alone what follows them: words of the task that few others have count for more. */
  #standAlone(spots: ReturnType<typeof layOut>['spots'], standings: readonly Standing[]): void {
    const said = spots.map(({ after }) => new Set(after.flatMap((piece) => this.#read(piece))));
    let all = 0;
    const shares = said.map(() => 0);
    for (const word of this.#match.words) {
      const having = said.filter((words) => words.has(word)).length;
      const weight = Math.log(1 + (said.length + 1) / (having + 1));
      all += weight;
      for (const [at, words] of said.entries()) if (words.has(word)) shares[at] = (shares[at] ?? 0) + weight;
    }
    let ahead = 0;
    for (const [at, { candidate, after }] of spots.entries()) {
      const standing = standings[candidate] as Standing;
      const share = shares[at] ?? 0;
      standing.about = all === 0 ? 0 : share / all;
      standing.amounts = this.#match.affordable(after);
      standing.rank = shares.filter((other) => other > share).length;
      standing.ahead = ahead;
      if (standing.amounts !== 'none' && !this.#tried.has(this.#actions[candidate] ?? '')) ahead += 1;
    }
  }

  /** Whether another of its list was taken since these candidates were first offered. */
  #rivalTaken(index: number): boolean {
    const list = this.#standings[index]?.list ?? -1;
    if (list < 0 || this.#takenHere.size === 0) return false;
    return this.#standings.some(
      (other, at) => at !== index && other.list === list && this.#takenHere.has(this.#actions[at] ?? ''),
    );
  }

  /** Candidates that stand in the task whole, best of their lists, of whose lists nothing was taken. */
  #openMatches(): number {
    const lists = new Set<number>();
    for (const [index, { bestOfList, list }] of this.#standings.entries()) {
      if (
        bestOfList &&
        list >= 0 &&
        !this.#takenHere.has(this.#actions[index] ?? '') &&
        !this.#rivalTaken(index)
      )
        lists.add(list);
    }
    return lists.size;
  }

  /** Whether none of its alternatives has led to more. */
  #isBest(outcome: Outcome): boolean {
    const reached = worth(this.#fitOf(outcome));
    for (const other of this.#outcomes.values())
      if (
        other.offers === outcome.offers &&
        other.amounts !== undefined &&
        worth(this.#fitOf(other)) > reached
      )
        return false;
    return true;
  }
}

const worth = ({ share, amounts }: Fit): number => (amounts === 'none' ? share - 1 : share);
