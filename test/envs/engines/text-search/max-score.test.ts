import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { englishAnalyzer } from '../../../../envs/engines/text-search/english-analyzer.ts';
import { TextIndexBuilder } from '../../../../envs/engines/text-search/index-builder.ts';
import { MaxScoreSearch } from '../../../../envs/engines/text-search/max-score.ts';
import { QueryReader, termsIn } from '../../../../envs/engines/text-search/query-reader.ts';
import { TopDocuments } from '../../../../envs/engines/text-search/top-documents.ts';
import { searchAll } from './search-all.ts';

type Search = ReturnType<typeof searchAll>;

/** A search that scores `windowSize` documents together: with a small window, pruning skips most of a search. */
function searchPruned(documents: readonly string[], windowSize?: number, order?: Uint32Array): Search {
  const builder = new TextIndexBuilder();
  for (const text of documents) builder.add(text);
  const { data } = builder.finish(order);
  const search = new MaxScoreSearch(data, windowSize);
  const reader = new QueryReader(termsIn(data), englishAnalyzer);
  const top = new TopDocuments();
  return (query, limit) => {
    top.begin(limit);
    search.run(reader.read(query), top);
    return top.drain().map(({ document, score }) => [data.order[document] ?? document, score] as const);
  };
}

describe('MaxScoreSearch', () => {
  // Few words, so that documents share them, and few frequencies, so that many scores tie.
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

  it('finds the documents and scores of a full search', () => {
    const documents = fc.array(document, { minLength: 1, maxLength: 400, size: 'max' });
    fc.assert(
      fc.property(
        documents,
        fc.array(text, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(1, 2, 5, 16, 64),
        (all, queries, limit, windowSize) => {
          const pruned = searchPruned(all, windowSize);
          const plain = searchAll(all);
          for (const query of queries) expect(pruned(query, limit)).toEqual(plain(query, limit));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('finds the same in any order of ties', () => {
    const inAnyOrder = fc
      .array(document, { minLength: 1, maxLength: 200, size: 'max' })
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray([...all.keys()], { minLength: all.length })),
      );
    fc.assert(
      fc.property(
        inAnyOrder,
        fc.array(text, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(1, 5, 64),
        ([all, numbers], queries, limit, windowSize) => {
          const order = Uint32Array.from(numbers);
          const pruned = searchPruned(all, windowSize, order);
          const plain = searchAll(all, undefined, order);
          for (const query of queries) expect(pruned(query, limit)).toEqual(plain(query, limit));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('agrees with a full search when word frequencies differ much, over many windows and blocks', () => {
    const documents = Array.from({ length: 40_000 }, (_, number) => {
      const words = ['common'.repeat(1 + (number % 2))];
      for (let step = 2; step <= 16_384; step *= 2)
        if ((number * 2_654_435_761) % step < 1.5) words.push(`w${step}`);
      for (let extra = (number * 40_503) % 7; extra > 0; extra -= 1)
        words.push('pad', `w${2 ** ((number + extra) % 9)}`);
      return words.join(' ');
    });
    const plain = searchAll(documents);
    const queries = [
      'w2 w4 w8',
      'w16384',
      'w4096 w2 w4 w8 w16',
      'common',
      'commoncommon w1024',
      'pad w512 w2',
      'w8192 w8192 w2',
      'w64 w128 w256 w2 w1 pad common',
    ];
    for (const windowSize of [undefined, 256]) {
      const pruned = searchPruned(documents, windowSize);
      for (const query of queries)
        for (const limit of [1, 50]) expect(pruned(query, limit)).toEqual(plain(query, limit));
    }
  });

  it('lets the lower document win a tie within one window', () => {
    const pad = ' pad'.repeat(300);
    const usual = Array.from({ length: 15 }, () => 'common filler');
    // In the second window desk is scored first, because it comes first, so document 17 is offered before 16.
    const documents = [`desk${pad}`, ...usual, 'lamp filler', 'desk filler', ...usual, `lamp${pad}`];
    const hits = searchPruned(documents, 16)('desk lamp common', 1);
    expect(hits).toEqual(searchAll(documents)('desk lamp common', 1));
    expect(hits[0]?.[0]).toBe(16);
  });

  it('bounds frequencies that do not fit into a byte', () => {
    const text = (lamps: number): string => 'lamp '.repeat(lamps) + 'desk '.repeat(520 - lamps); // lengths with one code
    const documents = [text(300), ...Array.from({ length: 40 }, () => 'shoe'), text(400)];
    expect(searchPruned(documents, 4)('lamp', 1)).toEqual(searchAll(documents)('lamp', 1));
  });

  it('agrees with a full search for a query of 300 words', () => {
    const words = Array.from({ length: 300 }, (_, number) => `w${number}`);
    const documents = words.map((_, number) =>
      words.filter((__, other) => (number * 31 + other * 17) % 23 < 3).join(' '),
    );
    const query = words.join(' ');
    expect(searchPruned(documents, 32)(query, 20)).toEqual(searchAll(documents)(query, 20));
  });
});
