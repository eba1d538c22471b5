import { compilePattern } from './automaton.ts';
import { wordPattern } from './word-rules.ts';
import { readWordSymbols } from './word-symbols.ts';

/** Longer tokens are split, as by Lucene's default. */
export const longestToken = 255; // UTF-16 code units

type VisitToken = (start: number, end: number) => void;
type SplitWords = (text: string, visit: VisitToken) => void;

let splitter: SplitWords | undefined; // created on demand, because it takes milliseconds and a megabyte

/**
 * Calls `visit` with the position of every token of a text, in order. A token is the longest that the word
 * rules allow at its start.
 */
export function splitWords(text: string, visit: VisitToken): void {
  splitter ??= makeSplitter();
  splitter(text, visit);
}

function makeSplitter(): SplitWords {
  const { count, ofCodePoint, having } = readWordSymbols();
  const { start: initial, firstAccepting, next } = compilePattern(wordPattern(having), count);

  return (text, visit) => {
    let start = 0;
    while (start < text.length) {
      // half of a surrogate pair before the limit ends a token too
      const limit = Math.min(text.length, start + longestToken);
      let state = initial;
      let position = start;
      let end = start;
      while (position < limit) {
        let point = text.charCodeAt(position);
        position += 1;
        if (isHighSurrogate(point) && position < limit) {
          const low = text.charCodeAt(position);
          if ((low & 0xfc00) === 0xdc00) {
            point = (point - 0xd800) * 0x400 + low + 0x2400;
            position += 1;
          }
        }
        state = next[state + (ofCodePoint[point] as number)] as number;
        if (state >= firstAccepting) end = position;
        else if (state === 0) break;
      }
      if (end === start) start += 1;
      else {
        visit(start, end);
        start = end;
      }
    }
  };
}

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
