// Slow: starts and kills a browser in each test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { FaultError, UsageError } from '../../../../envs/core/errors.ts';
import { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';
import { renderTree } from '../../../../envs/engines/browser/view/page-tree.ts';
import { browsersOf, foldersOf, mainOf } from '../../../support/browser-processes.ts';
import { untilGone } from '../../../support/processes.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { noAbort, onPage, onePage, openEngine, options, viewport } from './browse.ts';

await describeWithParts(['chromium'], 'the browser of an engine', () => {
  let folder = '';
  let program = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
    program = path.join(folder, 'holder.mjs');
    await symlink(
      fileURLToPath(new URL('../../../../node_modules', import.meta.url)),
      path.join(folder, 'node_modules'),
    );
    await build({
      entryPoints: [fileURLToPath(new URL('holder.ts', import.meta.url))],
      outfile: program,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(['SIGKILL', 'SIGINT', 'SIGTERM', undefined] as const)(
    'ends with its holder, however that ends (%s)',
    async (signal) => {
      const holder = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
      const gone = once(holder, 'exit');
      await Promise.race([
        once(createInterface(holder.stdout), 'line'),
        gone.then(() => expect.fail('the holder ended before it had a browser')),
      ]);
      const pid = holder.pid ?? 0;
      const running = browsersOf(pid);
      expect(running.length).toBeGreaterThan(2);
      if (signal === undefined) holder.stdin.end();
      else holder.kill(signal);
      await gone;
      await untilGone(running);
      if (signal === undefined) expect(foldersOf(pid)).toEqual([]);
      const engine = await openEngine();
      await onPage(engine, '<p>next</p>', async () => undefined);
      await engine.close();
      expect(foldersOf(pid)).toEqual([]); // removed by the next browser
    },
  );

  it('faults running episodes when killed, and a new one plays on', async () => {
    const engine = await openEngine();
    const episode = await engine.episode(onePage('<button>b</button>'), options, noAbort);
    await episode.open('/', noAbort);
    engine.prepare();
    const running = browsersOf(process.pid);
    process.kill(mainOf(running), 'SIGKILL');
    const thrown: unknown = await episode
      .act({ kind: 'click', element: 'e1' }, noAbort)
      .catch((error: unknown) => error);
    expect(FaultError.is(thrown) && thrown.fault.kind).toBe('env-crashed');
    await episode.close();
    await onPage(engine, '<p>again</p>', async (_other, content) =>
      expect(renderTree(content)).toEqual(['again']),
    );
    expect(engine.launches).toBe(2);
    const others = browsersOf(process.pid);
    await engine.close();
    await untilGone([...running, ...others]);
    expect(foldersOf(process.pid)).toEqual([]);
  });

  it.each([30, 90, 200])(
    'faults the waiting callers at once when killed %i ms into opening contexts',
    async (ms) => {
      const engine = await openEngine();
      await onPage(engine, '<p>first</p>', async () => undefined);
      const opening = Array.from({ length: 8 }, () =>
        engine.episode(onePage('<p>next</p>'), { ...options, patienceMs: 120_000 }, noAbort).catch(kindOf),
      );
      await new Promise((resolve) => setTimeout(resolve, ms));
      process.kill(mainOf(browsersOf(process.pid)), 'SIGKILL');
      const opened = await Promise.all(opening);
      expect(opened).toContain('env-crashed');
      expect(opened).not.toContain('deadline-passed');
      await onPage(engine, '<p>again</p>', async (_other, content) =>
        expect(renderTree(content)).toEqual(['again']),
      );
      await engine.close();
    },
  );

  const kindOf = (thrown: unknown): string | undefined =>
    FaultError.is(thrown) ? thrown.fault.kind : undefined;
  const patient = { ...options, patienceMs: 1500 };

  it('gives way to a new browser when it hangs during episodes, which are faults', async () => {
    const engine = await openEngine();
    const episodes = [
      await engine.episode(onePage('<button>b</button>'), patient, noAbort),
      await engine.episode(onePage('<button>b</button>'), { ...patient, patienceMs: 60_000 }, noAbort),
    ];
    for (const episode of episodes) await episode.open('/', noAbort);
    engine.prepare();
    const running = browsersOf(process.pid);
    process.kill(mainOf(running), 'SIGSTOP');
    const thrown = await Promise.all(
      episodes.map((episode) => episode.act({ kind: 'click', element: 'e1' }, noAbort).catch(kindOf)),
    );
    expect(thrown).toEqual(['deadline-passed', 'env-crashed']);
    await Promise.all(episodes.map((episode) => episode.close()));
    await onPage(
      engine,
      '<p>again</p>',
      async (_other, content) => expect(renderTree(content)).toEqual(['again']),
      patient,
    );
    expect(engine.launches).toBe(2);
    await untilGone(running);
    await engine.close();
    expect(foldersOf(process.pid)).toEqual([]);
  });

  it('costs at most the next episode when it hangs between episodes', async () => {
    const engine = await openEngine();
    await onPage(engine, '<p>first</p>', async () => undefined);
    const running = browsersOf(process.pid);
    process.kill(mainOf(running), 'SIGSTOP');
    expect(await engine.episode(onePage(''), patient, noAbort).catch(kindOf)).toBe('deadline-passed');
    await onPage(
      engine,
      '<p>again</p>',
      async (_other, content) => expect(renderTree(content)).toEqual(['again']),
      patient,
    );
    expect(engine.launches).toBe(2);
    await engine.close();
    await untilGone(running);
  });

  it('delays neither aborted callers nor closing when it hangs', async () => {
    const engine = await openEngine();
    const episode = await engine.episode(onePage('<p>first</p>'), options, noAbort);
    await episode.open('/', noAbort);
    const running = browsersOf(process.pid);
    process.kill(mainOf(running), 'SIGSTOP');
    const caller = new AbortController();
    const asked = engine.episode(onePage(''), { ...options, patienceMs: 600_000 }, caller.signal);
    caller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    await episode.close();
    await engine.close();
    await untilGone(running);
    expect(foldersOf(process.pid)).toEqual([]);
  });

  it('dies when the engine closes while it hangs', async () => {
    const engine = await openEngine();
    await onPage(engine, '<p>first</p>', async () => undefined);
    engine.prepare();
    const running = browsersOf(process.pid);
    process.kill(mainOf(running), 'SIGSTOP');
    await engine.close();
    await untilGone(running);
    expect(foldersOf(process.pid)).toEqual([]);
  });

  it('dies when its engine closes while it starts', async () => {
    const engine = await openEngine();
    const asked = engine.episode(onePage(''), options, noAbort).catch((thrown: unknown) => thrown);
    while (browsersOf(process.pid).length < 2) await new Promise((resolve) => setTimeout(resolve, 2));
    const running = browsersOf(process.pid);
    process.kill(mainOf(running), 'SIGSTOP');
    await engine.close();
    expect(await asked).toBeInstanceOf(Error);
    await untilGone(running);
    expect(foldersOf(process.pid)).toEqual([]);
  });

  it.each([3, 5, 7, 8])('ends soon with its engine while it starts with %i processes', async (processes) => {
    const engine = await openEngine();
    const asked = engine.episode(onePage(''), options, noAbort).catch((thrown: unknown) => thrown);
    for (const late = Date.now() + 5000; browsersOf(process.pid).length < processes && Date.now() < late;)
      await new Promise((resolve) => setTimeout(resolve, 2));
    const running = browsersOf(process.pid);
    await engine.close(); // otherwise it would wait for the deadline of the start, which is longer than that of this test
    await asked;
    await untilGone(running);
    expect(foldersOf(process.pid)).toEqual([]);
  });

  it('faults the caller with the cause when killed while it restarts', async () => {
    const engine = await openEngine();
    await onPage(engine, '<p>first</p>', async () => undefined);
    const first = mainOf(browsersOf(process.pid));
    process.kill(first, 'SIGKILL');
    await untilGone([first]);
    const fail = async (): Promise<unknown> => {
      const thrown: unknown = await engine
        .episode(onePage(''), options, noAbort)
        .catch((error: unknown) => error);
      return engine.launches === 2 ? thrown : fail(); // the engine does not know at once that the first has ended
    };
    const failing = fail();
    while (engine.launches < 2 || browsersOf(process.pid).length < 2)
      await new Promise((resolve) => setTimeout(resolve, 2));
    process.kill(mainOf(browsersOf(process.pid)), 'SIGKILL');
    const thrown = await failing;
    expect(kindOf(thrown)).toBe('env-crashed');
    expect(String(thrown)).toMatch(/was killed \(SIGKILL\)|ended while it was starting/);
    await onPage(engine, '<p>again</p>', async (_other, content) =>
      expect(renderTree(content)).toEqual(['again']),
    );
    await engine.close();
    expect(foldersOf(process.pid)).toEqual([]);
  });

  it.each([
    ['/etc', 'there is no executable program'],
    ['/bin/true', 'it ended at once, with exit code 0, as no browser does'],
  ])('refuses %s as its program and says what is wrong', async (browserPath, what) => {
    const play = async (): Promise<void> => {
      await using engine = await BrowserEngine.open({ browserPath, viewport });
      await engine.episode(onePage(''), options, noAbort);
    };
    await expect(play()).rejects.toThrow(what);
  });

  it('fails at once when there is no room for its folder', async () => {
    vi.stubEnv('TMPDIR', path.join(folder, 'nowhere'));
    await expect(openEngine()).rejects.toSatisfy(
      (thrown) => UsageError.is(thrown) && thrown.message.includes('TMPDIR'),
    );
    vi.unstubAllEnvs();
  });

  it('runs as an unprivileged user with its sandbox on', async () => {
    const engine = await openEngine();
    await onPage(engine, '<p>well</p>', async () => {
      for (const pid of browsersOf(process.pid)) {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).not.toBe('0');
        expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('--no-sandbox');
      }
      const renderers = browsersOf(process.pid).filter((pid) =>
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer'),
      );
      expect(renderers.length).toBeGreaterThan(0);
      for (const pid of renderers)
        expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Seccomp:\s+2$/m);
    });
    await engine.close();
  });
});
