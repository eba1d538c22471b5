import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { marked } from '../../bench/sandbox/attacks/arena.ts';
import { root } from '../support/run-program.ts';
import { describeWithParts } from '../support/system-part.ts';
import { sleep } from '../../envs/core/waiting.ts';

const isRoot = process.getuid?.() === 0;

const reportSchema = z.object({
  unavailable: z.string().optional(),
  guarantees: z.record(z.string(), z.string()).optional(),
  ends: z.record(z.string(), z.string()).optional(),
  neighbours: z.string().optional(),
});

await describeWithParts(['bubblewrap'], 'bubblewrap in a separate process', () => {
  let folder = '';
  let program = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-test-'));
    program = path.join(folder, 'host.mjs');
    chmodSync(folder, 0o755); // another user runs it
    const entryPoints = [path.join(root, 'test', 'support', 'sandbox-host.ts')];
    buildSync({
      entryPoints,
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      external: ['dockerode', 'pyodide', 'quickjs-emscripten'],
    });
    const programs = path.join(root, 'bench', 'sandbox', 'attacks', 'programs'); // which the bundle reads beside itself
    cpSync(programs, path.join(folder, 'programs'), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const reportOf = (wrapper: readonly string[]): z.output<typeof reportSchema> => {
    const { stdout, stderr } = spawnSync('env', [...wrapper, process.execPath, program, 'report'], {
      encoding: 'utf8',
      cwd: '/',
      timeout: 240_000,
    });
    expect(stderr).toBe('');
    return reportSchema.parse(JSON.parse(stdout));
  };

  it('works for an ordinary user, and reports what is not enforced there', () => {
    const { guarantees, ends, neighbours, unavailable } = reportOf(
      isRoot ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'] : [],
    );
    expect(unavailable).toBeUndefined();
    expect(guarantees).toMatchObject({
      boundary: 'namespaces',
      disk: 'enforced',
      children: 'all-killed',
      network: 'none',
    });
    const kernelMemory = {
      "the kernel's memory in queues": 'exited 0',
      "the kernel's memory in sockets": 'killed memory',
      "the kernel's memory in tables of pages": 'killed memory',
    };
    expect(ends).toEqual({
      echo: 'exited 0',
      memory: 'killed memory',
      loop: 'killed cpu',
      flood: 'killed output',
      user: 'exited 0',
      ...kernelMemory,
    });
    expect(neighbours).toBe('watch made\ndescriptor sent\n');
  });

  it('reports the cause and the fix when no namespaces may be made', () => {
    const { unavailable } = reportOf([
      'unshare',
      '--user',
      '--map-root-user',
      'sh',
      '-c',
      'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"',
      'sh',
    ]);
    expect(unavailable).toMatch(/refuses what it needs [\s\S]*max_user_namespaces/);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'leaves nothing behind when its process gets %s',
    async (signal) => {
      const mark = `cairn-mark-${process.pid}-${signal}`;
      const host = spawn(process.execPath, [program, 'linger', mark], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(createInterface({ input: host.stdout }), 'line')) as readonly unknown[];
      expect(line).toBe('ready');
      expect(marked(mark).length).toBeGreaterThan(2);
      host.kill(signal);
      await once(host, 'exit');
      for (let round = 0; round < 600 && marked(mark).length > 0; round += 1) await sleep(100);
      expect(marked(mark)).toEqual([]);
    },
  );
});
