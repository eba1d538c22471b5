import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Json } from '../../../envs/core/json.ts';
import { scoreOf, type TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { estimator as example } from '../../../examples/time-baseline-credit.ts';
import {
  defineCreditEstimator,
  type CreditEstimatorDefinition,
} from '../../../trainers/credit/define-credit-estimator.ts';
import { gigpo } from '../../../trainers/credit/estimators/gigpo.ts';
import { grpo } from '../../../trainers/credit/estimators/grpo.ts';
import { creditEstimators } from '../../../trainers/credit/estimators/list.ts';
import type { CreditEstimator, TrajectoryOutput } from '../../../trainers/credit/estimator.ts';
import {
  assertCreditEstimator,
  checkCreditEstimator,
} from '../../../trainers/credit/laws/check-credit-estimator.ts';
import { creditLaws, type CreditLaw } from '../../../trainers/credit/laws/credit-laws.ts';
import { episode, group } from './hand-made.ts';

type Groups = readonly TrajectoryGroup[];

/** Scores above the mean of the group: an estimator that keeps every law, until a part of it is bent. */
function bent(
  bend: (
    credit: readonly TrajectoryOutput[],
    group: TrajectoryGroup,
    place: { readonly index: number; readonly groups: Groups },
  ) => readonly TrajectoryOutput[],
  parts: Partial<CreditEstimator> = {},
): CreditEstimatorDefinition {
  const creditOf = ({ members }: TrajectoryGroup): readonly TrajectoryOutput[] => {
    const scores = members.flatMap((member) => (member.stop.kind === 'faulted' ? [] : [scoreOf(member)]));
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    return members.map((member) => ({
      advantage: member.stop.kind === 'faulted' ? [] : member.steps.map(() => scoreOf(member) - mean),
    }));
  };
  return defineCreditEstimator({
    kind: 'bent',
    name: 'bent',
    summary: 'for a test',
    options: z.strictObject({}),
    create: () => ({
      ...parts,
      assign: (groups) => ({
        groups: groups.map((each, index) => bend(creditOf(each), each, { index, groups })),
      }),
    }),
  });
}

const plus = (
  credit: readonly TrajectoryOutput[],
  by: (member: number) => number,
): readonly TrajectoryOutput[] =>
  credit.map(({ advantage = [] }, member) => ({
    advantage: Array.from(advantage, (value) => value + by(member)),
  }));

/** Whether more than one member finished. Otherwise each bend would break the law of lone members too. */
const isShared = ({ members }: TrajectoryGroup): boolean =>
  members.filter(({ stop }) => stop.kind !== 'faulted').length > 1;

let calls = 0;

const broken: Readonly<Record<CreditLaw, CreditEstimatorDefinition>> = {
  shape: bent((credit) =>
    credit.map(({ advantage = [] }) => ({ advantage: Array.from(advantage).slice(1) })),
  ),
  pure: bent((credit, { members }) => {
    for (const { steps } of members) (steps as unknown[]).reverse();
    return credit;
  }),
  deterministic: bent((credit, each) => (isShared(each) ? plus(credit, () => (calls += 1)) : credit)),
  'order-of-groups': bent((credit, each, { index }) => (isShared(each) ? plus(credit, () => index) : credit)),
  'order-of-members': bent((credit, each) => (isShared(each) ? plus(credit, (member) => member) : credit)),
  alone: bent((credit, each, { groups }) => (isShared(each) ? plus(credit, () => groups.length) : credit)),
  'faults-are-inert': bent((credit, each) =>
    isShared(each) ? plus(credit, () => each.members.length) : credit,
  ),
  'lone-member': bent((credit, each) => (isShared(each) ? credit : plus(credit, () => 1))),
};

describe('laws of credit', () => {
  test.each<[name: string, estimator: CreditEstimatorDefinition, options?: Record<string, Json>]>([
    ...creditEstimators.map(
      (estimator) => [estimator.name, estimator] as [string, CreditEstimatorDefinition],
    ),
    [
      'GiGPO by state, first visits, itself left out',
      gigpo,
      { anchor: 'state', visits: 'first', self: 'left-out' },
    ],
    ['RLOO', grpo, { episodeWeighting: 'trajectories', normalise: 'mean', self: 'left-out' }],
    ['examples/time-baseline-credit.ts', example],
    ['scores above the mean', bent((credit) => credit)],
  ])('hold for %s', (_name, estimator, options = {}) => {
    const report = assertCreditEstimator(estimator, { options });
    expect(report.findings).toEqual([]);
    expect(report.unchecked).toEqual([]);
    expect(Object.keys(report.checked).toSorted()).toEqual(Object.keys(creditLaws).toSorted());
  });

  test.each(Object.keys(creditLaws) as CreditLaw[])('detect what breaks %s', (law) => {
    const { findings } = checkCreditEstimator(broken[law]);
    expect(findings.map((finding) => finding.law)).toContain(law);
    expect(() => assertCreditEstimator(broken[law])).toThrow(`${law} (batch `);
  });

  test('skip for batch-wide estimators the laws that cannot hold', () => {
    const whole = bent((credit, _each, { groups }) => plus(credit, () => groups.length), {
      compares: 'batch',
    });
    const { findings, unchecked } = checkCreditEstimator(whole);
    expect(findings).toEqual([]);
    expect(unchecked).toEqual(['alone', 'lone-member']);
  });

  test('accept options of a definition and batches of its author', () => {
    const definition = defineCreditEstimator({
      kind: 'picky',
      name: 'picky',
      summary: 'for a test',
      options: z.strictObject({ least: z.number().default(0) }),
      create: ({ least }) =>
        bent((credit, { members }) => {
          if (members.some(({ steps }) => steps.length > 7 + least)) throw new RangeError('that long?');
          return credit;
        }).create({}),
    });
    const long = group(episode(Array.from({ length: 9 }, () => ({}))), episode([{}]));
    expect(checkCreditEstimator(definition).findings).toEqual([]);
    expect(checkCreditEstimator(definition, { batches: [[long]] }).findings).toMatchObject([
      {
        law: 'shape',
        batch: 20,
        what: expect.stringMatching(/^it threw: that long\? \(credit-laws\.test\.ts:/) as string,
      },
    ]);
    expect(checkCreditEstimator(definition, { batches: [[long]], options: { least: 5 } }).findings).toEqual(
      [],
    );
    expect(() => checkCreditEstimator(definition, { options: { most: 1 } })).toThrow(/unknown key "most"/);
  });
});
