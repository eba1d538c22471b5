import { Environment, Interpreter, type RuntimeValue, type Statement } from '@huggingface/jinja';
import { Iteration, LoopRun, rememberedLoop, valueOf } from './loop-memory.ts';
import { isLoop, type Loop } from './template-parts.ts';

/** Parts that may be evaluated: some seconds of work. A list counts one more for every 16 of its items, a text for every 256 characters. */
const mostWork = 1_000_000;
/** Characters of a text, or items of a list. */
const longestValue = 16_000_000;
const longestRange = 10_000;

/** Values of texts that stand in a template, which never change: to make them for each message anew takes a good part of the time that a template takes. */
const literals = new WeakMap<Statement, RuntimeValue>();

/**
 * A template is foreign code: each part that it evaluates is counted, and what has no end is stopped. What iterations over messages said is
 * said again where nothing of what they read has changed: see loop-memory.ts.
 */
class BoundedInterpreter extends Interpreter {
  #work = 0;
  /** That is under way in a loop that is remembered. */
  #iteration: Iteration | undefined;

  override evaluate(statement: Statement | undefined, environment: Environment): RuntimeValue {
    const result = this.#evaluate(statement, environment);
    this.#count(result.value);
    return result;
  }

  #count(value: unknown): void {
    const length = typeof value === 'string' || Array.isArray(value) ? value.length : 0;
    assertLength(length);
    this.#work += 1 + (typeof value === 'string' ? length >> 8 : length >> 4);
    if (this.#work > mostWork) throw new Error('it works without end');
  }

  #evaluate(statement: Statement | undefined, environment: Environment): RuntimeValue {
    if (statement === undefined) return super.evaluate(statement, environment);
    if (statement.type === 'StringLiteral') return this.#literal(statement, environment);
    if (this.#iteration !== undefined) return this.#watched(statement, environment, this.#iteration);
    return isLoop(statement) ? this.#loop(statement, environment) : super.evaluate(statement, environment);
  }

  #watched(statement: Statement, environment: Environment, iteration: Iteration): RuntimeValue {
    const fact = iteration.fact(statement, environment);
    if (fact !== undefined) return fact;
    iteration.begin(statement);
    const result = super.evaluate(statement, environment);
    iteration.note(statement, result);
    return result;
  }

  #loop(statement: Loop, environment: Environment): RuntimeValue {
    const loop = rememberedLoop(statement);
    const items: unknown = loop === undefined ? undefined : this.evaluate(statement.iterable, environment).value;
    if (loop === undefined || !Array.isArray(items) || items.length === 0) return super.evaluate(statement, environment);
    const run = new LoopRun(loop, items, environment);
    let said = '';
    for (let place = 0; place < items.length; place += 1) {
      const more = run.recall(place) ?? this.#iterate(run, place);
      this.#count(more);
      said += more;
      assertLength(said.length);
    }
    return valueOf(said);
  }

  #iterate(run: LoopRun, place: number): string {
    const { loop, scope } = run;
    scope.setVariable(loop.name, run.item(place));
    const iteration = new Iteration(run, place);
    this.#iteration = iteration;
    try {
      const said = String(this.evaluate(loop.body, scope).value);
      iteration.keep(said);
      return said;
    } finally {
      this.#iteration = undefined;
    }
  }

  #literal(statement: Statement, environment: Environment): RuntimeValue {
    const known = literals.get(statement);
    if (known !== undefined) return known;
    const made = super.evaluate(statement, environment);
    literals.set(statement, made);
    return made;
  }
}

function assertLength(length: number): void {
  if (length > longestValue) throw new Error(`it makes a text or a list longer than ${longestValue}`);
}

/**
 * The text that a template makes of a conversation.
 *
 * @param values what it gets beside the messages, by name
 * @throws Error of the library, of a function given, or where it goes beyond the bounds
 */
export function runBounded(program: Statement, messages: RuntimeValue, values: Readonly<Record<string, unknown>>): string {
  const environment = new Environment();
  const constants = { true: true, false: false, none: null, True: true, False: false, None: null, range };
  for (const [name, value] of Object.entries({ ...constants, ...values })) environment.set(name, value);
  environment.setVariable('messages', messages);
  const { value } = new BoundedInterpreter(environment).run(program);
  if (typeof value !== 'string') throw new Error('it makes no text');
  return value;
}

/** Python's. */
function range(...given: readonly unknown[]): number[] {
  const numbers = given.map(Number);
  const [from, to, by] = numbers.length < 2 ? [0, numbers[0] ?? Number.NaN, 1] : [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 1];
  const count = Math.max(0, Math.ceil((to - from) / by));
  if (!(count <= longestRange)) throw new Error(`range(${given.map(String).join(', ')}) has no such list`);
  return Array.from({ length: count }, (_, index) => from + index * by);
}
