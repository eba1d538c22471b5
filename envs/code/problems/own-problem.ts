import type { Json } from '../../core/json.ts';
import { canonicalJson } from '../../core/json.ts';
import { createRng, type Rng } from '../../core/rng.ts';
import { interpret, ProgramError, type Value } from '../language/interpret.ts';
import { change, sitesOf, type Change, type Site } from '../language/mutate.ts';
import { parseProgram } from '../language/parse.ts';
import { renderJavascript } from '../language/render-javascript.ts';
import { renderPython } from '../language/render-python.ts';
import type { Program } from '../language/syntax.ts';
import type { Input } from './inputs.ts';
import { formWords, linesOf, readingLines } from './lines-form.ts';
import type { Problem, ProgramLanguage, Test } from './problem.ts';
import type { Template, Variant } from './template.ts';

/** The seed of all our own problems. Another seed would be another benchmark. */
const ownSeed = 20_261_122;

const visibleTests = 6;
/** The number of tests before mutants are considered. */
const plainTests = 14;
/** Inputs tried on a mutant that survives the plain tests, before it counts as equal to the solution. */
const tries = 60;
/** The most expressions and statements of a solution, even on a speed test. */
const stepsAllowed = 400_000;
/**
 * The same for a wrong program. On plain inputs solutions take at most some 3,000. A program that takes more
 * counts as endless.
 */
const stepsOfMutants = 60_000;

/** A wrong program made from the solution. */
export interface Mutant {
  /** The kind of mistake. */
  readonly slip: Site['slip'] | 'too slow' | 'two slips';
  readonly program: Program;
}

/** Arguments and the solution's result. */
interface Example {
  readonly given: readonly Value[];
  readonly expected: Value;
}

/** A problem of our own, with more knowledge of it than a file would have. */
export class OwnProblem {
  readonly problem: Problem;
  readonly difficulty: Template['difficulty'];
  readonly solution: Program;
  /** Places at which the solution can be changed. */
  readonly sites: readonly Site[];
  /** Changes at one place that the hidden tests detect. */
  readonly killable: readonly Change[];
  readonly #template: Template;
  readonly #number: number;
  readonly #variant: Variant;
  readonly #inputs: Readonly<Record<string, Input>>;
  readonly #reads: boolean;
  readonly #hidden: readonly Example[];

  /**
   * @param variant the number of the variant
   * @param reads whether programs read lines and print one; else they are a function
   */
  constructor(template: Template, variant: number, reads: boolean) {
    this.#template = template;
    this.#number = variant;
    this.#variant = template.variants[variant] as Variant;
    this.#reads = reads;
    this.#inputs = template.parameters(this.#variant);
    this.difficulty = template.difficulty;
    this.solution = parseProgram(template.program(this.#variant));
    const rng = createRng(ownSeed).fork('code-v1').fork(this.#name());
    this.sites = sitesOf(this.solution, (id) => rng.fork('window').fork(id).int(3));
    const examples = this.#examples(rng.fork('tests'));
    const visible = examples.slice(0, visibleTests);
    const { hidden, killable } = this.#strengthen(
      examples.slice(visibleTests),
      new Set(visible.map(keyOf)),
      rng.fork('mutants'),
    );
    this.#hidden = hidden;
    this.killable = killable;
    this.problem = {
      name: this.#name(),
      family: template.category,
      statement: this.#statement(),
      form: reads ? { kind: 'lines' } : { kind: 'function', name: template.name },
      visible: visible.map((example) => this.#test(example)),
      hidden: hidden.map((example) => this.#test(example)),
      solutions: {
        python: this.write(this.solution, 'python'),
        javascript: this.write(this.solution, 'javascript'),
      },
    };
  }

  /** The source of a program for this problem, as it is handed in. */
  write(program: Program, language: ProgramLanguage): string {
    const text = language === 'python' ? renderPython(program) : renderJavascript(program);
    if (!this.#reads) return text;
    return readingLines(
      text,
      {
        name: this.#template.name,
        parameters: Object.values(this.#inputs).map(({ form }) => form),
        result: this.#template.result,
      },
      language,
    );
  }

  /**
   * Wrong programs that its tests were made to detect: every wrong change at one place, and a program that is
   * too slow where there is one.
   */
  mutants(): readonly Mutant[] {
    const changed = this.killable.map((each): Mutant => ({
      slip: each.site.slip,
      program: change(this.solution, [each]),
    }));
    const slow = this.#template.slow?.(this.#variant);
    return slow === undefined ? changed : [...changed, { slip: 'too slow', program: parseProgram(slow) }];
  }

  /**
   * Wrong programs that its tests were not made for: changes at two places. Programs that equal the solution
   * on many other inputs are excluded.
   */
  doubleMutants(count: number): readonly Mutant[] {
    const rng = createRng(ownSeed).fork('double').fork(this.#name());
    const found: Mutant[] = [];
    for (let attempt = 0; attempt < 4 * count && found.length < count; attempt += 1) {
      const [first, second] = rng.shuffle(this.killable);
      if (first === undefined || second === undefined || first.site === second.site) continue;
      const program = change(this.solution, [first, second]);
      if (this.#isWrong(program, rng.fork(attempt))) found.push({ slip: 'two slips', program });
    }
    return found;
  }

  /** Whether one of many inputs, which need not be among the tests, distinguishes it from the solution. */
  #isWrong(program: Program, rng: Rng): boolean {
    return Array.from({ length: tries }, (_, at) => this.#draw(rng.fork(at))).some(
      (given) => !answers(program, { given, expected: this.#solve(given) }),
    );
  }

  /** Whether the little language's own interpreter gives right answers on all tests. */
  passes(program: Program, tests: 'visible' | 'hidden'): boolean {
    const examples =
      tests === 'hidden'
        ? this.#hidden
        : this.#examples(createRng(ownSeed).fork('code-v1').fork(this.#name()).fork('tests')).slice(
            0,
            visibleTests,
          );
    return examples.every((example) => answers(program, example, stepsAllowed));
  }

  /**
   * Whether it gives a wrong answer, or never ends, on a hidden test. Errors do not count: an error in the
   * little language, such as an item at -1, may be none in another language.
   */
  isWrongInAnyLanguage(program: Program): boolean {
    return this.#hidden.some(({ given, expected }) => {
      try {
        return !isEqual(interpret(program, given, stepsOfMutants), expected);
      } catch (thrown) {
        if (thrown instanceof ProgramError) return thrown.kind === 'time';
        throw thrown;
      }
    });
  }

  #name(): string {
    return `${this.#template.name}-${this.#number + 1}`;
  }

  #solve(given: readonly Value[]): Value {
    return interpret(this.solution, given, stepsAllowed);
  }

  #draw(rng: Rng): readonly Value[] {
    return Object.values(this.#inputs).map((input, at) => input.draw(rng.fork(at)));
  }

  /** Random and extreme inputs, all different, random ones first. */
  #examples(rng: Rng): readonly Example[] {
    const inputs = Object.values(this.#inputs);
    // some repeat
    const lots = Array.from({ length: 2 * (visibleTests + plainTests) }, (_, at) => this.#draw(rng.fork(at)));
    const edges = inputs.flatMap((input, place) =>
      input.edges.map((edge, at) => this.#draw(rng.fork('edge').fork(place).fork(at)).with(place, edge)),
    );
    const mixed = rng.shuffle(edges).slice(0, plainTests);
    const drawn = [...lots.slice(0, visibleTests - 2), ...mixed, ...lots.slice(visibleTests - 2)];
    const heavy = this.#template.heavy?.(this.#variant);
    const distinct = new Map(drawn.map((given) => [canonicalJson(given), given]));
    const kept = [...distinct.values()].slice(0, visibleTests + plainTests);
    return [...kept, ...(heavy === undefined ? [] : [heavy])].map((given) => ({
      given,
      expected: this.#solve(given),
    }));
  }

  /**
   * Adds hidden tests that detect the mutants that survive the random ones. Mutants that no input detects are
   * equal to the solution.
   */
  #strengthen(
    plain: readonly Example[],
    visible: ReadonlySet<string>,
    rng: Rng,
  ): { readonly hidden: readonly Example[]; readonly killable: readonly Change[] } {
    const hidden = [...plain];
    const killable: Change[] = [];
    for (const [number, site] of this.sites.entries()) {
      for (let piece = 0; piece < site.pieces.length; piece += 1) {
        if (piece === site.now) continue;
        const program = change(this.solution, [{ site, piece }]);
        const isKilled =
          hidden.some((example) => !answers(program, example)) ||
          this.#killWith(program, hidden, { visible, rng: rng.fork(number).fork(piece) });
        if (isKilled) killable.push({ site, piece });
      }
    }
    return { hidden, killable };
  }

  /** Searches for an input that distinguishes the program from the solution, and adds it. */
  #killWith(
    program: Program,
    hidden: Example[],
    { visible, rng }: { readonly visible: ReadonlySet<string>; readonly rng: Rng },
  ): boolean {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const given = this.#draw(rng.fork(attempt));
      const example = { given, expected: this.#solve(given) };
      if (visible.has(keyOf(example)) || answers(program, example)) continue;
      hidden.push(example);
      return true;
    }
    return false;
  }

  #test({ given, expected }: Example): Test {
    if (!this.#reads) return { kind: 'call', given: given as readonly Json[], expected: expected as Json };
    const lines = Object.values(this.#inputs).flatMap((input, at) => linesOf(input.form, given[at] as Value));
    return {
      kind: 'lines',
      given: `${lines.join('\n')}\n`,
      expected: [linesOf(this.#template.result, expected).join('\n')],
    };
  }

  #statement(): string {
    const { name, result } = this.#template;
    const task = this.#template.statement(this.#variant);
    const given = Object.entries(this.#inputs);
    if (!this.#reads) {
      const parameters = given.map(([parameter, { says }]) => `- ${parameter}: ${says}`);
      return [
        task,
        `Write a function ${name}(${given.map(([parameter]) => parameter).join(', ')}) that returns the answer.`,
        ...parameters,
      ].join('\n');
    }
    const parts = given.map(([parameter, { says, form }]) => `- ${parameter}: ${formWords[form]} (${says})`);
    return [
      task,
      'Write a program that reads from standard input, in this order:',
      ...parts,
      `It prints ${formWords[result]}: the answer.`,
    ].join('\n');
  }
}

const keyOf = ({ given }: Example): string => canonicalJson(given);

/** Whether a program gives the solution's result. False for one with an error or without an end. */
function answers(program: Program, { given, expected }: Example, steps = stepsOfMutants): boolean {
  try {
    return isEqual(interpret(program, given, steps), expected);
  } catch (thrown) {
    if (thrown instanceof ProgramError) return false;
    throw thrown;
  }
}

function isEqual(a: Value, b: Value): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  const [left, right] = [a as readonly Value[], b as readonly Value[]];
  return left.length === right.length && left.every((item, at) => isEqual(item, right[at] as Value));
}
