import type { Searcher } from '../core/env.ts';
import type { Rng } from '../core/rng.ts';
import type { Ongoing, Opening } from '../core/step.ts';
import type { ProgramAction } from './action.ts';
import type { ProgramObservation } from './observation.ts';

type Put = Extract<ProgramAction, { readonly kind: 'put' }>;

/**
 * Assembles programs like a sensible person. It starts with the pieces that agree best with the statement.
 * Then, place by place, it takes pieces that make more visible tests pass, and hands in a program that passes
 * them all. It uses only what is shown.
 */
export class PieceSearcher implements Searcher<ProgramObservation, ProgramAction> {
  readonly #rng: Rng;
  #instruction = '';
  #worth = -1;
  /** The last placed piece, and the piece before it. */
  #last: { readonly place: number; readonly before: number } | undefined;
  /** The piece in each place, where it is known. */
  readonly #now = new Map<number, number>();
  readonly #tried = new Set<string>();

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  act(
    turn: Opening<ProgramObservation, ProgramAction> | Ongoing<ProgramObservation, ProgramAction>,
  ): ProgramAction {
    if ('instruction' in turn) this.#instruction = turn.instruction.toLowerCase();
    const puts = (turn.admissible ?? []).filter((action): action is Put => action.kind === 'put');
    const { observation } = turn;
    const worth = observation.score ?? observation.passed ?? 0;
    this.#note(puts);
    const isDone =
      observation.score === undefined &&
      observation.total !== undefined &&
      observation.passed === observation.total;
    if (isDone || puts.length === 0 || (turn.stepsLeft ?? 2) <= 1)
      return turn.admissible?.find(({ kind }) => kind === 'finish') ?? { kind: 'finish' };
    const next = this.#fix(worth, puts) ?? this.#choose(puts, this.#now) ?? this.#rng.pick(puts);
    this.#tried.add(keyOf(next));
    return next;
  }

  /** The current piece of a place is the one that is not offered. */
  #note(puts: readonly Put[]): void {
    for (const place of new Set(puts.map((put) => put.place))) {
      const offered = new Set(puts.filter((put) => put.place === place).map(({ piece }) => piece));
      let piece = 1;
      while (offered.has(piece)) piece += 1;
      this.#now.set(place, piece);
      this.#tried.add(`${place}.${piece}`);
    }
  }

  /** After a piece that made things worse: another piece for the same place, or the earlier one. */
  #fix(worth: number, puts: readonly Put[]): Put | undefined {
    const last = this.#last;
    // pieces that did not help before may help now
    if (last !== undefined && worth > this.#worth) this.#tried.clear();
    if (last === undefined || worth >= this.#worth) {
      this.#worth = worth;
      this.#last = undefined;
      return undefined;
    }
    const here = puts.filter(({ place }) => place === last.place);
    const other = this.#choose(here, new Map([[last.place, last.before]]));
    if (other !== undefined) return other;
    this.#last = undefined;
    this.#worth = worth; // after the step between: putting the piece back restores the former worth
    return here.find(({ piece }) => piece === last.before);
  }

  /** The most promising untried piece. `before` has the current or earlier piece of its place. */
  #choose(puts: readonly Put[], before: ReadonlyMap<number, number>): Put | undefined {
    const untried = puts.filter((put) => !this.#tried.has(keyOf(put)));
    const [best] = this.#rng
      .shuffle(untried)
      .toSorted((a, b) => this.#agreement(b) - this.#agreement(a) || a.place - b.place);
    if (best === undefined) return undefined;
    this.#last = { place: best.place, before: before.get(best.place) ?? best.piece };
    return best;
  }

  /** How well a line agrees with the statement: equal numbers, and comparisons in the same words. */
  #agreement({ about = '' }: Put): number {
    const said = about.includes(' as stated') ? 1 : 0;
    const orders = ['greater than', 'at least', 'less than', 'at most'];
    const agrees = orders.some((words) => this.#instruction.includes(words) && about.startsWith(words));
    return said + (agrees ? 2 : 0);
  }
}

const keyOf = ({ place, piece }: Put): string => `${place}.${piece}`;
