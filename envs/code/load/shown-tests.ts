import { canonicalJson } from '../../core/json.ts';
import type { Problem, Test } from '../problems/problem.ts';

/**
 * Divides tests into shown and hidden ones. The first `shown` tests with different inputs are shown. All
 * tests whose input is not shown are hidden. At least one stays hidden, so a problem with a single test shows
 * none.
 */
export function apart(tests: readonly Test[], shown: number): Pick<Problem, 'visible' | 'hidden'> {
  const first = new Map<string, Test>();
  for (const test of tests) if (!first.has(askedBy(test))) first.set(askedBy(test), test);
  const visible = new Map([...first].slice(0, Math.min(shown, first.size - 1)));
  return { visible: [...visible.values()], hidden: tests.filter((test) => !visible.has(askedBy(test))) };
}

/**
 * Equal for tests with the same input. White space at the ends of an input, or of a line of Python, is
 * ignored.
 */
function askedBy(test: Test): string {
  if (test.kind === 'call') return canonicalJson(test.given);
  return (test.kind === 'script' ? test.code : test.given).trim().replace(/[ \t]*\r?\n/g, '\n');
}
