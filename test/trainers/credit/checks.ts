import { expect } from 'vitest';
import { RunError, UsageError } from '../../../envs/core/errors.ts';
import type { BatchCredit } from '../../../trainers/credit/estimator.ts';
import type { CreditModule } from './credit-module.ts';
import { anchorOf, episode, group, sizesOf, walk } from './hand-made.ts';

/** A case computed by hand. It runs against the real module, and against mutated copies of it, which must fail some case. */
export interface Check {
  readonly name: string;
  run(credit: CreditModule): void;
}

type Column = 'advantage' | 'episode' | 'step' | 'stepReturn';

/** One column of the members of a group. */
function column(credit: BatchCredit, name: Column, index = 0): number[][] {
  return (credit.groups[index] ?? []).map((member) => [...member[name]]);
}

function expectClose(actual: readonly (readonly number[])[], expected: readonly (readonly number[])[]): void {
  expect(actual.map((row) => row.length)).toEqual(expected.map((row) => row.length));
  actual.flat().forEach((value, place) => expect(value).toBeCloseTo(expected.flat()[place] as number, 9));
}

const plain = { epsilon: 1e-12 } as const;

/** One short success and one long failure: rows and trajectories weigh them differently. */
const shortSuccessLongFailure = (): ReturnType<typeof group> => group(walk('A', 1), walk('BCD', 0));

/** Two members meet at J; the first goes left into a dead end, comes back and then does as the others do. */
const deadEnd = (): ReturnType<typeof group> =>
  group(walk('SJDJ', 1), walk('SJ', 1), walk('SJ', 1), walk('S', 0));

export const checks: readonly Check[] = [
  {
    name: 'episode term over rows, unbiased deviation, epsilon added to it',
    run({ createGrpo }) {
      // Rows 1, 0, 0, 0: mean 1/4; squares 9/16 + 3/16 = 3/4, over 3 = 1/4, so the deviation is 1/2. With epsilon 1/2 the
      // divisor is 1, and the advantages are 3/4 and -1/4.
      const credit = createGrpo({ epsilon: 0.5 }).assign([shortSuccessLongFailure()], {});
      expectClose(column(credit, 'advantage'), [[0.75], [-0.25, -0.25, -0.25]]);
    },
  },
  {
    name: 'episode term over trajectories, unbiased deviation',
    run({ createGrpo }) {
      // Scores 1, 0: mean 1/2; squares 1/2, over 1; deviation sqrt(1/2). Advantages are +-(1/2) / sqrt(1/2) = +-sqrt(1/2).
      const credit = createGrpo({ ...plain, episodeWeighting: 'trajectories' }).assign(
        [shortSuccessLongFailure()],
        {},
      );
      const size = Math.SQRT1_2;
      expectClose(column(credit, 'advantage'), [[size], [-size, -size, -size]]);
    },
  },
  {
    name: 'episode term over rows, population deviation',
    run({ createGrpo }) {
      // Squares 3/4 over 4 = 3/16; deviation sqrt(3)/4. Advantages 3/4 / (sqrt(3)/4) = sqrt(3) and -1/sqrt(3).
      const credit = createGrpo({ ...plain, std: 'population' }).assign([shortSuccessLongFailure()], {});
      const low = -1 / Math.sqrt(3);
      expectClose(column(credit, 'advantage'), [[Math.sqrt(3)], [low, low, low]]);
    },
  },
  {
    name: 'episode term over trajectories, distance from the mean alone',
    run({ createGrpo }) {
      // Scores 1, 0 about their mean 1/2.
      const credit = createGrpo({ normalise: 'mean', episodeWeighting: 'trajectories' }).assign(
        [shortSuccessLongFailure()],
        {},
      );
      expectClose(column(credit, 'advantage'), [[0.5], [-0.5, -0.5, -0.5]]);
    },
  },
  {
    name: 'leave-one-out baseline of the episode leaves the whole trajectory out',
    run({ createGrpo }) {
      // Over rows: the baseline of the first member is the mean of the other's rows, 0; of the second, 1. So 1 and -1.
      const two = createGrpo({ normalise: 'mean', self: 'left-out' }).assign([shortSuccessLongFailure()], {});
      expectClose(column(two, 'advantage'), [[1], [-1, -1, -1]]);
      // Scores 1, 0, 0 once each: baselines 0, 1/2, 1/2 (RLOO), so 1, -1/2, -1/2.
      const rloo = createGrpo({ normalise: 'mean', self: 'left-out', episodeWeighting: 'trajectories' });
      const three = rloo.assign([group(walk('A', 1), walk('BCD', 0), walk('B', 0))], {});
      expectClose(column(three, 'advantage'), [[1], [-0.5, -0.5, -0.5], [-0.5]]);
    },
  },
  {
    name: 'step returns discount what comes later',
    run({ createGigpo }) {
      // Rewards 1, 1/2, 1 at gamma 1/2: R2 = 1, R1 = 1/2 + 1/2 = 1, R0 = 1 + 1/2 = 3/2.
      const member = episode([
        { key: 'A', reward: 1 },
        { key: 'B', reward: 0.5 },
        { key: 'C', reward: 1 },
      ]);
      const credit = createGigpo({ gamma: 0.5 }).assign([group(member, walk('A', 0))], {});
      expectClose(column(credit, 'stepReturn'), [[1.5, 1, 1], [0]]);
    },
  },
  {
    name: 'a penalty is the step own: it is charged after discounting and to no other row',
    run({ createGigpo }) {
      // Env rewards 0, 0, 1 and a penalty of 1/10 on the middle step, gamma 1/2. Returns without it 1/4, 1/2, 1; its own
      // step then pays: 1/4, 4/10, 1. Row scores 1, 9/10, 1 beside the other member's 0: mean 29/40.
      const member = episode([{ key: 'A' }, { key: 'B', penalty: 0.1 }, { key: 'C', reward: 1 }]);
      const credit = createGigpo({ gamma: 0.5, normalise: 'mean' }).assign([group(member, walk('X', 0))], {});
      expectClose(column(credit, 'stepReturn'), [[0.25, 0.4, 1], [0]]);
      expectClose(column(credit, 'episode'), [[0.275, 0.175, 0.275], [-0.725]]);
    },
  },
  {
    name: 'a propagated penalty is a reward like any other',
    run({ createGigpo }) {
      // Rewards 0, -1/10, 1 at gamma 1/2: R2 = 1, R1 = -1/10 + 1/2 = 4/10, R0 = 2/10. The score is 9/10 on every row:
      // mean of 9/10 thrice and 0 is 27/40.
      const member = episode([{ key: 'A' }, { key: 'B', penalty: 0.1 }, { key: 'C', reward: 1 }]);
      const rule = { gamma: 0.5, normalise: 'mean', invalidPenalty: 'propagated' } as const;
      const credit = createGigpo(rule).assign([group(member, walk('X', 0))], {});
      expectClose(column(credit, 'stepReturn'), [[0.2, 0.4, 1], [0]]);
      expectClose(column(credit, 'episode'), [[0.225, 0.225, 0.225], [-0.675]]);
    },
  },
  {
    name: 'trajectory weights share one unit among the rows, so that a penalty cannot blow up',
    run({ createGigpo }) {
      // Both score 0; the second step of the first is charged 1/10. Row scores 0, -1/10 | 0 with weights 1/2, 1/2 | 1.
      // Mean -1/40; squares (1/40)^2/2 + (3/40)^2/2 + (1/40)^2 = 12/3200, over 2 - 1: deviation sqrt(3/800).
      const member = episode([{ key: 'A' }, { key: 'B', penalty: 0.1 }]);
      const rule = { ...plain, episodeWeighting: 'trajectories' } as const;
      const credit = createGigpo(rule).assign([group(member, walk('X', 0))], {});
      const deviation = Math.sqrt(3 / 800);
      expectClose(column(credit, 'episode'), [[0.025 / deviation, -0.075 / deviation], [0.025 / deviation]]);
    },
  },
  {
    name: 'step term compares returns at equal anchors, and omega weighs it',
    run({ createGigpo }) {
      // At A the returns are 1, 0 (undiscounted): mean 1/2, so +-1/2. Rows 1, 1, 0: mean 2/3, so 1/3, 1/3, -2/3.
      const credit = createGigpo({ gamma: 1, omega: 3, normalise: 'mean' }).assign(
        [group(walk('AB', 1), walk('A', 0))],
        {},
      );
      expectClose(column(credit, 'step'), [[0.5, 0], [-0.5]]);
      expectClose(column(credit, 'episode'), [[1 / 3, 1 / 3], [-2 / 3]]);
      expectClose(column(credit, 'advantage'), [[1 / 3 + 1.5, 1 / 3], [-2 / 3 - 1.5]]);
      expect(credit.groups[0]?.map((member) => [...anchorOf(member)])).toEqual([[0, 1], [0]]);
      expect([...sizesOf(credit)]).toEqual([2, 1]);
    },
  },
  {
    name: 'step term over the unbiased deviation of the anchor',
    run({ createGigpo }) {
      // Returns at A are 1, 0, 0: mean 1/3; squares 6/9, over 2 = 1/3. Advantages (2/3) sqrt(3) and -(1/3) sqrt(3).
      const credit = createGigpo(plain).assign([group(walk('A', 1), walk('A', 0), walk('A', 0))], {});
      const unit = Math.sqrt(3) / 3;
      expectClose(column(credit, 'step'), [[2 * unit], [-unit], [-unit]]);
    },
  },
  {
    name: 'a step alone at its anchor gets exactly 0',
    run({ createGigpo }) {
      const credit = createGigpo().assign([group(walk('AB', 1), walk('CD', 0.1))], {});
      expect(column(credit, 'step')).toEqual([
        [0, 0],
        [0, 0],
      ]);
    },
  },
  {
    name: 'every visit of an anchor counts, unless only the first does',
    run({ createGigpo }) {
      // gamma 1/2. First member A B A paid 1 at its end: returns 1/4, 1/2, 1. Second A paid 0. Every visit: A holds 1/4, 1, 0
      // with mean 5/12. First visits: A holds 1/4, 0 with mean 1/8, and the later visit gets 0.
      const batch = [group(walk('ABA', 1), walk('A', 0))];
      const rule = { gamma: 0.5, normalise: 'mean' } as const;
      expectClose(column(createGigpo(rule).assign(batch, {}), 'step'), [[-1 / 6, 0, 7 / 12], [-5 / 12]]);
      const first = createGigpo({ ...rule, visits: 'first' }).assign(batch, {});
      expectClose(column(first, 'step'), [[1 / 8, 0, 0], [-1 / 8]]);
      expect(first.groups[0]?.map((member) => [...anchorOf(member)])).toEqual([[0, 1, 0], [0]]);
    },
  },
  {
    name: 'leave-one-out baseline of a step leaves all visits of its trajectory out',
    run({ createGigpo }) {
      // gamma 1/2; A holds 1/4 and 1 of the first member and 0 of the second. Baselines: 0 for the first, 5/8 for the second.
      // B is met by one trajectory only, twice in neither: nobody else is there, so 0.
      const rule = { gamma: 0.5, normalise: 'mean', self: 'left-out' } as const;
      const credit = createGigpo(rule).assign([group(walk('ABA', 1), walk('A', 0))], {});
      expectClose(column(credit, 'step'), [[1 / 4, 0, 1], [-5 / 8]]);
      const alone = createGigpo(rule).assign([group(walk('BB', 1), walk('A', 0))], {});
      expect(column(alone, 'step')).toEqual([[0, 0], [0]]);
    },
  },
  {
    name: 'groups of equal values give exactly 0, whatever the rounding of their mean',
    run({ createGigpo }) {
      const same = [group(walk('AB', 0.1), walk('AB', 0.1), walk('AB', 0.1))];
      for (const self of ['included', 'left-out'] as const) {
        for (const normalise of ['mean', 'mean-std'] as const) {
          for (const episodeWeighting of ['rows', 'trajectories'] as const) {
            const credit = createGigpo({ self, normalise, episodeWeighting }).assign(same, {});
            expect(
              column(credit, 'advantage')
                .flat()
                .every((value) => value === 0),
            ).toBe(true);
            expect(credit.statistics['credit/groups-zero-advantage']).toBe(1);
          }
        }
      }
    },
  },
  {
    name: 'returns that differ only by rounding give exactly 0',
    run({ createGigpo }) {
      // The same rewards in another order: 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in the last bit, and 0.1 + 0.2 - 0.3 is not 0.
      const paid = (...rewards: readonly number[]): ReturnType<typeof episode> =>
        episode(rewards.map((reward, at) => ({ key: `K${at}`, reward })));
      for (const batch of [
        [group(paid(0.1, 0.2, 0.3), paid(0.3, 0.2, 0.1), paid(0.2, 0.3, 0.1))],
        [group(paid(0.1, 0.2, -0.3), paid(0, 0, 0), paid(-0.3, 0.1, 0.2))],
        [group(paid(1e6, 0.1, 0.2), paid(0.2, 0.1, 1e6))],
      ]) {
        const credit = createGigpo().assign(batch, {});
        expect(
          column(credit, 'episode')
            .flat()
            .every((value) => value === 0),
        ).toBe(true);
      }
      const small = createGigpo().assign([group(paid(1e-6), paid(2e-6))], {});
      expect(
        column(small, 'episode')
          .flat()
          .every((value) => value !== 0),
      ).toBe(true);
    },
  },
  {
    name: 'anchors do not reach over task groups',
    run({ createGigpo }) {
      const credit = createGigpo({ normalise: 'mean' }).assign(
        [group(walk('A', 1), walk('B', 0)), group(walk('A', 0), walk('B', 1))],
        {},
      );
      expect([...sizesOf(credit)]).toEqual([1, 1, 1, 1]);
      expect(credit.groups.flat().map((member) => [...anchorOf(member)])).toEqual([[0], [1], [2], [3]]);
    },
  },
  {
    name: 'a faulted member is inert and has no credit',
    run({ createGigpo }) {
      const faulted = episode(
        [
          { key: 'A', reward: 100 },
          { key: 'A', reward: 100 },
        ],
        { faulted: true },
      );
      const [first, second] = [walk('AB', 1), walk('A', 0)];
      const without = createGigpo().assign([group(first, second)], {});
      const credit = createGigpo().assign([group(first, faulted, second)], {});
      expect(column(credit, 'advantage')).toEqual([
        column(without, 'advantage')[0],
        [],
        column(without, 'advantage')[1],
      ]);
      expect([...sizesOf(credit)]).toEqual([...sizesOf(without)]);
      expect(credit.statistics['credit/trajectories-faulted']).toBe(1);
    },
  },
  {
    name: 'all-faulted groups and single survivors are dropped and counted',
    run({ createGigpo }) {
      const faulted = (): ReturnType<typeof episode> => episode([{ key: 'A', reward: 1 }], { faulted: true });
      const batch = [
        group(faulted(), faulted()),
        group(walk('AA', 1), faulted()),
        group(walk('A', 1), walk('A', 0)),
      ];
      const credit = createGigpo().assign(batch, {});
      expect(credit.verdicts).toEqual(['all-faulted', 'single-survivor', 'credited']);
      expect(column(credit, 'advantage', 0)).toEqual([[], []]);
      expect(column(credit, 'advantage', 1)).toEqual([[0, 0], []]);
      expect(column(credit, 'advantage', 2)[0]?.[0]).toBeGreaterThan(0);
      expect(credit.statistics).toMatchObject({
        'credit/groups': 3,
        'credit/groups-all-faulted': 1,
        'credit/groups-single-survivor': 1,
        'credit/groups-zero-advantage': 0,
        'credit/trajectories-faulted': 3,
        'credit/steps': 4,
      });
    },
  },
  {
    name: 'never scored is not zero: what depends on it is left out',
    run({ createGigpo }) {
      // The second step of the first member was never scored. So its episode has no score, its first two returns are not
      // known, and its last is. Scores 1, 0 remain; at A only the other two are compared; at C all returns are known.
      const gap = episode([{ key: 'A' }, { key: 'B', unscored: true }, { key: 'C', reward: 1 }]);
      const credit = createGigpo({ gamma: 1, normalise: 'mean', episodeWeighting: 'trajectories' }).assign(
        [group(gap, walk('AC', 1), walk('AC', 0))],
        {},
      );
      expect(column(credit, 'stepReturn')).toEqual([
        [Number.NaN, Number.NaN, 1],
        [1, 1],
        [0, 0],
      ]);
      expectClose(column(credit, 'episode'), [
        [0, 0, 0],
        [0.5, 0.5],
        [-0.5, -0.5],
      ]);
      expectClose(column(credit, 'step'), [
        [0, 0, 1 / 3],
        [0.5, 1 / 3],
        [-0.5, -2 / 3],
      ]);
      expect(credit.statistics).toMatchObject({
        'credit/trajectories-unscored': 1,
        'credit/steps-unscored': 2,
      });
    },
  },
  {
    name: 'a score that stands alone is compared with nothing, not with its own rows',
    run({ createGrpo }) {
      const gap = episode([{ key: 'A', unscored: true }]);
      const scored = episode([{ key: 'A' }, { key: 'B', penalty: 0.1 }]);
      for (const episodeWeighting of ['rows', 'trajectories'] as const) {
        const credit = createGrpo({ episodeWeighting }).assign([group(gap, scored)], {});
        expect(column(credit, 'advantage')).toEqual([[0], [0, 0]]);
        expect(credit.verdicts).toEqual(['credited']);
      }
    },
  },
  {
    name: 'a step without a key gets 0 and anchor -1',
    run({ createGigpo }) {
      const [first, second] = [episode([{ reward: 1 }]), episode([{ reward: 0 }, { key: 'A' }])];
      const credit = createGigpo().assign([group(first, second)], {});
      expect(credit.groups[0]?.map((member) => [...anchorOf(member)])).toEqual([[-1], [-1, 0]]);
      expect(column(credit, 'step')).toEqual([[0], [0, 0]]);
    },
  },
  {
    name: 'the dead end: GRPO praises the step into it, GiGPO blames it',
    run({ createGigpo, createGrpo }) {
      // Nine rows, eight of score 1: mean 8/9, unbiased deviation sqrt((8/9)(1/9)(9/8)) = 1/3, so the loop's episode earns
      // (1/9) / (1/3) = 1/3 on each of its steps. At J the returns are 0.95^2 = 0.9025 (left) and 1, 1, 1 (right): mean
      // 0.975625, unbiased deviation 0.04875, so left earns -0.073125 / 0.04875 = -1.5, and right 1/2.
      const grpo = createGrpo(plain).assign([deadEnd()], {});
      expect(grpo.groups[0]?.[0]?.advantage[1]).toBeCloseTo(1 / 3, 9);
      const gigpo = createGigpo(plain).assign([deadEnd()], {});
      expect(gigpo.groups[0]?.[0]?.advantage[1]).toBeCloseTo(1 / 3 - 1.5, 9);
      expect(gigpo.groups[0]?.[0]?.advantage[3]).toBeCloseTo(1 / 3 + 0.5, 9);
    },
  },
  {
    name: 'each kind of anchor reads its own key',
    run({ createGigpo }) {
      const sketch = (observation: unknown, key: string, state: string): ReturnType<typeof episode> =>
        episode([{ observation, key, state }]);
      const batch = [
        group(
          sketch({ a: 1, b: 2 }, 'k', 's'),
          sketch({ b: 2, a: 1 }, 'l', 't'),
          sketch({ b: 2, a: 2 }, 'k', 'u'),
        ),
      ];
      const anchorsBy = (anchor: 'observation' | 'information' | 'state'): number[] =>
        createGigpo({ anchor })
          .assign(batch, {})
          .groups.flat()
          .map((member) => anchorOf(member)[0] as number);
      expect(anchorsBy('observation')).toEqual([0, 0, 1]);
      expect(anchorsBy('information')).toEqual([0, 1, 0]);
      expect(anchorsBy('state')).toEqual([0, 1, 2]);
    },
  },
  {
    name: 'statistics of repeats: singletons, revisits, sizes',
    run({ anchorStatistics, createGigpo }) {
      // Steps A B A | A: three at A, one at B. Alone: 1/4. Been there before: 1/4. Mean size 4/2. Sizes: 1 in class 1, 3 in 3-4.
      const batch = [group(walk('ABA', 1), walk('A', 0))];
      const statistics = anchorStatistics(batch);
      expect(statistics).toMatchObject({
        'anchor/information/keyed-share': 1,
        'anchor/information/singleton-share': 0.25,
        'anchor/information/revisit-share': 0.25,
        'anchor/information/mean-size': 2,
        'anchor/information/mean-key-length': 1,
        'anchor/information/size-share/1': 0.25,
        'anchor/information/size-share/2': 0,
        'anchor/information/size-share/3-4': 0.75,
        'anchor/information/size-share/33+': 0,
        'anchor/observation/singleton-share': 0.25,
        'anchor/state/keyed-share': 0,
      });
      expect(statistics).not.toHaveProperty('anchor/state/singleton-share');
      expect(createGigpo().assign(batch, {}).statistics).toMatchObject(
        anchorStatistics(batch, { kinds: ['information'] }),
      );
    },
  },
  {
    name: 'the share of credit that comes from steps',
    run({ createGigpo }) {
      // Distances from means: episode 1/3, 1/3, -2/3 (sum 4/3), steps +-1/2 and 0 times omega 2 (sum 2): 2 / (2 + 4/3) = 3/5.
      // Advantages 1/3 + 1, 1/3, -2/3 - 1: sum 0, sizes 10/3 over 3.
      const credit = createGigpo({ gamma: 1, omega: 2, normalise: 'mean' }).assign(
        [group(walk('AB', 1), walk('A', 0))],
        {},
      );
      expect(credit.statistics['credit/step-share']).toBeCloseTo(0.6, 9);
      expect(credit.statistics['credit/advantage-mean']).toBeCloseTo(0, 9);
      expect(credit.statistics['credit/advantage-mean-abs']).toBeCloseTo(10 / 9, 9);
    },
  },
  {
    name: 'similar texts share an anchor from the threshold on',
    run({ createGigpo }) {
      // "abcdefghij" and "abcdefghiX" share 9 of 10 characters: ratio 18/20 = 0.9.
      const texts = ['abcdefghij', 'abcdefghiX', 'zzzzzzzzzz', 'abcdefghij'];
      const batch = [group(...texts.map((observation) => episode([{ observation }])))];
      const anchorsAt = (threshold: number): number[] =>
        createGigpo({ anchor: 'observation', grouping: { kind: 'similarity', threshold } })
          .assign(batch, {})
          .groups.flat()
          .map((member) => anchorOf(member)[0] as number);
      expect(anchorsAt(0.9)).toEqual([0, 0, 1, 0]);
      expect(anchorsAt(0.91)).toEqual([0, 1, 2, 0]);
    },
  },
  {
    name: 'likeness ratios, with the rule against frequent characters in long texts',
    run({ prepareText, similarityRatio, isSimilar }) {
      const ratio = (a: string, b: string): number => similarityRatio(prepareText(a), prepareText(b));
      // "bcd" is common: 2 * 3 / 8. Two empty texts are alike. One text is one of its doubled self: 2 * 2 / 6.
      expect(ratio('abcd', 'bcde')).toBe(0.75);
      expect(ratio('', '')).toBe(1);
      expect(ratio('ab', 'abab')).toBeCloseTo(2 / 3, 12);
      // In 200 characters one that is more than 1 % of them starts no block: none is left where the beginnings differ. At
      // 199 the rule does not hold yet: 198 are common, 2 * 198 / 398.
      expect(ratio(`y${'x'.repeat(199)}`, 'x'.repeat(200))).toBe(0);
      expect(ratio(`y${'x'.repeat(198)}`, 'x'.repeat(199))).toBeCloseTo(396 / 398, 12);
      // A rare character starts a block that grows over frequent ones, backwards too: 201 of 202 and 201 characters.
      expect(ratio(`y${'x'.repeat(200)}!`, `${'x'.repeat(200)}!`)).toBeCloseTo(402 / 403, 12);
      expect(isSimilar(prepareText('abcd'), prepareText('bcde'), 0.75)).toBe(true);
      expect(isSimilar(prepareText('abcd'), prepareText('bcde'), 0.76)).toBe(false);
    },
  },
  {
    name: 'keys that differ in one place only are told apart, however many they are',
    run({ numberExactly }) {
      const keys = Array.from({ length: 50 }, (_, place) => `${'a'.repeat(place)}b${'a'.repeat(59 - place)}`);
      const numberOf = numberExactly();
      expect(keys.map(numberOf)).toEqual(keys.map((_, place) => place));
      expect(keys.toReversed().map(numberOf)).toEqual(keys.map((_, place) => place).toReversed());
    },
  },
  {
    name: 'refuses a batch without the key asked for, and says which keys there are',
    run({ createGigpo }) {
      const batch = [
        group(episode([{ state: 's' }], { env: 'chat-v1' }), episode([{ state: 's' }], { env: 'chat-v1' })),
      ];
      const assign = (): unknown => createGigpo({ anchor: 'information' }).assign(batch, {});
      expect(assign).toThrow(
        /--anchor information on chat-v1: no step .* Use --anchor observation or --anchor state/u,
      );
      expect(UsageError.is(catchError(assign))).toBe(true);
      expect(createGigpo().assign([], {}).groups).toEqual([]);
    },
  },
  {
    name: 'refuses rewards that are not finite and episodes of several seats',
    run({ createGrpo }) {
      const infinite = group(episode([{ reward: Number.POSITIVE_INFINITY }]), walk('A', 0));
      expect(RunError.is(catchError(() => createGrpo().assign([infinite], {})))).toBe(true);
      const seats = group(episode([{ seat: 0 }, { seat: 1 }]), walk('A', 0));
      expect(UsageError.is(catchError(() => createGrpo().assign([seats], {})))).toBe(true);
    },
  },
  {
    name: 'the factory makes the estimator that is named, as configured',
    run({ createCreditEstimator, createGigpo }) {
      const batch = [deadEnd()];
      expect(createCreditEstimator({ kind: 'grpo' }).name).toBe('GRPO');
      const made = createCreditEstimator({ kind: 'gigpo', omega: 0.5 }).assign(batch, {});
      expect(made).toEqual(createGigpo({ omega: 0.5 }).assign(batch, {}));
    },
  },
];

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (thrown) {
    return thrown;
  }
  throw new Error('nothing was thrown');
}
