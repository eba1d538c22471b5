import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TrajectoryGroup } from '../../../../agents/rollout/trajectory.ts';
import { anchorKinds, keyReader, type AnchorKind } from '../../../../trainers/credit/parts/anchor-key.ts';
import { createCreditEstimator } from '../../../../trainers/credit/create-credit-estimator.ts';
import { createGigpo } from '../built-in.ts';
import { numberExactly } from '../../../../trainers/credit/parts/key-numbering.ts';
import {
  isSimilar,
  prepareText,
  similarityRatio,
} from '../../../../trainers/credit/parts/sequence-matcher.ts';
import { numberBySimilarity } from '../../../../trainers/credit/parts/similarity.ts';
import { anchorStatistics } from '../../../../trainers/credit/parts/anchor-statistics.ts';
import { episode, group } from '../hand-made.ts';
import { anyBatch } from '../random-batch.ts';

/** Keys that are hard to distinguish: long, of equal length, and different in one or two places. */
const similarKeys = fc.array(
  fc.tuple(fc.nat(79), fc.nat(79), fc.constantFrom('', 'é', '😀')).map(([first, second, end]) => {
    const characters = Array.from({ length: 80 }, (_, place) =>
      place === first || place === second ? 'b' : 'a',
    );
    return `${characters.join('')}${end}`;
  }),
  { maxLength: 200 },
);

const anyKeys = fc.oneof(
  similarKeys,
  fc.array(fc.string({ unit: 'binary' })),
  fc.array(fc.constantFrom('', 'a', '__proto__', 'constructor')),
);

describe('numbering of keys', () => {
  test('exact numbering: exactly the equal keys share a number, in order of first appearance', () => {
    fc.assert(
      fc.property(anyKeys, (keys) => {
        const numberOf = numberExactly();
        const seen = [...new Set(keys)];
        expect(keys.map(numberOf)).toEqual(keys.map((key) => seen.indexOf(key)));
      }),
    );
  });

  test('numbering by similarity: a text joins the first cluster whose first text is similar enough', () => {
    const texts = fc.array(
      fc.string({ unit: fc.constantFrom('a', 'b', '😀'), minLength: 1, maxLength: 12 }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(texts, fc.constantFrom(0.6, 0.8, 0.95), (all, threshold) => {
        const clusters: string[] = [];
        const expected = all.map((text) => {
          const known = clusters.findIndex(
            (first) => similarityRatio(prepareText(text), prepareText(first)) >= threshold,
          );
          return known >= 0 ? known : clusters.push(text) - 1;
        });
        expect(all.map(numberBySimilarity(threshold))).toEqual(expected);
      }),
    );
  });
});

describe('similarity of texts', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), maxLength: 260 });

  test('equals 1 for a text and itself, however long and uniform', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(similarityRatio(prepareText(text), prepareText(text))).toBe(1);
      }),
    );
  });

  test('lies between 0 and 1, and its upper bounds change no verdict', () => {
    fc.assert(
      fc.property(texts, texts, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, threshold) => {
        const ratio = similarityRatio(prepareText(a), prepareText(b));
        expect(ratio).toBeGreaterThanOrEqual(0);
        expect(ratio).toBeLessThanOrEqual(1);
        expect(isSimilar(prepareText(a), prepareText(b), threshold)).toBe(ratio >= threshold);
      }),
    );
  });
});

describe('anchor statistics', () => {
  test('match a plain count, for every kind of key', () => {
    fc.assert(
      fc.property(anyBatch(), (batch) => {
        const statistics = anchorStatistics(batch);
        for (const kind of anchorKinds)
          expect(pick(statistics, `anchor/${kind}/`)).toEqual(countPlainly(batch, kind));
      }),
    );
  });

  test('appear among the statistics of the credit that uses that key', () => {
    fc.assert(
      fc.property(anyBatch(), fc.constantFrom('observation', 'information'), (batch, anchor) => {
        const { statistics } = createGigpo({ anchor }).assign(batch, {});
        expect(pick(statistics, `anchor/${anchor}/`)).toEqual(
          pick(anchorStatistics(batch), `anchor/${anchor}/`),
        );
      }),
    );
  });

  test('include the share of the step term by each key, which for the key in use is the credit’s own', () => {
    fc.assert(
      fc.property(
        anyBatch(),
        fc.constantFrom('observation', 'information'),
        fc.double({ min: 0.1, max: 3, noNaN: true }),
        (batch, anchor, omega) => {
          const config = { kind: 'gigpo', anchor, omega, visits: 'first' } as const;
          const estimator = createCreditEstimator(config);
          const statistics = estimator.statistics(batch);
          expect(statistics[`anchor/${anchor}/step-share`]).toBeCloseTo(
            estimator.assign(batch).statistics['credit/step-share'] as number,
            12,
          );
          for (const kind of anchorKinds)
            expect(`anchor/${kind}/step-share` in statistics).toBe(`anchor/${kind}/mean-size` in statistics);
        },
      ),
    );
  });

  test('cover every class of sizes', () => {
    const sizes = [1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 100];
    const batch = sizes.map((size) => group(episode(Array.from({ length: size }, () => ({ key: 'here' })))));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const shares = { '1': 1, '2': 2, '3-4': 7, '5-8': 13, '9-16': 25, '17-32': 49, '33+': 133 };
    const statistics = anchorStatistics(batch, { kinds: ['information'] });
    for (const [name, steps] of Object.entries(shares)) {
      expect(statistics[`anchor/information/size-share/${name}`]).toBeCloseTo(steps / total, 12);
    }
  });

  test('contain only the keyed share for a batch without steps', () => {
    expect(anchorStatistics([])).toEqual({
      'anchor/observation/keyed-share': 0,
      'anchor/information/keyed-share': 0,
      'anchor/state/keyed-share': 0,
    });
  });
});

const pick = (statistics: Readonly<Record<string, number>>, prefix: string): Record<string, number> =>
  Object.fromEntries(Object.entries(statistics).filter(([name]) => name.startsWith(prefix)));

function countPlainly(batch: readonly TrajectoryGroup[], kind: AnchorKind): Record<string, number> {
  let steps = 0;
  let revisits = 0;
  let characters = 0;
  const sizes = new Map<string, number>();
  batch.forEach(({ members }, index) => {
    for (const member of members) {
      if (member.stop.kind === 'faulted') continue;
      const met = new Set<string>();
      for (const at of member.steps.keys()) {
        steps += 1;
        const key = keyReader(kind)(member, at);
        if (key === undefined) continue;
        if (met.has(key)) revisits += 1;
        met.add(key);
        characters += key.length;
        sizes.set(`${index} ${key}`, (sizes.get(`${index} ${key}`) ?? 0) + 1);
      }
    }
  });
  const all = [...sizes.values()];
  const keyed = all.reduce((sum, size) => sum + size, 0);
  const name = (figure: string): string => `anchor/${kind}/${figure}`;
  const counted: Record<string, number> = { [name('keyed-share')]: steps === 0 ? 0 : keyed / steps };
  if (keyed === 0) return counted;
  const between = (low: number, high: number): number =>
    all.filter((size) => size >= low && size <= high).reduce((sum, size) => sum + size, 0) / keyed;
  return {
    ...counted,
    [name('singleton-share')]: between(1, 1),
    [name('revisit-share')]: revisits / keyed,
    [name('mean-size')]: keyed / all.length,
    [name('mean-key-length')]: characters / keyed,
    [name('size-share/1')]: between(1, 1),
    [name('size-share/2')]: between(2, 2),
    [name('size-share/3-4')]: between(3, 4),
    [name('size-share/5-8')]: between(5, 8),
    [name('size-share/9-16')]: between(9, 16),
    [name('size-share/17-32')]: between(17, 32),
    [name('size-share/33+')]: between(33, Number.POSITIVE_INFINITY),
  };
}
