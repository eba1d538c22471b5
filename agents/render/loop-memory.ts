import { Environment, type RuntimeValue, type Statement } from '@huggingface/jinja';
import { isMessage } from './message-values.ts';
import { isAssignment, isCall, isIdentifier, isMember, partsOf, type Loop } from './template-parts.ts';

/** What `loop` tells of an iteration, by place and count of the items. */
const facts = {
  index: (place) => place + 1,
  index0: (place) => place,
  revindex: (place, count) => count - place,
  revindex0: (place, count) => count - place - 1,
  first: (place) => place === 0,
  last: (place, count) => place === count - 1,
  length: (_, count) => count,
} as const satisfies Readonly<Record<string, (place: number, count: number) => number | boolean>>;
type Fact = keyof typeof facts;

const isFact = (name: string): name is Fact => Object.hasOwn(facts, name);

/** What an iteration said, all that it read beside its item, and what it set. */
interface Said {
  readonly text: string;
  readonly facts: ReadonlyMap<Fact, number | boolean>;
  /** Variables from without, by their likeness. */
  readonly reads: ReadonlyMap<string, string>;
  readonly sets: ReadonlyMap<string, RuntimeValue>;
}

/** Iterations that are remembered of one message, such as at the beginning of a conversation and within it. */
const mostOfMessage = 4;

/**
 * A loop over messages, and what its iterations said. A conversation is told anew in each turn, and most of it says what it said the turn
 * before. So an iteration is not done again where all that it read is as it was: the message, facts of the loop, variables.
 */
export class RememberedLoop {
  /** Of the item. */
  readonly name: string;
  /** All that is done in an iteration. */
  readonly body: Statement;
  readonly #said = new WeakMap<RuntimeValue, readonly Said[]>();

  constructor(name: string, body: readonly Statement[]) {
    this.name = name;
    const program: Statement & { readonly body: readonly Statement[] } = { type: 'Program', body };
    this.body = program;
  }

  of(message: RuntimeValue): readonly Said[] {
    return this.#said.get(message) ?? [];
  }

  keep(message: RuntimeValue, said: Said): void {
    this.#said.set(message, [said, ...this.of(message)].slice(0, mostOfMessage));
  }
}

/** One run of a loop over its items, in a scope of its own. */
export class LoopRun {
  readonly loop: RememberedLoop;
  readonly scope: Environment;
  readonly items: readonly RuntimeValue[];
  /** Likenesses of variables as they are now, as far as they have been looked at. */
  readonly #seen = new Map<string, string | undefined>();

  constructor(loop: RememberedLoop, items: readonly RuntimeValue[], around: Environment) {
    this.loop = loop;
    this.items = items;
    this.scope = new Environment(around);
  }

  /** What the iteration at a place says, where it is known; variables that it sets are set. */
  recall(place: number): string | undefined {
    const known = this.loop.of(this.item(place)).find((said) => this.#isAsIn(said, place));
    if (known === undefined) return undefined;
    if (known.sets.size > 0) this.forgetSeen();
    for (const [name, value] of known.sets) this.scope.setVariable(name, value);
    return known.text;
  }

  item(place: number): RuntimeValue {
    const item = this.items[place];
    if (item === undefined) throw new RangeError(`a loop over ${this.items.length} items has none at ${place}`);
    return item;
  }

  fact(name: Fact, place: number): number | boolean {
    return facts[name](place, this.items.length);
  }

  /** Called where a variable is set. */
  forgetSeen(): void {
    this.#seen.clear();
  }

  /** `loop` as it is at a place. */
  loopAt(place: number): RuntimeValue {
    const loop = new Environment().set('loop', Object.fromEntries(Object.keys(facts).filter(isFact).map((name) => [name, this.fact(name, place)])));
    const neighbours = { previtem: this.items[place - 1], nextitem: this.items[place + 1] };
    if (loop.value instanceof Map) for (const [name, item] of Object.entries(neighbours)) loop.value.set(name, item ?? valueOf(undefined));
    return loop;
  }

  #isAsIn(said: Said, place: number): boolean {
    for (const [name, fact] of said.facts) if (this.fact(name, place) !== fact) return false;
    for (const [name, read] of said.reads) if (this.#likenessNow(name) !== read) return false;
    return true;
  }

  #likenessNow(name: string): string | undefined {
    if (!this.#seen.has(name)) this.#seen.set(name, likenessOf(this.scope.lookupVariable(name)));
    return this.#seen.get(name);
  }
}

/** An iteration that is under way, and what it has read and set so far. */
export class Iteration {
  readonly #run: LoopRun;
  readonly #place: number;
  readonly #facts = new Map<Fact, number | boolean>();
  readonly #reads = new Map<string, string>();
  readonly #sets = new Map<string, RuntimeValue>();
  /** Whether what it says may hang on more than what is noted. */
  #isOpen = false;

  constructor(run: LoopRun, place: number) {
    this.#run = run;
    this.#place = place;
  }

  /** The fact that a part asks for; undefined where it does not. */
  fact(part: Statement, scope: Environment): RuntimeValue | undefined {
    const name = scope === this.#run.scope ? factOf(part) : undefined;
    if (name === undefined) return undefined;
    const fact = this.#run.fact(name, this.#place);
    this.#facts.set(name, fact);
    return valueOf(fact);
  }

  /** Called before a part is evaluated: what may see all variables finds `loop` among them. */
  begin(part: Statement): void {
    if (!seesAll(part)) return;
    this.#isOpen = true;
    this.#run.scope.setVariable('loop', this.#run.loopAt(this.#place));
  }

  /** Notes what a part did. */
  note(part: Statement, result: RuntimeValue): void {
    if (isIdentifier(part)) this.#noteRead(part.value, result);
    else if (isAssignment(part)) this.#noteSet(part.assignee);
  }

  /** Called at its end. */
  keep(text: string): void {
    const message = this.#run.item(this.#place);
    if (!this.#isOpen && isMessage(message)) this.#run.loop.keep(message, { text, facts: this.#facts, reads: this.#reads, sets: this.#sets });
  }

  #noteRead(name: string, value: RuntimeValue): void {
    if (name === this.#run.loop.name || this.#sets.has(name)) return;
    const read = likenessOf(value);
    if (read === undefined) this.#isOpen = true;
    else this.#reads.set(name, read);
  }

  #noteSet(assignee: Statement): void {
    this.#run.forgetSeen();
    if (isIdentifier(assignee)) this.#sets.set(assignee.value, this.#run.scope.lookupVariable(assignee.value));
    else this.#isOpen = true;
  }
}

const loops = new WeakMap<Loop, RememberedLoop | 'other'>();

/** The loop where its iterations can be told from what is around them; undefined where they cannot. */
export function rememberedLoop(part: Loop): RememberedLoop | undefined {
  let known = loops.get(part);
  if (known === undefined) {
    const { loopvar, iterable, body } = part;
    const canBe = isIdentifier(loopvar) && iterable.type !== 'SelectExpression' && body.every(isPlain);
    known = canBe ? new RememberedLoop(loopvar.value, body) : 'other';
    loops.set(part, known);
  }
  return known === 'other' ? undefined : known;
}

/** Nothing leaves the loop early, and of `loop` nothing is used but facts. */
function isPlain(part: Statement): boolean {
  if (hasVariables(part) || factOf(part) !== undefined) return true;
  if (part.type === 'Break' || part.type === 'Continue') return false;
  return isIdentifier(part) ? part.value !== 'loop' : partsOf(part).every(isPlain);
}

/** Parts with variables of their own, which are not told from those around them, and functions, which may do anything; methods are of values, which never change. */
const seesAll = (part: Statement): boolean => hasVariables(part) || (isCall(part) && !isMember(part.callee));

const hasVariables = ({ type }: Statement): boolean => type === 'For' || type === 'Macro' || type === 'CallStatement';

/** The fact that a part asks for as `loop.FACT`; undefined where it does not. */
function factOf(part: Statement): Fact | undefined {
  if (!isMember(part) || part.computed || !isIdentifier(part.object) || part.object.value !== 'loop' || !isIdentifier(part.property)) return undefined;
  return isFact(part.property.value) ? part.property.value : undefined;
}

/** A plain value as one of the template's world. */
export const valueOf = (plain: string | number | boolean | undefined): RuntimeValue => new Environment().set('value', plain);

/** Items of a list that is compared. */
const longestList = 16;

/** The same for values that a template cannot tell apart; undefined for what may change, or is too long to compare. */
function likenessOf({ type, value }: RuntimeValue): string | undefined {
  switch (type) {
    case 'StringValue':
    case 'IntegerValue':
    case 'BooleanValue':
    case 'NullValue':
    case 'UndefinedValue':
      return `${type} ${String(value)}`;
    case 'ArrayValue':
      return Array.isArray(value) && value.length <= longestList ? likenessOfList(value) : undefined;
    default:
      return undefined;
  }
}

function likenessOfList(items: readonly RuntimeValue[]): string | undefined {
  const each = items.map(likenessOf);
  return each.includes(undefined) ? undefined : JSON.stringify(each);
}
