/** A regular language over symbols, which are small integers. */
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

/** The part any number of times, including zero. */
export const many = (part: Pattern): Pattern => ({ kind: 'repeat', part });

/** The part at least once. */
export const some = (part: Pattern): Pattern => sequence(part, many(part));

/** The part or nothing. */
export const maybe = (part: Pattern): Pattern => either(part, sequence());

/**
 * A deterministic automaton as a table. A state is the index of its row, so the state after `symbol` is
 * `next[state + symbol]`. Row 0 is the dead state, which nothing leaves.
 */
export interface Automaton {
  readonly start: number;
  /** This state and all higher ones accept. */
  readonly firstAccepting: number;
  readonly next: Uint16Array; // (states, symbols)
}

/** Compiles a pattern into an automaton (Thompson's construction, then subset construction). */
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

/** A nondeterministic automaton. */
class Machine {
  readonly edges: Edge[][] = [];
  /** The silent transitions of each state, which read nothing. */
  readonly silent: number[][] = [];

  addState(): number {
    this.edges.push([]);
    this.silent.push([]);
    return this.edges.length - 1;
  }

  /** Adds states that read `pattern` after the state `from`. Returns the state after it. */
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
        const hub = this.addState(); // a separate state, so that nothing else enters or leaves the loop
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
  /** The number of the subset after each symbol; 0 is the empty subset. */
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
  /**
   * The closure of every state over silent transitions, without states that neither read a symbol nor are the
   * goal.
   */
  readonly #closures: readonly StateSet[];
  readonly #numbers = new Map<string, number>();
  readonly #waiting: StateSet[] = [];

  constructor(machine: Machine, goal: number, symbolCount: number) {
    this.#machine = machine;
    this.#symbolCount = symbolCount;
    this.#closures = machine.silent.map((_, state) => closureOf(machine, state, goal));
  }

  /** All reachable subsets: the empty one, that of `start`, and so on. */
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

/** Merges the rows into one table, accepting rows last. */
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
