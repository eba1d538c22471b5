import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FaultError } from '../../../../envs/core/errors.ts';
import { renderTree } from '../../../../envs/engines/browser/page-tree.ts';
import { browsersOf, foldersOf, untilGone } from '../../../support/browser-processes.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { noAbort, onPage, onePage, openEngine, options } from './browse.ts';

await describeWithParts(['chromium'], 'a browser', () => {
  let folder = '';
  let program = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
    program = path.join(folder, 'holder.mjs');
    await symlink(fileURLToPath(new URL('../../../../node_modules', import.meta.url)), path.join(folder, 'node_modules'));
    await build({ entryPoints: [fileURLToPath(new URL('holder.ts', import.meta.url))], outfile: program, bundle: true, packages: 'external', platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(['SIGKILL', 'SIGINT', 'SIGTERM', undefined] as const)('ends with its holder, however that ends (%s)', async (signal) => {
    const holder = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
    const gone = once(holder, 'exit');
    await Promise.race([once(createInterface(holder.stdout), 'line'), gone.then(() => expect.fail('the holder ended before it had a browser'))]);
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
    expect(foldersOf(pid)).toEqual([]); // swept by the next one
  });

  it('that is killed in the midst of episodes is their fault, and another one plays on', async () => {
    const engine = await openEngine();
    const episode = await engine.episode(onePage('<button>b</button>'), options);
    await episode.open('/', noAbort);
    engine.prepare();
    const running = browsersOf(process.pid);
    process.kill(Math.min(...running), 'SIGKILL');
    const thrown: unknown = await episode.act({ kind: 'click', element: 'e1' }, noAbort).catch((error: unknown) => error);
    expect(FaultError.is(thrown) && thrown.fault.kind).toBe('env-crashed');
    await episode.close();
    await onPage(engine, '<p>again</p>', async (_other, content) => expect(renderTree(content)).toEqual(['again']));
    expect(engine.launches).toBe(2);
    const others = browsersOf(process.pid);
    await engine.close();
    await untilGone([...running, ...others]);
    expect(foldersOf(process.pid)).toEqual([]);
  });

  it('runs as somebody who may do little, with its sandbox on', async () => {
    const engine = await openEngine();
    await onPage(engine, '<p>well</p>', async () => {
      for (const pid of browsersOf(process.pid)) {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).not.toBe('0');
        expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('--no-sandbox');
      }
      const renderers = browsersOf(process.pid).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer'));
      expect(renderers.length).toBeGreaterThan(0);
      for (const pid of renderers) expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Seccomp:\s+2$/m);
    });
    await engine.close();
  });
});
