import type { Json } from '../../core/json.ts';

/** Languages in which programs are written. */
export const languages = ['python', 'javascript'] as const;
export type ProgramLanguage = (typeof languages)[number];

/** An input of a program, and the required answer. */
export type Test =
  /** `also`: other right answers. */
  | {
      readonly kind: 'call';
      readonly given: readonly Json[];
      readonly expected: Json;
      readonly also?: readonly Json[];
    }
  /** Standard output must be one of `expected`, compared as tokens. */
  | { readonly kind: 'lines'; readonly given: string; readonly expected: readonly string[] }
  /** Python with assertions about the function. */
  | { readonly kind: 'script'; readonly code: string };

/** How a program is called. */
export type Form =
  | {
      readonly kind: 'function';
      readonly name: string;
      /** Keys of an object argument become integers in Python, where all of them are written as integers. */
      readonly wholeKeys?: true;
    }
  | { readonly kind: 'lines' };

/** A complete problem. */
export interface Problem {
  readonly name: string;
  /** Tables break results down by it. */
  readonly family: string;
  /** Everything that a solver sees, except the language and the visible tests. */
  readonly statement: string;
  readonly form: Form;
  readonly visible: readonly Test[];
  /** True where visible tests were read from the words of the statement. The problem's own solution need not pass them all. */
  readonly areExamples?: true;
  /** The tests that the reward counts. None has the input of a visible one. */
  readonly hidden: readonly Test[];
  /**
   * Python code with the calls whose answers are in the statement. Hidden assertions about these calls, or
   * about calls of visible scripts, must pass to solve the problem. They earn no share, unless there are no
   * others.
   */
  readonly told?: readonly string[];
  /** A right program for each language that has one. */
  readonly solutions: Readonly<Partial<Record<ProgramLanguage, string>>>;
  /** Further solutions of a file, until it is known which of all are right. */
  readonly otherSolutions?: Readonly<Partial<Record<ProgramLanguage, readonly string[]>>>;
  /** Python source before every Python program that answers it, such as imports. */
  readonly preamble?: string;
}

/** The canonical content: problems with equal content are the same problem. It does not contain solutions. */
export function contentOf({ statement, form, visible, hidden, told, preamble }: Problem): Json {
  return {
    statement,
    form: { ...form },
    visible: visible.map(testContent),
    hidden: hidden.map(testContent),
    ...(told === undefined ? {} : { told }),
    ...(preamble === undefined ? {} : { preamble }),
  };
}

const testContent = (test: Test): Json => ({ ...test });
