import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { codeConfig } from '../../../envs/code/config.ts';
import { openCode } from '../../../envs/code/open-code.ts';
import { humanEvalProblem, mbppProblem } from '../../../envs/code/load/python-problems.ts';
import { loadProblems } from '../../../envs/code/load/load-problems.ts';
import type { DealtProblems } from '../../../envs/code/load/panels.ts';
import { readProblems, type ReadProblems } from '../../../envs/code/load/read-problems.ts';
import { readRecords, type FileRecord, type ReadOptions } from '../../../envs/code/load/read-records.ts';
import type { Problem } from '../../../envs/code/problems/problem.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { createContext } from '../../../envs/core/context.ts';
import { createMemoryLogger } from '../../../envs/core/log.ts';
import { judgeOn, openGround, signal } from './ground.ts';
import { jsonl, openProblemFolder } from './problem-files.ts';

const context = createContext({ seed: 0, now: () => 0 });

// Small files in the forms of HumanEval, MBPP and APPS, written for these tests: the real ones are not available here.

const { folder, put } = openProblemFolder();

const humanEval = {
  task_id: 'Test/0',
  prompt:
    'from typing import List\n\ndef twice(x: int) -> int:\n    return 2 * x\n\ndef doubled(values: List[int]) -> List[int]:\n    """ Double each value.\n    >>> doubled([1, 2])\n    [2, 4]\n    """\n',
  entry_point: 'doubled',
  canonical_solution: '    return [twice(value) for value in values]\n',
  test: "METADATA = {'author': 'test'}\n\ndef check(candidate):\n    assert candidate([]) == []\n    assert candidate([3]) == [twice(3)]\n    for n in range(3):\n        assert candidate([n, n]) == [2 * n, 2 * n], 'pair'\n    assert tuple(candidate([1.5])) == (3.0,)\n",
};
const mbpp = {
  task_id: 7,
  text: 'Write a function to turn a pair around.',
  code: 'def turned(pair):\r\n    return (pair[1], pair[0])',
  test_list: ['assert turned((1, 2)) == (2, 1)', "assert set(turned(('a', 'b'))) == {'a', 'b'}"],
  test_setup_code: '',
  challenge_test_list: ['assert turned((None, 1)) == (1, None)'],
};
const suite = {
  problem_id: 3,
  question: 'Add two numbers.',
  difficulty: 'introductory',
  input_output: JSON.stringify({ inputs: ['1 2\n', ['3 4']], outputs: ['3\n', ['7']] }),
  solutions: JSON.stringify(['a, b = map(int, input().split())\nprint(a + b)']),
  starter_code: '',
};
const called = {
  id: 4,
  question: 'Add two numbers.',
  input_output: JSON.stringify({
    fn_name: 'add',
    inputs: [
      [1, 2],
      [5, 5],
    ],
    outputs: [[3], 10],
  }),
  solutions: JSON.stringify(['class Solution:\n    def add(self, a, b):\n        return a + b']),
  starter_code: 'class Solution:\n    def add(self, a, b):',
};
const choice = {
  id: 5,
  question: 'Print a divisor of the number above 1.',
  input_output: { inputs: ['6\n'], outputs: [{ anyOf: ['2', '3', '6'] }] },
  solutions: ['print(3)'],
};

const configOf = (problems: object): ReturnType<typeof codeConfig.parse> => codeConfig.parse({ problems });
const readSuites = async (files: string, visible: number): Promise<ReadProblems> => {
  const { problems } = configOf({ kind: 'suites', files, visible });
  if (problems.kind === 'own') throw new Error('not ours');
  return readProblems(problems, files, {});
};
const recordsOf = async (file: string, reading?: ReadOptions): Promise<readonly FileRecord[]> => {
  const records: FileRecord[] = [];
  for await (const record of readRecords(file, reading)) records.push(record);
  return records;
};
const problemsIn = ({ panels }: DealtProblems): readonly Problem[] =>
  panels.flatMap(({ problems }) => problems);

test('a HumanEval problem turns examples into visible tests, and earlier code into a preamble', () => {
  const problem = humanEvalProblem({ where: 'x', value: humanEval });
  expect(problem).toMatchObject({
    name: 'Test/0',
    form: { kind: 'function', name: 'doubled' },
    visible: [
      {
        kind: 'script',
        code: expect.stringMatching(/assert \(doubled\(\[1, 2\]\)\) == \(\[2, 4\]\)$/) as string,
      },
    ],
  });
  expect(problem.preamble).toContain('def twice');
  expect(problem.preamble).not.toContain('def doubled');
});

test.each([
  ['twice([1])  # f(x) = 2x', '[2]', 'assert (twice([1])) == ([2])'],
  ['twice([\'#\', "a # b"])', "['##']", "assert (twice(['#', \"a # b\"])) == (['##'])"],
  ["twice(['3'])", '["the first of', undefined],
  ['twice([1])', '["a list of two lines",', undefined],
  ['twice(', '2', undefined],
])('a docstring example becomes a test only when it is complete: %s', (call, result, code) => {
  const { visible } = humanEvalProblem({
    where: 'x',
    value: {
      ...humanEval,
      entry_point: 'twice',
      prompt: `def twice(x):\n    """\n    >>> ${call}\n    ${result}\n    """\n`,
    },
  });
  expect(visible).toEqual(code === undefined ? [] : [{ kind: 'script', code }]);
});

test('numbers in suites keep their exact values', async () => {
  const big = '9007199254740993';
  const file = put(
    'numbers.jsonl',
    `{"id": 1, "question": "Add.", "input_output": {"fn_name": "f", "inputs": [[${big}, 2.0, [-1${big}]]], "outputs": [2.0]}}\n{"id": 2, "question": "Print.", "input_output": {"inputs": [[${big}, "x"]], "outputs": [[2.0, ${big}]]}}\n`,
  );
  const { problems } = await readSuites(file, 0);
  expect(problems[0]?.hidden).toEqual([
    {
      kind: 'call',
      given: [{ '#int': big }, { '#float': '2.0' }, [{ '#int': `-1${big}` }]],
      expected: { '#float': '2.0' },
    },
  ]);
  expect(problems[1]?.hidden).toEqual([{ kind: 'lines', given: `${big}\nx`, expected: [`2.0\n${big}`] }]);
  await expect(recordsOf(put('marks.jsonl', '{"#int": "1"}'))).rejects.toThrow(/"#int" stands for numbers/);
});

test('an MBPP problem shows its first assertion and is judged by the others, unless it has only one', () => {
  const problem = mbppProblem({ where: 'x', value: mbpp });
  const [first, ...others] = mbpp.test_list.map((code) => ({
    kind: 'script',
    code,
  }));
  expect(problem).toMatchObject({
    name: 'MBPP/7',
    form: { name: 'turned' },
    visible: [first],
    hidden: others,
  });
  const again = mbppProblem({
    where: 'x',
    value: { ...mbpp, test_list: [...mbpp.test_list, `${mbpp.test_list[0]} `] },
  });
  expect(again.hidden).toEqual(others);
  expect(
    mbppProblem({
      where: 'x',
      value: { ...mbpp, test_list: mbpp.test_list.slice(0, 1), challenge_test_list: [] },
    }),
  ).toMatchObject({ visible: [], hidden: [first] });
  expect(problem.solutions.python).not.toContain('\r');
});

test('suites load from JSONL, gzip and folders, and those without tests are counted', async () => {
  const text = jsonl(suite, called, choice, { question: 'No tests.', input_output: '' });
  const plain = await readSuites(put('suites.jsonl', text), 1);
  expect((await readSuites(put('suites.jsonl.gz', gzipSync(text)), 1)).problems).toEqual(plain.problems);
  expect(plain.unusable).toEqual([
    { because: 'untested', what: expect.stringMatching(/suites\.jsonl:4$/) as string },
  ]);
  expect(
    plain.problems.map(({ form, hidden, visible }) => [form.kind, hidden.length, visible.length]),
  ).toEqual([
    ['lines', 1, 1],
    ['function', 1, 1],
    ['lines', 1, 0],
  ]);
  expect(plain.problems[0]?.hidden[0]).toEqual({ kind: 'lines', given: '3 4', expected: ['7'] });
  expect(plain.problems[2]?.hidden[0]).toMatchObject({ expected: ['2', '3', '6'] });
  const at = path.join(folder, 'apps', '0001');
  mkdirSync(at, { recursive: true });
  for (const [name, content] of [
    ['question.txt', suite.question],
    ['input_output.json', suite.input_output],
    ['solutions.json', suite.solutions],
    ['metadata.json', '{"difficulty":"interview"}'],
  ] as const)
    writeFileSync(path.join(at, name), content);
  expect((await readSuites(path.join(folder, 'apps'), 1)).problems).toMatchObject([
    { name: '0001', family: 'interview', hidden: plain.problems[0]?.hidden },
  ]);
});

test.each([
  ['{"task_id": 1', /:1: it is not JSON/],
  [jsonl({ task_id: 'a' }), /:1: it is not a problem of this kind: .*prompt/],
  [jsonl(humanEval, { ...humanEval, entry_point: 'other' }), /:2: its prompt has no function other/],
])('a malformed file is reported with its line: %j', async (text, message) => {
  const file = put('broken.jsonl', text);
  await expect(recordsOf(file).then((records) => records.map(humanEvalProblem))).rejects.toThrow(message);
});

test('a byte order mark before a file is ignored', async () => {
  const lines = jsonl(humanEval).replaceAll('\n', '\r\n');
  expect(await recordsOf(put('marked.jsonl', `\uFEFF${lines}`))).toMatchObject([
    { value: { task_id: 'Test/0' } },
  ]);
  expect(await recordsOf(put('marked.jsonl.gz', gzipSync(`\uFEFF[${lines}]`)))).toHaveLength(1);
});

test('inputs without outputs are malformed, and a missing file is refused', async () => {
  const odd = put(
    'odd.jsonl',
    jsonl({ ...suite, input_output: JSON.stringify({ inputs: ['1'], outputs: [] }) }),
  );
  expect((await readSuites(odd, 1)).unusable).toMatchObject([
    {
      because: 'malformed',
      what: expect.stringMatching(/odd\.jsonl:1, input_output: it has 1 inputs and 0 outputs$/) as string,
    },
  ]);
  await expect(recordsOf(path.join(folder, 'nowhere.jsonl'))).rejects.toThrow(/cannot be read/);
});

await describeWithParts(['bubblewrap'], 'solutions of problem files', () => {
  const ground = openGround();
  afterAll(() => ground.provider[Symbol.asyncDispose]());
  const judge = judgeOn(ground);

  test('solutions pass their own tests in every file format', async () => {
    const sources = [
      { kind: 'humaneval', file: put('humaneval.jsonl', jsonl(humanEval)) },
      { kind: 'mbpp', file: put('mbpp.jsonl', jsonl(mbpp)) },
      { kind: 'suites', files: put('all.jsonl', jsonl(suite, called, choice)) },
    ];
    for (const source of sources) {
      const problems = problemsIn(await loadProblems(configOf(source), judge, context));
      expect(problems.length).toBeGreaterThan(0);
      for (const problem of problems) {
        const report = await judge.report(
          { problem, tests: 'hidden', language: 'python', program: problem.solutions.python ?? '' },
          signal,
        );
        expect(report.failures).toEqual([]);
      }
    }
  });

  test('failing solutions are refused by name, unless checkSolutions is off', async () => {
    const wrong = put(
      'wrong.jsonl',
      jsonl(humanEval, { ...humanEval, task_id: 'Test/1', canonical_solution: '    return values\n' }),
    );
    await expect(loadProblems(configOf({ kind: 'humaneval', file: wrong }), judge, context)).rejects.toThrow(
      /solutions fail their own tests: Test\/1 \(\d of 6 passed/,
    );
    expect(
      problemsIn(
        await loadProblems(
          { ...configOf({ kind: 'humaneval', file: wrong }), checkSolutions: false },
          judge,
          context,
        ),
      ),
    ).toHaveLength(2);
  });

  test('failing=leave-out counts failing solutions, and errors name what tests need', async () => {
    const pairs = {
      ...mbpp,
      task_id: 8,
      code: 'class Pair:\n    def __init__(self, a, b):\n        self.a, self.b = a, b\ndef largest(pairs):\n    return max(pair.a for pair in pairs)',
      test_list: ['assert largest([Pair(5, 24), Pair(15, 2)]) == 15'],
      challenge_test_list: [],
    };
    const file = put('pairs.jsonl', jsonl(mbpp, pairs));
    await expect(loadProblems(configOf({ kind: 'mbpp', file }), judge, context)).rejects.toThrow(
      /MBPP\/8 \(its tests cannot be run: they need Pair, .*\)\..*failing=leave-out/,
    );
    const log = createMemoryLogger();
    const loaded = await loadProblems(
      configOf({ kind: 'mbpp', file, failing: 'leave-out' }),
      judge,
      createContext({ seed: 0, now: () => 0, log }),
    );
    expect(problemsIn(loaded).map(({ name }) => name)).toEqual(['MBPP/7']);
    expect(log.events.flatMap(({ event }) => (event.type === 'opening-advance' ? [] : [event]))).toEqual([
      {
        type: 'opening-tally',
        part: 'problems of kind mbpp',
        name: 'left out, whose solution fails its own tests (MBPP/8)',
        count: 1,
      },
    ]);
    await expect(
      loadProblems(
        configOf({ kind: 'mbpp', file: put('alone.jsonl', jsonl(pairs)), failing: 'leave-out' }),
        judge,
        context,
      ),
    ).rejects.toThrow(
      /^problems of kind mbpp: every one of them was left out: solutions fail their own tests: MBPP\/8 \(its tests cannot be run: .*failing=refuse/,
    );
  });

  test('overlong solutions are refused by name, or left out and counted', async () => {
    const long = {
      ...humanEval,
      task_id: 'Test/1',
      canonical_solution: `${humanEval.canonical_solution}# ${'x'.repeat(2_000)}\n`,
    };
    const file = put('big.jsonl', jsonl(humanEval, long));
    const load = (failing: string, log = createMemoryLogger()) =>
      loadProblems(
        { ...configOf({ kind: 'humaneval', file, failing }), longestProgram: 2_000 },
        judge,
        createContext({ seed: 0, now: () => 0, log }),
      );
    await expect(load('refuse')).rejects.toThrow(
      /solutions are longer than a program may be: Test\/1 \(it has 2\d\d\d characters, more than longestProgram=2000\)\..*failing=leave-out.*raise longestProgram/,
    );
    const both = put('both.jsonl', jsonl(long, { ...humanEval, canonical_solution: '    return values\n' }));
    await expect(
      loadProblems({ ...configOf({ kind: 'humaneval', file: both }), longestProgram: 2_000 }, judge, context),
    ).rejects.toThrow(
      /solutions fail their own tests: Test\/0 .*\. Other solutions are longer than a program may be: Test\/1 /,
    );
    const log = createMemoryLogger();
    expect(problemsIn(await load('leave-out', log)).map(({ name }) => name)).toEqual(['Test/0']);
    expect(log.events.map(({ event }) => event)).toContainEqual({
      type: 'opening-tally',
      part: 'problems of kind humaneval',
      name: 'left out, whose solution is longer than longestProgram (Test/1)',
      count: 1,
    });
    const several = {
      ...suite,
      solutions: JSON.stringify([`${'#'.repeat(3_000)}\n`, ...(JSON.parse(suite.solutions) as string[])]),
    };
    const [problem] = problemsIn(
      await loadProblems(
        {
          ...configOf({ kind: 'suites', files: put('long-first.jsonl', jsonl(several)) }),
          longestProgram: 2_000,
        },
        judge,
        context,
      ),
    );
    expect(problem?.solutions).toEqual({ python: (JSON.parse(suite.solutions) as string[])[0] });
  });

  test('the first passing solution is used, and the error quotes the first when none passes', async () => {
    const several = {
      ...suite,
      solutions: JSON.stringify([
        'print a + b',
        'print(1)',
        ...(JSON.parse(suite.solutions) as string[]),
        'print(2)',
      ]),
    };
    const [problem] = problemsIn(
      await loadProblems(
        configOf({ kind: 'suites', files: put('several.jsonl', jsonl(several)) }),
        judge,
        context,
      ),
    );
    expect(problem?.solutions).toEqual({ python: (JSON.parse(suite.solutions) as string[])[0] });
    expect(problem).not.toHaveProperty('otherSolutions');
    const none = put(
      'none.jsonl',
      jsonl(
        { ...suite, solutions: JSON.stringify(['print(1)\nprint()', 'pass']) },
        { ...suite, problem_id: 9, solutions: JSON.stringify(['pass']) },
      ),
    );
    await expect(loadProblems(configOf({ kind: 'suites', files: none }), judge, context)).rejects.toThrow(
      '3 (none of 2 solutions passes; the first: 0 of 1 passed; first wrong: 1); 9 (0 of 1 passed; first wrong: it gave nothing).',
    );
  });

  test('feedback on a failed example shows its assertion and result', async () => {
    const host = await openCode(
      configOf({ kind: 'humaneval', file: put('shown.jsonl', jsonl(humanEval)) }),
      { provider: openGround().provider, needs: {} },
      context,
    );
    const env = await host.create();
    await env.reset({ panel: 'test', index: 0 }, context);
    const { observation } = await env.step(
      { kind: 'submit', program: 'def doubled(values):\n    return values' },
      context,
    );
    expect(observation.said).toBe(
      'Visible tests: 0 of 1 passed.\nassert doubled([1, 2]) == [2, 4] failed: doubled([1, 2]) gave [1, 2]',
    );
    await host.close();
  });

  test('two problems with one id are refused', async () => {
    const wrong = { ...suite, input_output: JSON.stringify({ inputs: ['1 2\n'], outputs: ['4\n'] }) };
    await expect(
      loadProblems(
        configOf({ kind: 'suites', files: put('twice.jsonl', jsonl(suite, wrong)) }),
        judge,
        context,
      ),
    ).rejects.toThrow(/two problems have the name 3\. Give each a unique id/);
    const named = put(
      'titles.jsonl',
      jsonl({ ...choice, id: undefined, name: 'Divisor' }, { ...choice, id: undefined, name: 'Divisor' }),
    );
    expect(
      problemsIn(await loadProblems(configOf({ kind: 'suites', files: named }), judge, context)),
    ).toHaveLength(2);
  });

  test('Python tests are refused for JavaScript', async () => {
    const config = {
      ...configOf({ kind: 'mbpp', file: put('js.jsonl', jsonl(mbpp)) }),
      language: 'javascript' as const,
    };
    await expect(loadProblems(config, judge, context)).rejects.toThrow(/the tests of mbpp are in Python/);
  });
});
