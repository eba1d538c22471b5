import type { SearchAction } from './action.ts';
import type { Question } from '../engines/questions/files/question.ts';

/** Searches for each name on the way, as far as it is known, then answers. It knows the answer: the oracle. */
export function planFor({ path, answers }: Question, maxSteps: number): readonly SearchAction[] {
  const searches = path.slice(0, maxSteps - 1).map((query): SearchAction => ({ kind: 'search', query }));
  return [...searches, { kind: 'answer', text: answers[0] ?? '' }];
}
