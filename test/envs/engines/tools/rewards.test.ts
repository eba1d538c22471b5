import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestAssignment } from '../../../../envs/engines/tools/rewards/assignment.ts';
import { errorPenalty } from '../../../../envs/engines/tools/rewards/error-classes.ts';
import { gradedMatch } from '../../../../envs/engines/tools/rewards/graded-match.ts';
import { hierarchicalReward } from '../../../../envs/engines/tools/rewards/hierarchy.ts';
import { lackOf, tells } from '../../../../envs/engines/tools/rewards/outcome.ts';
import { containsResults } from '../../../../envs/engines/tools/rewards/turn-results.ts';
import { runs } from '../../../support/thorough.ts';

const call = (name: string, given: Record<string, string | number> = {}) => ({ name, arguments: given });
const gold = [call('find', { email: 'a@b' }), call('refund', { order: 'o1', to: 'card' })];

describe("ToolRL's graded match", () => {
  // calculated by hand: most = 1 + 2 calls + 3 keys = 6, so each point of names, parameters and values is worth 1
  it.each([
    ['all calls right', gold, 3],
    ['another order', gold.toReversed(), 3],
    ['nothing called', [], -3],
    ['wrong names only', [call('x')], -3],
    ['one wrong value', [gold[0], call('refund', { order: 'o2', to: 'card' })], 2],
    ['one missing parameter', [gold[0], call('refund', { order: 'o1' })], 1 + 1 + 1 + 0.5 + 1 - 3],
    ['one call missing', [gold[0]], 0.5 + 2 - 3],
    ['an extra call', [...gold, call('x')], 2 / 3 + 5 - 3],
    ['a call repeated', [...gold, call('find', { email: 'a@b' })], 3],
    ['a value of another type', [gold[0], call('refund', { order: 1, to: 'card' })], 2],
  ])('%s', (_, called, expected) => {
    expect(gradedMatch(gold, called as typeof gold)).toBeCloseTo(expected, 10);
  });

  it('gives the most for no call where there is no gold call', () => {
    expect(gradedMatch([], [])).toBe(3);
    expect(gradedMatch([], [call('x')])).toBe(-3);
  });
});

function bruteForce(
  worth: readonly (readonly number[])[],
  row = 0,
  used: ReadonlySet<number> = new Set(),
): number {
  const entries = worth[row];
  if (entries === undefined) return 0;
  let best = bruteForce(worth, row + 1, used);
  for (const [column, value] of entries.entries())
    if (!used.has(column))
      best = Math.max(best, value + bruteForce(worth, row + 1, new Set([...used, column])));
  return best;
}

it('the assignment has the greatest sum of all', () => {
  const matrix = fc
    .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
    .chain(([height, width]) =>
      fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: width, maxLength: width }), {
        minLength: height,
        maxLength: height,
      }),
    );
  fc.assert(
    fc.property(matrix, (worth) => {
      expect(bestAssignment(worth)).toBeCloseTo(bruteForce(worth), 9);
    }),
    { numRuns: runs(300) },
  );
});

describe("TL-Training's error classes", () => {
  it('cost as their table says', () => {
    expect(errorPenalty([])).toBe(-0);
    expect(errorPenalty(['unknown-tool', 'refused'])).toBe(-1.25);
    expect(errorPenalty(['missing-argument', 'unknown-argument', 'wrong-argument'])).toBe(-1.5);
  });
});

describe("Tool-Star's hierarchy", () => {
  it.each([
    [{ hasWrongForm: true, isSolved: true, tools: 3 }, -1],
    [{ hasWrongForm: true, isSolved: false, tools: 0 }, -1],
    [{ hasWrongForm: false, isSolved: false, tools: 3 }, 0],
    [{ hasWrongForm: false, isSolved: true, tools: 1 }, 1],
    [{ hasWrongForm: false, isSolved: true, tools: 2 }, 1.1],
  ])('%j earns %d', (episode, earned) => expect(hierarchicalReward(episode)).toBe(earned));
});

describe('outcome', () => {
  it.each([
    ['The total is 1,250 euros.', '1250', true],
    ['It is SHIPPED.', 'shipped', true],
    ['It costs 41.50', '41.5', false],
    ['It costs 141', '41', false],
    ['It costs 41.', '41', true],
    ['unshipped', 'shipped', false],
  ])('%s contains %s: %s', (message, wanted, is) => expect(tells(message, wanted)).toBe(is));

  const right = {
    end: 'done',
    rule: undefined,
    changes: 'x',
    goldChanges: 'x',
    told: [0],
    read: [0],
  } as const;
  const request = { says: '?', gold: [], tell: ['1'], read: ['a/b'] };
  it.each([
    ['nothing', request, right, undefined],
    ['the end', request, { ...right, end: 'transfer' }, 'end'],
    ['the state', request, { ...right, changes: 'y' }, 'state'],
    ['what must be told', request, { ...right, told: [] }, 'told'],
    ['what must be read', request, { ...right, read: [] }, 'read'],
    ['the rule', { ...request, end: 'refuse', rule: 'a' }, { ...right, end: 'refuse', rule: 'b' }, 'rule'],
  ] as const)('lacks %s', (_, wanted, ended, lack) => {
    expect(lackOf({ ...wanted, gold: [], tell: ['1'], read: ['a/b'] }, ended)).toBe(lack);
  });
});

it("BFCL's check counts each result as often as it occurs", () => {
  expect(containsResults(['1', '1'], ['1', '2', '1'])).toBe(true);
  expect(containsResults(['1', '1'], ['1', '2'])).toBe(false);
  expect(containsResults([], [])).toBe(true);
});
