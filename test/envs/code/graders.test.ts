import { expect, test } from 'vitest';
import { codeConfig } from '../../../envs/code/config.ts';
import { openCode } from '../../../envs/code/open-code.ts';
import { createContext } from '../../../envs/core/context.ts';
import { createMemoryLogger } from '../../../envs/core/log.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { openGround } from './ground.ts';
import { jsonl, openProblemFolder } from './problem-files.ts';

const { put } = openProblemFolder();

const lines = (solution: string, tests: readonly (readonly [string, string])[]): object => ({
  problem_id: 1,
  question: 'x',
  input_output: { inputs: tests.map(([given]) => given), outputs: tests.map(([, told]) => told) },
  solutions: [solution],
});
const called = (solution: string, tests: readonly (readonly [readonly unknown[], unknown])[]): object => ({
  problem_id: 1,
  question: 'x',
  starter_code: 'class Solution:\n    def f(self, xs: List[int]) -> Optional[int]:',
  input_output: {
    fn_name: 'f',
    inputs: tests.map(([given]) => given),
    outputs: tests.map(([, told]) => told),
  },
  solutions: [solution],
});

await describeWithParts(['bubblewrap'], 'graders of published files', () => {
  /** What opening a file reports; solutions are checked. @throws UsageError where one fails */
  async function openFile(
    kind: string,
    records: readonly object[],
    over: object = {},
  ): Promise<readonly unknown[]> {
    const log = createMemoryLogger();
    const file = put(`${kind}-${Math.abs(JSON.stringify(records).length)}.jsonl`, jsonl(...records));
    const problems = { kind, [kind === 'suites' ? 'files' : 'file']: file, ...over };
    const host = await openCode(
      codeConfig.parse({ problems }),
      openGround(),
      createContext({ seed: 0, now: () => 0, log }),
    );
    await host.close();
    return log.events.flatMap(({ event }) =>
      event.type === 'opening-tally' ? [[event.name, event.count]] : [],
    );
  }

  test.each([
    [
      'names of typing, collections and heapq',
      'n = int(input())\nxs: List[int] = [n]\nheappush(xs, 1)\nprint(Counter(xs)[1], heappop(xs), defaultdict(int)[0], inf > n)',
      [
        ['5', '1 1 0 True'],
        ['6', '1 1 0 True'],
      ],
    ],
    [
      'modules by their names, and own names of the same kind',
      'pow2 = pow(2, 3, 5)\nprint(pow2, abs(-1), math.floor(2.5), itertools.count, datetime.date(2020, 1, 2), time.time() > 0)'.replace(
        'itertools.count, ',
        '',
      ),
      [
        ['', '3 1 2 2020-01-02 True'],
        ['x', '3 1 2 2020-01-02 True'],
      ],
    ],
    [
      'deep recursion',
      'def f(n): return 0 if n == 0 else 1 + f(n - 1)\nprint(f(int(input())))',
      [
        ['9000', '9000'],
        ['5', '5'],
      ],
    ],
    [
      'numbers of 6,021 digits, printed',
      'print(2 ** int(input()))',
      [
        ['20000', String(2n ** 20000n)],
        ['3', '8'],
      ],
    ],
    [
      'numbers of 5,000 digits, read',
      'print(int(input()) % 10 ** 9)',
      [
        ['1234567890'.repeat(500), '234567890'],
        ['12', '12'],
      ],
    ],
    [
      'annotations from the future',
      'from __future__ import annotations\ndef f(x: Nothing) -> None: pass\nprint(input())',
      [
        ['1', '1'],
        ['2', '2'],
      ],
    ],
  ] as const)('a program that reads lines may use %s', async (_, solution, tests) => {
    expect(await openFile('suites', [lines(solution, tests)])).toEqual([]);
  });

  test.each([
    [
      'the starter code with List and Optional',
      'class Solution:\n    def f(self, xs: List[int]) -> Optional[int]:\n        return max(xs) if xs else None',
      [
        [[[1, 2]], 2],
        [[[]], [null]],
      ],
    ],
    [
      'dictionaries with whole numbers for keys',
      'def f(table, n):\n    return table[n] + sum(table)',
      [
        [[{ 1: 5, 20: 7 }, 20], 28],
        [[{ 3: 1 }, 3], 4],
      ],
    ],
    [
      'dictionaries with texts for keys',
      'def f(table):\n    return sorted(table)',
      [
        [[{ a: 1, 2: 3 }], [['2', 'a']]],
        [[{ b: 1 }], [['b']]],
      ],
    ],
    [
      'an answer with whole numbers for keys',
      'def f(xs):\n    return {x: x * x for x in xs}',
      [
        [[[1, 12]], { 1: 1, 12: 144 }],
        [[[3]], { 3: 9 }],
      ],
    ],
    [
      'whole numbers of 5,000 digits',
      'def f(text):\n    return len(str(int(text)))',
      [
        [['7'.repeat(5_000)], 5_000],
        [['1'], 1],
      ],
    ],
  ] as const)('a function may use %s', async (_, solution, tests) => {
    expect(await openFile('suites', [called(solution, tests)])).toEqual([]);
  });

  test.each([
    [0, 'first'],
    [1, 'second'],
    [2, 'third'],
  ])('a problem is refused by name when its solution fails test %i, shown or not', async (wrong) => {
    const tests = ['1', '2', '3'].map((given, at) => [given, at === wrong ? '0' : given] as const);
    const record = { ...lines('print(input())', tests), problem_id: 'contradicted' };
    await expect(openFile('suites', [record])).rejects.toThrow(
      /solutions fail their own tests: contradicted \(/,
    );
    expect(
      await openFile(
        'suites',
        [
          record,
          {
            ...lines('print(1)', [
              ['', '1'],
              ['x', '1'],
            ]),
            problem_id: 2,
          },
        ],
        { failing: 'leave-out' },
      ),
    ).toEqual([['left out, whose solution fails its own tests (contradicted)', 1]]);
  });

  test('an MBPP problem is refused by name when its solution fails the shown assertion', async () => {
    const record = {
      task_id: 5,
      text: 'Add one.',
      code: 'def add(n):\n    return n + 1',
      test_list: ['assert add(1) == 3', 'assert add(2) == 3'],
    };
    await expect(openFile('mbpp', [record])).rejects.toThrow(/MBPP\/5 \(/);
  });

  test('challenge tests of MBPP do not count', async () => {
    const record = {
      task_id: 6,
      text: 'Add one.',
      code: 'def add(n):\n    return n + 1',
      test_list: ['assert add(1) == 2', 'assert add(2) == 3'],
      challenge_test_list: ['assert add(1) == 5'],
    };
    expect(await openFile('mbpp', [record])).toEqual([]);
  });

  test('a published solution that computes for 2.6 s opens with the defaults', async () => {
    const slow =
      'import time\ndef add(n):\n    until = time.process_time() + 2.6\n    while time.process_time() < until: pass\n    return n + 1';
    const record = {
      task_id: 123,
      text: 'Add one.',
      code: slow,
      test_list: ['assert add(1) == 2', 'assert add(2) == 3'],
    };
    expect(await openFile('mbpp', [record])).toEqual([]);
  });

  test('an example of a statement that the solution fails is dropped and counted, and the others are shown', async () => {
    const record = {
      task_id: 'Test/0',
      prompt: 'def add(a, b):\n    """ Adds.\n    >>> add(1, 2)\n    4\n    >>> add(2, 2)\n    4\n    """\n',
      entry_point: 'add',
      canonical_solution: '    return a + b\n',
      test: 'def check(candidate):\n    assert candidate(1, 7) == 8\n',
    };
    expect(await openFile('humaneval', [record])).toEqual([
      ['not shown, as the solution of their problem does not pass them', 1],
    ]);
  });
});
