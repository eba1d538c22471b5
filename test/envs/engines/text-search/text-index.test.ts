import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../envs/core/errors.ts';
import { createTextIndex } from '../../../../envs/engines/text-search/create-text-index.ts';
import { englishAnalyzer } from '../../../../envs/engines/text-search/english-analyzer.ts';
import {
  TextIndexBuilder,
  type TextIndexOptions,
} from '../../../../envs/engines/text-search/index-builder.ts';
import { TextIndex } from '../../../../envs/engines/text-search/text-index.ts';
import { goldens } from './goldens.ts';
import { searchAll } from './search-all.ts';

function indexOf(documents: readonly string[], options: TextIndexOptions = {}): TextIndex {
  const builder = new TextIndexBuilder(options);
  for (const text of documents) builder.add(text);
  return builder.finish();
}

const rows = (index: TextIndex, query: string, limit?: number): readonly (readonly [number, number])[] =>
  index.search(query, limit).map(({ document, score }) => [document, score]);

/** The same number in single precision. */
const single = (hits: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] =>
  hits.map(([document, score]) => [document, Math.fround(score)]);

describe('a search of a TextIndex', () => {
  const index = indexOf(goldens.documents);

  it.each(goldens.queries)('finds what Lucene finds, with its scores: $query', ({ query, hits }) => {
    expect(rows(index, query, 50)).toEqual(single(hits));
  });

  it('returns 50 hits by default, and never more than there are', () => {
    expect(index.size).toBe(goldens.documents.length);
    expect(rows(index, 'size')).toHaveLength(50);
    expect(rows(index, 'size', 7)).toEqual(rows(index, 'size').slice(0, 7));
    expect(rows(index, 'size', 1_000_000).length).toBeGreaterThan(150);
  });

  it('gives the same hits for the same words in another order and wording', () => {
    expect(rows(index, 'stripes GREEN, large desks')).toEqual(rows(index, 'large desk (green stripe)'));
  });

  it('counts a word twice that the query contains twice', () => {
    expect(rows(index, 'lamp lamp desk')).not.toEqual(rows(index, 'lamp desk'));
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a limit of %s', (limit) => {
    expect(() => index.search('lamp', limit)).toThrow(UsageError);
  });

  it('keeps nothing from one query to the next', () => {
    const before = goldens.queries.map(({ query }) => rows(index, query));
    expect(
      goldens.queries
        .toReversed()
        .map(({ query }) => rows(index, query))
        .toReversed(),
    ).toEqual(before);
  });
});

describe('documents of equal score', () => {
  const build = (documents: readonly string[], order?: readonly number[]): TextIndex => {
    const builder = new TextIndexBuilder();
    for (const text of documents) builder.add(text);
    return builder.finish(order === undefined ? undefined : Uint32Array.from(order));
  };
  const numbers = (index: TextIndex, query: string, limit?: number): readonly number[] =>
    index.search(query, limit).map(({ document }) => document);

  it('come as they were indexed unless an order is given', () => {
    expect(numbers(build(['red shoes', 'desk', 'red shoes', 'red shoes']), 'shoes')).toEqual([0, 2, 3]);
  });

  it('come in the order that finish was given', () => {
    const index = build(['red shoes', 'desk', 'red shoes', 'red shoes'], [3, 1, 0, 2]);
    expect(numbers(index, 'shoes')).toEqual([3, 0, 2]);
    expect(numbers(index, 'shoes', 1)).toEqual([3]);
  });

  it('come after all better ones, whatever the order', () => {
    const index = build(
      ['red shoes and a lamp', 'shoes', 'red shoes and a lamp', 'shoes shoes'],
      [2, 0, 1, 3],
    );
    expect(numbers(index, 'shoes')).toEqual([3, 1, 2, 0]);
  });

  it('fill the last places in that order where there are more of them than the limit', () => {
    const documents = Array.from({ length: 20_000 }, (_, number) => (number % 3 === 0 ? 'shoes' : 'desk'));
    const order = [...documents.keys()].toReversed();
    const wanted = order.filter((number) => number % 3 === 0).slice(0, 50);
    expect(numbers(build(documents, order), 'shoes')).toEqual(wanted);
  });

  it('keep their scores and frequencies of any size in another order', () => {
    const documents = [
      'lamp '.repeat(300),
      'lamp '.repeat(700),
      'lamp',
      'lamp '.repeat(255),
      'lamp '.repeat(700),
    ];
    const plain = searchAll(documents, undefined, Uint32Array.from([4, 2, 0, 1, 3]));
    const index = build(documents, [4, 2, 0, 1, 3]);
    expect(rows(index, 'lamp')).toEqual(plain('lamp', 50));
    expect(numbers(index, 'lamp').indexOf(4)).toBeLessThan(numbers(index, 'lamp').indexOf(1));
  });

  it.each([
    ['lacks a document', [0, 1]],
    ['has one twice', [0, 1, 1]],
    ['has one that is not there', [0, 1, 3]],
    ['is too long', [0, 1, 2, 2]],
  ])('refuse an order that %s', (_, order) => {
    expect(() => build(['a lamp', 'a desk', 'a shoe'], order)).toThrow(
      /order of \d numbers does not contain each of the 3 documents once/,
    );
  });
});

describe('the words of a TextIndex', () => {
  it('stay distinct and can be found, even 30,000 of them', () => {
    const words = Array.from({ length: 30_000 }, (_, number) => `w${(number * 2_654_435_761).toString(36)}`);
    const index = indexOf(
      words.flatMap((word, at) => [word, `${word} ${words[(at * 7 + 1) % words.length] ?? ''} ${word}`]),
    );
    expect(index.data.starts).toHaveLength(30_001);
    for (let at = 0; at < words.length; at += 97) {
      const found = index.search(words[at] ?? '').map(({ document }) => document);
      expect(found.slice(0, 2)).toEqual([2 * at + 1, 2 * at]);
      expect(found).toHaveLength(3);
    }
    expect(index.search('unknown')).toEqual([]);
  });
});

describe('the documents of a TextIndex', () => {
  it('may be absent, empty or only stop words', () => {
    expect(indexOf([]).search('lamp')).toEqual([]);
    expect(indexOf(['', 'the of']).search('the lamp')).toEqual([]);
    expect(rows(indexOf(['', 'lamp', 'the']), 'lamp')).toEqual(searchAll(['', 'lamp', 'the'])('lamp', 50));
  });

  it('may come from a stream, which gives the same index as a list', async () => {
    async function* late(): AsyncGenerator<string, void, undefined> {
      for (const text of goldens.documents) {
        await Promise.resolve();
        yield text;
      }
    }
    const fromStream = await createTextIndex(late());
    const fromArray = await createTextIndex(goldens.documents);
    expect(fromStream.data).toEqual(fromArray.data);
    expect(fromStream.data).toEqual(indexOf(goldens.documents).data);
  });

  it('stop being read when the signal aborts', async () => {
    const stop = new AbortController();
    function* endless(): Generator<string, void, undefined> {
      for (let count = 0; ; count += 1) {
        if (count === 1000) stop.abort(new Error('enough'));
        yield 'a green lamp';
      }
    }
    await expect(createTextIndex(endless(), { signal: stop.signal })).rejects.toThrow('enough');
  });

  it('must be added before finish', () => {
    const builder = new TextIndexBuilder();
    builder.finish();
    expect(() => builder.add('lamp')).toThrow(UsageError);
    expect(() => builder.finish()).toThrow(UsageError);
  });
});

describe('TextIndexBuilder and TextIndex', () => {
  it.each([
    { k1: -1, b: 0.4 },
    { k1: Number.NaN, b: 0.4 },
    { k1: 0.9, b: 1.1 },
    { k1: 0.9, b: -0.1 },
  ])('refuse k1 $k1 with b $b', (parameters) => {
    expect(() => new TextIndexBuilder({ parameters })).toThrow(UsageError);
  });

  it('rank by the given parameters', () => {
    const documents = ['lamp', 'lamp lamp lamp desk', 'desk lamp shoe large wood'];
    const parameters = { k1: 1.2, b: 0.75 };
    expect(rows(indexOf(documents, { parameters }), 'lamp')).toEqual(
      searchAll(documents, parameters)('lamp', 50),
    );
    expect(rows(indexOf(documents, { parameters }), 'lamp')).not.toEqual(rows(indexOf(documents), 'lamp'));
  });

  it('refuse an analyzer other than the one that made the index', () => {
    const { data } = indexOf(['lamp']);
    expect(new TextIndex(data, englishAnalyzer).search('lamps')).toHaveLength(1);
    expect(() => new TextIndex(data, { ...englishAnalyzer, id: 'other' })).toThrow(/english-porter-1.*other/);
  });

  it('share their memory with worker threads', async () => {
    const { data } = indexOf(goldens.documents);
    const source = `const { parentPort, workerData } = require('node:worker_threads');
      workerData.lengths[0] = 255; // visible to all threads that share the memory
      parentPort.postMessage(workerData.documents.length);`;
    const worker = new Worker(source, { eval: true, workerData: data });
    try {
      const postings = await new Promise((resolve, reject) =>
        worker.once('message', resolve).once('error', reject),
      );
      expect(postings).toBe(data.documents.length);
      expect(data.lengths[0]).toBe(255);
    } finally {
      await worker.terminate();
    }
  });
});
