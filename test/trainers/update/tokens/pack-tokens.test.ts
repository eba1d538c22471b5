import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TokenDecision, TokenSpan } from '../../../../agents/core/agent.ts';
import {
  trajectorySchema,
  type Trajectory,
  type TrajectoryGroup,
  type TrajectoryStep,
} from '../../../../agents/rollout/trajectory.ts';
import type { BatchCredit, TrajectoryCredit } from '../../../../trainers/credit/estimator.ts';
import type { TokenBatch } from '../../../../models/token/token-batch.ts';
import { planMicroBatches } from '../../../../models/token/micro-batches.ts';
import {
  lossAggregationSchema,
  packTokens,
  trainingOfRows,
  type LossAggregation,
  type PackedRows,
} from '../../../../trainers/update/tokens/pack-tokens.ts';

/** What was written: token ids of their own, so that each can be found again, with what it is to be trained on. */
interface Written {
  readonly token: number;
  readonly group: number;
  readonly trajectory: number;
  readonly step: number;
  readonly logprob: number;
  readonly advantage: number;
}

/** A made-up iteration, and what was written in it by trajectories that have credit in groups that teach. */
interface Iteration {
  readonly groups: readonly TrajectoryGroup[];
  readonly credit: BatchCredit;
  readonly written: readonly Written[];
}

interface SpanDraft {
  readonly goesOn: boolean;
  readonly appended: number;
  readonly sampled: number;
}
const firstWritten = 1000;
const spanDraft: fc.Arbitrary<SpanDraft> = fc.record({
  goesOn: fc.boolean(),
  appended: fc.integer({ min: 1, max: 4 }),
  sampled: fc.integer({ min: 0, max: 4 }),
});
const stepDraft = fc.record({
  spans: fc.array(spanDraft, { minLength: 1, maxLength: 2 }),
  advantage: fc.constantFrom(-1, 0, 0.5, 2),
});
const memberDraft = fc.record({
  steps: fc.array(stepDraft, { minLength: 1, maxLength: 4 }),
  isFaulted: fc.boolean(),
});
const groupDraft = fc.record({
  members: fc.array(memberDraft, { minLength: 1, maxLength: 3 }),
  isEqual: fc.boolean(),
});
const iterations: fc.Arbitrary<Iteration> = fc
  .array(groupDraft, { minLength: 1, maxLength: 4 })
  .map(iterationOf);

function iterationOf(
  drafts: readonly {
    readonly members: readonly {
      readonly steps: readonly { readonly spans: readonly SpanDraft[]; readonly advantage: number }[];
      readonly isFaulted: boolean;
    }[];
    readonly isEqual: boolean;
  }[],
): Iteration {
  const written: Written[] = [];
  let next = firstWritten;
  let trajectories = 0;
  const credits: TrajectoryCredit[][] = [];
  const groups = drafts.map(({ members, isEqual }, group): TrajectoryGroup => {
    const teaches =
      !isEqual &&
      members.some(({ steps, isFaulted }) => !isFaulted && steps.some(({ advantage }) => advantage !== 0));
    const advantageOf = (of: number): number => (isEqual ? 0 : of);
    credits.push(
      members.map(({ steps, isFaulted }) =>
        creditOf(isFaulted ? [] : steps.map(({ advantage }) => advantageOf(advantage))),
      ),
    );
    const played = members.map(({ steps, isFaulted }): Trajectory => {
      let length = 0; // of the row so far
      const trajectory = trajectories;
      trajectories += 1;
      return trajectoryOf(
        steps.map(({ spans, advantage }, step) => ({
          kind: 'tokens',
          leftOut: 0,
          spans: spans.map(({ goesOn, appended, sampled }): TokenSpan => {
            const kept = goesOn ? length : Math.floor(length / 2);
            const tokens = Array.from({ length: sampled }, () => (next += 1));
            const logprobs = tokens.map((token) => -token / 4096);
            length = kept + appended + sampled;
            if (teaches && !isFaulted)
              written.push(
                ...tokens.map((token, at) => ({
                  token,
                  group,
                  trajectory,
                  step,
                  logprob: logprobs[at] as number,
                  advantage: advantageOf(advantage),
                })),
              );
            return {
              kept,
              appended: Array.from({ length: appended }, (_, at) => at),
              sampled: tokens,
              logprobs,
            };
          }),
        })),
      );
    });
    return { task: { panel: 'train', index: group }, members: played };
  });
  return {
    groups,
    credit: {
      groups: credits,
      verdicts: groups.map(() => 'credited'),
      anchorSizes: {},
      hasParts: true,
      statistics: {},
    },
    written,
  };
}

function creditOf(advantage: readonly number[]): TrajectoryCredit {
  const values = Float64Array.from(advantage);
  return {
    advantage: values,
    episode: values,
    step: values,
    anchors: {},
    stepReturn: values,
  };
}

function trajectoryOf(decisions: readonly TokenDecision[]): Trajectory {
  const steps = decisions.map((decision): TrajectoryStep => ({
    observation: '',
    seat: 0,
    stateKey: undefined,
    anchorKey: undefined,
    stepsLeft: undefined,
    reply: { kind: 'action', action: '' },
    decision,
    policyVersion: 1,
    verdict: 'admissible',
    reward: undefined,
    penalty: undefined,
  }));
  return {
    schema: trajectorySchema,
    path: 'path',
    env: { id: 'test-v1', config: {} },
    task: { panel: 'train', index: 0 },
    family: 'test',
    agent: 'tokens',
    instruction: '',
    steps,
    finalObservation: '',
    finalStateKey: undefined,
    finalAnchorKey: undefined,
    stop: { kind: 'terminated', outcome: 'solved' },
  };
}

const pack = ({ groups, credit }: Iteration, aggregation: Partial<LossAggregation> = {}): PackedRows =>
  packTokens({
    groups,
    credit,
    aggregation: lossAggregationSchema.parse(aggregation),
    zeroAdvantage: 'leave-out',
  });
const total = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);
const tokensOf = ({ batch }: PackedRows): readonly number[] =>
  [...batch.scored].map((place) => batch.tokens[place] as number);
const rowCount = ({ batch }: PackedRows): number => batch.rowStart.length - 1;

/** Number of units of which something was written. */
function unitsOf({ written }: Iteration, packed: PackedRows, unit: LossAggregation['unit']): number {
  if (unit === 'sequence') return rowCount(packed);
  if (unit === 'token') return written.length;
  return new Set(
    written.map(({ trajectory, step }) => (unit === 'step' ? `${trajectory}/${step}` : trajectory)),
  ).size;
}

test('packTokens trains every written token once, with its own advantage and log-probability, and no other', () => {
  fc.assert(
    fc.property(iterations, (iteration) => {
      const packed = pack(iteration);
      expect(tokensOf(packed)).toEqual(iteration.written.map(({ token }) => token));
      expect([...packed.advantage]).toEqual(iteration.written.map(({ advantage }) => Math.fround(advantage)));
      expect([...packed.behaviourLogprob]).toEqual(
        iteration.written.map(({ logprob }) => Math.fround(logprob)),
      );
      expect(tokensOf(packed).every((token) => token > firstWritten)).toBe(true);
      const starts = [...packed.batch.rowStart];
      expect(
        starts
          .slice(0, -1)
          .every((start, row) =>
            packed.batch.scored.some((place) => place > start && place < (starts[row + 1] as number)),
          ),
      ).toBe(true);
    }),
  );
});

test('planMicroBatches splits the rows into micro-batches that are a permutation of the whole', () => {
  fc.assert(
    fc.property(iterations, fc.integer({ min: 40, max: 90 }), (iteration, tokensAtOnce) => {
      const packed = pack(iteration, { unit: 'step' });
      const parts = planMicroBatches(packed.batch, tokensAtOnce).map((rows) =>
        trainingOfRows(packed, rows, { proximal: packed.behaviourLogprob }),
      );
      expect(parts.every(({ tokens }) => tokens.length <= tokensAtOnce)).toBe(true);
      const seen = parts.flatMap((part) =>
        [...part.scored].map(
          (place, at) =>
            [part.tokens[place], part.advantage[at], part.proximalLogprob[at], part.weight[at]] as const,
        ),
      );
      const all = tokensOf(packed).map(
        (token, at) => [token, packed.advantage[at], packed.behaviourLogprob[at], packed.weight[at]] as const,
      );
      expect(seen.toSorted(([a = 0], [b = 0]) => a - b)).toEqual(all.toSorted(([a], [b]) => a - b));
      expect(total(parts.map(({ normaliser }) => normaliser as number))).toBeCloseTo(total(packed.weight), 3);
    }),
  );
});

test.each(['token', 'sequence', 'step', 'trajectory'] as const)(
  'aggregation by %s weighs each unit alike, and all of its tokens',
  (unit) => {
    fc.assert(
      fc.property(iterations, (iteration) => {
        const packed = pack(iteration, { unit });
        expect(total(packed.weight)).toBeCloseTo(unitsOf(iteration, packed, unit), 3);
        expect(packed.share).toEqual(packed.weight);
        const weights = new Map<string, number[]>();
        for (const [at, { trajectory, step, token }] of iteration.written.entries()) {
          const row = packed.batch.rowStart.findIndex((start) => start > (packed.batch.scored[at] as number));
          const key = {
            token: `${token}`,
            sequence: `${row}`,
            step: `${trajectory}/${step}`,
            trajectory: `${trajectory}`,
          }[unit];
          weights.set(key, [...(weights.get(key) ?? []), packed.weight[at] as number]);
        }
        for (const of of weights.values())
          for (const weight of of) expect(weight).toBeCloseTo(1 / of.length, 6);
      }),
    );
  },
);

test.each(['sequence', 'step', 'trajectory'] as const)(
  'aggregation by %s with a horizon divides by it, whatever the lengths, and by the units',
  (unit) => {
    fc.assert(
      fc.property(iterations, (iteration) => {
        const packed = pack(iteration, { unit, horizon: 64 });
        expect(packed.weight.every((weight) => weight === 1 / 64)).toBe(true);
        const { normaliser } = trainingOfRows(packed, [...Array(rowCount(packed)).keys()], {
          proximal: packed.behaviourLogprob,
        });
        expect(normaliser).toBeCloseTo(unitsOf(iteration, packed, unit), 3);
      }),
    );
  },
);

test('a continued prompt stays in its row, and any other starts a new sequence', () => {
  const spans = (
    ...lengths: readonly (readonly [kept: number, appended: number, sampled: number])[]
  ): TokenDecision[] =>
    lengths.map(([kept, appended, sampled], step) => ({
      kind: 'tokens',
      leftOut: 0,
      spans: [
        {
          kept,
          appended: Array.from({ length: appended }, () => 1),
          sampled: Array.from({ length: sampled }, (_, at) => 10 * (step + 1) + at),
          logprobs: Array.from({ length: sampled }, () => -1),
        },
      ],
    }));
  const members = [trajectoryOf(spans([0, 2, 1], [3, 1, 3], [2, 1, 2]))];
  const credit: BatchCredit = {
    groups: [[creditOf([1, 2, 3])]],
    verdicts: ['credited'],
    anchorSizes: {},
    hasParts: true,
    statistics: {},
  };
  const packed = pack(
    { groups: [{ task: { panel: 'train', index: 0 }, members }], credit, written: [] },
    { unit: 'sequence' },
  );
  expect([...packed.batch.tokens]).toEqual([1, 1, 10, 1, 20, 21, 22, 1, 1, 1, 30, 31]);
  expect([...packed.batch.rowStart]).toEqual([0, 7, 12]);
  expect([...packed.batch.scored]).toEqual([2, 4, 5, 6, 10, 11]);
  expect([...packed.advantage]).toEqual([1, 2, 2, 2, 3, 3]);
  expect([...packed.weight]).toEqual([0.25, 0.25, 0.25, 0.25, 0.5, 0.5]);
  const second = trainingOfRows(packed, [1], {
    proximal: packed.behaviourLogprob.map((_, at) => at),
    reference: packed.behaviourLogprob.map((_, at) => -at),
  });
  expect([
    ...second.tokens,
    ...second.scored,
    ...second.proximalLogprob,
    ...(second.referenceLogprob ?? []),
  ]).toEqual([1, 1, 1, 30, 31, 3, 4, 4, 5, -4, -5]);
  expect(second.normaliser).toBe(1);
});

test('packTokens keeps the allowed tokens of each drawn token', () => {
  const decision = (allowed?: readonly (readonly number[])[]): TokenDecision => ({
    kind: 'tokens',
    leftOut: 0,
    spans: [{ kept: 0, appended: [1, 2], sampled: [5, 6], logprobs: [-1, -2] }],
    ...(allowed === undefined ? {} : { allowed }),
  });
  const restricted = [[5, 6], [5, 7], [8]];
  const groups = [
    { task: { panel: 'train', index: 0 }, members: [trajectoryOf([decision(), decision(restricted)])] },
  ];
  const credit: BatchCredit = {
    groups: [[creditOf([1, 1])]],
    verdicts: ['credited'],
    anchorSizes: {},
    hasParts: true,
    statistics: {},
  };
  const packed = pack({ groups, credit, written: [] });
  const bagsOf = ({ allowed }: Pick<TokenBatch, 'allowed'>): readonly unknown[] => [
    [...(allowed?.start ?? [])],
    [...(allowed?.members ?? [])],
  ];
  expect(bagsOf(packed.batch)).toEqual([
    [0, 0, 0, 2, 4],
    [5, 8, 6, 7],
  ]);
  expect(bagsOf(trainingOfRows(packed, [1], { proximal: packed.behaviourLogprob }))).toEqual([
    [0, 2, 4],
    [5, 8, 6, 7],
  ]);
  expect(
    pack({
      groups: [{ task: { panel: 'train', index: 0 }, members: [trajectoryOf([decision()])] }],
      credit,
      written: [],
    }).batch.allowed,
  ).toBeUndefined();
});

test('lossAggregationSchema refuses a horizon for single tokens', () => {
  expect(lossAggregationSchema.safeParse({ unit: 'token', horizon: 8 }).success).toBe(false);
  expect(lossAggregationSchema.safeParse({ unit: 'step', horizon: 0 }).success).toBe(false);
  expect(lossAggregationSchema.parse({})).toEqual({ unit: 'token' });
});
