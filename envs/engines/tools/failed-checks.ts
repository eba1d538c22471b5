import type { Lack } from './rewards/outcome.ts';

/** What the feedback of tool worlds says, in a clause. */
export const checkedParts =
  'which checks of the grading failed, such as those of the end state and of what was said';

/** Words for the checks that every world of the kit has. Graders of worlds name others. */
const words: Readonly<Record<Lack, string>> = {
  end: 'The request had to end in another way.',
  rule: 'The request was refused by the wrong rule.',
  state: 'The data is not as the request wants it: a change is missing, wrong, or too much.',
  told: 'Something that the user needs to hear was not said.',
  read: 'Something was not looked up that had to be looked up.',
  results: 'Results of needed calls never came up.',
};

/** What was wrong with the end of a request, without the gold calls or values. */
export const describeFailed = (failed: readonly string[]): string =>
  failed.map((name) => (isLack(name) ? words[name] : `The check ${name} failed.`)).join(' ');

const isLack = (name: string): name is Lack => Object.hasOwn(words, name);
