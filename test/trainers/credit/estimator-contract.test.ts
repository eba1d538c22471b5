import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  isSolved,
  returnOf,
  type Trajectory,
  type TrajectoryGroup,
} from '../../../agents/rollout/trajectory.ts';
import { createRng } from '../../../envs/core/rng.ts';
import {
  defineCreditEstimator,
  type CreditEstimatorDefinition,
} from '../../../trainers/credit/define-credit-estimator.ts';
import type { CreditEstimator, Evidence, TrajectoryOutput } from '../../../trainers/credit/estimator.ts';
import { gigpo } from '../../../trainers/credit/estimators/gigpo.ts';
import { grpo } from '../../../trainers/credit/estimators/grpo.ts';
import {
  assertCreditEstimator,
  checkCreditEstimator,
} from '../../../trainers/credit/laws/check-credit-estimator.ts';
import { sampleBatch } from '../../../trainers/credit/laws/sample-batch.ts';
import { keyReader, type KeyReader } from '../../../trainers/credit/parts/anchor-key.ts';
import { findAnchors } from '../../../trainers/credit/parts/anchors.ts';
import { readRows } from '../../../trainers/credit/parts/batch-rows.ts';
import { episodeTerm } from '../../../trainers/credit/parts/credit-terms.ts';
import { numberExactly } from '../../../trainers/credit/parts/key-numbering.ts';
import { countSampledTokens } from '../../../trainers/credit/parts/sampled-tokens.ts';
import { splitColumns } from '../../../trainers/credit/parts/trajectory-columns.ts';
import { openEstimator } from '../../../trainers/credit/validation/open-estimator.ts';
import type { ValidatedEstimator } from '../../../trainers/credit/validation/validated-estimator.ts';
import { group, walk } from './hand-made.ts';
import { refusalOf } from '../../support/refusal-of.ts';

const isFaulted = ({ stop }: Trajectory): boolean => stop.kind === 'faulted';

function defined(estimator: CreditEstimator): CreditEstimatorDefinition {
  return defineCreditEstimator({
    kind: 'mine',
    name: 'mine',
    summary: 'for a test',
    options: z.strictObject({}),
    create: () => estimator,
  });
}

const opened = (estimator: CreditEstimator, sources: readonly string[] = []): ValidatedEstimator =>
  openEstimator(defined(estimator), {}, { sources }).estimator;

const batch = [group(walk('AB', 1), walk('A', 0)), group(walk('ABC', 1), walk('B', 0))];

/** Credit of each member that did not fault; nothing for the others. */
const eachMember = (
  groups: readonly TrajectoryGroup[],
  creditOf: (member: Trajectory, group: number, index: number) => TrajectoryOutput,
): readonly (readonly TrajectoryOutput[])[] =>
  groups.map(({ members }, at) =>
    members.map((member, index) => (isFaulted(member) ? { advantage: [] } : creditOf(member, at, index))),
  );

describe('estimator that compares over the batch', () => {
  /** REINFORCE++: returns, whitened over the batch. */
  const whitened: CreditEstimator = {
    compares: 'batch',
    assign(groups) {
      const returns = groups.flatMap(({ members }) =>
        members.filter((member) => !isFaulted(member)).map(returnOf),
      );
      const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
      const spread = Math.sqrt(returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / returns.length);
      return {
        groups: eachMember(groups, (member) => ({
          advantage: member.steps.map(() => (returnOf(member) - mean) / (spread + 1e-6)),
        })),
      };
    },
  };

  test('keeps the laws that apply to it', () => {
    expect(assertCreditEstimator(defined(whitened)).unchecked).toEqual(['alone', 'lone-member']);
  });

  test('credits a member that is alone in its group', () => {
    const lone = [...batch, group(walk('A', 1))];
    const credit = opened(whitened).assign(lone);
    expect(credit.verdicts).toEqual(['credited', 'credited', 'credited']);
    expect(credit.groups[2]?.[0]?.advantage[0]).toBeGreaterThan(0);
  });
});

describe('estimator of token credit', () => {
  /** Above the mean return of the group; later tokens of a step have less. */
  const fading: CreditEstimator = {
    level: 'token',
    assign: (groups) => ({
      groups: groups.map(({ members }) => {
        const played = members.filter((member) => !isFaulted(member));
        const mean = played.reduce((sum, member) => sum + returnOf(member), 0) / played.length;
        return members.map((member) => ({
          tokenAdvantage: isFaulted(member)
            ? []
            : member.steps.map((_, step) =>
                Array.from(
                  { length: countSampledTokens(member, step) ?? 0 },
                  (_token, at) => (returnOf(member) - mean) / (at + 1),
                ),
              ),
        }));
      }),
    }),
  };
  const tokens = sampleBatch(createRng(1), 'token');

  test('keeps every law', () => {
    expect(assertCreditEstimator(defined(fading)).unchecked).toEqual([]);
  });

  test('breaks a law when the credit of a token depends on the order of groups', () => {
    const placed: CreditEstimator = {
      ...fading,
      assign: (groups, evidence, state) => ({
        groups: fading.assign(groups, evidence, state).groups.map((members, at) =>
          members.map(({ tokenAdvantage = [] }) => ({
            tokenAdvantage: tokenAdvantage.map((values) => Array.from(values, (value) => value * (at + 1))),
          })),
        ),
      }),
    };
    expect(checkCreditEstimator(defined(placed)).findings.map(({ law }) => law)).toContain('order-of-groups');
    expect(refusalOf(() => opened(placed).assign(tokens.toReversed()))).toMatch(
      /if the group is given alone/,
    );
  });

  test('reports the mean over its tokens as the advantage of a step', () => {
    const credit = opened(fading).assign(tokens);
    let steps = 0;
    for (const { advantage, tokenAdvantage = [] } of credit.groups.flat()) {
      expect(tokenAdvantage).toHaveLength(advantage.length);
      tokenAdvantage.forEach((values, step) => {
        steps += 1;
        expect(advantage[step]).toBeCloseTo(
          [...values].reduce((sum, value) => sum + value, 0) / values.length,
          12,
        );
      });
    }
    expect(steps).toBe(credit.statistics['credit/steps']);
    expect(steps).toBeGreaterThan(20);
  });

  test('counts no group as zero whose tokens cancel out', () => {
    const cancelling: CreditEstimator = {
      level: 'token',
      compares: 'batch',
      assign: (groups) => ({
        groups: groups.map(({ members }) =>
          members.map((member) => ({
            advantage: isFaulted(member) ? [] : member.steps.map(() => 0),
            tokenAdvantage: isFaulted(member)
              ? []
              : member.steps.map((_, step) =>
                  Array.from({ length: countSampledTokens(member, step) ?? 0 }, (_token, at) => (-1) ** at),
                ),
          })),
        ),
      }),
    };
    expect(opened(cancelling).assign(tokens).statistics['credit/groups-zero-advantage']).toBe(0);
  });

  test.each<[problem: string, estimator: CreditEstimator, of: readonly TrajectoryGroup[], message: RegExp]>([
    ['a missing level', { ...fading, level: 'step' }, tokens, /its advantage is undefined, not an array/],
    [
      'token credit from a step estimator',
      {
        assign: (groups) => ({
          groups: eachMember(groups, ({ steps }) => ({
            advantage: steps.map(() => 0),
            tokenAdvantage: steps.map(() => []),
          })),
        }),
      },
      batch,
      /group 0 \(train\/0\), member 0: it has a tokenAdvantage, and the estimator does not declare level: 'token'/,
    ],
    [
      'step credit alone',
      {
        level: 'token',
        assign: (groups) => ({
          groups: eachMember(groups, ({ steps }) => ({ advantage: steps.map(() => 0) })),
        }),
      },
      tokens,
      /its tokenAdvantage is undefined, not an array/,
    ],
    [
      'a missing token',
      {
        level: 'token',
        assign: (groups) => ({
          groups: groups.map(({ members }) =>
            members.map((member) => ({
              tokenAdvantage: isFaulted(member)
                ? []
                : member.steps.map(
                    (_, step) => new Float64Array((countSampledTokens(member, step) ?? 0) - 1),
                  ),
            })),
          ),
        }),
      },
      tokens,
      /member 0, step 0: its tokenAdvantage has \d entries, and \d tokens were sampled/,
    ],
    ['actions picked whole', { ...fading, compares: 'batch' }, batch, /step 0: it has no token decision/],
  ])('fails for %s', (_problem, estimator, of, message) => {
    expect(refusalOf(() => opened(estimator).assign(of))).toMatch(message);
  });
});

describe('estimator with several anchors per step', () => {
  /** The last keys up to a step, as HGPO groups by them. */
  const windowOf =
    (length: number): KeyReader =>
    (trajectory, index) => {
      if (index + 1 < length) return undefined;
      const keys = Array.from({ length }, (_, back) => keyReader('information')(trajectory, index - back));
      return keys.includes(undefined) ? undefined : keys.join(' < ');
    };
  const windows: CreditEstimator = {
    assign(groups) {
      const rows = readRows(groups);
      const rule = {
        episodeWeighting: 'rows',
        invalidPenalty: 'own-step',
        normalise: 'mean',
        std: 'unbiased',
        epsilon: 1e-6,
        self: 'included',
      } as const;
      const episode = episodeTerm(rows, rule);
      const anchorsOf = (length: number): Int32Array =>
        findAnchors(groups, rows, { keyOf: windowOf(length), numbering: numberExactly }).ofRow;
      return {
        groups: splitColumns(rows, {
          advantage: episode,
          episode,
          step: new Float64Array(rows.count),
          stepReturn: new Float64Array(rows.count),
          anchors: { 'window-1': anchorsOf(1), 'window-2': anchorsOf(2) },
        }),
      };
    },
  };

  test('keeps every law', () => {
    expect(assertCreditEstimator(defined(windows)).unchecked).toEqual([]);
  });

  test('reports anchor sizes by the name of the grouping', () => {
    const credit = opened(windows).assign([group(walk('ABA', 1), walk('CBA', 0))]);
    expect(
      credit.groups[0]?.map(({ anchors }) => [
        [...(anchors['window-1'] ?? [])],
        [...(anchors['window-2'] ?? [])],
      ]),
    ).toEqual([
      [
        [0, 1, 0],
        [-1, 0, 1],
      ],
      [
        [2, 1, 0],
        [-1, 2, 1],
      ],
    ]);
    expect([...(credit.anchorSizes['window-1'] ?? [])]).toEqual([3, 2, 1]);
    expect([...(credit.anchorSizes['window-2'] ?? [])]).toEqual([1, 2, 1]);
  });

  test('gets completed for a member without one of the groupings', () => {
    const some: CreditEstimator = {
      compares: 'batch',
      assign: (groups) => ({
        groups: eachMember(groups, ({ steps }, _group, member) => ({
          advantage: steps.map(() => 1),
          ...(member === 0 ? { anchors: { room: steps.map(() => 0) } } : {}),
        })),
      }),
    };
    const credit = opened(some).assign(batch);
    expect(credit.groups[0]?.map(({ anchors }) => [...(anchors['room'] ?? [])])).toEqual([[0, 0], [-1]]);
    expect([...(credit.anchorSizes['room'] ?? [])]).toEqual([5]);
  });

  test.each([
    [{ 'a room': [0, 0] }, /its grouping "a room" is not a lower-case name/],
    [[0, 0], /its anchors are .*, not arrays by grouping name/],
    [{ room: [0] }, /its anchors\.room has 1 entries, and the episode has 2 steps/],
  ])('fails for anchors %j', (anchors, message) => {
    const wrong = {
      assign: (groups: readonly TrajectoryGroup[]) => ({
        groups: eachMember(
          groups,
          ({ steps }) => ({ advantage: steps.map(() => 0), anchors }) as TrajectoryOutput,
        ),
      }),
    };
    expect(refusalOf(() => opened(wrong).assign(batch))).toMatch(message);
  });

  test('fails for an unknown part', () => {
    const misspelt = {
      assign: (groups: readonly TrajectoryGroup[]) => ({
        groups: eachMember(groups, ({ steps }) => ({ advantage: steps.map(() => 0), anchor: [] })),
      }),
    };
    expect(refusalOf(() => opened(misspelt).assign(batch))).toMatch(
      /its part "anchor" is unknown; the parts are advantage,/,
    );
  });
});

describe('estimator with state', () => {
  /** Returns above a running mean of all returns so far. */
  const running: CreditEstimator<{ readonly mean: number; readonly count: number }> = {
    compares: 'batch',
    initialState: { mean: 0, count: 0 },
    assign(groups, _evidence, { mean, count }) {
      const returns = groups.flatMap(({ members }) =>
        members.filter((member) => !isFaulted(member)).map(returnOf),
      );
      const total = count + returns.length;
      return {
        groups: eachMember(groups, (member) => ({
          advantage: member.steps.map(() => returnOf(member) - mean),
        })),
        state: {
          mean: (mean * count + returns.reduce((sum, value) => sum + value, 0)) / total,
          count: total,
        },
      };
    },
  };

  test('keeps the laws', () => {
    expect(checkCreditEstimator(defined(running)).findings).toEqual([]);
  });

  test('starts with its initial state and continues with the state it returned', () => {
    const estimator = opened(running);
    const first = estimator.assign(batch);
    expect(first.state).toEqual({ mean: 0.5, count: 4 });
    expect(first.groups[0]?.[0]?.advantage[0]).toBe(1);
    const second = estimator.assign(batch, { state: first.state });
    expect(second.state).toEqual({ mean: 0.5, count: 8 });
    expect(second.groups[0]?.[0]?.advantage[0]).toBe(0.5);
    expect(estimator.assign(batch)).toEqual(first);
  });

  test('keeps its state when it returns none, and is refused for a state that is not JSON', () => {
    const forgetful: CreditEstimator = {
      initialState: 7,
      assign: (groups) => ({
        groups: eachMember(groups, ({ steps }) => ({ advantage: steps.map(() => 0) })),
      }),
    };
    expect(opened(forgetful).assign(batch).state).toBe(7);
    const wrong: CreditEstimator = {
      ...forgetful,
      assign: (...inputs) => ({ ...forgetful.assign(...inputs), state: Number.NaN }),
    };
    expect(refusalOf(() => opened(wrong).assign(batch))).toMatch(/"mine", state: it is not JSON/);
  });
});

describe('estimator that needs evidence', () => {
  /** What is earned beyond the value of a critic. */
  const critic: CreditEstimator = {
    needs: ['values'],
    assign: (groups, { values = [] }) => ({
      groups: groups.map(({ members }, at) => {
        const isLone = members.filter((member) => !isFaulted(member)).length < 2;
        return members.map((member, index) => ({
          advantage: isFaulted(member)
            ? []
            : member.steps.map((_, step) =>
                isLone ? 0 : returnOf(member) - (values[at]?.[index]?.[step] ?? Number.NaN),
              ),
        }));
      }),
    }),
  };
  const evidence = (groups: readonly TrajectoryGroup[]): Evidence => ({
    values: groups.map(({ members }) =>
      members.map((member) =>
        Float32Array.from(member.steps, (_, step) => (isSolved(member) ? 1 : 0.5) / (step + 1)),
      ),
    ),
  });

  test('fails at the start without a source', () => {
    expect(refusalOf(() => opened(critic))).toMatch(
      /"mine", needs: it needs values, and the config has no source of it/,
    );
    expect(opened(critic, ['values', 'judgements']).needs).toEqual(['values']);
  });

  test('gets evidence by group and member, even for one group alone', () => {
    const longFirst = batch.toReversed(); // the shortest group is the one that is tried alone
    const credit = opened(critic, ['values']).assign(longFirst, { evidence: evidence(longFirst) });
    expect(credit.groups[1]?.map(({ advantage }) => [...advantage])).toEqual([[0.5, 0.75], [-0.5]]);
  });

  test('fails when the evidence of a batch is missing', () => {
    expect(refusalOf(() => opened(critic, ['values']).assign(batch))).toMatch(
      /"mine", evidence: the evidence has no values for these groups/,
    );
  });

  test('passes the check of laws with the evidence of the test', () => {
    expect(assertCreditEstimator(defined(critic), { evidence }).findings).toEqual([]);
    expect(refusalOf(() => checkCreditEstimator(defined(critic)))).toMatch(/the check was given no evidence/);
  });
});

describe('statistics of an estimator', () => {
  test('must be finite numbers', () => {
    const statistics = (value: number): CreditEstimator => ({
      assign: () => ({ groups: [] }),
      statistics: () => ({ 'graph/nodes': value }),
    });
    expect(opened(statistics(3)).statistics(batch)).toEqual({ 'graph/nodes': 3 });
    expect(refusalOf(() => opened(statistics(Number.NaN)).statistics(batch))).toMatch(
      /"mine", statistics\["graph\/nodes"\]: it is NaN, not a finite number/,
    );
  });

  test('do not exist for estimators without anchors', () => {
    for (const [kind, names] of [
      ['gigpo', 3],
      ['grpo', 0],
    ] as const) {
      const estimator = openEstimator(kind === 'gigpo' ? gigpo : grpo, {}).estimator;
      const figures = Object.keys(estimator.statistics(batch)).filter((name) =>
        name.endsWith('/keyed-share'),
      );
      expect(figures).toHaveLength(names);
    }
  });
});
