import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  netRewardOf,
  type Trajectory,
  type TrajectoryGroup,
  type TrajectoryStep,
} from '../../../agents/rollout/trajectory.ts';
import type { BatchCredit, TrajectoryCredit } from '../../../trainers/credit/estimator.ts';
import { createGigpo, createGrpo } from './built-in.ts';
import { anchorOf, group, sizesOf } from './hand-made.ts';
import { anyBatch, anyEpisodeRule, anyGigpoRule } from './random-batch.ts';

const columns = ['advantage', 'episode', 'step', 'stepReturn'] as const;
const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

/** Rounding of sums in another order, magnified by 1 / epsilon where a deviation is all rounding. */
const rounding = 1e-8;

function expectSameCredit(
  actual: TrajectoryCredit | undefined,
  expected: TrajectoryCredit | undefined,
): void {
  if (actual === undefined || expected === undefined) throw new Error('a member has no credit');
  for (const name of columns) {
    expect(actual[name].length).toBe(expected[name].length);
    actual[name].forEach((value, row) => {
      const wanted = expected[name][row] as number;
      if (Number.isNaN(wanted)) expect(value).toBeNaN();
      else expect(Math.abs(value - wanted)).toBeLessThan(rounding);
    });
  }
}

const isScored = (member: Trajectory): boolean =>
  member.stop.kind !== 'faulted' && member.steps.every(({ reward }) => reward !== undefined);

/** The credit of the scored members of credited groups, group by group. */
function scoredCredit(batch: readonly TrajectoryGroup[], credit: BatchCredit): TrajectoryCredit[][] {
  return batch.flatMap(({ members }, index) =>
    credit.verdicts[index] === 'credited'
      ? [(credit.groups[index] ?? []).filter((_, place) => isScored(members[place] as Trajectory))]
      : [],
  );
}

/** The same batch with each step's reward changed. */
function mapSteps(
  batch: readonly TrajectoryGroup[],
  change: (step: TrajectoryStep, isLast: boolean) => TrajectoryStep,
): TrajectoryGroup[] {
  return batch.map(({ members }) =>
    group(
      ...members.map((member) => ({
        ...member,
        steps: member.steps.map((step, place) => change(step, place === member.steps.length - 1)),
      })),
    ),
  );
}

function scaled(step: TrajectoryStep, by: number): TrajectoryStep {
  if (step.reward === undefined) return step;
  const terms = Object.fromEntries(
    Object.entries(step.reward.terms).map(([name, value]) => [name, value * by]),
  );
  const penalty = step.penalty === undefined ? undefined : step.penalty * by;
  return { ...step, reward: { total: step.reward.total * by, terms }, penalty };
}

function raised(step: TrajectoryStep, by: number): TrajectoryStep {
  if (step.reward === undefined) return step;
  const { total, terms } = step.reward;
  return { ...step, reward: { total: total + by, terms: { ...terms, goal: (terms['goal'] ?? 0) + by } } };
}

describe('sums of credit', () => {
  test('GiGPO and GRPO, rows, self included: the episode term sums to 0 over the rows of a group', () => {
    fc.assert(
      fc.property(anyBatch(), anyGigpoRule, (batch, rule) => {
        const credit = createGigpo({ ...rule, episodeWeighting: 'rows', self: 'included' }).assign(batch, {});
        for (const members of scoredCredit(batch, credit))
          expect(Math.abs(sum(members.flatMap(({ episode }) => [...episode])))).toBeLessThan(rounding);
      }),
    );
  });

  test('GiGPO and GRPO, trajectories, self included: the episode term sums to 0 over the trajectory means', () => {
    fc.assert(
      fc.property(anyBatch(), anyGigpoRule, (batch, rule) => {
        const credit = createGigpo({ ...rule, episodeWeighting: 'trajectories', self: 'included' }).assign(
          batch,
          {},
        );
        for (const members of scoredCredit(batch, credit)) {
          expect(Math.abs(sum(members.map(({ episode }) => sum(episode) / episode.length)))).toBeLessThan(
            rounding,
          );
        }
      }),
    );
  });

  test('GiGPO, every or first visits, self included: the step term sums to 0 at each anchor', () => {
    fc.assert(
      fc.property(anyBatch(), anyGigpoRule, (batch, rule) => {
        const credit = createGigpo({ ...rule, self: 'included' }).assign(batch, {});
        const sums = new Float64Array(sizesOf(credit).length);
        for (const member of credit.groups.flat()) {
          anchorOf(member).forEach((number, row) => {
            if (number >= 0) sums[number] = (sums[number] as number) + (member.step[row] as number);
          });
        }
        for (const total of sums) expect(Math.abs(total)).toBeLessThan(rounding);
      }),
    );
  });

  test('the advantage is the episode term plus omega times the step term, always finite', () => {
    fc.assert(
      fc.property(anyBatch(), anyGigpoRule, (batch, rule) => {
        for (const { advantage, episode, step } of createGigpo(rule).assign(batch, {}).groups.flat()) {
          expect([...advantage]).toEqual(
            [...episode].map((value, row) => value + rule.omega * (step[row] as number)),
          );
          expect(advantage.every(Number.isFinite)).toBe(true);
        }
      }),
    );
  });
});

describe('invariances of credit', () => {
  test('GiGPO, any rule: ignores the order of members and of groups', () => {
    fc.assert(
      fc.property(anyBatch(), anyGigpoRule, fc.infiniteStream(fc.nat()), (batch, rule, rolls) => {
        const shuffle = <T>(items: readonly T[]): T[] =>
          items
            .map((item) => ({ item, at: rolls.next().value as number }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ item }) => item);
        const order = shuffle(
          batch.map(({ members }, index) => ({ index, places: shuffle(members.map((_, place) => place)) })),
        );
        const moved = order.map(({ index, places }) =>
          group(...places.map((place) => batch[index]?.members[place] as Trajectory)),
        );
        const [before, after] = [createGigpo(rule).assign(batch, {}), createGigpo(rule).assign(moved, {})];
        order.forEach(({ index, places }, at) => {
          places.forEach((place, to) =>
            expectSameCredit(after.groups[at]?.[to], before.groups[index]?.[place]),
          );
        });
        expect(sizesOf(after).toSorted()).toEqual(sizesOf(before).toSorted());
      }),
    );
  });

  test('GiGPO, population deviation, self included: stays the same when every member appears twice', () => {
    fc.assert(
      fc.property(anyBatch(), anyGigpoRule, (batch, rule) => {
        const estimator = createGigpo({ ...rule, std: 'population', self: 'included' });
        const alone = ({ members }: TrajectoryGroup): boolean =>
          members.filter(({ stop }) => stop.kind !== 'faulted').length === 1 ||
          members.filter(isScored).length === 1;
        const pairs = batch.filter((one) => !alone(one)); // a single survivor, or a single score, would become two
        const [once, twice] = [
          estimator.assign(pairs, {}),
          estimator.assign(
            pairs.map(({ members }) => group(...members, ...members)),
            {},
          ),
        ];
        once.groups.forEach((members, index) => {
          members.forEach((member, place) => {
            const doubled = twice.groups[index] ?? [];
            // Alone at its anchor a step has nobody to be compared with; beside its double it has, and earns 0 either way.
            expectSameCredit(doubled[place], member);
            expectSameCredit(doubled[place + members.length], member);
          });
        });
      }),
    );
  });

  test('GiGPO and GRPO, any rule: the episode term ignores an equal addition to every episode score', () => {
    fc.assert(
      fc.property(anyBatch(), anyEpisodeRule, fc.integer({ min: -80, max: 80 }), (batch, rule, eighths) => {
        const shifted = mapSteps(batch, (step, isLast) => (isLast ? raised(step, eighths / 8) : step));
        const [before, after] = [createGrpo(rule).assign(batch, {}), createGrpo(rule).assign(shifted, {})];
        after.groups.flat().forEach((member, place) => {
          const wanted = before.groups.flat()[place]?.episode ?? [];
          member.episode.forEach((value, row) =>
            expect(Math.abs(value - (wanted[row] as number))).toBeLessThan(1e-7),
          );
        });
      }),
    );
  });

  test('GiGPO, deviation, any rule: ignores the unit of rewards, to the last digit with epsilon in that unit', () => {
    fc.assert(
      fc.property(anyBatch(), anyGigpoRule, fc.constantFrom(0.25, 2, 1024), (batch, rule, by) => {
        const unit = createGigpo({ ...rule, normalise: 'mean-std', epsilon: 1e-6 }).assign(batch, {});
        const other = createGigpo({ ...rule, normalise: 'mean-std', epsilon: 1e-6 * by }).assign(
          mapSteps(batch, (step) => scaled(step, by)),
          {},
        );
        unit.groups
          .flat()
          .forEach((member, place) =>
            expect(other.groups.flat()[place]?.advantage).toEqual(member.advantage),
          );
      }),
    );
  });

  test('GiGPO, distance from the mean, any rule: doubled rewards earn doubled credit', () => {
    fc.assert(
      fc.property(anyBatch(), anyGigpoRule, (batch, rule) => {
        const estimator = createGigpo({ ...rule, normalise: 'mean' });
        const [unit, twice] = [
          estimator.assign(batch, {}),
          estimator.assign(
            mapSteps(batch, (step) => scaled(step, 2)),
            {},
          ),
        ];
        unit.groups
          .flat()
          .forEach((member, place) =>
            expect(twice.groups.flat()[place]?.advantage).toEqual(member.advantage.map((value) => 2 * value)),
          );
      }),
    );
  });

  test('GiGPO, any rule: ignores faulted members at any position', () => {
    fc.assert(
      fc.property(anyBatch(), anyGigpoRule, (batch, rule) => {
        const without = batch.map(({ members }) =>
          group(...members.filter(({ stop }) => stop.kind !== 'faulted')),
        );
        const [credit, expected] = [
          createGigpo(rule).assign(batch, {}),
          createGigpo(rule).assign(without, {}),
        ];
        batch.forEach(({ members }, index) => {
          const alive = (credit.groups[index] ?? []).filter(
            (_, place) => members[place]?.stop.kind !== 'faulted',
          );
          expect(alive).toEqual(expected.groups[index]);
          const dead = (credit.groups[index] ?? []).filter(
            (_, place) => members[place]?.stop.kind === 'faulted',
          );
          for (const member of dead)
            for (const values of [...columns.map((name) => member[name]), anchorOf(member)])
              expect(values.length).toBe(0);
        });
      }),
    );
  });

  test('GiGPO, any rule: leaves the batch unchanged', () => {
    fc.assert(
      fc.property(anyBatch(), anyGigpoRule, (batch, rule) => {
        const before = structuredClone(batch);
        createGigpo(rule).assign(deepFreeze(batch), {});
        expect(batch).toEqual(before);
      }),
    );
  });
});

describe('relations of credit settings', () => {
  test('GiGPO at omega 0 is GRPO to the last digit', () => {
    fc.assert(
      fc.property(
        anyBatch(),
        anyGigpoRule,
        (batch, { omega: _omega, gamma: _gamma, visits: _visits, ...rule }) => {
          const [gigpo, grpo] = [
            createGigpo({ ...rule, omega: 0 }).assign(batch, {}),
            createGrpo(rule).assign(batch, {}),
          ];
          gigpo.groups.flat().forEach((member, place) => {
            expect(member.advantage).toEqual(grpo.groups.flat()[place]?.advantage);
            expect(member.episode).toEqual(grpo.groups.flat()[place]?.episode);
          });
        },
      ),
    );
  });

  test('GiGPO at gamma 0: a step return equals the step reward, penalty included', () => {
    fc.assert(
      fc.property(anyBatch(), anyGigpoRule, (batch, rule) => {
        const credit = createGigpo({ ...rule, gamma: 0 }).assign(batch, {});
        batch.forEach(({ members }, index) => {
          members.forEach((member, place) => {
            if (!isScored(member)) return;
            expect([...(credit.groups[index]?.[place]?.stepReturn ?? [])]).toEqual(
              member.steps.map((step) => netRewardOf(step)),
            );
          });
        });
      }),
    );
  });

  test('GiGPO without revisits: first visits are all visits, to the last digit', () => {
    fc.assert(
      fc.property(anyBatch({ noRevisits: true }), anyGigpoRule, (batch, rule) => {
        const [every, first] = [
          createGigpo({ ...rule, visits: 'every' }),
          createGigpo({ ...rule, visits: 'first' }),
        ];
        expect(first.assign(batch, {})).toEqual(every.assign(batch, {}));
      }),
    );
  });

  test('GiGPO and GRPO without penalties: leaving out m of n units scales credit by n / (n - m)', () => {
    fc.assert(
      fc.property(anyBatch({ gaps: false, penalties: false }), anyGigpoRule, (batch, anyRule) => {
        const rule = { ...anyRule, visits: 'first' } as const;
        const included = createGigpo({ ...rule, self: 'included' }).assign(batch, {});
        const leftOut = createGigpo({ ...rule, self: 'left-out' }).assign(batch, {});
        const visitors = countVisitors(included);
        leftOut.groups.forEach((members, index) => {
          if (leftOut.verdicts[index] !== 'credited') return;
          const alive = members.filter(({ advantage }) => advantage.length > 0);
          const rows = sum(alive.map(({ advantage }) => advantage.length));
          members.forEach((member, place) => {
            const like = included.groups[index]?.[place];
            const own = member.advantage.length;
            const stretch =
              rule.episodeWeighting === 'rows' ? rows / (rows - own) : alive.length / (alive.length - 1);
            member.episode.forEach((value, row) =>
              expect(value).toBeCloseTo(stretch * (like?.episode[row] ?? Number.NaN), 6),
            );
            member.step.forEach((value, row) => {
              const others = (visitors.get(anchorOf(member)[row] as number) ?? 1) - 1;
              const wanted = others === 0 ? 0 : ((others + 1) / others) * (like?.step[row] ?? Number.NaN);
              expect(value).toBeCloseTo(wanted, 6);
            });
          });
        });
      }),
    );
  });

  test('GRPO, mean, left out, trajectories, without penalties: equals RLOO, the score minus the mean of the others', () => {
    fc.assert(
      fc.property(anyBatch({ gaps: false, faults: false, penalties: false }), (batch) => {
        const credit = createGrpo({
          normalise: 'mean',
          self: 'left-out',
          episodeWeighting: 'trajectories',
        }).assign(batch, {});
        batch.forEach(({ members }, index) => {
          const scores = members.map(({ steps }) =>
            sum(steps.map(({ reward }) => reward?.total ?? Number.NaN)),
          );
          scores.forEach((score, place) => {
            const wanted = score - (sum(scores) - score) / (scores.length - 1);
            for (const value of credit.groups[index]?.[place]?.advantage ?? [])
              expect(value).toBeCloseTo(wanted, 9);
          });
        });
      }),
    );
  });
});

describe('zero credit', () => {
  test('GiGPO, any rule: goes to steps alone at their anchor, and to anchors and groups of equal values', () => {
    fc.assert(
      fc.property(
        anyBatch({ gaps: false, penalties: false }),
        anyGigpoRule,
        fc.double({ min: -2, max: 2, noNaN: true }),
        (batch, rule, score) => {
          const flat = mapSteps(batch, (step, isLast) => ({
            ...step,
            reward: { total: isLast ? score : 0, terms: { goal: isLast ? score : 0 } },
          }));
          const credit = createGigpo(rule).assign(flat, {});
          for (const { episode } of credit.groups.flat())
            expect(episode.every((value) => value === 0)).toBe(true);
          expect(credit.statistics['credit/groups-zero-episode']).toBe(
            credit.verdicts.filter((verdict) => verdict === 'credited').length,
          );
          const known = createGigpo(rule).assign(batch, {});
          for (const member of known.groups.flat()) {
            member.step.forEach((value, row) => {
              const anchor = anchorOf(member)[row] as number;
              if (anchor === -1 || sizesOf(known)[anchor] === 1) expect(value).toBe(0);
            });
          }
          const undiscounted = createGigpo({ ...rule, gamma: 1 }).assign(flat, {});
          for (const { step } of undiscounted.groups.flat())
            expect(step.every((value) => value === 0)).toBe(true);
        },
      ),
    );
  });
});

/** How many trajectories come by each anchor. */
function countVisitors(credit: BatchCredit): Map<number, number> {
  const visitors = new Map<number, number>();
  for (const member of credit.groups.flat()) {
    for (const number of new Set(anchorOf(member))) visitors.set(number, (visitors.get(number) ?? 0) + 1);
  }
  return visitors;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
