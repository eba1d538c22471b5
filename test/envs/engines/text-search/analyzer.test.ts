import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { termsOf } from '../../../../envs/engines/text-search/analyzer.ts';
import { englishAnalyzer } from '../../../../envs/engines/text-search/english-analyzer.ts';
import { porterStem } from '../../../../envs/engines/text-search/porter-stem.ts';
import { longestToken, splitWords } from '../../../../envs/engines/text-search/split-words.ts';
import { goldens } from './goldens.ts';

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  splitWords(text, (start, end) => tokens.push(text.slice(start, end)));
  return tokens;
}

describe('splitWords', () => {
  it.each(goldens.texts)('finds the words of Lucene in $text', ({ text, tokens }) => {
    expect(tokensOf(text)).toEqual(tokens);
  });

  it('agrees with Lucene around every code point', () => {
    const wrong = Object.entries(goldens.codePoints).flatMap(([from, expected]) => {
      const start = Number.parseInt(from, 16);
      let sum = 0;
      for (let point = start; point < start + 4096; point += 1) {
        if (point >= 0xd800 && point < 0xe000) continue; // halves of surrogate pairs
        const c = String.fromCodePoint(point);
        const text = `${c} a${c}b 1${c}2 ${c}${c} カ${c}カ א${c}א ☝${c} ☝\u200d${c} _${c}_ ${c}\u0301x`;
        const bytes = Buffer.from(
          tokensOf(text)
            .map((token) => `${token}\n`)
            .join(''),
          'utf16le',
        );
        sum = crc32(bytes.swap16(), sum);
      }
      return sum === expected ? [] : [from];
    });
    expect(wrong).toEqual([]);
  });

  it('returns words in order, none longer than allowed', () => {
    const unit = fc.oneof(
      fc.constantFrom(...Array.from('aeS019.,\':_-’ "#*\u00ad\u200d\u0301日カひ한ก👍🏽🇺☝\ufe0f')),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 400 }), (text) => {
        let last = 0;
        splitWords(text, (start, end) => {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end - start).toBeLessThanOrEqual(longestToken);
          last = end;
        });
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it('finds words beside half a surrogate pair', () => {
    expect(tokensOf('\ud83d one\udc00two \ud83d')).toEqual(['one', 'two']);
  });

  it('ends in time linear in the text, whatever it contains', () => {
    // 300 KB of characters that start an emoji sequence and never end one. Each place reads to the end of its window, no further.
    expect(tokensOf('\u200d'.repeat(100_000))).toEqual([]);
  });
});

describe('porterStem', () => {
  it.each(Object.entries(goldens.stems))('reduces %s to %s, as Lucene does', (word, stem) => {
    expect(porterStem(word)).toBe(stem);
  });
});

describe('the English analyzer', () => {
  it.each(goldens.texts)('gives the terms of Lucene for $text', ({ text, terms }) => {
    expect(termsOf(englishAnalyzer, text)).toEqual(terms);
  });
});
