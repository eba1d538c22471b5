import { createRng, type Rng } from '../../core/rng.ts';
import { puzzlePanels, type Item, type Items } from '../items.ts';
import { judge, readAnswer } from '../judge.ts';
import type { PuzzleRules } from '../rules.ts';
import { MovesAuditor, type PuzzleMovesAudit } from './audit-moves.ts';
import { Findings } from './findings.ts';
import { LeakSearch } from './leak-search.ts';
import { changedTexts, hostileTexts } from './odd-answers.ts';

/** What was measured at one level. */
export interface PuzzleLevelAudit {
  readonly level: number;
  /** Different questions among the seeds that were drawn for it. */
  readonly different: number;
  /** The mean effort of the solver; undefined without one. */
  readonly effort: number | undefined;
  /** The share of random answers that were right. */
  readonly guessed: number;
  /** The most that chance allows. */
  readonly chance: number;
  readonly moves: PuzzleMovesAudit | undefined;
}

/** What was counted at one level. */
interface LevelCounts {
  effort: number;
  questions: number;
  guesses: number;
  right: number;
  drawn: number;
  readonly texts: Set<string>;
}

/** Checks generator, verifier and solver of a puzzle against each other, question by question. */
export class Auditor<Question, Answer, Level, State> {
  readonly findings = new Findings();
  readonly rejected = new Map<string, number>(); // by kind
  readonly accepted = new Map<string, number>();
  /** Right answers that were tried beside the known solutions. */
  others = 0;
  /** Tasks of panels that were compared. */
  tasks = 0;
  /** Episodes of the step-wise form that were played at random. */
  plays = 0;
  readonly levels: readonly LevelCounts[];
  readonly #moves: readonly MovesAuditor<Question, Answer, Level, State>[];
  readonly #owners = new Map<string, string>(); // panel by the text of the question
  readonly #leaks = new LeakSearch();
  readonly #rules: PuzzleRules<string, Question, Answer, Level, State>;
  readonly #items: Items<Question, Answer, Level>;

  constructor(
    rules: PuzzleRules<string, Question, Answer, Level, State>,
    items: Items<Question, Answer, Level>,
  ) {
    this.#rules = rules;
    this.#items = items;
    const { name, moves, levels } = rules;
    this.levels = levels.map(() => ({
      effort: 0,
      questions: 0,
      guesses: 0,
      right: 0,
      drawn: 0,
      texts: new Set(),
    }));
    this.#moves =
      moves === undefined
        ? []
        : levels.map(
            (settings, index) =>
              new MovesAuditor(name, moves, { items, findings: this.findings, level: index + 1, settings }),
          );
  }

  /** Tries answers of the question of a seed: those that the rules name, and `guesses` random ones. */
  question(seed: number, level: number, guesses: number): void {
    const counts = this.#counts(level);
    const where = `seed ${seed}, level ${level}`;
    const rng = createRng(0).fork('audit').fork(level).fork(seed);
    counts.questions += 1;
    const item = this.findings.attempt(where, () => this.#items.ofSeed(seed, level));
    if (item === undefined) return;
    counts.effort += this.findings.attempt(where, () => this.#question(where, item, seed, rng)) ?? 0;
    for (let guess = 0; guess < guesses; guess += 1) {
      counts.guesses += 1;
      counts.right +=
        this.findings.attempt(where, () => this.#guess(where, item, rng.fork(`guess ${guess}`))) ?? 0;
    }
  }

  /** Draws the question of a seed, to count repeats. */
  draw(seed: number, level: number): void {
    const counts = this.#counts(level);
    const where = `seed ${seed}, level ${level}`;
    const text = this.findings.attempt(where, () => this.#items.ofSeed(seed, level).kept.text);
    if (text === undefined) return;
    counts.drawn += 1;
    counts.texts.add(text);
  }

  /** Compares the question of a task with those of other panels. False where the panel has no such task. */
  task(panel: keyof typeof puzzlePanels, index: number): boolean {
    if (index >= puzzlePanels[panel].size) return false;
    const where = `${panel}/${index}`;
    const text = this.findings.attempt(where, () => this.#items.ofTask({ panel, index }, 0).kept.text);
    if (text === undefined) return false;
    this.tasks += 1;
    const owner = this.#owners.get(text) ?? panel;
    if (owner !== panel) this.findings.add('disjoint', where, `Its question is in panel ${owner} too.`);
    this.#owners.set(text, owner);
    return true;
  }

  /** Plays the step-wise form of a seed. Does nothing where there is none. */
  play(seed: number, level: number): void {
    const moves = this.#moves[level - 1];
    if (moves === undefined) return;
    this.plays += 1;
    moves.play(seed);
  }

  /** Checks what only all questions together show. Returns the measurements of each level. Call it once, at the end. */
  conclude(): readonly PuzzleLevelAudit[] {
    const { solve, audit } = this.#rules;
    const levels = this.levels.map((counts, index): PuzzleLevelAudit => {
      const level = index + 1;
      const { effort, questions, guesses, right, texts } = counts;
      const chance = typeof audit.chance === 'function' ? audit.chance(level) : audit.chance;
      this.#boundGuesses(level, chance, counts);
      this.#boundRepeats(level, counts);
      return {
        level,
        different: texts.size,
        effort: solve === undefined ? undefined : effort / Math.max(1, questions),
        guessed: guesses === 0 ? 0 : right / guesses,
        chance,
        moves: this.#moves[index]?.result(),
      };
    });
    const leak = this.#leaks.path();
    if (leak !== undefined)
      this.findings.add('leak', 'all levels', `question${leak} is the solution in every question.`);
    const [first, last] = [levels[0]?.effort, levels.at(-1)?.effort];
    if (first !== undefined && last !== undefined && last < first) {
      const what = `The solver needs ${last.toFixed(1)} steps at the hardest level and ${first.toFixed(1)} at the easiest.`;
      this.findings.add('difficulty', 'all levels', what);
    }
    return levels;
  }

  #counts(level: number): LevelCounts {
    return this.levels[level - 1] as LevelCounts;
  }

  #boundGuesses(level: number, chance: number, { guesses: tried, right }: LevelCounts): void {
    const bound = tried * chance + (chance === 0 ? 0 : 1 + 5 * Math.sqrt(tried * chance * (1 - chance)));
    if (right <= bound) return;
    const what = `${right} of ${tried} random answers were right, but chance allows ${Math.floor(bound)}.`;
    this.findings.add('chance', `level ${level}`, what);
  }

  #boundRepeats(level: number, { drawn, texts }: LevelCounts): void {
    const variety = this.#rules.audit.variety?.(level) ?? 1e9;
    const expected = drawn - variety * -Math.expm1(drawn * Math.log1p(-1 / variety));
    const repeats = drawn - texts.size;
    if (repeats <= expected + 5 * Math.sqrt(expected) + 1) return;
    const what = `${repeats} of ${drawn} seeds repeat a question, but chance gives ${expected.toFixed(1)}.`;
    this.findings.add('variety', `level ${level}`, what);
  }

  /** Returns the effort of the solver. */
  #question(where: string, item: Item<Question, Answer>, seed: number, rng: Rng): number {
    const { question, solution, level } = item;
    const gold = this.#rules.answer.write(solution, question);
    const again = this.#items.ofSeed(seed, level);
    if (again.kept.text !== item.kept.text || this.#rules.answer.write(again.solution, question) !== gold)
      this.findings.add('repeatable', where, 'A second draw of the seed gives something else.');
    if (typeof this.#rules.render(question) !== 'string')
      this.findings.add('exceptions', where, 'render returned no text.');
    this.#leaks.look(item.kept.json, solution, gold);
    const verdict = judge(this.#rules, question, gold);
    if (verdict !== 'right') this.findings.add('gold', where, `"${gold}" is judged ${verdict}.`);
    this.#mutants(where, item, gold, rng);
    this.#equivalents(where, item, gold);
    this.#hostile(where, item, gold);
    if (this.#rules.answer.write(solution, question) !== gold)
      this.findings.add('frozen', where, 'The verifier changed the solution.');
    return this.#solve(where, item, gold);
  }

  #mutants(where: string, { question, solution }: Item<Question, Answer>, gold: string, rng: Rng): void {
    const { audit, answer, unique } = this.#rules;
    const own = Object.entries(audit.mutants(solution, question, rng.fork('mutants')));
    const wrong = own.flatMap(([kind, mutant]) =>
      mutant === undefined ? [] : [[kind, answer.write(mutant, question)] as const],
    );
    const changed = unique === true ? Object.entries(changedTexts(gold, rng.fork('changes'))) : [];
    for (const [kind, text] of [
      ...wrong,
      ...changed.filter(([, text]) => !this.#isGold(question, text, gold)),
    ]) {
      if (judge(this.#rules, question, text) === 'right')
        this.findings.add('mutants', where, `"${text}" (${kind}) is accepted; the solution is "${gold}".`);
      else this.rejected.set(kind, (this.rejected.get(kind) ?? 0) + 1);
    }
  }

  /** Whether a text is another way to write the solution. */
  #isGold(question: Item<Question, Answer>['question'], text: string, gold: string): boolean {
    const read = readAnswer(this.#rules.answer, question, text);
    return read !== undefined && this.#rules.answer.write(read, question) === gold;
  }

  #equivalents(where: string, { question, solution }: Item<Question, Answer>, gold: string): void {
    const forms = {
      'blanks around it': `  ${gold} \n`,
      'line ends of Windows': gold.replaceAll('\n', '\r\n'),
      ...this.#rules.audit.equivalents?.(solution, question),
    };
    for (const [kind, text] of Object.entries(forms)) {
      const verdict = judge(this.#rules, question, text);
      if (verdict === 'right') {
        this.accepted.set(kind, (this.accepted.get(kind) ?? 0) + 1);
        this.others += text.trim() === gold.trim() || kind === 'line ends of Windows' ? 0 : 1;
      } else this.findings.add('equivalents', where, `"${text}" (${kind}) is judged ${verdict}.`);
    }
  }

  #hostile(where: string, { question }: Item<Question, Answer>, gold: string): void {
    for (const [kind, text] of Object.entries(hostileTexts(gold))) {
      const verdict = this.findings.attempt(`${where}, ${kind}`, () => judge(this.#rules, question, text));
      if (verdict === 'right') this.findings.add('hostile', where, `An answer with ${kind} is accepted.`);
      else this.rejected.set(kind, (this.rejected.get(kind) ?? 0) + 1);
    }
  }

  #solve(where: string, { question }: Item<Question, Answer>, gold: string): number {
    const solved = this.#rules.solve?.(question);
    if (solved === undefined) return 0;
    const texts = solved.answers.map((answer) => this.#rules.answer.write(answer, question));
    if (texts.length === 0) this.findings.add('solver', where, 'It finds no solution.');
    for (const text of texts) {
      if (judge(this.#rules, question, text) !== 'right')
        this.findings.add('solver', where, `Its solution "${text}" is not accepted.`);
      else this.others += text === gold ? 0 : 1;
    }
    if (this.#rules.unique === true && (texts.length !== 1 || texts[0] !== gold))
      this.findings.add('unique', where, `The solver finds "${texts.join('" and "')}", not only "${gold}".`);
    return solved.effort;
  }

  #guess(where: string, { question, solution }: Item<Question, Answer>, rng: Rng): number {
    const { audit, answer } = this.#rules;
    const text = answer.write(audit.guess(question, rng), question);
    const verdict = judge(this.#rules, question, text);
    if (verdict === 'unreadable')
      this.findings.add('guess', where, `The random answer "${text}" is unreadable.`);
    if (verdict !== 'right') return 0;
    this.others += text === answer.write(solution, question) ? 0 : 1;
    return 1;
  }
}
