// Slow: trains in processes that are ended by signals, again and again.
import { type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cairn } from '../support/command-line.ts';
import { run, root, spawnCairn } from '../support/run-program.ts';

const changes = [
  'policy.buckets=256',
  'policy.width=8',
  'policy.hidden=8',
  'evaluation.tasks=4',
  'evaluation.finalTasks=8',
  'evaluation.every=2',
  'warmStart.epochs=2',
  'checkpoints.every=1',
  'trajectories.every=1',
];
const jobOf = (iterations: number): readonly string[] => [
  ...`train lights-out --backend wasm --iterations ${iterations} --groups 4 --group-size 2 --warm-start 2 --set size=3 --final-panel dev`.split(
    ' ',
  ),
  ...changes.flatMap((change) => ['--with', change]),
];
const job = jobOf(4);

let folder = '';
let table = '';
const inFolder = (...parts: readonly string[]): string => path.join(folder, ...parts);
const metricsOf = (name: string): Promise<string> => readFile(inFolder(name, 'metrics.jsonl'), 'utf8');

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  const whole = await cairn([...job, '--run', inFolder('whole'), '--quiet']);
  expect(whole.code, whole.err).toBe(0);
  table = whole.out;
});
afterAll(() => rm(folder, { recursive: true }));

/** A warm start of many passes, which is what is to be cut, and little else. */
const longStart = [
  ...'train lights-out --backend wasm --iterations 1 --groups 2 --group-size 2 --warm-start 2 --set size=3'.split(
    ' ',
  ),
  ...[
    'evaluation.tasks=2',
    'warmStart.epochs=30',
    'warmStart.evaluateEvery=2',
    'warmStart.patience=30',
    'policy.buckets=256',
    'finalPanels=[]',
  ].flatMap((change) => ['--with', change]),
];

const namesIn = (place: string): Promise<readonly string[]> => readdir(place).catch(() => []);

/** Sends the signal once the folder of the run is as wanted. */
const stopWhen = (wanted: () => Promise<boolean>, signal: NodeJS.Signals) => (child: ChildProcess) => {
  child.stdin?.end();
  const look = async (): Promise<void> => {
    while (child.exitCode === null && child.signalCode === null) {
      if (await wanted()) return void child.kill(signal);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  void look();
};

/** Once the run has so many checkpoints, the warm start over. */
const stopAt = (name: string, checkpoints: number, signal: NodeJS.Signals): ReturnType<typeof stopWhen> =>
  stopWhen(
    async () =>
      (await namesIn(inFolder(name, 'checkpoints'))).filter((entry) =>
        /^(?:warm-start|iteration-\d+)$/.test(entry),
      ).length >= checkpoints,
    signal,
  );

/** Once so many passes of the warm start are recorded. */
const stopAtPass = (name: string, pass: number, signal: NodeJS.Signals): ReturnType<typeof stopWhen> =>
  stopWhen(async () => (await metricsOf(name).catch(() => '')).split('\n').length > pass, signal);

describe('interrupted training', () => {
  it('exits with 143 on SIGTERM, prints the resume command, and resumes to the numbers of an uninterrupted run', async () => {
    const stopped = await spawnCairn([...job, '--run', inFolder('stopped')], {
      drive: stopAt('stopped', 2, 'SIGTERM'),
    });
    expect(stopped.code, stopped.err).toBe(143);
    expect(stopped.err).toMatch(/iteration \d is kept; resume with: npx cairn-gym train --resume/);
    expect(stopped.err).toContain(`--resume ${inFolder('stopped')}`);
    expect(await readdir(inFolder('stopped'))).toContain('report.html');
    const other = await cairn(['train', 'household', '--resume', inFolder('stopped'), '--quiet']);
    expect({ code: other.code, err: other.err }).toEqual({
      code: 2,
      err: expect.stringMatching(/it trains on lights-out-v1, and household is named/) as string,
    });
    const resumed = await cairn([
      'train',
      'lights-out',
      '--resume',
      inFolder('stopped'),
      '--json',
      '--quiet',
    ]);
    expect(resumed.code, resumed.err).toBe(0);
    expect(await metricsOf('stopped')).toBe(await metricsOf('whole'));
  });

  it('resumes after two kill -9 to the numbers of an uninterrupted run', async () => {
    await expect(
      spawnCairn([...job, '--run', inFolder('killed')], { drive: stopAt('killed', 1, 'SIGKILL') }),
    ).rejects.toThrow('SIGKILL');
    await expect(
      spawnCairn(['train', '--resume', inFolder('killed')], { drive: stopAt('killed', 3, 'SIGKILL') }),
    ).rejects.toThrow('SIGKILL');
    const resumed = await cairn(['train', '--resume', inFolder('killed'), '--quiet']);
    expect(resumed.code, resumed.err).toBe(0);
    expect(await metricsOf('killed')).toBe(await metricsOf('whole'));
  });

  it('resumes a warm start after SIGHUP and kill -9 to the numbers of an uninterrupted run', async () => {
    const whole = await cairn([...longStart, '--run', inFolder('long'), '--quiet']);
    expect(whole.code, whole.err).toBe(0);
    const stopped = await spawnCairn([...longStart, '--run', inFolder('cut')], {
      drive: stopAtPass('cut', 5, 'SIGHUP'),
    });
    expect(stopped.code, stopped.err).toBe(129);
    expect(stopped.err).toMatch(
      /pass \d+ of the warm start is kept; resume with: npx cairn-gym train --resume/,
    );
    await expect(
      spawnCairn(['train', '--resume', inFolder('cut')], { drive: stopAtPass('cut', 13, 'SIGKILL') }),
    ).rejects.toThrow('SIGKILL');
    expect((await namesIn(inFolder('cut', 'checkpoints'))).join(' ')).toContain('cloning'); // under its own name, or pushed aside
    const resumed = await cairn(['train', '--resume', inFolder('cut'), '--quiet']);
    expect(resumed.code, resumed.err).toBe(0);
    expect(await metricsOf('cut')).toBe(await metricsOf('long'));
    expect(await namesIn(inFolder('cut', 'checkpoints'))).not.toContain('cloning');
  });

  it('prints the same table at once when resumed after its end', async () => {
    const again = await cairn(['train', '--resume', inFolder('whole')]);
    expect(again.code, again.err).toBe(0);
    expect(again.out.split('\n').slice(0, -2)).toEqual(table.split('\n').slice(0, -2)); // the last line says how long it took
    expect(again.err).not.toContain('evaluation');
  });

  it('refuses a second writer', async () => {
    let child: ChildProcess | undefined;
    const first = spawnCairn([...jobOf(100_000), '--run', inFolder('shared')], {
      drive: (started) => void (child = started),
    });
    await expect.poll(() => namesIn(inFolder('shared'))).toContain('config.json');
    const second = await cairn(['train', '--resume', inFolder('shared'), '--quiet']);
    child?.kill('SIGTERM');
    expect(second.code, second.err).not.toBe(0);
    expect(second.err).toContain(String(child?.pid));
    expect((await first).code).toBe(143);
  });

  it('starts through npm, whose own output stays off stdout', async () => {
    const ran = await run(
      'npm',
      [
        'start',
        '--silent',
        '--',
        '--dry-run',
        '--json',
        '--quiet',
        '--backend',
        'wasm',
        '--groups',
        '1',
        '--group-size',
        '2',
      ],
      { cwd: root },
    );
    expect(ran.code, ran.err).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({ dryRun: true, config: { env: 'household-v1' } });
  });
});
