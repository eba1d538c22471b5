import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withSoftwareDriver } from '../../../cli/doctor/backends.ts';
import { systemParts } from '../../../cli/doctor/system-parts.ts';
import { findBrowser } from '../../../envs/engines/browser/session/find-browser.ts';
import { providerNames } from '../../../sandbox/index.ts';
import { backendNames } from '../../../models/backend/backend.ts';
import { cairn } from '../../support/command-line.ts';

const schema = z.object({
  machine: z.object({ node: z.string(), cores: z.number().min(1), memoryGiB: z.number().positive() }),
  backends: z.array(
    z.object({ name: z.string(), starts: z.boolean(), why: z.string().min(1), notes: z.array(z.string()) }),
  ),
  sandboxes: z.array(z.object({ name: z.enum(providerNames), works: z.boolean(), why: z.string().min(1) })),
  parts: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['present', 'missing']),
      detail: z.string().min(1),
      purpose: z.string(),
      get: z.string(),
    }),
  ),
});

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'))));
afterAll(() => rm(folder, { recursive: true }));

describe('cairn-gym doctor', () => {
  it('reports for every backend and part whether it is available, and why not', async () => {
    const { code, out } = await cairn(['doctor', '--json']);
    expect(code).toBe(0);
    const { machine, backends, sandboxes, parts } = schema.parse(JSON.parse(out));
    expect(machine.node).toBe(process.versions.node);
    expect(backends.map(({ name }) => name)).toEqual([...backendNames]);
    expect(backends.filter(({ starts }) => starts).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['wasm', 'cpu']),
    );
    const hasBubblewrap = parts.some(({ name, kind }) => name === 'bubblewrap' && kind === 'present');
    const bubblewrap = sandboxes.find(({ name }) => name === 'bubblewrap');
    expect(bubblewrap?.why).toMatch(
      hasBubblewrap
        ? /kernel filtered|refuses what it needs/
        : /npm run provision|cannot be executed|refuses what it needs/,
    );
    expect(parts.map(({ name }) => name)).toEqual(systemParts.map(({ name }) => name));
    expect(backends.find(({ name }) => name === 'wasm')?.why).toMatch(/^the processor through WebAssembly/);
    for (const { starts, name, why, notes } of backends)
      if (!starts) expect([name, why, notes]).not.toContain('');
  });

  it('suggests the installed software driver when no GPU was found', () => {
    const report = (name: string, starts: boolean) => ({ name, starts, why: 'so', notes: ['one'] });
    const reports = [report('webgpu', false), report('tensorflow', false)];
    const told = withSoftwareDriver(reports, { driver: '/a/driver.json', environment: {} });
    expect(told.map(({ notes }) => notes.slice(1))).toEqual([
      [expect.stringContaining('VK_ICD_FILENAMES=/a/driver.json npx cairn-gym … --backend webgpu')],
      [],
    ]);
    expect(withSoftwareDriver(reports, { driver: undefined, environment: {} })).toEqual(reports);
    expect(
      withSoftwareDriver(reports, { driver: '/a/driver.json', environment: { VK_ICD_FILENAMES: '/b' } }),
    ).toEqual(reports);
    const started = [report('webgpu', true)];
    expect(withSoftwareDriver(started, { driver: '/a/driver.json', environment: {} })).toEqual(started);
  });

  it('finds the browser that the web environments find, whatever the PATH', async () => {
    const found = await findBrowser().then(
      ({ path: program }) => ['present', expect.stringContaining(program)],
      (thrown: unknown) => [
        'missing',
        expect.stringContaining(thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : ''),
      ],
    );
    const { kind, detail } =
      (await systemParts.find(({ name }) => name === 'chromium')?.find({ PATH: folder })) ?? {};
    expect([kind, detail]).toEqual(found);
  });

  it('reports a bubblewrap that starts nothing as unusable, and says what to do', async () => {
    const own = path.join(folder, 'closed');
    await mkdir(own);
    const script = (said: string): string =>
      `#!/bin/sh\n[ "$1" != --version ] || { echo bubblewrap 9.9; exit; }\necho "${said}" >&2; exit 1\n`;
    await writeFile(path.join(own, 'bwrap'), script('bwrap: Unknown option --unshare-all'), { mode: 0o755 });
    const found = await systemParts.find(({ name }) => name === 'bubblewrap')?.find({ PATH: own });
    expect(found).toEqual({
      kind: 'missing',
      detail: expect.stringContaining('Unknown option') as string,
      fix: expect.stringContaining('install bubblewrap 0.8') as string,
    });
    const { out } = await cairn(['doctor'], { environment: { PATH: own } });
    expect(out).toMatch(
      /bubblewrap is for namespaces as the boundary around model-written code\. Fix it: install bubblewrap 0\.8/,
    );
  });

  it('searches the PATH, and reports a program that does not answer as unusable', async () => {
    const bubblewrap = systemParts.find(({ name }) => name === 'bubblewrap');
    const program = path.join(folder, 'bwrap');
    const find = async (): Promise<unknown> => bubblewrap?.find({ PATH: folder });
    expect(await find()).toEqual({ kind: 'missing', detail: 'no bwrap on the PATH' });
    await writeFile(program, '#!/bin/sh\necho bubblewrap 9.9\n');
    await chmod(program, 0o755);
    expect(await find()).toEqual({ kind: 'present', detail: `${program} (bubblewrap 9.9)` });
    await writeFile(program, '#!/bin/sh\necho "no permission" >&2; exit 3\n');
    expect(await find()).toEqual({
      kind: 'missing',
      detail: `${program} is there but does not answer (no permission)`,
    });
    await chmod(program, 0o644);
    expect(await find()).toEqual({
      kind: 'missing',
      detail: `${program} is there but cannot be executed`,
      fix: expect.stringContaining(`chmod 755 ${program}`) as string,
    });
  });
});
