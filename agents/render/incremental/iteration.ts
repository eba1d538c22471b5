import { Environment, type RuntimeValue, type Statement } from '@huggingface/jinja';
import type { ConversationMemory } from './conversation-memory.ts';
import { factOf, loopFacts, type LoopFact, type RememberedLoop } from './remembered-loop.ts';
import { loopValue } from '../jinja/python-interpreter.ts';
import { isAssignment, isCall, isIdentifier, isLoop, isMember } from '../jinja/template-parts.ts';

/** What an iteration wrote for a message, and everything else that it read. */
export interface PastIteration {
  readonly text: string;
  readonly facts: ReadonlyMap<LoopFact, number | boolean>;
  /** Outer variables that were read, by fingerprint. */
  readonly reads: ReadonlyMap<string, string>;
  /** Evaluated nodes. */
  readonly work: number;
}

/** State shared by all loops of a rendering. */
export interface Rendering {
  readonly memory: ConversationMemory;
  readonly constants: ReadonlySet<string>;
}

/** One run of a loop over its items, in its own scope. */
export class LoopRun {
  readonly rendering: Rendering;
  readonly loop: RememberedLoop;
  readonly scope: Environment;
  readonly items: readonly RuntimeValue[];
  /** Fingerprints of current variable values, computed on demand. */
  readonly #likenesses = new Map<string, string | undefined>();

  constructor(
    rendering: Rendering,
    loop: RememberedLoop,
    { scope, items }: { readonly scope: Environment; readonly items: readonly RuntimeValue[] },
  ) {
    this.rendering = rendering;
    this.loop = loop;
    this.scope = scope;
    this.items = items;
  }

  /** The earlier iteration at that index, if everything it read is unchanged. */
  recall(place: number): PastIteration | undefined {
    const past = this.rendering.memory.messageOf(this.item(place))?.past.get(this.loop);
    return past?.find((each) => this.#isAsIn(each, place));
  }

  item(place: number): RuntimeValue {
    const item = this.items[place];
    if (item === undefined)
      throw new RangeError(`a loop over ${this.items.length} items has none at index ${place}`);
    return item;
  }

  fact(name: LoopFact, place: number): number | boolean {
    return loopFacts[name](place, this.items.length);
  }

  /** Call it when a variable may have been set that outlives the iteration. */
  forgetLikenesses(): void {
    this.#likenesses.clear();
  }

  /** Undefined if the value has no fingerprint. */
  likenessOf(name: string, { type, value }: RuntimeValue): string | undefined {
    switch (type) {
      case 'StringValue':
      case 'BooleanValue':
      case 'NullValue':
      case 'UndefinedValue':
        return `${type} ${String(value)}`;
      case 'IntegerValue':
        return Object.is(value, -0) ? `${type} -0` : `${type} ${String(value)}`;
      case 'ArrayValue':
        return this.rendering.constants.has(name) ? type : undefined;
      default:
        // lists and objects are compared by identity, not by content, and namespaces can change
        return undefined;
    }
  }

  #isAsIn({ facts, reads }: PastIteration, place: number): boolean {
    for (const [name, fact] of facts) if (this.fact(name, place) !== fact) return false;
    for (const [name, read] of reads) if (this.#likenessNow(name) !== read) return false;
    return true;
  }

  #likenessNow(name: string): string | undefined {
    if (!this.#likenesses.has(name))
      this.#likenesses.set(name, this.likenessOf(name, this.scope.lookupVariable(name)));
    return this.#likenesses.get(name);
  }
}

/** The current iteration, with what it has read and set so far. */
export class Iteration {
  readonly #run: LoopRun;
  readonly #place: number;
  readonly #facts = new Map<LoopFact, number | boolean>();
  readonly #reads = new Map<string, string>();
  /** Variables that it set, which end with it. */
  readonly #sets = new Set<string>();
  /** False if its output or effects may depend on more than is recorded. */
  #isRepeatable = true;
  #hasLoop = false;

  constructor(run: LoopRun, place: number) {
    this.#run = run;
    this.#place = place;
    run.scope.setVariable(run.loop.name, run.item(place));
  }

  /** The loop fact that a node reads; undefined for other nodes. */
  fact(part: Statement, environment: Environment): RuntimeValue | undefined {
    const name = environment === this.#run.scope ? factOf(part) : undefined;
    if (name === undefined) return undefined;
    const fact = this.#run.fact(name, this.#place);
    this.#facts.set(name, fact);
    return factValue(fact);
  }

  /**
   * Call it before a node is evaluated. Inner loops have variables of their own, and functions may do
   * anything. Methods belong to values, which are immutable. A call or an inner loop may read `loop` itself,
   * and creating that takes longer than most iterations.
   */
  begin(part: Statement): void {
    if (!isLoop(part) && !isCall(part)) return;
    if (!isCall(part) || !isMember(part.callee)) this.#isRepeatable = false;
    if (!this.#hasLoop) this.#run.scope.setVariable('loop', loopValue(this.#run.items, this.#place));
    this.#hasLoop = true;
  }

  /** Call it after a node was evaluated. */
  note(part: Statement, result: RuntimeValue): void {
    if (!this.#isRepeatable) return;
    if (isIdentifier(part)) this.#noteRead(part.value, result);
    else if (isAssignment(part)) this.#noteSet(part.assignee);
  }

  /** Call it at the end of the iteration. */
  keep(text: string, work: number): void {
    const {
      rendering: { memory },
      loop,
    } = this.#run;
    const message = memory.messageOf(this.#run.item(this.#place));
    if (message !== undefined && this.#isRepeatable)
      memory.keep(message, loop, { text, facts: this.#facts, reads: this.#reads, work });
    this.#run.forgetLikenesses(); // an iteration that is not repeatable may have set any variable
  }

  #noteRead(name: string, value: RuntimeValue): void {
    if (name === this.#run.loop.name || this.#sets.has(name) || this.#reads.has(name)) return;
    const read = this.#run.likenessOf(name, value);
    if (read === undefined) this.#isRepeatable = false;
    else this.#reads.set(name, read);
  }

  #noteSet(assignee: Statement): void {
    const name = isIdentifier(assignee) ? assignee.value : '';
    if (name === '') this.#isRepeatable = false;
    else this.#sets.add(name);
  }
}

const factValues = new Map<number | boolean, RuntimeValue>();

/** There are few indices, so values are cached. */
function factValue(fact: number | boolean): RuntimeValue {
  const known = factValues.get(fact);
  if (known !== undefined) return known;
  const made = new Environment().set('fact', fact);
  if (factValues.size < 10_000) factValues.set(fact, made);
  return made;
}
