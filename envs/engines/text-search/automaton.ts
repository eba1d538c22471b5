/** A regular language over symbols, which are small numbers. */
export type Pattern =
  | { readonly kind: 'symbol'; readonly symbols: readonly number[] }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'either'; readonly options: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly part: Pattern };

/** Any one of the symbols. */
export const symbol = (symbols: readonly number[]): Pattern => ({ kind: 'symbol', symbols });

/** All parts, one after another. */
export const sequence = (...parts: readonly Pattern[]): Pattern => ({ kind: 'sequence', parts });

/** One of the options. */
export const either = (...options: readonly Pattern[]): Pattern => ({ kind: 'either', options });

/** The part any number of times, none included. */
export const many = (part: Pattern): Pattern => ({ kind: 'repeat', part });

/** The part at least once. */
export const some = (part: Pattern): Pattern => sequence(part, many(part));

/** The part or nothing. */
export const maybe = (part: Pattern): Pattern => either(part, sequence());

/**
 * A deterministic automaton as a table. A state is the place where its row begins, so that the state after `symbol` is
 * `next[state + symbol]`. Row 0 is the dead state, which nothing leaves.
 */
export interface Automaton {
  readonly start: number;
  /** This state and all higher ones accept. */
  readonly firstAccepting: number;
  readonly next: Uint16Array; // (states, symbols)
}

/** The automaton of a pattern (Thompson's construction, then the construction of subsets). */
export function compilePattern(pattern: Pattern, symbolCount: number): Automaton {
  const machine = new Machine();
  const start = machine.addState();
  const goal = machine.add(pattern, start);
  const found = new Subsets(machine, goal, symbolCount).explore(start);
  return layOut(
    found.map(({ states, row }) => ({ row, accepting: has(states, goal) })),
    symbolCount,
  );
}

interface Edge {
  readonly symbols: readonly number[];
  readonly to: number;
}

/** A machine that may be in many states at once. */
class Machine {
  readonly edges: Edge[][] = [];
  /** Where each state leads without reading anything. */
  readonly silent: number[][] = [];

  addState(): number {
    this.edges.push([]);
    this.silent.push([]);
    return this.edges.length - 1;
  }

  /** Adds what reads `pattern` from the state `from` on; returns the state after it. */
  add(pattern: Pattern, from: number): number {
    switch (pattern.kind) {
      case 'symbol': {
        const to = this.addState();
        this.edges[from]?.push({ symbols: pattern.symbols, to });
        return to;
      }
      case 'sequence':
        return pattern.parts.reduce((state, part) => this.add(part, state), from);
      case 'either': {
        const to = this.addState();
        for (const option of pattern.options) this.silent[this.add(option, from)]?.push(to);
        return to;
      }
      case 'repeat': {
        const hub = this.addState(); // a state of its own: nothing else may enter or leave the loop
        this.silent[from]?.push(hub);
        this.silent[this.add(pattern.part, hub)]?.push(hub);
        const to = this.addState();
        this.silent[hub]?.push(to);
        return to;
      }
      default:
        return pattern satisfies never;
    }
  }
}

/** A set of states, one bit each. */
type StateSet = Uint32Array; // (ceil(states / 32))

interface Subset {
  readonly states: StateSet;
  /** The subset that follows each symbol, by number; 0 is the empty one. */
  readonly row: readonly number[]; // (symbols)
}

const has = (set: StateSet, state: number): boolean =>
  ((set[state >>> 5] as number) & (1 << (state & 31))) !== 0;

function include(set: StateSet, others: StateSet): void {
  for (let word = 0; word < set.length; word += 1)
    set[word] = (set[word] as number) | (others[word] as number);
}

class Subsets {
  readonly #machine: Machine;
  readonly #symbolCount: number;
  /** Every state with all that it leads to without reading anything, less what neither reads nor is the goal. */
  readonly #closures: readonly StateSet[];
  readonly #numbers = new Map<string, number>();
  readonly #waiting: StateSet[] = [];

  constructor(machine: Machine, goal: number, symbolCount: number) {
    this.#machine = machine;
    this.#symbolCount = symbolCount;
    this.#closures = machine.silent.map((_, state) => closureOf(machine, state, goal));
  }

  /** All subsets that can be reached: the empty one, the one of `start`, and so on. */
  explore(start: number): readonly Subset[] {
    const found: Subset[] = [];
    this.#numberOf(this.#emptySet());
    this.#numberOf(this.#closures[start] ?? this.#emptySet());
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      found.push({ states: next, row: this.#follow(next).map((states) => this.#numberOf(states)) });
    }
    return found;
  }

  /** The states after each symbol. */
  #follow(states: StateSet): readonly StateSet[] {
    const after = Array.from({ length: this.#symbolCount }, () => this.#emptySet());
    for (const [state, edges] of this.#machine.edges.entries()) {
      if (!has(states, state)) continue;
      for (const { symbols, to } of edges) {
        for (const symbolNumber of symbols)
          include(after[symbolNumber] as StateSet, this.#closures[to] as StateSet);
      }
    }
    return after;
  }

  #emptySet(): StateSet {
    return new Uint32Array((this.#machine.edges.length + 31) >>> 5);
  }

  #numberOf(states: StateSet): number {
    const name = states.join();
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#numbers.size);
    this.#waiting.push(states);
    return this.#numbers.size - 1;
  }
}

function closureOf(machine: Machine, state: number, goal: number): StateSet {
  const reached = new Set([state]);
  for (const from of reached) for (const to of machine.silent[from] ?? []) reached.add(to);
  const closure = new Uint32Array((machine.edges.length + 31) >>> 5);
  for (const one of reached) {
    if (one === goal || machine.edges[one]?.length !== 0)
      closure[one >>> 5] = (closure[one >>> 5] as number) | (1 << (one & 31));
  }
  return closure;
}

/** Puts the rows into one table, those that accept last. */
function layOut(
  rows: readonly { readonly row: readonly number[]; readonly accepting: boolean }[],
  symbolCount: number,
): Automaton {
  const order = [...rows.keys()].toSorted(
    (a, b) => Number(rows[a]?.accepting) - Number(rows[b]?.accepting) || a - b,
  );
  const place = new Map(order.map((old, index) => [old, index * symbolCount]));
  const next = new Uint16Array(rows.length * symbolCount);
  for (const [index, old] of order.entries()) {
    for (const [symbolNumber, to] of (rows[old]?.row ?? []).entries())
      next[index * symbolCount + symbolNumber] = place.get(to) ?? 0;
  }
  return {
    start: place.get(1) ?? 0,
    firstAccepting: rows.filter(({ accepting }) => !accepting).length * symbolCount,
    next,
  };
}
