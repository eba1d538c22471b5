import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { codeConfig } from '../../../envs/code/config.ts';
import { codeEnv } from '../../../envs/code/definition.ts';
import { humanEvalProblem } from '../../../envs/code/load/python-problems.ts';
import { readRecords, type FileRecord, type ReadOptions } from '../../../envs/code/load/read-records.ts';
import { openCode } from '../../../envs/code/open-code.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { GymEvent } from '../../../envs/core/log.ts';
import { createMemoryLogger } from '../../../envs/core/log.ts';
import { readPanel } from '../../../envs/core/task.ts';
import { parseEnvConfig } from '../../../envs/open.ts';
import { createFakeProvider } from '../../../sandbox/fake/provider.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { openGround } from './ground.ts';
import { jsonl, openProblemFolder } from './problem-files.ts';

const context = createContext({ seed: 0, now: () => 0 });
const { put } = openProblemFolder();

const humanEval = {
  task_id: 'Test/0',
  prompt: 'def add(a, b):\n    """ Adds.\n    >>> add(1, 2)\n    3\n    and add(2, 2) is 4\n    """\n',
  entry_point: 'add',
  canonical_solution: '    return a + b\n',
  test: 'def check(candidate):\n    assert candidate(1, 2) == 3\n    four = candidate(2, 2)\n    assert four == 4\n    assert four > 3\n    assert candidate(-1, 2) == 1\n    assert candidate(0, 2) == candidate(2, 0)\n',
};
const mbpp = (id: number, text = `Add ${id}.`) => ({
  task_id: id,
  text,
  code: `def add(n):\n    return n + ${id}`,
  test_list: [`assert add(1) == ${1 + id}`, `assert add(2) == ${2 + id}`],
});
const suite = {
  problem_id: 1,
  question: 'Add one.',
  input_output: { inputs: ['1\n', '5\n', '7\n'], outputs: ['2', '6', '8'] },
  solutions: ['print(int(input()) + 1)'],
};

/** Opens the env with a provider that runs nothing. */
const openUnchecked = (problems: object, log = createMemoryLogger()) =>
  openCode(
    codeConfig.parse({ problems, checkSolutions: false }),
    { provider: createFakeProvider(() => ({})), needs: {} },
    createContext({ seed: 0, now: () => 0, log }),
  );
const talliesIn = (events: readonly { readonly event: GymEvent }[]) =>
  events.flatMap(({ event }) => (event.type === 'opening-tally' ? [[event.name, event.count]] : []));

describe('malformed records of problem files', () => {
  const good = put('good.jsonl', jsonl(suite));
  const bad = [
    { ...suite, problem_id: 2, input_output: '{}' },
    { ...suite, problem_id: 3, input_output: '' },
    { ...suite, problem_id: 4, input_output: { inputs: [], outputs: [] } },
    { ...suite, problem_id: 5, input_output: { inputs: [['3', ['1', '2']]], outputs: ['6'] } },
    { ...suite, problem_id: 6, question: null },
    { ...suite, problem_id: 7, input_output: '{' },
    { ...suite, problem_id: 8, solutions: { a: 1 } },
    { ...suite, problem_id: 9, solutions: '[1]' },
  ];
  const mixed = put('mixed.jsonl', jsonl(suite, ...bad, { ...suite, problem_id: 10, solutions: '' }));

  test('all malformed records are refused by name', async () => {
    await expect(openUnchecked({ kind: 'suites', files: mixed })).rejects.toThrow(
      /problems are malformed: .*mixed\.jsonl:5, input_output 1: .*; .*mixed\.jsonl:6: .*question.*; .*mixed\.jsonl:7, input_output: it is not JSON.*; .*mixed\.jsonl:8: .*solutions.*; .*mixed\.jsonl:9: .*solutions.*\. Other problems have no tests: .*:2; .*:3; .*:4\. Skip these problems with problems\.failing=leave-out, or fix them\.$/,
    );
  });

  test('failing=leave-out counts malformed and untested records, and those without a solution', async () => {
    const log = createMemoryLogger();
    const host = await openUnchecked({ kind: 'suites', files: mixed, failing: 'leave-out' }, log);
    expect(host.panels).toMatchObject([{ name: 'test', size: 2, purpose: 'held-out' }]);
    expect(talliesIn(log.events)).toEqual([
      [
        'left out, which are malformed (mixed.jsonl:5, input_output 1; mixed.jsonl:6; mixed.jsonl:7, input_output; mixed.jsonl:8; mixed.jsonl:9)',
        5,
      ],
      ['left out, without tests (mixed.jsonl:2; mixed.jsonl:3; mixed.jsonl:4)', 3],
      ['without a solution in python, so that nothing has checked their tests', 1],
    ]);
    await host.close();
  });

  test('mbpp files count malformed records too, and a file without a usable record is refused', async () => {
    const log = createMemoryLogger();
    const host = await openUnchecked(
      {
        kind: 'mbpp',
        file: put('mbpp.jsonl', jsonl(mbpp(1), { ...mbpp(2), test_list: [] })),
        failing: 'leave-out',
      },
      log,
    );
    expect(talliesIn(log.events)).toEqual([['left out, which are malformed (mbpp.jsonl:2)', 1]]);
    await host.close();
    await expect(
      openUnchecked({ kind: 'suites', files: put('none.jsonl', jsonl(...bad)), failing: 'leave-out' }),
    ).rejects.toThrow(/every one of them was left out: problems are malformed: /);
    await expect(openUnchecked({ kind: 'mbpp', file: good })).rejects.toThrow(
      /problems are malformed: .*good\.jsonl:1: it is not a problem of this kind/,
    );
  });
});

describe('the panels of problem files', () => {
  const size = 160;
  const many = put('many.jsonl', jsonl(...Array.from({ length: size }, (_, at) => mbpp(at))));
  const others = put('others.jsonl', jsonl(mbpp(1_000), mbpp(1_001, ' Add   3.\n')));
  const namesIn = async (problems: object) => {
    const host = await openUnchecked(problems);
    await host.close();
    return {
      host,
      statements: new Map(
        host.panels.map(({ name, size: length }) => [
          name,
          Array.from(
            { length },
            (_, index) => host.describeTask({ panel: name, index }).instruction?.split('\n')[1] ?? '',
          ),
        ]),
      ),
    };
  };

  test('train gives a dev part for choosing settings, beside the held-out file', async () => {
    const { host, statements } = await namesIn({
      kind: 'mbpp',
      file: put('held.jsonl', jsonl(mbpp(1_000))),
      train: many,
    });
    expect(host.panels.map(({ name, purpose }) => [name, purpose])).toEqual([
      ['train', 'train'],
      ['dev', 'dev'],
      ['test', 'held-out'],
    ]);
    expect(statements.get('test')).toEqual(['Add 1000.']);
    const [train = [], dev = []] = [statements.get('train'), statements.get('dev')];
    expect([...train, ...dev].toSorted()).toEqual(
      Array.from({ length: size }, (_, at) => `Add ${at}.`).toSorted(),
    );
    expect(dev.length).toBeGreaterThan(10);
    expect(dev.length).toBeLessThan(30);
  });

  test('train alone gives a held-out part that other records do not change, with equal statements together', async () => {
    const { host, statements } = await namesIn({ kind: 'mbpp', train: many, split: 'kept' });
    expect(host.panels.map(({ name, purpose }) => [name, purpose])).toEqual([
      ['train', 'train'],
      ['dev', 'dev'],
      ['kept', 'held-out'],
    ]);
    const kept = statements.get('kept') ?? [];
    const twice = put(
      'twice.jsonl',
      jsonl(
        ...Array.from({ length: size }, (_, at) => [mbpp(at), mbpp(1_000 + at, `Add  ${at}. `)])
          .flat()
          .slice(10),
      ),
    );
    const again = (await namesIn({ kind: 'mbpp', train: twice, split: 'kept' })).statements.get('kept') ?? [];
    expect(again.map((each) => each.replace(/\s+/g, ' ').trim()).toSorted()).toEqual(
      kept
        .filter((each) => Number(each.match(/\d+/)) > 4)
        .flatMap((each) => [each, each])
        .toSorted(),
    );
  });

  test('held-out problems are refused in train, or left out of it', async () => {
    await expect(openUnchecked({ kind: 'mbpp', file: others, train: many })).rejects.toThrow(
      /problems to learn from are held out too: MBPP\/3 \(it is stated as MBPP\/1001\)/,
    );
    const log = createMemoryLogger();
    const host = await openUnchecked({ kind: 'mbpp', file: others, train: many, failing: 'leave-out' }, log);
    expect(talliesIn(log.events)).toEqual([['left out of training, as they are held out too (MBPP/3)', 1]]);
    expect(host.panels.reduce((sum, panel) => sum + panel.size, 0)).toBe(size + 1);
    await host.close();
  });

  test('an empty panel gives its reason, and configs without files or with split=train are refused', async () => {
    const host = await openUnchecked({ kind: 'mbpp', train: put('one.jsonl', jsonl(mbpp(0))) });
    expect(host.panels).toHaveLength(1);
    const missing = ['train', 'dev', 'test'].find((name) => name !== host.panels[0]?.name) ?? '';
    expect(() => readPanel(host, { env: 'code-v1', config: {}, name: missing })).toThrow(
      /the panel is empty: of 1 problems that could be used none fell to it by lot\. Name files with more problems/,
    );
    await host.close();
    expect(() => parseEnvConfig(codeEnv, { problems: { kind: 'mbpp' } })).toThrow(
      /name a file to hold out \(file\), one to learn from \(train\), or both/,
    );
    expect(() =>
      parseEnvConfig(codeEnv, { problems: { kind: 'suites', files: 'x', split: 'train' } }),
    ).toThrow(/cannot be called train \(split\)/);
  });
});

describe('readRecords', () => {
  const recordsOf = async (file: string, reading?: ReadOptions): Promise<readonly FileRecord[]> => {
    const records: FileRecord[] = [];
    for await (const record of readRecords(file, reading)) records.push(record);
    return records;
  };
  const bounds = { whole: 100, line: 60 };
  const lines = Array.from({ length: 40 }, (_, id) => JSON.stringify({ id, text: 'x\u2028y' }));

  test.each([
    ['plain', (text: string) => Buffer.from(text)],
    ['gzipped', (text: string) => gzipSync(text)],
  ] as const)('reads a file of any size line by line: %s', async (name, packed) => {
    const file = put(`long-${name}.jsonl`, packed(`\uFEFF\n${lines.join('\r\n')}`));
    const come: number[] = [];
    const records = await recordsOf(file, {
      bounds,
      onRead: ({ done, total, unit }) => void come.push(unit === 'MiB' ? done / total : -1),
    });
    expect(records.map(({ value }) => value)).toEqual(lines.map((line) => JSON.parse(line) as unknown));
    expect(records.at(-1)?.where).toBe(`${file}:41`);
    expect(come.at(-1)).toBe(1);
  });

  test('refuses an overlong line by its number, and an overlong list with the fix', async () => {
    const file = put('wide.jsonl', `${lines.join('\n')}\n"${'x'.repeat(80)}"\n`);
    await expect(recordsOf(file, { bounds })).rejects.toThrow(
      /wide\.jsonl:41: the line has more than 60 characters\. Remove this problem/,
    );
    await expect(recordsOf(put('list.json', `[${lines.join()}]`), { bounds })).rejects.toThrow(
      /it is not read line by line, and has more than 100 characters\. Write it as JSONL/,
    );
    expect(await recordsOf(put('short.json', ` [${lines.slice(0, 2).join()}]`), { bounds })).toHaveLength(2);
    await expect(recordsOf(put('cut.jsonl.gz', gzipSync(lines.join('\n')).subarray(0, 60)))).rejects.toThrow(
      /the file cannot be read \(unexpected end of file\)/,
    );
  });

  test('stops reading when its signal aborts', async () => {
    const caller = new AbortController();
    const reason = new Error('interrupted');
    const file = put('stopped.jsonl', lines.join('\n'));
    await expect(
      recordsOf(file, { signal: caller.signal, onRead: () => caller.abort(reason) }).then(() =>
        recordsOf(file, { signal: caller.signal }),
      ),
    ).rejects.toBe(reason);
  });
});

test('a HumanEval problem keeps its published prompt and lists the calls that its docstring reveals', () => {
  expect(humanEvalProblem({ where: 'x', value: humanEval }).statement).toContain(humanEval.prompt.trimEnd());
  expect(humanEvalProblem({ where: 'x', value: humanEval })).toMatchObject({
    visible: [{ kind: 'script' }],
    told: ['add(1, 2)', 'add(2, 2)'],
  });
});

await describeWithParts(['bubblewrap'], 'visible tests', () => {
  const ground = openGround();
  afterAll(() => ground.provider[Symbol.asyncDispose]());
  const endOf = async (problems: object, program: string) => {
    const host = await openCode(
      codeConfig.parse({ problems }),
      { ...ground, provider: openGround().provider },
      context,
    );
    const env = await host.create();
    await env.reset({ panel: 'test', index: 0 }, context);
    await env.step({ kind: 'submit', program }, context);
    const end = await env.step({ kind: 'finish' }, context);
    await host.close();
    return end;
  };

  test('programs with hard-coded visible answers earn no share of the tests', async () => {
    const nothing = { outcome: 'failed', metrics: { share: 0 } };
    expect(
      await endOf(
        { kind: 'suites', files: put('three.jsonl', jsonl(suite)) },
        'print({"1": 2, "5": 6}.get(input().strip(), 0))',
      ),
    ).toMatchObject(nothing);
    const he = await endOf(
      { kind: 'humaneval', file: put('he.jsonl', jsonl(humanEval)) },
      'def add(a, b):\n    return {(1, 2): 3, (2, 2): 4}.get((a, b), (a, b))',
    );
    expect(he).toMatchObject({ ...nothing, observation: { said: 'Hidden tests: 0 of 2 passed.' } });
    expect(
      await endOf({ kind: 'mbpp', file: put('two.jsonl', jsonl(mbpp(2))) }, 'def add(n):\n    return 3'),
    ).toMatchObject(nothing);
    const single = put('single.jsonl', jsonl({ ...mbpp(2), test_list: ['assert add(1) == 3'] }));
    expect(await endOf({ kind: 'mbpp', file: single }, 'def add(n):\n    return n + 2')).toMatchObject({
      outcome: 'solved',
    });
  });

  test('visible tests count when the problem has no other tests', async () => {
    const told = {
      ...humanEval,
      prompt: humanEval.prompt.replace('>>> add(1, 2)\n    3\n', 'add(1, 2) is 3\n'),
      test: 'def check(candidate):\n    assert candidate(1, 2) == 3\n    assert candidate(2, 2) == 4',
    };
    const file = put('told.jsonl', jsonl(told));
    expect(await endOf({ kind: 'humaneval', file }, 'def add(a, b):\n    return 3')).toMatchObject({
      outcome: 'failed',
      metrics: { share: 0.5 },
    });
    expect(await endOf({ kind: 'humaneval', file }, 'def add(a, b):\n    return a + b')).toMatchObject({
      outcome: 'solved',
    });
  });

  test('visible tests must pass to solve a problem, although they earn no share', async () => {
    const failed = {
      outcome: 'failed',
      metrics: { share: 1 },
      observation: {
        said: expect.stringMatching(
          /^Hidden tests: (\d+) of \1 passed\. What is shown was not all right\.$/,
        ) as string,
      },
    };
    expect(
      await endOf(
        { kind: 'suites', files: put('three.jsonl', jsonl(suite)) },
        'n = int(input())\nprint(n + 1 if n != 1 else 0)',
      ),
    ).toMatchObject(failed);
    expect(
      await endOf(
        { kind: 'humaneval', file: put('he.jsonl', jsonl(humanEval)) },
        'def add(a, b):\n    return a + b if (a, b) != (1, 2) else 0',
      ),
    ).toMatchObject(failed);
    expect(
      await endOf(
        { kind: 'humaneval', file: put('he.jsonl', jsonl(humanEval)) },
        'def add(a, b):\n    return a + b if (a, b) != (2, 2) else 0',
      ),
    ).toMatchObject(failed);
    expect(
      await endOf(
        { kind: 'mbpp', file: put('two.jsonl', jsonl(mbpp(2))) },
        'def add(n):\n    return n + 2 if n != 1 else 0',
      ),
    ).toMatchObject(failed);
  });

  test('opening reports progress per solution, with the setting that skips the check', async () => {
    const log = createMemoryLogger();
    const file = put(
      'tried.jsonl',
      jsonl(
        { ...suite, solutions: ['print(1)', 'print(int(input()) + 1)', 'print(2)'] },
        { ...suite, problem_id: 2 },
      ),
    );
    const host = await openCode(
      codeConfig.parse({ problems: { kind: 'suites', files: file }, atOnce: 1 }),
      { ...ground, provider: openGround().provider },
      createContext({ seed: 0, now: () => 0, log }),
    );
    await host.close();
    const told = log.events.flatMap(({ event }) =>
      event.type === 'opening-advance' && event.part === 'solutions held to their tests' ? [event] : [],
    );
    expect(told.map(({ done, total, without }) => [done, total, without])).toEqual(
      [1, 2, 3, 4].map((done) => [done, 4, 'checkSolutions=false']),
    );
  });
});
