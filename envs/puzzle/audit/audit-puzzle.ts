import { z } from 'zod';
import { UsageError } from '../../core/errors.ts';
import { describeIssues } from '../../core/issues.ts';
import { createRng, type Rng } from '../../core/rng.ts';
import type { Item, Items } from '../items.ts';
import { puzzlePanels } from '../items.ts';
import { judge, readAnswer } from '../judge.ts';
import type { PuzzleRules } from '../rules.ts';
import { auditMoves, type PuzzleMovesAudit } from './audit-moves.ts';
import { Findings, type PuzzleAuditFinding } from './findings.ts';
import { changedTexts, hostileTexts } from './odd-answers.ts';

const count = z.int().min(1).max(1_000_000);
const planSchema = z.strictObject({
  /** Questions of each level whose answers are tried. */
  seeds: count.default(100),
  /** Questions of each level that are compared for repeats. */
  distinct: count.default(1_000),
  /** Random answers of each level. */
  guesses: count.default(1_000),
  /** Questions of each panel that are compared with the other panels, at most the size of the panel. */
  tasks: count.default(100),
  /** Random episodes of each level of the step-wise form. */
  plays: count.default(20),
});

/** The size of an audit. */
export type PuzzleAuditPlan = z.output<typeof planSchema>;

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

/** The result of an audit. Without findings the puzzle passed. */
export interface PuzzleAudit {
  readonly puzzle: string;
  readonly plan: PuzzleAuditPlan;
  readonly findings: readonly PuzzleAuditFinding[];
  /** Wrong answers that were tried and rejected, by the kind of mistake. */
  readonly rejected: ReadonlyMap<string, number>;
  /** Other ways to write the solution that were tried and accepted, by kind. */
  readonly accepted: ReadonlyMap<string, number>;
  readonly levels: readonly PuzzleLevelAudit[];
}

/** Draws questions, and checks generator, verifier and solver against each other. */
export function auditPuzzle<Question, Answer, Level, State>(
  rules: PuzzleRules<string, Question, Answer, Level, State>,
  items: Items<Question, Answer, Level>,
  given: Partial<PuzzleAuditPlan>,
): PuzzleAudit {
  const parsed = planSchema.safeParse(given);
  if (!parsed.success) {
    const what = `${describeIssues(parsed.error)}.`;
    throw new UsageError({ where: 'audit plan', what, fix: 'Fix these members, or leave them out.' });
  }
  const plan = parsed.data;
  const auditor = new Auditor(rules, items, plan);
  const levels = rules.levels.map((_level, index) => auditor.level(index + 1));
  auditor.panels();
  auditor.difficulty(levels);
  const { findings, rejected, accepted } = auditor;
  return { puzzle: rules.name, plan, findings: findings.list, rejected, accepted, levels };
}

class Auditor<Question, Answer, Level, State> {
  readonly findings = new Findings();
  readonly rejected = new Map<string, number>(); // by kind
  readonly accepted = new Map<string, number>();
  readonly #rules: PuzzleRules<string, Question, Answer, Level, State>;
  readonly #items: Items<Question, Answer, Level>;
  readonly #plan: PuzzleAuditPlan;

  constructor(
    rules: PuzzleRules<string, Question, Answer, Level, State>,
    items: Items<Question, Answer, Level>,
    plan: PuzzleAuditPlan,
  ) {
    this.#rules = rules;
    this.#items = items;
    this.#plan = plan;
  }

  level(level: number): PuzzleLevelAudit {
    const { seeds, guesses } = this.#plan;
    const { chance: chances } = this.#rules.audit;
    const chance = typeof chances === 'function' ? chances(level) : chances;
    let [effort, right, tried] = [0, 0, 0];
    for (let seed = 0; seed < seeds; seed += 1) {
      const where = `seed ${seed}, level ${level}`;
      const rng = createRng(0).fork('audit').fork(level).fork(seed);
      const item = this.findings.attempt(where, () => this.#items.ofSeed(seed, level));
      if (item === undefined) continue;
      effort += this.findings.attempt(where, () => this.#question(where, item, seed, rng)) ?? 0;
      for (let guess = 0; guess < Math.ceil(guesses / seeds); guess += 1) {
        tried += 1;
        right +=
          this.findings.attempt(where, () => this.#guess(where, item, rng.fork(`guess ${guess}`))) ?? 0;
      }
    }
    const bound = tried * chance + (chance === 0 ? 0 : 1 + 5 * Math.sqrt(tried * chance * (1 - chance)));
    if (right > bound) {
      const what = `${right} of ${tried} random answers were right, but chance allows ${Math.floor(bound)}.`;
      this.findings.add('chance', `level ${level}`, what);
    }
    return {
      level,
      different: this.#different(level),
      effort: this.#rules.solve === undefined ? undefined : effort / seeds,
      guessed: tried === 0 ? 0 : right / tried,
      chance,
      moves: auditMoves(this.#rules, this.#items, { level, ...this.#plan, findings: this.findings }),
    };
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
      if (verdict === 'right') this.accepted.set(kind, (this.accepted.get(kind) ?? 0) + 1);
      else this.findings.add('equivalents', where, `"${text}" (${kind}) is judged ${verdict}.`);
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
    }
    if (this.#rules.unique === true && (texts.length !== 1 || texts[0] !== gold))
      this.findings.add('unique', where, `The solver finds "${texts.join('" and "')}", not only "${gold}".`);
    return solved.effort;
  }

  #guess(where: string, { question }: Item<Question, Answer>, rng: Rng): number {
    const { audit, answer } = this.#rules;
    const text = answer.write(audit.guess(question, rng), question);
    const verdict = judge(this.#rules, question, text);
    if (verdict === 'unreadable')
      this.findings.add('guess', where, `The random answer "${text}" is unreadable.`);
    return verdict === 'right' ? 1 : 0;
  }

  #different(level: number): number {
    const { distinct } = this.#plan;
    const texts = new Set<string>();
    for (let seed = 0; seed < distinct; seed += 1) texts.add(this.#items.ofSeed(seed, level).kept.text);
    const variety = this.#rules.audit.variety?.(level) ?? 1e9;
    const expected = distinct - variety * -Math.expm1(distinct * Math.log1p(-1 / variety));
    const repeats = distinct - texts.size;
    if (repeats > expected + 5 * Math.sqrt(expected) + 1) {
      const what = `${repeats} of ${distinct} seeds repeat a question, but chance gives ${expected.toFixed(1)}.`;
      this.findings.add('variety', `level ${level}`, what);
    }
    return texts.size;
  }

  /** No question may be in two panels. */
  panels(): void {
    const owners = new Map<string, string>();
    for (const [panel, { size }] of Object.entries(puzzlePanels)) {
      for (let index = 0; index < Math.min(size, this.#plan.tasks); index += 1) {
        const where = `${panel}/${index}`;
        const text = this.findings.attempt(where, () => this.#items.ofTask({ panel, index }, 0).kept.text);
        if (text === undefined) return;
        const owner = owners.get(text) ?? panel;
        if (owner !== panel) this.findings.add('disjoint', where, `Its question is in panel ${owner} too.`);
        owners.set(text, owner);
      }
    }
  }

  difficulty(levels: readonly PuzzleLevelAudit[]): void {
    const [first, last] = [levels[0]?.effort, levels.at(-1)?.effort];
    if (first === undefined || last === undefined || last >= first) return;
    const what = `The solver needs ${last.toFixed(1)} steps at the hardest level and ${first.toFixed(1)} at the easiest.`;
    this.findings.add('difficulty', 'all levels', what);
  }
}
