// Slow: starts and kills interpreters.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createWasmProvider } from '../../sandbox/wasm/provider.ts';
import { runningProcesses, untilGone } from '../support/processes.ts';
import { root } from '../support/run-program.ts';
import { never, suiteLimits } from './suite/subject.ts';
import { sleep } from '../../envs/core/waiting.ts';

/** Interpreters that a process started, without those of other runs. */
const interpretersOf = (holder: number): readonly number[] =>
  runningProcesses().flatMap(({ pid, parent, words }) =>
    parent === holder && words.includes('wasm/driver/main.mjs') ? [pid] : [],
  );

async function startHolder(): Promise<{ readonly holder: ChildProcess; readonly pids: readonly number[] }> {
  const script = fileURLToPath(new URL('../support/wasm-holder.ts', import.meta.url));
  const holder = spawn(process.execPath, ['--import', 'jiti/register', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  const pids = interpretersOf(holder.pid ?? 0);
  expect(pids.length).toBeGreaterThanOrEqual(3);
  return { holder, pids };
}

describe('interpreter processes', () => {
  it.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)(
    'end with the process that started them, by %s, whatever loops in them',
    async (signal) => {
      const { holder, pids } = await startHolder();
      const exited = once(holder, 'exit');
      holder.kill(signal);
      await exited;
      await untilGone(pids);
    },
  );

  it('end when the provider is disposed, and wait in no greater number than requested', async () => {
    const provider = createWasmProvider({ now: () => performance.now(), warm: 2 });
    await using sandbox = await provider.open({ limits: suiteLimits, needs: {}, signal: never });
    await Promise.all([0, 1, 2, 3].map(() => sandbox.exec(['python3', '-c', 'print(1)'], { signal: never })));
    const waiting = interpretersOf(process.pid);
    expect(waiting.length).toBeLessThanOrEqual(2);
    await provider[Symbol.asyncDispose]();
    expect(interpretersOf(process.pid)).toEqual([]);
  });

  it('end with the sandbox of their conversation', async () => {
    await using provider = createWasmProvider({ now: () => performance.now(), warm: 0 });
    const sandbox = await provider.open({ limits: suiteLimits, needs: {}, signal: never });
    await sandbox.converse('javascript', { signal: never });
    const [pid = 0, ...others] = interpretersOf(process.pid);
    expect([existsSync(`/proc/${pid}`), others]).toEqual([true, []]);
    await sandbox[Symbol.asyncDispose]();
    expect(existsSync(`/proc/${pid}`)).toBe(false);
  });

  it('wait in no greater number than requested when callers leave before the start', async () => {
    await using provider = createWasmProvider({ now: () => performance.now(), warm: 1 });
    await using sandbox = await provider.open({ limits: suiteLimits, needs: {}, signal: never });
    await sandbox.exec(['python3', '-c', 'print(1)'], { signal: never });
    for (let round = 0; round < 3; round += 1) {
      const leaving = AbortSignal.timeout(5);
      await expect(sandbox.exec(['python3', '-c', 'print(1)'], { signal: leaving })).rejects.toThrow(
        /timeout/,
      );
    }
    // Interpreters without a caller end as soon as they have started.
    await expect.poll(() => interpretersOf(process.pid).length).toBeLessThanOrEqual(1);
  });

  it('serve one program or one conversation each, so that no other sees what it did', async () => {
    await using provider = createWasmProvider({ now: () => performance.now() });
    await using sandbox = await provider.open({ limits: suiteLimits, needs: {}, signal: never });
    const spoil =
      'import builtins, json, sys\nbuiltins.print = None\njson.dumps = lambda x: "spoilt"\nsys.path.clear()\nopen("/tmp/left", "w").write("x")';
    expect(await sandbox.exec(['python3', '-c', spoil], { signal: never })).toMatchObject({ code: 0 });
    await using conversation = await sandbox.converse('python', { signal: never });
    await conversation.say(spoil, { signal: never });
    const look = 'import json, os\nprint(json.dumps([1]), os.path.exists("/tmp/left"))';
    expect(await sandbox.exec(['python3', '-c', look], { signal: never })).toMatchObject({
      stdout: { text: '[1] False\n' },
    });
  });

  it('draw different random numbers, although all start from one snapshot', async () => {
    await using provider = createWasmProvider({ now: () => performance.now() });
    await using sandbox = await provider.open({ limits: suiteLimits, needs: {}, signal: never });
    const draw = 'import random\nprint(random.random())';
    const drawn = await Promise.all(
      [0, 1].map(() => sandbox.exec(['python3', '-c', draw], { signal: never })),
    );
    expect(new Set(drawn.map(({ stdout }) => stdout.text)).size).toBe(2);
  });

  it.each([
    ['while they wait', async (): Promise<void> => sleep(3000)],
    ['while they start', async (): Promise<void> => undefined],
  ])('give way to new ones when killed %s', async (_when, untilThen) => {
    await using provider = createWasmProvider({ now: () => performance.now() });
    await using sandbox = await provider.open({ limits: suiteLimits, needs: {}, signal: never });
    const run = (): Promise<unknown> => sandbox.exec(['python3', '-c', 'print(1)'], { signal: never });
    await run();
    await run(); // takes the waiting interpreter, and another one starts in its place
    await expect.poll(() => interpretersOf(process.pid).length, { interval: 5 }).toBe(1);
    await untilThen();
    for (const pid of interpretersOf(process.pid)) process.kill(pid, 'SIGKILL');
    await sleep(100);
    expect(await run()).toMatchObject({ kind: 'exited', code: 0 });
  });

  it('raise a fault when killed while they run', async () => {
    await using provider = createWasmProvider({ now: () => performance.now(), warm: 0 });
    await using sandbox = await provider.open({ limits: suiteLimits, needs: {}, signal: never });
    const onOutput = (): void => interpretersOf(process.pid).forEach((pid) => process.kill(pid, 'SIGKILL'));
    const running = sandbox.exec(['python3', '-c', 'print("on", flush=True)\nwhile True: pass'], {
      signal: never,
      onOutput,
    });
    await expect(running).rejects.toThrow(/process is gone: SIGKILL/);
  });
});
