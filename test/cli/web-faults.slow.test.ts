// Slow: trains with pages in a browser that fail.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { foreignCore, pageWith } from '../envs/web/foreign-pages.ts';
import { browsersOf, foldersOf, mainOf } from '../support/browser-processes.ts';
import { untilGone } from '../support/processes.ts';
import { root, spawnCairn } from '../support/run-program.ts';
import { describeWithParts } from '../support/system-part.ts';

const go = '<button onclick="core.endEpisode(1)">go</button>';
const clicked = (script: string): string => pageWith(`<button onclick="${script}">go</button>`);

/** Pages that no episode can be played on. */
const broken: Readonly<Record<string, string>> = {
  alerts: pageWith(go, 'for (;;) alert(1)'),
  'eats-arrays': clicked('var eaten = []; for (;;) eaten.push(new Array(1e6).fill(Math.random()))'),
  leaves: pageWith(go, "location.href = 'https://example.com/'"),
  'loads-anew': pageWith(go, 'location.reload()'),
  'loads-never': pageWith(go, 'for (;;);'),
  'no-problem': pageWith(go, "genProblem = function () { throw new Error('no problem'); }"),
};

/** Pages that may be too much for the time that they have here, or not. */
const heavy: Readonly<Record<string, string>> = {
  'alerts-often': pageWith(go, 'for (var i = 0; i < 50; i += 1) alert(i)'),
  'eats-buffers': clicked(
    'var eaten = []; for (;;) { var bytes = new Uint8Array(1e8); bytes.fill(1); eaten.push(bytes); }',
  ),
  megabyte: pageWith(`<p>${'text '.repeat(200_000)}</p>${go}`),
  opens: pageWith(go, "for (var i = 0; i < 300; i += 1) open('good-1.html')"),
};

/** Pages that are played, whatever is beside them. */
const good: Readonly<Record<string, string>> = {
  'good-1': pageWith(go),
  'good-2': pageWith(go),
  'good-3': pageWith(go),
  timers: pageWith(go, "setInterval(function () { throw new Error('timer'); }, 50)"),
  throws: clicked("setTimeout(function () { core.endEpisode(1); }); throw new Error('click')"),
};

const evaluation = z.object({
  episodes: z.array(z.object({ family: z.string(), outcome: z.string() })),
  faults: z.object({
    retried: z.number(),
    retries: z.array(z.object({ family: z.string(), cause: z.string(), fault: z.string() })),
  }),
});

await describeWithParts(['chromium'], 'faulty web pages in cairn', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
    await mkdir(path.join(folder, 'core'));
    await mkdir(path.join(folder, 'pages'));
    await writeFile(path.join(folder, 'core', 'core.js'), foreignCore);
    for (const [name, page] of Object.entries({ ...broken, ...heavy, ...good }))
      await writeFile(path.join(folder, 'pages', `${name}.html`), page);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('cost only their own episodes while other pages are played', async () => {
    const words = [
      'eval',
      'web',
      '--pages',
      path.join(folder, 'pages'),
      '--agent',
      'random',
      '--panel',
      'dev',
      '--tasks',
      '15',
      '--concurrency',
      '4',
      '--patience-ms',
      '5000',
      '--max-steps',
      '3',
      '--json',
    ];
    let pid = 0;
    const { code, out, err } = await spawnCairn(words, {
      drive: (child) => {
        pid = child.pid ?? 0;
        child.stdin?.end();
      },
    });
    expect(code, err).toBe(1); // since so many are faults
    const { episodes, faults } = evaluation.parse(JSON.parse(out));
    const outcomes = new Map(episodes.map(({ family, outcome }) => [family, outcome]));
    expect(outcomes.size).toBe(15);
    for (const name of Object.keys(broken)) expect([name, outcomes.get(name)]).toEqual([name, 'faulted']);
    for (const name of Object.keys(good)) expect([name, outcomes.get(name)]).toEqual([name, 'solved']);
    expect([faults.retries.length, faults.retries.find(({ family }) => family === 'loads-never')]).toEqual([
      faults.retried,
      {
        family: 'loads-never',
        cause: expect.stringMatching(/deadline-passed|env-crashed/) as string,
        fault: expect.stringContaining('opening the page') as string,
      },
    ]);
    expect(browsersOf(pid)).toEqual([]);
    expect(foldersOf(pid)).toEqual([]);
  });

  /** Starts a bench of many episodes, and gives the processes of its browser once it plays. */
  const startBench = async (tasks: number) => {
    const bench = spawn(
      process.execPath,
      [
        path.join(root, 'dist', 'cli', 'main.js'),
        'bench',
        'web',
        '--agent',
        'searcher',
        '--set',
        'tasks=["fill-form-20"]',
        '--panel',
        'train',
        '--tasks',
        String(tasks),
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const said = { out: '', err: '' };
    bench.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
    bench.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
    const ended = once(bench, 'close').then(([code]) => z.number().nullable().parse(code));
    const pid = bench.pid ?? 0;
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) {
        if (bench.exitCode !== null) throw new Error(`it has ended: ${said.err}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    await until(() => /\d steps?\b/.test(said.err));
    return { bench, pid, said, ended, until, running: browsersOf(pid) };
  };

  it('continue in another browser when theirs is killed', async () => {
    const { pid, said, ended, until, running } = await startBench(4);
    process.kill(mainOf(running), 'SIGKILL');
    await until(() => browsersOf(pid).some((other) => !running.includes(other)));
    expect(await ended, said.err).toBe(0);
    expect(said.out).toMatch(/^web-v1, panel train\[0\.\.4\)/);
    expect(said.out).toMatch(/searcher +100\.0 \[/);
    await untilGone(running);
    expect(browsersOf(pid)).toEqual([]);
    expect(foldersOf(pid)).toEqual([]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGKILL', null],
  ] as const)('leave no process when the command is ended by %s', async (signal, wanted) => {
    const { bench, pid, ended, running } = await startBench(1000);
    expect(running.length).toBeGreaterThan(2);
    bench.kill(signal);
    expect(await ended).toBe(wanted);
    await untilGone(running);
    expect(browsersOf(pid)).toEqual([]);
    if (signal === 'SIGINT') expect(foldersOf(pid)).toEqual([]);
  });
});
