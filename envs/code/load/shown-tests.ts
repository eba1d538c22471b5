import { canonicalJson } from '../../core/json.ts';
import type { Problem, Test } from '../problems/problem.ts';

/**
 * Which tests are shown, the first `shown` that ask different things, and which judge: all that ask what no shown one asks. At least one is left to judge, so
 * that of a problem with a single test none is shown.
 */
export function apart(tests: readonly Test[], shown: number): Pick<Problem, 'visible' | 'hidden'> {
  const first = new Map<string, Test>();
  for (const test of tests) if (!first.has(askedBy(test))) first.set(askedBy(test), test);
  const visible = new Map([...first].slice(0, Math.min(shown, first.size - 1)));
  return { visible: [...visible.values()], hidden: tests.filter((test) => !visible.has(askedBy(test))) };
}

/** Equal for tests that ask the same: white space at the ends of what is read, or of a line of Python, is nothing. */
function askedBy(test: Test): string {
  if (test.kind === 'call') return canonicalJson(test.given);
  return (test.kind === 'script' ? test.code : test.given).trim().replace(/[ \t]*\r?\n/g, '\n');
}
