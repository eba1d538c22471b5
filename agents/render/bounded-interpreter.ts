import { Environment, Interpreter, type RuntimeValue, type Statement } from '@huggingface/jinja';

/** Parts that may be evaluated: some seconds of work. A list counts one more for every 16 of its items, a text for every 256 characters. */
const mostWork = 1_000_000;
/** Characters of a text, or items of a list. */
const longestValue = 16_000_000;
const longestRange = 10_000;

/** Values of texts that stand in a template, which never change: to make them for each message anew takes a good part of the time that a template takes. */
const literals = new WeakMap<Statement, RuntimeValue>();

/** A template is foreign code: each part that it evaluates is counted, and what has no end is stopped. */
class BoundedInterpreter extends Interpreter {
  #work = 0;

  override evaluate(statement: Statement | undefined, environment: Environment): RuntimeValue {
    const result = statement?.type === 'StringLiteral' ? this.#literal(statement, environment) : super.evaluate(statement, environment);
    const { value } = result;
    const length = typeof value === 'string' || Array.isArray(value) ? value.length : 0;
    if (length > longestValue) throw new Error(`it makes a text or a list longer than ${longestValue}`);
    this.#work += 1 + (typeof value === 'string' ? length >> 8 : length >> 4);
    if (this.#work > mostWork) throw new Error('it works without end');
    return result;
  }

  #literal(statement: Statement, environment: Environment): RuntimeValue {
    const known = literals.get(statement);
    if (known !== undefined) return known;
    const made = super.evaluate(statement, environment);
    literals.set(statement, made);
    return made;
  }
}

/**
 * The text that a template makes of these values.
 *
 * @throws Error of the library, of a function given, or where it goes beyond the bounds
 */
export function runBounded(program: Statement, values: Readonly<Record<string, unknown>>): string {
  const environment = new Environment();
  const constants = { true: true, false: false, none: null, True: true, False: false, None: null, range };
  for (const [name, value] of Object.entries({ ...constants, ...values })) environment.set(name, value);
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
