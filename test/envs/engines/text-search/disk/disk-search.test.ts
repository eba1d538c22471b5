import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextIndexBuilder } from '../../../../../envs/engines/text-search/index-builder.ts';
import type { TextIndex } from '../../../../../envs/engines/text-search/text-index.ts';
import { useFolder } from '../../../../support/own-folder.ts';
import { isThorough } from '../../../../support/thorough.ts';
import { goldens } from '../goldens.ts';
import { diskIndexOf } from './disk-index.ts';

const at = useFolder();

function memoryIndexOf(documents: readonly string[]): TextIndex {
  const builder = new TextIndexBuilder();
  for (const text of documents) builder.add(text);
  return builder.finish();
}

describe('an index on disk', () => {
  const word = fc.constantFrom(
    'red',
    'blue',
    'lamp',
    'desk',
    'shoe',
    'large',
    'fit',
    'green',
    'wood',
    'silk',
  );
  const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
  const longText = fc
    .tuple(word, fc.integer({ min: 200, max: 400 }), text)
    .map(([often, times, rest]) => `${`${often} `.repeat(times)}${rest}`);
  const document = fc.oneof({ weight: 60, arbitrary: text }, { weight: 1, arbitrary: longText });

  it('finds the documents, scores and order of the index in memory', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          some: fc.array(document, { maxLength: 60, size: 'max' }),
          times: fc.integer({ min: 1, max: 12 }),
          queries: fc.array(text, { minLength: 1, maxLength: 8 }),
          limit: fc.integer({ min: 1, max: 12 }),
          runPostings: fc.constantFrom(100, 500, 100_000),
        }),
        async ({ some, times, queries, limit, runPostings }) => {
          const all = Array.from({ length: times }, () => some).flat(); // equal scores in many windows
          const memory = memoryIndexOf(all);
          number += 1;
          const disk = await diskIndexOf(at(`${number % 20}.index`), all, { runPostings });
          for (const query of queries) expect(disk.search(query, limit)).toEqual(memory.search(query, limit));
        },
      ),
      { numRuns: isThorough ? 150 : 25 },
    );
  });

  it('agrees where word frequencies differ much, over many windows and runs', async () => {
    const documents = Array.from({ length: 12_000 }, (_, number) => {
      const words = ['common'.repeat(1 + (number % 2))];
      for (let step = 2; step <= 16_384; step *= 2)
        if ((number * 2_654_435_761) % step < 1.5) words.push(`w${step}`);
      for (let extra = (number * 40_503) % 7; extra > 0; extra -= 1)
        words.push('pad', `w${2 ** ((number + extra) % 9)}`);
      // equal documents in all groups; the last group has the highest bound, so it is searched first
      if (number % 997 === 3) return 'same thing also';
      if (number === 9_000) return 'same same same same same';
      if (number % 5_003 === 0) words.push(...Array.from({ length: 300 + number }, () => 'pad'));
      return words.join(' ');
    });
    const memory = memoryIndexOf(documents);
    const disk = await diskIndexOf(at('many.index'), documents, { runPostings: 20_000 });
    for (const query of [
      'w2 w4 w8',
      'w16384',
      'w4096 w2 w4 w8 w16',
      'common',
      'pad',
      'commoncommon w1024',
      'pad w512 w2',
      'same thing also',
      'w8192 w8192 w2',
      'w64 w128 w256 w2 w1 pad common',
      Array.from({ length: 15 }, (_, power) => `w${2 ** power} v${power}`).join(' '),
    ])
      for (const limit of [1, 50, 1_000])
        expect(disk.search(query, limit), query).toEqual(memory.search(query, limit));
  });

  it('finds what Lucene finds', async () => {
    const memory = memoryIndexOf(goldens.documents);
    const disk = await diskIndexOf(at('goldens.index'), goldens.documents, { runPostings: 500 });
    for (const { query } of goldens.queries) expect(disk.search(query)).toEqual(memory.search(query));
  });
});
