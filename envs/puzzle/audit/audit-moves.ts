import { createRng } from '../../core/rng.ts';
import { keepState, type Frozen } from '../../kit/snapshot.ts';
import type { Item, Items } from '../items.ts';
import type { PuzzleMoves } from '../rules.ts';
import type { Findings } from './findings.ts';

/** What was measured of the step-wise form at one level. */
export interface PuzzleMovesAudit {
  /** The share of random episodes that solve the puzzle. */
  readonly random: number;
  /** The share of the expert's episodes that solve the puzzle; undefined without an expert. */
  readonly expert: number | undefined;
  /** The mean number of moves of the known solution. */
  readonly moves: number;
  /** The mean number of moves to choose from, over random episodes. */
  readonly choices: number;
}

/** Plays the step-wise form at one level by the known solution, by the expert and at random. */
export class MovesAuditor<Question, Answer, Level, State> {
  readonly #moves: PuzzleMoves<Question, Answer, Level, State>;
  readonly #items: Items<Question, Answer, Level>;
  readonly #table: Table<Question, Answer, Level, State>;
  readonly #findings: Findings;
  readonly #level: number;
  readonly #total = { random: 0, expert: 0, moves: 0, choices: 0, steps: 0, plays: 0 };

  constructor(
    name: string,
    moves: PuzzleMoves<Question, Answer, Level, State>,
    parts: {
      readonly items: Items<Question, Answer, Level>;
      readonly findings: Findings;
      readonly level: number;
      readonly settings: Level;
    },
  ) {
    this.#moves = moves;
    this.#items = parts.items;
    this.#findings = parts.findings;
    this.#level = parts.level;
    this.#table = new Table(name, moves, moves.turnLimit(parts.settings));
  }

  play(seed: number): void {
    const level = this.#level;
    const total = this.#total;
    const where = `seed ${seed}, level ${level}`;
    total.plays += 1;
    this.#findings.attempt(where, () => {
      const item = this.#items.ofSeed(seed, level);
      const plan = this.#moves.plan(item.question, item.solution);
      total.moves += plan.length;
      const flaw = this.#table.followPlan(item, plan);
      if (flaw !== undefined) this.#findings.add('plan', where, flaw);
      const rng = createRng(0).fork('plays').fork(level).fork(seed);
      const random = this.#table.play(item, (listed) => {
        total.choices += listed.length;
        total.steps += 1;
        return rng.pick(listed);
      });
      total.random += random.isSolved ? 1 : 0;
      const { next } = this.#moves;
      if (next === undefined) return;
      const expert = this.#table.play(item, (listed, state) => next(state) ?? listed[0] ?? '');
      if (expert.foul !== undefined) this.#findings.add('expert', where, `"${expert.foul}" is not listed.`);
      total.expert += expert.isSolved ? 1 : 0;
    });
  }

  result(): PuzzleMovesAudit {
    const { random, expert, moves, choices, steps, plays } = this.#total;
    const all = Math.max(1, plays);
    return {
      random: random / all,
      expert: this.#moves.next === undefined ? undefined : expert / all,
      moves: moves / all,
      choices: choices / Math.max(1, steps),
    };
  }
}

interface Played {
  readonly isSolved: boolean;
  /** The first move that was not listed. */
  readonly foul: string | undefined;
}

/** Plays a puzzle by its rules, with frozen states. */
class Table<Question, Answer, Level, State> {
  readonly #name: string;
  readonly #moves: PuzzleMoves<Question, Answer, Level, State>;
  readonly #limit: number;

  constructor(name: string, moves: PuzzleMoves<Question, Answer, Level, State>, limit: number) {
    this.#name = name;
    this.#moves = moves;
    this.#limit = limit;
  }

  #start(item: Item<Question, Answer>): Frozen<State> {
    return keepState<State>(`puzzle ${this.#name}, start`, this.#moves.start(item.question)).state;
  }

  #play(state: Frozen<State>, move: string): Frozen<State> {
    return keepState<State>(`puzzle ${this.#name}, play`, this.#moves.play(state, move)).state;
  }

  /** What is wrong with a plan; undefined where it solves the puzzle. */
  followPlan(item: Item<Question, Answer>, plan: readonly string[]): string | undefined {
    if (plan.length > this.#limit) return `It has ${plan.length} moves, but the limit is ${this.#limit}.`;
    let state = this.#start(item);
    for (const [index, move] of plan.entries()) {
      if (this.#moves.isSolved(state))
        return `The puzzle is solved before move ${index + 1} of ${plan.length}.`;
      if (this.#moves.isLost?.(state) === true) return `The puzzle is lost before move ${index + 1}.`;
      if (!this.#moves.list(state).includes(move)) return `Move ${index + 1}, "${move}", is not listed.`;
      state = this.#play(state, move);
    }
    return this.#moves.isSolved(state) ? undefined : 'It does not solve the puzzle.';
  }

  play(
    item: Item<Question, Answer>,
    choose: (listed: readonly string[], state: Frozen<State>) => string,
  ): Played {
    let state = this.#start(item);
    for (let step = 0; step < this.#limit; step += 1) {
      const listed = this.#moves.list(state);
      if (listed.length === 0 || this.#moves.isLost?.(state) === true) break;
      const move = choose(listed, state);
      if (!listed.includes(move)) return { isSolved: false, foul: move };
      state = this.#play(state, move);
      if (this.#moves.isSolved(state)) return { isSolved: true, foul: undefined };
    }
    return { isSolved: false, foul: undefined };
  }
}
