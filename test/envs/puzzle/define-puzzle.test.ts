import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createContext, StepContext } from '../../../envs/core/context.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { strictTextual } from '../../../envs/core/textual.ts';
import { openEnv, parseEnvConfig } from '../../../envs/open.ts';
import { definePuzzle } from '../../../envs/puzzle/define-puzzle.ts';
import { findPuzzle } from '../../../envs/puzzle/puzzles.ts';
import type { PuzzleRules } from '../../../envs/puzzle/rules.ts';

const context = createContext({ seed: 0, now: () => 0 });
const luck = new StepContext(context);

type Sum = PuzzleRules<'my-lab/sum', { parts: number[] }, number, number>;

/** Add numbers. Parts can be replaced by faulty ones. */
const sumRules: Sum = {
  name: 'my-lab/sum',
  category: 'arithmetic',
  summary: 'Add numbers',
  question: z.strictObject({ parts: z.array(z.int()) }),
  levels: [2, 4],
  generate: (rng, count) => {
    const parts = Array.from({ length: count }, () => rng.int(100_000));
    return { question: { parts }, solution: parts.reduce((a, b) => a + b) };
  },
  rules: 'Add the numbers.',
  render: ({ parts }) => parts.join(' + '),
  answer: {
    format: 'the sum.',
    write: String,
    read: (text) => (/^\d+$/.test(text) ? Number(text) : undefined),
  },
  verify: ({ parts }, answer) => parts.reduce((a, b) => a + b) === answer,
  solve: ({ parts }) => ({ answers: [parts.reduce((a, b) => a + b)], effort: parts.length }),
  unique: true,
  audit: {
    guess: (_question, rng) => rng.int(200_000),
    chance: 0.001,
    mutants: (solution) => ({ 'one more': solution + 1 }),
  },
};
const sumPuzzle = definePuzzle(sumRules);
const [sumEnv] = sumPuzzle.envs;
if (sumEnv === undefined) throw new Error('The puzzle has no environment.');
const faultsOf = (changes: Partial<Sum>): readonly string[] => {
  const { findings } = definePuzzle({ ...sumRules, ...changes }).audit({
    seeds: 10,
    distinct: 50,
    tasks: 10,
  });
  return [...new Set(findings.map(({ check }) => check))];
};

describe('definePuzzle', () => {
  test('refuses rules that are incomplete, and names the member', () => {
    const { verify: _verify, ...rest } = sumRules;
    expect(() => definePuzzle(rest as Sum)).toThrow(/definePuzzle of my-lab\/sum.*verify/s);
    expect(() => definePuzzle({ ...sumRules, levels: [] })).toThrow(/levels/);
    expect(() => definePuzzle({ ...sumRules, name: 'My Sum' as Sum['name'] })).toThrow(/lower case/);
  });

  test('refuses a claim of unique solutions without a solver', () => {
    const { solve: _solve, ...rest } = sumRules;
    expect(() => definePuzzle(rest)).toThrow(/solutions are unique, but has no solver/);
  });

  test('draws the same question of a seed again, and refuses a level that does not exist', () => {
    expect(sumPuzzle.item(7, 2)).toEqual(sumPuzzle.item(7, 2));
    expect(sumPuzzle.item(7, 2).question).not.toEqual(sumPuzzle.item(8, 2).question);
    for (const level of [0, 3, 1.5]) expect(() => sumPuzzle.item(0, level)).toThrow(UsageError);
  });

  test('judges by the rules and refuses foreign questions', () => {
    const question = { parts: [20, 22] };
    expect(sumPuzzle.judge(question, ' 42\r\n')).toBe('right');
    expect(sumPuzzle.judge(question, '43')).toBe('wrong');
    expect(sumPuzzle.judge(question, 'forty-two')).toBe('unreadable');
    expect(() => sumPuzzle.judge({ parts: 'many' }, '42')).toThrow(/does not match the schema/);
  });

  test.each([
    ['full-width digits', '４２'],
    ['an invisible blank', '4\u200b2'],
    ['Arabic digits', '٤٢'],
    ['a control character', '42\u0000'],
    ['a mark for the other direction', '\u202e24'],
    ['a megabyte', '4'.repeat(1_048_576)],
    ['nothing', ''],
  ])('does not read %s', (_name, text) => {
    expect(sumPuzzle.judge({ parts: [20, 22] }, text)).toBe('unreadable');
  });
});

describe('the single-answer form', () => {
  const open = async (difficulty = 0) => openEnv(sumEnv, { difficulty }, context);

  test('gives the levels in turn, or one of them', async () => {
    const families = (host: Awaited<ReturnType<typeof open>>) =>
      [0, 1, 2, 3].map((index) => host.describeTask({ panel: 'dev', index }).family);
    expect(families(await open())).toEqual(['level-1', 'level-2', 'level-1', 'level-2']);
    expect(families(await open(2))).toEqual(['level-2', 'level-2', 'level-2', 'level-2']);
    for (const difficulty of [-1, 3, 1.5]) {
      expect(() => parseEnvConfig(sumEnv, { difficulty })).toThrow(UsageError);
    }
  });

  test('searches for the question of a task once, and generates it again at each call', async () => {
    let generated = 0;
    const [counted] = definePuzzle({
      ...sumRules,
      generate: (rng, count) => {
        generated += 1;
        return sumRules.generate(rng, count);
      },
    }).envs;
    if (counted === undefined) throw new Error('The puzzle has no environment.');
    const host = await openEnv(counted, {}, context);
    const first = Array.from({ length: 20 }, (_, index) => host.describeTask({ panel: 'dev', index }));
    expect(generated).toBeGreaterThan(40); // nine of ten draws are of another panel
    generated = 0;
    expect(first.map((_, index) => host.describeTask({ panel: 'dev', index }))).toEqual(first);
    expect(generated).toBe(20);
  });

  test('explains rules, format and an example, and lists guesses that do not depend on the solution', async () => {
    const env = await (await open()).create();
    const opening = await env.reset({ panel: 'train', index: 0 }, context);
    expect(opening.instruction).toContain('Add the numbers.');
    expect(opening.instruction).toMatch(
      /Answer: the sum.\n\nExample:\n\d+ \+ \d+\nAnswer of the example:\n\d+$/,
    );
    expect(opening.admissible).toHaveLength(4);
    expect(sumEnv.text.isSample?.('1')).toBe(true);
  });

  test('ends as solved, as failed, or as inadmissible, and takes nothing after the end', async () => {
    const host = await open();
    const env = await host.create();
    const task = { panel: 'train', index: 3 };
    const [gold] = host.experts?.planner?.(task) ?? [];
    const answer = async (words: unknown) => {
      await env.reset(task, context);
      return env.step(words, luck);
    };
    expect(await answer(gold)).toMatchObject({ outcome: 'solved', reward: { terms: { solved: 1 } } });
    expect(await answer('1')).toMatchObject({ outcome: 'failed', inadmissible: false, reward: { total: 0 } });
    expect(await answer('one')).toMatchObject({ outcome: 'failed', inadmissible: true });
    await expect(env.step('1', luck)).rejects.toThrow(UsageError);
  });

  test('counts an empty answer and one of a megabyte as malformed', () => {
    const text = strictTextual(sumEnv);
    const parse = (words: string) => text.parse(words);
    expect(parse(' \n')).toMatchObject({ kind: 'malformed', why: 'The answer is empty.' });
    expect(parse('4'.repeat(1_048_576))).toMatchObject({ kind: 'malformed' });
  });

  test('shows an error of the verifier as a fault, and not as a wrong answer', async () => {
    const faulty = definePuzzle({
      ...sumRules,
      verify: () => {
        throw new Error('no such table');
      },
    });
    const env = await (await openEnv(faulty.envs[0] ?? sumEnv, {}, context)).create();
    await env.reset({ panel: 'train', index: 0 }, context);
    await expect(env.step('1', luck)).rejects.toThrow('no such table');
  });
});

describe('the step-wise form', () => {
  test('takes listed moves, counts others as inadmissible, and ends', async () => {
    const [, moves] = findPuzzle('hanoi').envs;
    const host = await openEnv(moves ?? sumEnv, { difficulty: 1 }, context);
    const env = await host.create();
    const task = { panel: 'train', index: 0 };
    const opening = await env.reset(task, context);
    expect(opening.instruction).toMatch(/Example of a move: "[ABC]>[ABC]"/);
    expect(opening.anchorKey).toBe(opening.stateKey);
    const foul = await env.step('B>Z', luck);
    expect(foul).toMatchObject({ inadmissible: true, stateKey: opening.stateKey });
    let last: unknown;
    for (const move of host.experts?.planner?.(task) ?? []) last = await env.step(move, luck);
    expect(last).toMatchObject({ kind: 'terminated', outcome: 'solved' });
    await expect(env.step('A>B', luck)).rejects.toThrow(UsageError);
  });
});

describe('the audit', () => {
  test('reports no findings where all is well', () => {
    expect(faultsOf({})).toEqual([]);
  });

  test.each<[string, string, Partial<Sum>]>([
    ['chance', 'accepts anything', { verify: () => true }],
    ['gold', 'rejects everything', { verify: () => false }],
    ['frozen', 'changes the question', { verify: ({ parts }) => (parts as number[]).pop() === 0 }],
    [
      'exceptions',
      'throws on some answers',
      { answer: { ...sumRules.answer, read: (text) => JSON.parse(text) as number } },
    ],
    [
      'mutants',
      'rounds',
      { verify: ({ parts }, answer) => Math.abs(parts.reduce((a, b) => a + b) - answer) < 5 },
    ],
    ['unique', 'has two solutions', { solve: () => ({ answers: [1, 2], effort: 0 }) }],
    ['solver', 'has no solution', { solve: () => ({ answers: [], effort: 0 }) }],
    ['difficulty', 'gets easier', { levels: [4, 2] }],
    [
      'equivalents',
      'insists on one form',
      { audit: { ...sumRules.audit, equivalents: (sum) => ({ words: `about ${sum}` }) } },
    ],
    [
      'guess',
      'guesses nonsense',
      {
        answer: { ...sumRules.answer, write: (sum) => (sum < 1_000 ? 'few' : String(sum)) },
        audit: { ...sumRules.audit, guess: () => 1 },
      },
    ],
    [
      'variety',
      'draws few questions',
      { generate: (rng) => ({ question: { parts: [rng.int(20)] }, solution: 0 }) },
    ],
  ])('finds "%s" where a puzzle %s', (check, _what, changes) => {
    expect(faultsOf(changes)).toContain(check);
  });
});

test('an unknown puzzle is refused with its neighbours', () => {
  expect(() => findPuzzle('sudokku')).toThrow(/puzzle "sudokku".*Did you mean sudoku/s);
});
