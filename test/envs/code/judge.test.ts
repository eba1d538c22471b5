import { availableParallelism } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { OwnProblem } from '../../../envs/code/problems/own-problem.ts';
import { languages, type Problem } from '../../../envs/code/problems/problem.ts';
import { templates } from '../../../envs/code/problems/templates/templates.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { judgeOn, openGround, runnerOn, signal } from './ground.ts';

/** One problem of every template. Half are functions, half read lines. */
const firsts = templates.map(
  (template, at) => new OwnProblem(template, at % template.variants.length, at % 2 === 1),
);

/** Works on six items at once. */
async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
    }),
  );
}

const sum: Problem = {
  name: 'sum',
  family: 'test',
  statement: 'Add up.',
  form: { kind: 'function', name: 'add' },
  visible: [],
  hidden: [
    [[1, 2], 3],
    [[5, 5], 10],
    [[0, 7], 7],
  ].map(([given, expected]) => ({
    kind: 'call',
    given: given as readonly number[],
    expected: expected as number,
  })),
  solutions: {},
};
const lines: Problem = {
  ...sum,
  name: 'lines',
  form: { kind: 'lines' },
  hidden: [
    ['1 2\n', '3'],
    ['5 5\n', '10'],
  ].map(([given, expected]) => ({ kind: 'lines', given: given as string, expected: [expected as string] })),
};
const script: Problem = {
  ...sum,
  name: 'script',
  hidden: [
    {
      kind: 'script',
      code: 'def check(candidate):\n    assert candidate(1, 2) == 3\n    assert candidate(5, 5) == 10\n',
    },
  ],
};

await describeWithParts(['bubblewrap'], 'judging in a sandbox', () => {
  const ground = openGround();
  afterAll(() => ground.provider[Symbol.asyncDispose]());
  const judge = judgeOn(ground, 3_000);

  test.each(languages)(
    'solutions in %s pass all their tests, so interpreter and language agree',
    async (language) => {
      const share = firsts.filter(
        (_, at) => Math.floor(at / 2) % languages.length === languages.indexOf(language),
      ); // bench/code has all in both
      await eachOf(share, async ({ problem }) => {
        const report = await judge.report(
          { problem, tests: 'hidden', language, program: problem.solutions[language] ?? '' },
          signal,
        );
        expect(report.failures, `${problem.name} in ${language}`).toEqual([]);
        expect(report).toMatchObject({ passed: problem.hidden.length, formed: true });
      });
    },
  );

  test.each(languages)('tests reject nearly all slips in %s, and all that are too slow', async (language) => {
    const picked = firsts
      .filter((_, at) => at % 8 === 1)
      .flatMap((own) => {
        const mutants = own.mutants();
        return [
          ...mutants.filter((_, at) => at % 11 === 3).slice(0, 2),
          ...mutants.filter(({ slip }) => slip === 'too slow').slice(0, 1),
        ].map((mutant) => ({ own, mutant }));
      });
    expect(picked.length).toBeGreaterThan(10);
    const quick = judgeOn(ground, 1_000);
    const alive: string[] = [];
    await eachOf(picked, async ({ own, mutant }) => {
      const report = await quick.report(
        { problem: own.problem, tests: 'hidden', language, program: own.write(mutant.program, language) },
        signal,
      );
      if (report.passed === report.total) alive.push(`${own.problem.name}, ${mutant.slip}`);
    });
    expect(alive.filter((name) => name.endsWith('too slow'))).toEqual([]);
    expect(alive.length / picked.length).toBeLessThan(0.1); // an error of the interpreter may be none in the language, such as an index of -1
  });

  const right = 'def add(a, b):\n    return a + b\n';

  test('a program that answers for the harness gets no extra time per input', async () => {
    const slowly = 'import time\ndef slowly():\n    while time.process_time() < 4:\n        pass\n'; // longer than the two seconds allowed for starting, on any machine
    const honest = `${slowly}def add(a, b):\n    slowly()\n    return a + b\n`;
    const forging = `import json, os, signal, sys\n${slowly}frame = sys._getframe()\njob = None\nwhile frame:\n    if isinstance(frame.f_locals.get("job"), dict):\n        job = frame.f_locals["job"]\n    frame = frame.f_back\nos.kill(os.getppid(), signal.SIGSTOP)\nout = os.open("/proc/%d/fd/1" % os.getppid(), os.O_WRONLY)\nslowly()\nfor at, test in enumerate(job["tests"]):\n    a, b = test["given"]\n    os.write(out, ("\\n" + job["mark"] + json.dumps({"at": at, "end": "value", "value": a + b}) + "\\n").encode())\nos.kill(os.getppid(), signal.SIGKILL)\n`;
    for (const program of [honest, forging]) {
      const report = await judgeOn(ground, 300).report(
        { problem: sum, tests: 'hidden', language: 'python', program },
        signal,
      );
      expect(report.passed).toBe(0);
    }
  });
  const attacks: readonly (readonly [name: string, program: string])[] = [
    [
      'prints verdicts',
      'import json\nfor at in range(3):\n    print(json.dumps({"at": at, "end": "value", "value": [3, 10, 7][at], "passed": True}))\ndef add(a, b):\n    return None',
    ],
    ['exits at once', 'import sys\nsys.exit(0)'],
    ['exits at once by os._exit', 'import os\nos._exit(0)'],
    [
      'is equal to everything',
      'class Any:\n    def __eq__(self, other):\n        return True\n    def __hash__(self):\n        return 0\ndef add(a, b):\n    return Any()',
    ],
    [
      'is a number that is equal to everything',
      'class Any(int):\n    def __eq__(self, other):\n        return True\ndef add(a, b):\n    return Any(0)',
    ],
    [
      'changes json',
      'import json\njson.dumps = lambda *given, **named: "true"\njson.loads = lambda *given, **named: True\ndef add(a, b):\n    return 0',
    ],
    [
      'changes the builtins',
      'import builtins\nbuiltins.isinstance = lambda *given: True\nbuiltins.all = lambda *given: True\ndef add(a, b):\n    return 0',
    ],
    [
      "writes into the harness's output",
      'import os\ndef add(a, b):\n    for number in range(64):\n        try:\n            os.write(number, b\'{"at": 0, "end": "value", "value": 3}\\n\')\n        except OSError:\n            pass\n    return 0',
    ],
    [
      'forges unreadable lines of the harness',
      'import os, sys\ndef add(a, b):\n    frame = sys._getframe()\n    while frame and "job" not in frame.f_locals:\n        frame = frame.f_back\n    with open("/proc/%d/fd/1" % os.getppid(), "w") as out:\n        out.write(frame.f_locals["job"]["mark"] + \'{"at":0,"end":"value","value":\' + "[" * 100000 + "]" * 100000 + "}\\n")\n        out.write(frame.f_locals["job"]["mark"] + \'{"at":-1,"end":"unreadable","text":5}\\n\')\n    return 0',
    ],
    [
      'kills the harness',
      'import os, signal\ndef add(a, b):\n    os.kill(os.getppid(), signal.SIGKILL)\n    return 0',
    ],
    [
      'kills every process it can',
      'import os, signal\ndef add(a, b):\n    os.kill(-1, signal.SIGKILL)\n    return 0',
    ],
    ['forks', 'import os\nfor _ in range(5):\n    os.fork()\ndef add(a, b):\n    return 0'],
    [
      'replaces the harness',
      'open("harness.py", "w").write("print(1)")\nimport os, signal\nos.kill(os.getppid(), signal.SIGKILL)\ndef add(a, b):\n    return 0',
    ],
    ['never ends', 'def add(a, b):\n    while True:\n        pass'],
    [
      'ignores signals',
      'import signal, time\nfor number in range(1, 30):\n    try:\n        signal.signal(number, signal.SIG_IGN)\n    except OSError:\n        pass\ndef add(a, b):\n    time.sleep(1000)',
    ],
    ['prints endlessly', 'def add(a, b):\n    while True:\n        print("x" * 1000)'],
    ['takes all memory', 'def add(a, b):\n    return len([0] * 10 ** 10)'],
    ['is JavaScript', 'function add(a, b) { return a + b; }'],
    ['has NUL bytes', 'def add(a, b):\n    return a + b\0'],
    ['is empty', ''],
  ];

  test.each(attacks)('a program that %s earns nothing', async (_, program) => {
    for (const problem of [sum, script]) {
      const report = await judgeOn(ground, 600).report(
        { problem, tests: 'hidden', language: 'python', program },
        signal,
      );
      expect(report.passed).toBe(0);
      expect(report.total).toBeGreaterThanOrEqual(2);
    }
    expect(
      await judge.report({ problem: sum, tests: 'hidden', language: 'python', program: right }, signal),
    ).toMatchObject({ passed: 3, total: 3 }); // and does not disturb the next program
  });

  test.each([
    ['exits', 'process.exit(0)'],
    [
      'prints verdicts and throws',
      'console.log(JSON.stringify({ at: 0, end: "value", value: 3 })); throw new Error("no")',
    ],
    ['never ends', 'for (;;) {}'],
    [
      'changes JSON',
      'JSON.stringify = () => "{\\"value\\":3}"; function add() { return { toJSON: () => ({}) } }',
    ],
    [
      'escapes its context',
      'const process = this.constructor.constructor("return process")(); process.exit(0)',
    ],
    ['is Python', 'def add(a, b):\n    return a + b'],
  ])('a JavaScript program that %s earns nothing', async (_, program) => {
    for (const problem of [
      { ...sum, hidden: sum.hidden.slice(1) },
      { ...lines, hidden: lines.hidden.slice(1) },
    ]) {
      const report = await judgeOn(ground, 600).report(
        { problem, tests: 'hidden', language: 'javascript', program },
        signal,
      );
      expect(report.passed).toBe(0);
    }
  });

  test('a program finds inputs in the sandbox, but no expected answers', async () => {
    const spy =
      'import os\ndef add(a, b):\n    found = []\n    for folder, _, names in os.walk("."):\n        found += [open(os.path.join(folder, name), errors="replace").read() for name in names]\n    return "".join(found)';
    const secret: Problem = {
      ...sum,
      hidden: [{ kind: 'call', given: [1, 2], expected: 'a-secret-answer' }],
    };
    const report = await judge.report(
      { problem: secret, tests: 'hidden', language: 'python', program: spy },
      signal,
    );
    expect(report.failures[0]?.got).toContain('def forked'); // it did search
    expect(report.failures[0]?.got).not.toContain('a-secret-answer');
    expect(report.passed).toBe(0);
  });

  test('assertions count one by one, and a right program passes them', async () => {
    expect(
      await judge.report({ problem: script, tests: 'hidden', language: 'python', program: right }, signal),
    ).toMatchObject({ total: 2, passed: 2, formed: true });
    expect(
      await judge.report(
        { problem: script, tests: 'hidden', language: 'python', program: 'def add(a, b):\n    return 3\n' },
        signal,
      ),
    ).toMatchObject({ total: 2, passed: 1 });
  });

  test('output repeats: sets have an order, and addresses are hidden', async () => {
    const runner = runnerOn(ground);
    const program = 'def add(a, b):\n    print(set("abcdefgh"))\n    raise ValueError(object())';
    const [one, other] = await Promise.all(
      [1, 2].map(() => runner.run({ language: 'python', program, form: sum.form, given: [[1, 2]] }, signal)),
    );
    expect(one).toEqual(other);
    expect(one?.[0]).toMatchObject({
      kind: 'error',
      text: expect.stringContaining('object at 0x…') as string,
    });
  });

  test.each([
    [
      'python',
      'import os, random, secrets, uuid\ndef add(a, b):\n    random.seed()\n    return [random.random(), random.Random().randint(0, 9999), secrets.token_hex(8), str(uuid.uuid4()), list(os.urandom(3)), random.SystemRandom().random()]',
    ],
    ['javascript', 'function add(a, b) { return [Math.random(), Math.random()]; }'],
  ] as const)('random draws repeat for each test and each start, in %s', async (language, program) => {
    const runner = runnerOn(ground);
    const [one, other] = await Promise.all(
      [
        [[1, 2]],
        [
          [0, 0],
          [1, 2],
        ],
      ].map((given) => runner.run({ language, program, form: sum.form, given }, signal)),
    );
    expect(one?.[0]?.kind).toBe('value');
    expect([...(other ?? [])]).toEqual([one?.[0], one?.[0]]);
    const drawn = one?.[0]?.kind === 'value' ? (one[0].value as readonly unknown[]) : [];
    expect(new Set(drawn).size).toBe(drawn.length); // and the draws differ from each other
  });

  test.each([
    ['python', 'import random\nprint(random.random())'],
    ['javascript', 'console.log(Math.random())'],
  ] as const)('random draws of programs that read lines repeat, in %s', async (language, program) => {
    const [first, second, again] = [
      ...(await runnerOn(ground).run({ language, program, form: lines.form, given: ['', ''] }, signal)),
      ...(await runnerOn(ground).run({ language, program, form: lines.form, given: [''] }, signal)),
    ];
    expect(first).toMatchObject({
      kind: 'printed',
      printed: expect.stringMatching(/^0\.\d+\n$/) as string,
    });
    expect([second, again]).toEqual([first, first]);
  });

  test.each([
    [
      'python',
      'def add(a, b):\n    return [a + b, type(a) is int, type(b) is float]',
      [{ '#int': '9007199254740995' }, true, true],
    ],
    [
      'javascript',
      'function add(a, b) { return [a + BigInt(b), typeof a === "bigint", b === 2]; }',
      [{ '#int': '9007199254740995' }, true, true],
    ],
  ] as const)('numbers beyond 2^53 pass in and out exactly, in %s', async (language, program, value) => {
    const whole = language === 'python' ? program.replace('a + b', 'a + int(b)') : program;
    const [run] = await runnerOn(ground).run(
      {
        language,
        program: whole,
        form: sum.form,
        given: [[{ '#int': '9007199254740993' }, { '#float': '2.0' }]],
      },
      signal,
    );
    expect(run).toMatchObject({ kind: 'value', value });
  });

  const scripted = (code: string): Problem => ({ ...sum, name: code, hidden: [{ kind: 'script', code }] });
  const judged = (code: string, program = right) =>
    judge.report({ problem: scripted(code), tests: 'hidden', language: 'python', program }, signal);

  test('a failed assertion shows what its calls returned', async () => {
    const report = await judged(
      'def check(candidate):\n    assert candidate(1, b=2) == 4\n    x = candidate(5, 5)\n    assert x == 11\n    assert candidate(0, 0) / 0\n    assert len(candidate("a" * 400, "")) == 0',
    );
    expect(report.failures.map(({ given, expected, got }) => [given, expected, got])).toEqual([
      ['assert candidate(1, b=2) == 4', undefined, 'add(1, b=2) gave 3'],
      ['assert x == 11', undefined, ''],
      ['assert candidate(0, 0) / 0', undefined, 'ZeroDivisionError: division by zero; add(0, 0) gave 0'],
      [
        "assert len(candidate('a' * 400, '')) == 0",
        undefined,
        `add('${'a'.repeat(149)}…${'a'.repeat(148)}', '') gave '${'a'.repeat(149)}…${'a'.repeat(148)}'`,
      ],
    ]);
  });

  test('tests that draw random numbers draw the same in each round', async () => {
    expect(
      await judged(
        'import random\ndef check(candidate):\n    x = 1\n    for _ in range(4):\n        y = random.randint(0, 10 ** 9)\n        x = candidate(x, y)\n        assert candidate(y, x) == x + y',
      ),
    ).toMatchObject({ total: 4, passed: 4 });
  });

  test('tests that ask something else each time end, and unanswered assertions fail', async () => {
    const report = await judged(
      'import time\ndef check(candidate):\n    x = candidate(1, time.time_ns())\n    assert x == x\n    assert candidate(time.time_ns(), 2) > 0\n    assert candidate(1, 1) == 2',
    );
    expect(report).toMatchObject({ total: 3, passed: 0 });
    expect(report.failures[0]?.got).toBe('it was not run: the tests ask something else each time');
  });

  test.each([
    [
      'until an answer that never comes',
      'x = candidate(0, 0)\n    while x < 5:\n        x = candidate(x, 0)',
    ],
    ['while an answer is missing', 'x = candidate(0, 0)\n    while x:\n        x = x - 1'],
    ['forever on the right answer', 'while candidate(1, 1) == 2:\n        pass'],
  ])('tests that loop %s are ended', async (_, body) => {
    const script = `def check(candidate):\n    assert candidate(1, 2) == 3\n    ${body}\n    assert candidate(5, 5) == 10`;
    const report = await judgeOn(ground, undefined, 2).report(
      { problem: scripted(script), tests: 'hidden', language: 'python', program: right },
      signal,
    );
    expect(report.passed).toBeLessThan(3);
    expect(report.total).toBeGreaterThanOrEqual(2);
  });

  test('programs that sleep are not asked in every round, and the reason is reported', async () => {
    const slow = 'import time\ndef add(a, b):\n    time.sleep(1000)';
    const report = await judgeOn(ground, 300).report(
      {
        problem: scripted(
          `def check(candidate):\n${Array.from({ length: 6 }, (_, at) => `    assert candidate(${at}, 0) == ${at}`).join('\n')}`,
        ),
        tests: 'hidden',
        language: 'python',
        program: slow,
      },
      signal,
    );
    expect(report).toMatchObject({ total: 6, passed: 0 });
    expect(report.failures.map(({ got }) => got.replace('RuntimeError: ', ''))).toEqual([
      'it did not end in time',
      'it did not end in time',
      ...Array.from({ length: 4 }, () => 'it was not run: 2 earlier inputs had taken too long'),
    ]);
  });

  test('an assertion without a call earns nothing', async () => {
    expect(
      await judged('def check(candidate):\n    assert True, "so it is"\n    assert candidate(1, 2) == 3'),
    ).toMatchObject({ total: 1, passed: 1 });
    expect(await judged('def check(candidate):\n    assert True')).toMatchObject({ total: 1, passed: 0 });
  });

  const added = 'a, b = map(int, input().split())\n';
  test.each([
    [
      'leave the work to a thread',
      'import sys, threading\ndef main():\n    a, b = map(int, sys.stdin.readline().split())\n    for _ in range(300_000):\n        pass\n    print(a + b)\nthreading.stack_size(2 ** 26)\nthreading.Thread(target=main).start()',
    ],
    [
      'print at exit',
      `import atexit, io, sys\nbuffer = io.StringIO()\nsys.stdout = buffer\n@atexit.register\ndef write():\n    sys.__stdout__.write(buffer.getvalue())\n${added}print(a + b)`,
    ],
    ['write to sys.__stdout__', `import sys\n${added}sys.__stdout__.write(str(a + b))`],
    ['read sys.__stdin__', 'import sys\nprint(sum(map(int, sys.__stdin__.readline().split())))'],
    [
      'leave a file object unflushed',
      `import os\n${added}out = os.fdopen(1, "w")\ndef write(number):\n    out.write(str(number))\nwrite(a + b)`,
    ],
  ])('programs that %s end as in Python', async (_, program) => {
    const many: Problem = {
      ...lines,
      hidden: Array.from({ length: 8 }, (_test, at) => ({
        kind: 'lines' as const,
        given: `${at} 1\n`,
        expected: [String(at + 1)],
      })),
    };
    expect(
      (await judge.report({ problem: many, tests: 'hidden', language: 'python', program }, signal)).failures,
    ).toEqual([]);
  });

  test.each([
    [
      'annotations as strings',
      'from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass Pair:\n    a: int\n    b: int\ndef add(a, b):\n    pair = Pair(a, b)\n    return pair.a + pair.b',
    ],
    [
      'type hints that are looked up',
      'import typing\nclass Tree:\n    left: "Tree"\n    right: "int"\ndef add(a, b):\n    return a + b if typing.get_type_hints(Tree)["left"] is Tree else 0',
    ],
    [
      'pickles',
      'import copy, pickle\nclass Pair:\n    pass\ndef add(a, b):\n    pair = Pair()\n    pair.sum = a + b\n    return pickle.loads(pickle.dumps(pair)).sum',
    ],
    [
      'a module that finds itself',
      'import sys\nx = 1\ndef add(a, b):\n    return a + b if sys.modules[__name__].x == 1 else 0',
    ],
  ])('a program is a module, as %s need', async (_, program) => {
    expect(
      (await judge.report({ problem: sum, tests: 'hidden', language: 'python', program }, signal)).failures,
    ).toEqual([]);
  });

  test.each([
    [
      'pickles its own',
      `import pickle\nclass Pair:\n    pass\n${added}pair = Pair()\npair.sum = a + b\nprint(pickle.loads(pickle.dumps(pair)).sum)`,
    ],
    ['imports itself', `import __main__\n${added}print(__main__.a + __main__.b)`],
  ])('a program that reads lines is the main module: it %s', async (_, program) => {
    expect(
      (await judge.report({ problem: lines, tests: 'hidden', language: 'python', program }, signal)).failures,
    ).toEqual([]);
    const looking = 'import __main__\nprint("\\n".join(vars(__main__)))';
    const [run] = await runnerOn(ground).run(
      { language: 'python', program: looking, form: lines.form, given: [''] },
      signal,
    );
    expect(run?.printed.split('\n').filter((name) => !/^__\w+__$/.test(name))).toEqual(['']); // no names of the harness
  });

  test.each([
    [
      'pass them back',
      'x = candidate(0, 0)\n    for n in range(30):\n        assert candidate([x, x], [x, n]) == n',
    ],
    [
      'use one answer in the next question',
      'x = candidate(0, 0)\n    for n in range(30):\n        y = candidate(x, n)\n        assert len(y) == candidate([y, y], n)',
    ],
  ])('answers too long for tests that %s fail only those tests', async (_, body) => {
    const report = await judged(
      `def check(candidate):\n    assert candidate(1, 2) == 3\n    ${body}`,
      'def add(a, b):\n    return 3 if (a, b) == (1, 2) else "z" * 300_000',
    );
    expect(report.passed).toBe(1);
    expect(report.total).toBeGreaterThanOrEqual(2);
    expect(report.failures.map(({ got }) => got).join()).toContain('too long');
  });

  test('a verdict is cached by tests, whatever the problem is called', async () => {
    const own = judgeOn(ground);
    const other: Problem = { ...sum, hidden: [{ kind: 'call', given: [1, 2], expected: 4 }] };
    expect(
      await own.report({ problem: sum, tests: 'hidden', language: 'python', program: right }, signal),
    ).toMatchObject({ total: 3, passed: 3 });
    expect(
      await own.report({ problem: other, tests: 'hidden', language: 'python', program: right }, signal),
    ).toMatchObject({ total: 1, passed: 0 });
    expect(
      await own.report(
        {
          problem: { ...sum, preamble: 'raise SystemExit\n' },
          tests: 'hidden',
          language: 'python',
          program: right,
        },
        signal,
      ),
    ).toMatchObject({ passed: 0 });
  });

  const busy = (clock: string) =>
    `function add(a, b) { const until = ${clock} + 500; while (${clock} < until); return a + b; }`;
  const used = '(({ user, system }) => (user + system) / 1000)(process.cpuUsage())';
  test.each([
    [
      'python',
      sum,
      'import time\ndef add(a, b):\n    until = time.process_time() + 0.5\n    while time.process_time() < until:\n        pass\n    return a + b',
    ],
    [
      'javascript',
      lines,
      `${busy(used)}\nconsole.log(add(...require('fs').readFileSync(0, 'utf8').split(' ').map(Number)));`,
    ],
  ] as const)(
    'time limits count processor time, so a busy machine changes no verdict, in %s, %#',
    async (language, problem, program) => {
      const reports = await Promise.all(
        Array.from({ length: 3 * availableParallelism() }, () =>
          judgeOn(ground, 1_000).report(
            { problem: { ...problem, hidden: problem.hidden.slice(-2) }, tests: 'hidden', language, program },
            signal,
          ),
        ),
      );
      expect(reports.flatMap(({ failures }) => failures.map(({ got }) => got))).toEqual([]);
      const [late] = (
        await judgeOn(ground, 300).report({ problem, tests: 'hidden', language, program }, signal)
      ).failures;
      expect(late?.verdict).toBe('time');
    },
  );

  test.each([
    ['python', sum, 'import time\ndef add(a, b):\n    time.sleep(1000)'],
    [
      'javascript',
      sum,
      'function add(a, b) { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }',
    ],
    ['python', lines, 'import time\ntime.sleep(1000)'],
    ['javascript', lines, 'setTimeout(() => {}, 1e6);'],
    [
      'python',
      sum,
      'import subprocess\ndef add(a, b):\n    subprocess.run(["sh", "-c", "while true; do :; done"])',
    ],
  ] as const)(
    'the clock ends a program that computes nothing itself, in %s, %#',
    async (language, problem, program) => {
      const begun = performance.now();
      const report = await judgeOn(ground, 200).report(
        { problem, tests: 'hidden', language, program },
        signal,
      );
      expect(report.failures.slice(0, 2).map(({ verdict }) => verdict)).toEqual(['time', 'time']);
      expect(performance.now() - begun).toBeLessThan(30_000);
    },
  );

  const adds = (...before: readonly string[]): string =>
    `${before.join('\n')}\nfunction add(a, b) { return a + b; }`;
  test.each([
    [
      'structuredClone',
      'const { a: [copy] } = structuredClone({ a: [7] }); if (copy !== 7) throw new Error(copy);',
    ],
    [
      'timers',
      'const timer = setInterval(() => {}, 1); clearInterval(timer); setTimeout(() => { throw new Error("late"); }, 0); setInterval(() => {}, 1); queueMicrotask(() => {}); setImmediate(() => {});',
    ],
    [
      'process',
      'process.nextTick(() => {}); process.stdout.write("no line feed"); process.stderr.write("x"); if (typeof process.argv.length !== "number" || process.env === undefined || !(process.hrtime.bigint() > 0n)) throw new Error();',
    ],
    ['global', 'global.seen = 1; if (seen !== 1 || globalThis !== global) throw new Error();'],
    [
      'console',
      'const round = {}; round.self = round; console.log(1n, round, "%d", 3, undefined, () => 1, Symbol("x")); console.table([{ a: 1 }]); console.group(); console.dir({}); console.time(); console.timeEnd(); console.assert(true); console.count(); console.groupEnd(); console.trace();',
    ],
    [
      'global classes',
      'new TextEncoder().encode(new URL("http://a/b").pathname); Buffer.from("x"); new AbortController(); performance.now(); btoa("x"); new URLSearchParams("a=1"); crypto.randomUUID();',
    ],
    ['files', 'require("fs").writeSync(1, "no line feed");'],
    [
      'its own classes',
      'if (!([] instanceof Array) || !(new Map() instanceof Map) || !(new Error() instanceof Error)) throw new Error();',
    ],
    ['an unhandled rejection', 'Promise.reject(new Error("nobody"));'],
  ])('a function in JavaScript has what Node has: %s', async (_, before) => {
    expect(
      (
        await judge.report(
          { problem: sum, tests: 'hidden', language: 'javascript', program: adds(before) },
          signal,
        )
      ).failures,
    ).toEqual([]);
  });

  test('a JavaScript function prints as Node does, and fails when it exits the process', async () => {
    const runner = runnerOn(ground);
    const [run] = await runner.run(
      {
        language: 'javascript',
        program: adds('console.log([1, 2n], "%s", "x"); console.error("e")'),
        form: sum.form,
        given: [[1, 2]],
      },
      signal,
    );
    expect(run).toEqual({ kind: 'value', value: 3, printed: '[ 1, 2n ] %s x\ne\n' });
    const [left, more] = await runner.run(
      {
        language: 'javascript',
        program: 'function add(a, b) { process.exit(0); }',
        form: sum.form,
        given: [
          [1, 2],
          [3, 4],
        ],
      },
      signal,
    );
    for (const each of [left, more])
      expect(each).toMatchObject({
        kind: 'error',
        text: expect.stringContaining('the program left instead of returning') as string,
      });
  });

  test.each([
    ['python', 'import sys\nprint(3)\nsys.exit(1)', 'the program left with 1'],
    ['python', 'print(3)\nraise SystemExit("no")', 'the program left with no'],
    ['python', 'import os\nprint(3, flush=True)\nos._exit(2)', 'the program left with 2'],
    ['javascript', 'console.log(3);\nprocess.exit(1);', 'the program left with 1'],
    ['python', 'print(3)\nexit()', undefined],
    ['python', 'import sys\nprint(3)\nsys.exit(0)', undefined],
    ['javascript', 'console.log(3);\nprocess.exit();', undefined],
  ] as const)(
    'only a failing exit fails a program that printed its answer, in %s: %j',
    async (language, program, text) => {
      const [run] = await runnerOn(ground).run({ language, program, form: lines.form, given: [''] }, signal);
      expect(run).toMatchObject({
        ...(text === undefined ? { kind: 'printed' } : { kind: 'error', text }),
        printed: '3\n',
      });
    },
  );

  test.each(languages)('a byte order mark before a program is ignored, in %s', async (language) => {
    const program = `\uFEFF${language === 'python' ? right : adds()}`;
    for (const preamble of ['', '\n'])
      expect(
        (await judge.report({ problem: { ...sum, preamble }, tests: 'hidden', language, program }, signal))
          .failures,
      ).toEqual([]);
  });

  test('numbers of many digits are valid answers', async () => {
    const huge: Problem = {
      ...sum,
      hidden: [{ kind: 'call', given: [1, 2], expected: { '#int': `1${'0'.repeat(20_000)}` } }],
    };
    const power = 'def add(a, b):\n    return 10 ** 20000';
    expect(
      (await judge.report({ problem: huge, tests: 'hidden', language: 'python', program: power }, signal))
        .failures,
    ).toEqual([]);
    expect(
      (
        await judged(
          'def check(candidate):\n    assert candidate(1, 2) == 10 ** 20000\n    assert candidate(10 ** 20000, -10 ** 20000) == 10 ** 20000',
          power,
        )
      ).failures,
    ).toEqual([]);
    expect(
      (await judged('def check(candidate):\n    assert candidate(1, 2) == 0', power)).failures[0]?.got,
    ).toBe('add(1, 2) gave a number of many digits');
    expect(
      (
        await judge.report(
          {
            problem: huge,
            tests: 'hidden',
            language: 'python',
            program: 'def add(a, b):\n    return 10 ** 200000',
          },
          signal,
        )
      ).failures[0]?.got,
    ).toBe('it returned a int that is no plain data');
  });

  test('tests that print are judged', async () => {
    expect(
      await judged(
        'print("no line feed", end="")\ndef check(candidate):\n    assert candidate(1, 2) == 3\n    print("x", end="")',
      ),
    ).toMatchObject({ total: 1, passed: 1 });
  });

  test('deeply nested answers do not crash the env', async () => {
    const deep =
      'def add(a, b):\n    value = []\n    for _ in range(400):\n        value = (value,)\n    return value';
    expect(
      (
        await judged(
          'def check(candidate):\n    x = candidate(1, 2)\n    assert candidate(x, [x]) == x',
          deep,
        )
      ).total,
    ).toBe(1);
  });

  test('a program of a megabyte is judged', async () => {
    const program = `${'# '.repeat(500_000)}\n${right}`;
    expect(
      await judge.report({ problem: sum, tests: 'hidden', language: 'python', program }, signal),
    ).toMatchObject({ passed: 3 });
  });
});
