import type { Facts } from './facts.ts';

/** Whether a condition holds for the values in the frame. */
export type Test = (frame: Int32Array, facts: Facts) => boolean;

/** Whether all conditions hold. */
export function everyTest(tests: readonly Test[]): Test {
  const [first, second] = tests;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (tests.length === 2) return (frame, facts) => first(frame, facts) && second(frame, facts);
  return (frame, facts) => {
    for (let index = 0; index < tests.length; index += 1)
      if (!(tests[index] as Test)(frame, facts)) return false;
    return true;
  };
}
