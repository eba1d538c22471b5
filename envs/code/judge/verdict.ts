import { writeExactly } from '../problems/exact-json.ts';
import type { Test } from '../problems/problem.ts';
import { isSameOutput, isSameValue } from './compare.ts';
import type { Run } from './runner.ts';

/** The result of a program on a test. */
export type JudgeVerdict =
  | 'passed'
  | 'wrong'
  | 'error'
  | 'time'
  | 'memory'
  | 'output'
  | 'unreadable'
  | 'missing'
  | 'not run';

/** A failed test in words, for places that may show the test. */
export interface Failure {
  readonly verdict: Exclude<JudgeVerdict, 'passed'>;
  /** The input of the program; or an assertion, which states the expected result itself. */
  readonly given: string;
  readonly expected?: string;
  readonly got: string;
}

/** The results of all tests of a kind. */
export interface Report {
  readonly total: number;
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** No test failed, including the visible tests and those with stated answers. */
  readonly isWhole: boolean;
  /** The program can be parsed and defines what is required. */
  readonly formed: boolean;
}

/** Judges a run by its test. The expected result never goes where the program runs. */
export function verdictOn(test: Exclude<Test, { readonly kind: 'script' }>, run: Run): JudgeVerdict {
  switch (run.kind) {
    case 'value':
      return test.kind === 'call' &&
        [test.expected, ...(test.also ?? [])].some((expected) => isSameValue(expected, run.value))
        ? 'passed'
        : 'wrong';
    case 'printed':
      return test.kind === 'lines' && isSameOutput(test.expected, run.printed) ? 'passed' : 'wrong';
    case 'crash':
      return 'error';
    case 'error':
    case 'unreadable':
    case 'missing':
    case 'time':
    case 'memory':
    case 'output':
    case 'not run':
      return run.kind;
    default:
      return run satisfies never;
  }
}

/** A failed test and its run, for a reader. */
export function failureOf(
  test: Exclude<Test, { readonly kind: 'script' }>,
  run: Run,
  verdict: Exclude<JudgeVerdict, 'passed'>,
): Failure {
  const given = test.kind === 'call' ? test.given.map(writeExactly).join(', ') : test.given;
  const expected = test.kind === 'call' ? writeExactly(test.expected) : (test.expected[0] ?? '');
  return { verdict, given, expected, got: describeRun(run) };
}

/** The result of a run, in words. */
export function describeRun(run: Run): string {
  switch (run.kind) {
    case 'value':
      return writeExactly(run.value);
    case 'printed':
      return run.printed;
    case 'error':
    case 'unreadable':
    case 'not run':
      return run.text;
    case 'missing':
      return 'there is no function of that name';
    case 'time':
      return 'it did not end in time';
    case 'memory':
      return 'it took too much memory';
    case 'output':
      return 'it printed too much';
    case 'crash':
      return 'it brought down what ran it';
    default:
      return run satisfies never;
  }
}
