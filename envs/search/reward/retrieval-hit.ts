import type { Question } from '../../engines/questions/files/question.ts';
import { normalise } from '../../engines/questions/answers/normalise.ts';

/** A document as far as it counts for retrieval. */
interface Retrieved {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** The supporting documents among those shown, by their place in the list; ids and titles both count. */
export function supportingAmong({ supporting }: Question, shown: readonly Retrieved[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { id, title } of shown) {
    const at = supporting.findIndex((name) => name === id || name === title);
    if (at >= 0) found.add(at);
  }
  return found;
}

/**
 * Whether a shown text contains a gold answer, which is what Search-R1's retrieval score asks; or each part of an answer
 * that has parts.
 */
export function holdsAnswer({ answers, parts }: Question, shown: readonly Retrieved[]): boolean {
  const texts = shown.map(({ title, text }) => ` ${normalise(`${title} ${text}`)} `);
  const isShown = (answer: string): boolean => {
    const wanted = normalise(answer);
    return wanted !== '' && texts.some((text) => text.includes(` ${wanted} `));
  };
  return parts === undefined ? answers.some(isShown) : parts.every(isShown);
}
