// Slow: runs hundreds of programs in sandboxes.
import { afterAll, describe, expect, test } from 'vitest';
import type { Ground } from '../../../envs/code/open-provider.ts';
import type { Problem } from '../../../envs/code/problems/problem.ts';
import { lackingIn } from '../../../envs/code/judge/trial.ts';
import type { Report } from '../../../envs/code/judge/verdict.ts';
import { openWasmProvider } from '../../../sandbox/wasm/provider.ts';
import { dockerProvider } from '../../support/docker.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { judgeOn, openGround, runnerOn, signal } from './ground.ts';

const bare = { name: 'x', family: 'test', statement: 'x', visible: [], solutions: {} };
const asserted = (code: string, preamble?: string): Problem => ({
  ...bare,
  form: { kind: 'function', name: 'f' },
  hidden: [{ kind: 'script', code }],
  ...(preamble === undefined ? {} : { preamble }),
});
const called: Problem = {
  ...bare,
  form: { kind: 'function', name: 'f' },
  hidden: [{ kind: 'call', given: [[1, 2]], expected: [2, 1] }],
};
const lines: Problem = {
  ...bare,
  form: { kind: 'lines' },
  hidden: [
    ['1 2\n', '3'],
    ['5 5\n', '10'],
  ].map(([given = '', expected = '']) => ({ kind: 'lines', given, expected: [expected] })),
};

const shadowed = [
  'decode',
  'encode',
  'answer',
  '_decode',
  '_encode',
  '_answer',
  'attempt',
  'job',
  'brief',
  'plain',
  'CLASSES',
  'main',
]
  .map((name) => `def ${name}(value):\n    return value[::-1]\n`)
  .join('');
const builtinsShadowed =
  'list = tuple = dict = set = isinstance = type = repr = sorted = next = callable = getattr = iter = len = int = float = str = bool = None\n';
const reversed = 'def f(value):\n    return _encode(answer(_answer(value)))\n';

/** Right programs, and the problems that they must pass. */
const programs: readonly (readonly [name: string, problem: Problem, program: string])[] = [
  [
    'has helpers named like those of the harness',
    asserted('assert f([1, 2]) == [2, 1]\nassert f((1, 2.5)) == (2.5, 1)'),
    `${shadowed}${reversed}`,
  ],
  ['has helpers named like those of the harness, called with values', called, `${shadowed}${reversed}`],
  [
    "has globals named like Python's builtins",
    asserted('assert f([1, 2]) == [2, 1]\nassert f({1: {2}}) == {1: {2}}'),
    `${builtinsShadowed}def f(value):\n    return value if value == {1: {2}} else value[::-1]\n`,
  ],
  [
    "changes Python's builtins",
    asserted('assert f([1, 2]) == [2, 1]'),
    'import builtins, json\nbuiltins.sorted = builtins.abs = builtins.callable = json.dumps = json.loads = None\ndef f(value):\n    return value[::-1]\n',
  ],
  [
    'imports from __future__ after a preamble with imports',
    asserted('assert f([1, 2]) == [2, 1]', 'from typing import List\n\n\n'),
    '"""What it does."""\nfrom __future__ import annotations\ndef f(value: List[Nothing]) -> List[Nothing]:\n    return value[::-1]\n',
  ],
  ['reads all of descriptor 0', lines, 'print(sum(map(int, open(0).read().split())))'],
  ['reads /dev/stdin', lines, 'print(sum(map(int, open("/dev/stdin").read().split())))'],
  [
    'reads and writes by descriptors',
    lines,
    'import os\nos.write(1, str(sum(map(int, os.read(0, 100).split()))).encode())',
  ],
  [
    'writes much to standard error',
    lines,
    'import sys\nsys.stderr.write("x" * 5_000_000)\nprint(sum(map(int, input().split())))',
  ],
  [
    'exits at once after printing',
    lines,
    'import os\nprint(sum(map(int, input().split())), flush=True)\nos._exit(0)',
  ],
];

function describeRightPrograms(ground: Ground, tried = programs): void {
  const judge = judgeOn(ground);
  afterAll(() => ground.provider[Symbol.asyncDispose]());
  const report = (problem: Problem, program: string): Promise<Report> =>
    judge.report({ problem, tests: 'hidden', language: 'python', program }, signal);

  test.each(tried)('a program that %s passes', async (_, problem, program) => {
    const { failures, total } = await report(problem, program);
    expect(failures).toEqual([]);
    expect(total).toBeGreaterThan(0);
  });
}

await describeWithParts(['bubblewrap'], 'right programs in namespaces', () =>
  describeRightPrograms(openGround()),
);
await describeWithParts(['docker'], 'right programs in containers', () =>
  describeRightPrograms({ provider: dockerProvider({ warm: 2 }), needs: {} }),
);
const provider = await openWasmProvider({ now: () => performance.now() });
describe('right programs in WebAssembly', () =>
  describeRightPrograms(
    { provider, needs: {} },
    programs.filter(
      (
        [
          ,
          {
            hidden: [first],
          },
        ],
        at,
      ) => at === 0 || first?.kind !== 'script',
    ),
  )); // scripts take longest in WebAssembly

await describeWithParts(['bubblewrap'], 'assertions of script tests', () => {
  const ground = openGround();
  const judge = judgeOn(ground);
  afterAll(() => ground.provider[Symbol.asyncDispose]());
  const judged = (problem: Problem, program: string): Promise<Report> =>
    judge.report({ problem, tests: 'hidden', language: 'python', program }, signal);
  const report = (code: string, program: string): Promise<Report> => judged(asserted(code), program);

  test('tracebacks show lines of the program, whatever stands before it', async () => {
    const preamble = 'import math\n\n\n';
    expect(
      (
        await judged(
          asserted('assert f(1) == 2', preamble),
          '# one\ndef f(value):\n    return math.nothing\n',
        )
      ).failures[0]?.got,
    ).toMatch(/^line 3, in f: return math\.nothing\nAttributeError: /);
    expect(
      (await judged(asserted('assert f(1) == 2', preamble), 'x = 1\ndef f(value:\n    return 1\n'))
        .failures[0]?.got,
    ).toMatch(/"program\.py", line 2\b/);
  });

  /** A returned expression, and a condition on `x`, which returns it. */
  const values: readonly (readonly [value: string, holds: string])[] = [
    ['range(3)', 'list(x()) == [0, 1, 2] and x() == range(3)'],
    ['range(2 ** 60)', 'len(x()) == 2 ** 60'],
    ['(n * 1.5 for n in range(3))', 'list(x()) == [0.0, 1.5, 3.0] and sum(x()) == 4.5'],
    ['iter((1, 2))', '(lambda once: [next(once), next(once), next(once, None)])(x()) == [1, 2, None]'],
    ['itertools.count(3)', 'list(itertools.islice(x(), 3)) == [3, 4, 5]'],
    ['[map(str, range(2))]', '[list(each) for each in x()] == [["0", "1"]]'],
    ['deque([1, (2,)], 3)', 'x() == deque([1, (2,)]) and x().maxlen == 3 and isinstance(x(), deque)'],
    ['{3: 2, "a": (1,)}.keys()', 'x() == {3, "a"} and sorted(x(), key=str) == [3, "a"] and 3 in x()'],
    ['{3: 2, "a": (1,)}.values()', 'list(x()) == [2, (1,)]'],
    ['{3: 2, "a": (1,)}.items()', 'x() == {(3, 2), ("a", (1,))} and dict(x()) == {3: 2, "a": (1,)}'],
    ['frozenset([3])', 'x() == {3} and {x(): 1}[frozenset([3])] == 1 and isinstance(x(), frozenset)'],
    ['type("Mine", (list,), {})([type("Own", (int,), {})(3)])', 'x() == [3]'],
    [
      '[complex(3, float("inf")), float("-inf"), True, bytearray(b"x")]',
      'x() == [complex(3, float("inf")), float("-inf"), True, b"x"] and x()[2] is True',
    ],
  ];
  test('returned objects keep their type: ranges, generators, queues, views, frozen sets', async () => {
    const code = `import itertools\nfrom collections import deque\n${values.map(([, holds], at) => `assert (lambda x: ${holds})(lambda: f(${at}))`).join('\n')}`;
    const program = `import itertools\nfrom collections import deque\ndef f(at):\n    return [${values.map(([value]) => `lambda: ${value}`).join(', ')}][at]()\n`;
    expect(await report(code, program)).toMatchObject({ failures: [], total: values.length });
  });

  /** What the program raises, the class that catches it, and a condition on the error. */
  const raisings: readonly (readonly [raising: string, kind: string, holds: string])[] = [
    ['raise ValueError("no", 3)', 'ValueError', 'str(error) == "(\'no\', 3)" and error.args == ("no", 3)'],
    [
      'raise type("Own", (ValueError,), {})("no")',
      'ValueError',
      'type(error) is ValueError and str(error) == "no"',
    ],
    ['{}[(1, "a")]', 'LookupError', 'type(error) is KeyError and error.args == ((1, "a"),)'],
    ['1 / 0', 'ZeroDivisionError', 'str(error) == "division by zero"'],
    ['b"\\xff".decode()', 'UnicodeDecodeError', 'error.object == b"\\xff"'],
    ['open("nowhere")', 'FileNotFoundError', 'error.errno == 2'],
    ['raise TypeError(object)', 'TypeError', '"object" in str(error)'],
    ['raise ExceptionGroup("two", [ValueError()])', 'RuntimeError', '"two" in str(error)'],
  ];
  test('exceptions of the program are caught as the nearest class of Python', async () => {
    const code = raisings
      .map(
        ([, kind, holds], at) =>
          `def caught_${at}():\n    try:\n        f(${at})\n    except ${kind} as error:\n        return ${holds}\nassert caught_${at}()\n`,
      )
      .join('');
    const program = `def f(at):\n${raisings.map(([raising], at) => `    if at == ${at}:\n        ${raising}\n`).join('')}`;
    expect(await report(code, program)).toMatchObject({ failures: [], total: raisings.length });
    expect(await report(code, 'def f(at):\n    return at\n')).toMatchObject({
      passed: 0,
      total: raisings.length,
    });
  });

  const guarded = 'try:\n    f(-1)\n    assert False\nexcept ValueError:\n    pass';
  test('a script that only asserts an exception is one test', async () => {
    expect(await report(guarded, 'def f(n):\n    raise ValueError')).toMatchObject({ total: 1, passed: 1 });
    expect(await report(guarded, 'def f(n):\n    return n')).toMatchObject({ total: 1, passed: 0 });
    const {
      failures: [failure],
    } = await report(guarded, 'def f(n):\n    return 1 / 0');
    expect(failure?.got).toBe('line 2, in f: return 1 / 0\nZeroDivisionError: division by zero');
    expect(
      await report('try:\n    assert False\nexcept AssertionError:\n    pass', 'def f(n):\n    return n'),
    ).toMatchObject({ total: 1, passed: 0 }); // it calls nothing
  });

  test('failures report results that are no plain data, and generators that ran on or raised', async () => {
    expect(
      (await report('assert f(1) == 1', 'def f(n):\n    return open("/dev/zero").fileno\n')).failures[0]?.got,
    ).toBe('it returned a builtin_function_or_method that is no plain data');
    const { failures } = await report(
      'assert sum(f(3)) == 0\nassert sum(f(-1)) == 0',
      'import itertools\ndef f(n):\n    if n > 0:\n        yield from itertools.count(n)\n    yield 1 / 0\n',
    );
    expect(failures.map(({ got }) => got)).toEqual([
      expect.stringMatching(
        /^no more than \d+ items were taken of what it gave; f\(3\) gave a generator$/,
      ) as string,
      expect.stringMatching(
        /^line 5, in f: yield 1 \/ 0\nZeroDivisionError: division by zero; f\(-1\) gave a generator$/,
      ) as string,
    ]);
  });
});

await describeWithParts(['bubblewrap'], 'processes of programs', () => {
  const ground = openGround();
  afterAll(() => ground.provider[Symbol.asyncDispose]());

  test('Python in bubblewrap lacks no feature', async () => {
    expect(await lackingIn(runnerOn(ground), signal)).toEqual([]);
  });

  const burning =
    'import os, signal, time\ndef burn():\n    while time.process_time() < 1.6:\n        pass\n';
  test.each([
    [
      'forks without waiting',
      'out, into = os.pipe()\n    if os.fork() == 0:\n        burn()\n        os.write(into, b"x")\n        os._exit(0)\n    os.read(out, 1)',
    ],
    [
      'forks an orphan in a session of its own',
      'out, into = os.pipe()\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n            burn()\n            os.write(into, b"x")\n        os._exit(0)\n    os.wait()\n    os.read(out, 1)',
    ],
  ])('time counts all processes of a program that %s', async (_, body) => {
    const program = `${burning}def f(value):\n    ${body}\n    return value[::-1]\n`;
    const [failure] = (
      await judgeOn(ground, 1_000).report(
        { problem: called, tests: 'hidden', language: 'python', program },
        signal,
      )
    ).failures;
    expect(failure?.verdict).toBe('time');
    expect(
      (
        await judgeOn(ground, 6_000).report(
          {
            problem: called,
            tests: 'hidden',
            language: 'python',
            program: program.replace('< 1.6', '< 0.2'),
          },
          signal,
        )
      ).failures,
    ).toEqual([]);
  });
});
