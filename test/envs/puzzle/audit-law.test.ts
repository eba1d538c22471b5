import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkEnv } from '../../../envs/check/check-env.ts';
import { formatReport, type CheckReport } from '../../../envs/check/report.ts';
import type { AnyEnvDefinition } from '../../../envs/core/env.ts';
import { mixEnvs } from '../../../envs/mixture/mixture.ts';
import { definePuzzle } from '../../../envs/puzzle/define-puzzle.ts';
import { findPuzzle } from '../../../envs/puzzle/puzzles.ts';
import type { PuzzleRules } from '../../../envs/puzzle/rules.ts';
import { retryAnyEnv } from '../../../envs/retry/retry.ts';

type Pair = PuzzleRules<
  'my-lab/pair',
  { numbers: number[]; total: number; first?: number[] },
  number[],
  number
>;

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Two numbers of a list with a given sum, in any order. Parts can be replaced by faulty ones. */
const rules: Pair = {
  name: 'my-lab/pair',
  category: 'arithmetic',
  summary: 'Find two numbers with a sum',
  question: z.strictObject({
    numbers: z.array(z.int()),
    total: z.int(),
    first: z.array(z.int()).exactOptional(),
  }),
  levels: [4, 8],
  generate: (rng, count) => {
    const numbers = Array.from({ length: count }, () => 1 + rng.int(1_000_000));
    const solution = numbers.slice(0, 2);
    return { question: { numbers: rng.shuffle(numbers), total: sum(solution) }, solution };
  },
  rules: 'Choose two numbers of the list that have the sum.',
  render: ({ numbers, total }) => `${numbers.join(' ')}, sum ${total}`,
  answer: {
    format: 'two numbers.',
    write: (pair) => pair.join(' '),
    read: (text) => (/^\d{1,9} \d{1,9}$/.test(text) ? text.split(' ').map(Number) : undefined),
  },
  verify: ({ numbers, total }, pair) => sum(pair) === total && pair.every((one) => numbers.includes(one)),
  audit: {
    guess: ({ numbers }, rng) => rng.shuffle(numbers).slice(0, 2),
    chance: (level) => [1 / 6, 1 / 28][level - 1] ?? 0,
    mutants: ([a = 0, b = 0]) => ({ 'one more': [a, b + 1] }),
    equivalents: ([a = 0, b = 0]) => ({ 'other order': `${b} ${a}` }),
  },
};

const envOf = (changes: Partial<Pair>): AnyEnvDefinition => {
  const [env] = definePuzzle({ ...rules, ...changes }).envs;
  if (env === undefined) throw new Error('The puzzle has no environment.');
  return env;
};

const check = (env: AnyEnvDefinition, auditTasks = 10): Promise<CheckReport> =>
  checkEnv(env, {
    laws: ['audit'],
    tasksPerPanel: 1,
    contentsPerPanel: 2,
    episodes: 1,
    leastSteps: 1,
    auditTasks,
  });

const found = ({ findings }: CheckReport) =>
  findings.filter(({ law }) => law === 'audit').map(({ where, what, fix }) => [where.call, what, fix]);

describe('the law audit', () => {
  test('finds nothing in a sound puzzle, and reports how much was tried', async () => {
    const report = await check(envOf({}), 20);
    expect(report.findings).toEqual([]);
    expect(report.audit).toMatchObject({
      questions: 40,
      'random answers': 400,
      'seeds for repeats': 200,
      'tasks of panels': 60,
    });
    expect(formatReport(report)).toMatch(/note: the audit tried 40 questions, \d+ wrong answers, /);
  });

  test.each<[string, Partial<Pair>, RegExp, RegExp]>([
    [
      'accepts everything',
      { verify: () => true },
      /^mutants, seed 0, level 1 "[\d ]+" \(one more\) is accepted; the solution is/,
      /^Let verify test every rule/,
    ],
    [
      'accepts any answer of the right length too often',
      { verify: ({ numbers }, pair) => pair.every((one) => numbers.includes(one)) },
      /^chance, level 1 100 of 100 random answers were right, but chance allows \d+\.$/,
      /^Make verify stricter/,
    ],
    [
      'throws',
      {
        verify: () => {
          throw new Error('no such table');
        },
      },
      /^exceptions, seed 0, level 1 no such table$/,
      /^Return undefined from answer\.read/,
    ],
    [
      'reverses the question in place',
      {
        verify: ({ numbers, total }, pair) =>
          (numbers as number[]).reverse().length > 0 && sum(pair) === total,
      },
      /^frozen, seed 0, level 1 Cannot assign to read only property/,
      /^Work on a copy/,
    ],
    [
      'accepts only one order',
      {
        verify: ({ numbers, total }, [a, b]) =>
          sum([a ?? 0, b ?? 0]) === total && (a ?? 0) < (b ?? 0) && numbers.length > 0,
      },
      /^(gold|equivalents), seed \d, level \d /,
      /comparing with one solution|^Fix verify/,
    ],
    [
      'has the solution in its question',
      {
        generate: (rng, count) => {
          const drawn = rules.generate(rng, count);
          const question = drawn.question as { numbers: number[]; total: number };
          return { ...drawn, question: { ...question, first: drawn.solution } };
        },
        verify: ({ first = [] }, pair) => first.join() === pair.join(),
      },
      /^leak, all levels question\.first is the solution in every question\.$/,
      /^Leave the solution out/,
    ],
  ])('reports a verifier that %s, with place, cause and fix', async (_what, changes, says, fixes) => {
    const findings = found(await check(envOf(changes)));
    const one = findings.find(([where, what]) => says.test(`${where} ${what}`));
    expect(findings.map(([where, what]) => `${where} ${what}`)).toContainEqual(expect.stringMatching(says));
    expect(one?.[2]).toMatch(fixes);
  });

  test('warns where only known solutions were tried, because a verifier that compares with them would pass', async () => {
    const known = new Map<number, string>();
    const { equivalents: _equivalents, ...audit } = rules.audit;
    const report = await check(
      envOf({
        generate: (rng, count) => {
          const drawn = rules.generate(rng, count);
          known.set(drawn.question.total, drawn.solution.join());
          return drawn;
        },
        verify: ({ total }, pair) => known.get(total) === pair.join(),
        audit: { ...audit, guess: ({ numbers }) => numbers.slice(0, 2).map((one) => one + 1) },
      }),
      25,
    );
    expect(report.findings).toMatchObject([
      { law: 'audit', severity: 'warning', fix: expect.stringMatching(/equivalents or solve/) as string },
    ]);
  });

  test('audits the step-wise form by its moves, and says nothing of envs without an audit', async () => {
    const [, moves] = findPuzzle('hanoi').envs;
    if (moves === undefined) throw new Error('hanoi has moves.');
    const report = await check(moves, 5);
    expect(report.findings).toEqual([]);
    expect(report.audit).toMatchObject({
      questions: expect.any(Number) as number,
      'random episodes': expect.any(Number) as number,
    });
  });

  test('passes through retry: and mixtures, which name the env', async () => {
    const broken = envOf({ verify: () => true });
    expect(found(await check(retryAnyEnv(broken), 2))[0]?.[0]).toBe('mutants, seed 0, level 1');
    const mixed = mixEnvs([
      { definition: broken, weight: 1 },
      { definition: envOf({ name: 'my-lab/other' as 'my-lab/pair' }), weight: 1 },
    ]);
    const report = await check(mixed as unknown as AnyEnvDefinition, 2);
    expect(found(report)[0]?.[0]).toBe('mutants, my-lab/puzzle-pair-v1, seed 0, level 1');
    expect(report.audit?.['questions']).toBe(8);
  });
});
