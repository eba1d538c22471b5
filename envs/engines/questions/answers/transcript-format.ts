import { z } from 'zod';

const partSchema = z.enum(['start', 'think', 'search', 'information', 'answer', 'analysis', 'confidence']);
/** The parts of a transcript, in the order of Search-R1's automaton, then those that RLCR has after an answer. */
type Part = z.output<typeof partSchema>;

const follows: Readonly<Record<Part, readonly Part[]>> = {
  start: ['think'],
  think: ['search', 'answer'],
  search: ['information'],
  information: ['think'],
  answer: ['analysis', 'confidence'],
  analysis: ['confidence'],
  confidence: [],
};

const partPattern = /\s*<(think|search|information|answer|analysis|confidence)>([\s\S]*?)<\/\1>/y;

/**
 * Whether the text of an assistant has the form of Search-R1: think, then search, information and think any number of
 * times, then one answer, and no text between the tags.
 *
 * @param end what comes last: the answer; or an optional `<analysis>` and then a `<confidence>`, as in RLCR
 */
export function isValidTranscript(text: string, end: 'answer' | 'confidence' = 'answer'): boolean {
  let state: Part = 'start';
  let at = 0;
  for (;;) {
    partPattern.lastIndex = at;
    const [whole, part, content = ''] = partPattern.exec(text) ?? [];
    if (whole === undefined || part === undefined) break;
    const next = partSchema.parse(part);
    if (
      !follows[state].includes(next) ||
      /<\/?(?:think|search|information|answer|analysis|confidence)>/.test(content)
    )
      return false;
    [state, at] = [next, at + whole.length];
  }
  return state === end && text.slice(at).trim() === '';
}
