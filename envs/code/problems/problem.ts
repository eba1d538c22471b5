import type { Json } from '../../core/json.ts';

/** Languages in which programs are written. */
export const languages = ['python', 'javascript'] as const;
export type ProgramLanguage = (typeof languages)[number];

/** What is asked of a program, and what it must answer. */
export type Test =
  /** `also`: other right answers. */
  | {
      readonly kind: 'call';
      readonly given: readonly Json[];
      readonly expected: Json;
      readonly also?: readonly Json[];
    }
  /** What stands on standard output must be one of `expected`, as tokens. */
  | { readonly kind: 'lines'; readonly given: string; readonly expected: readonly string[] }
  /** Python with assertions about the function. */
  | { readonly kind: 'script'; readonly code: string };

/** How a program is called. */
export type Form =
  | {
      readonly kind: 'function';
      readonly name: string;
      /** Keys of an object that is an argument are whole numbers in Python, where all of them are written so. */
      readonly wholeKeys?: true;
    }
  | { readonly kind: 'lines' };

/** A problem, whole. */
export interface Problem {
  readonly name: string;
  /** Tables break results down by it. */
  readonly family: string;
  /** Everything that one who solves it is told but the language and the visible tests. */
  readonly statement: string;
  readonly form: Form;
  readonly visible: readonly Test[];
  /** True where visible tests were read from the words of the statement: the problem's own solution need not pass them all. */
  readonly areExamples?: true;
  /** Of which one is paid a share: none asks what a visible one asks. */
  readonly hidden: readonly Test[];
  /** Python that makes the calls whose answers the statement tells: what a hidden script asserts of these, or of those that visible scripts make, must be right to solve it, and earns no share, unless nothing else is asked. */
  readonly told?: readonly string[];
  /** A right program, by the languages in which there is one. */
  readonly solutions: Readonly<Partial<Record<ProgramLanguage, string>>>;
  /** Others of a file that has several, until it is known which of all are right. */
  readonly otherSolutions?: Readonly<Partial<Record<ProgramLanguage, readonly string[]>>>;
  /** Python that stands ahead of every program in Python that answers it, such as imports. */
  readonly preamble?: string;
}

/** The whole canonical content: problems with equal content are the same problem. Solutions are no part of it. */
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
