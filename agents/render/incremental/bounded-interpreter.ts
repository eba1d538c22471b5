import { Environment, type RuntimeValue, type Statement } from '@huggingface/jinja';
import { Iteration, LoopRun, type Rendering } from './iteration.ts';
import type { ConversationMemory } from './conversation-memory.ts';
import type { TemplatePlan } from './remembered-loop.ts';
import { clearScope, PythonInterpreter } from '../jinja/python-interpreter.ts';
import { isLoop, type Loop } from '../jinja/template-parts.ts';

/**
 * Limit of evaluated nodes: some seconds of work. A list counts one more for every 16 items, a text for every
 * 256 characters.
 */
const mostWork = 1_000_000;
/** Limit for the characters of a text or the items of a list. */
const longestValue = 16_000_000;
const longestRange = 10_000;

/**
 * A template is untrusted code: each evaluated node is counted, and endless work is stopped.
 *
 * A conversation is rendered again in each turn, and most of its text does not change. The text of a loop
 * iteration over messages is therefore reused if everything it read is unchanged: the message, facts of
 * `loop`, and variables.
 */
class BoundedInterpreter extends PythonInterpreter {
  readonly #plan: TemplatePlan;
  readonly #rendering: Rendering;
  #work = 0;
  /** The current iteration of a remembered loop. */
  #iteration: Iteration | undefined;

  constructor(environment: Environment, plan: TemplatePlan, memory: ConversationMemory) {
    super(environment);
    this.#plan = plan;
    this.#rendering = { memory, constants: plan.constants };
  }

  override evaluate(statement: Statement | undefined, environment: Environment): RuntimeValue {
    const result = this.#evaluate(statement, environment);
    // filters of the library return none for a missing value
    const value: unknown = (result as RuntimeValue | undefined)?.value;
    const length = typeof value === 'string' || Array.isArray(value) ? value.length : 0;
    assertLength(length);
    this.#count(1 + (typeof value === 'string' ? length >> 8 : length >> 4));
    return result;
  }

  #count(work: number): void {
    this.#work += work;
    if (this.#work > mostWork) throw new Error('it does too much work or never ends');
  }

  #evaluate(statement: Statement | undefined, environment: Environment): RuntimeValue {
    if (statement === undefined) return super.evaluate(statement, environment);
    const iteration = this.#iteration;
    if (iteration === undefined)
      return isLoop(statement) ? this.#loop(statement, environment) : super.evaluate(statement, environment);
    const fact = iteration.fact(statement, environment);
    if (fact !== undefined) return fact;
    iteration.begin(statement);
    const result = super.evaluate(statement, environment);
    iteration.note(statement, result);
    return result;
  }

  #loop(statement: Loop, environment: Environment): RuntimeValue {
    const loop = this.#plan.loop(statement);
    if (loop === undefined) return super.evaluate(statement, environment);
    const scope = new Environment(environment);
    const { value: items } = this.evaluate(statement.iterable, scope);
    if (!Array.isArray(items) || items.length === 0) return super.evaluate(statement, environment);
    const run = new LoopRun(this.#rendering, loop, { scope, items });
    let said = '';
    for (let place = 0; place < items.length; place += 1) {
      said += this.#iterate(run, place);
      assertLength(said.length);
    }
    return new Environment().set('said', said);
  }

  #iterate(run: LoopRun, place: number): string {
    clearScope(run.scope);
    const past = run.recall(place);
    if (past !== undefined) {
      this.#count(past.work);
      return past.text;
    }
    const before = this.#work;
    const iteration = new Iteration(run, place);
    this.#iteration = iteration;
    try {
      const text = String(this.evaluate(run.loop.body, run.scope).value);
      iteration.keep(text, this.#work - before);
      return text;
    } finally {
      this.#iteration = undefined;
    }
  }
}

function assertLength(length: number): void {
  if (length > longestValue) throw new Error(`it creates a text or a list longer than ${longestValue}`);
}

/**
 * Renders a conversation with a template.
 *
 * @param conversation a list from the memory
 * @param values further variables of the template, by name
 * @throws Error of the library or of a given function, or beyond the limits
 */
export function runBounded(
  plan: TemplatePlan,
  memory: ConversationMemory,
  {
    conversation,
    values,
  }: { readonly conversation: RuntimeValue; readonly values: Readonly<Record<string, unknown>> },
): string {
  const environment = new Environment();
  const constants = { true: true, false: false, none: null, True: true, False: false, None: null, range };
  for (const [name, value] of Object.entries({ ...constants, ...values })) environment.set(name, value);
  environment.setVariable('messages', conversation);
  const { value } = new BoundedInterpreter(environment, plan, memory).run(plan.program);
  if (typeof value !== 'string') throw new Error('it does not produce text');
  return value;
}

/** Python's `range`. */
function range(...given: readonly unknown[]): number[] {
  const numbers = given.map(Number);
  const [from, to, by] =
    numbers.length < 2
      ? [0, numbers[0] ?? Number.NaN, 1]
      : [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 1];
  const count = Math.max(0, Math.ceil((to - from) / by));
  if (!(count <= longestRange)) throw new Error(`range(${given.map(String).join(', ')}) is not valid`);
  return Array.from({ length: count }, (_, index) => from + index * by);
}
