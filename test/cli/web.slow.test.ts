// Slow: benches and trains with pages in a browser.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { metricsLineSchema } from '../../trainers/run/metrics-schema.ts';
import { readJsonl } from '../../files/read-jsonl.ts';
import { foreignCore, foreignPage } from '../envs/web/foreign-pages.ts';
import { spawnCairn } from '../support/run-program.ts';
import { describeWithParts } from '../support/system-part.ts';

const pages = ['--set', 'tasks=["click-button","enter-text","tick-boxes"]'];

/** The recipe on three pages, cut to two iterations. */
const changes = [
  'warmStart.episodes=9',
  'warmStart.epochs=60',
  'warmStart.evaluateEvery=60',
  'groups=2',
  'groupSize=2',
  'evaluation.every=2',
  'evaluation.tasks=6',
  'finalPanels=[]',
];

await describeWithParts(['chromium'], 'web pages in cairn', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('cairn-gym bench web prints success by page', async () => {
    const { code, out, err } = await spawnCairn([
      'bench',
      'web',
      '--tasks',
      '6',
      '--agent',
      'random',
      '--agent',
      'searcher',
      ...pages,
    ]);
    expect(code, err).toBe(0);
    expect(out).toMatch(/^web-v1, panel test\[0\.\.6\)/);
    expect(out).toMatch(/click-button \(2\).*enter-text \(2\).*tick-boxes \(2\)/);
    expect(out).toMatch(/searcher +(?:100\.0 \[34\.2, 100\.0\] +){3}100\.0/);
  });

  it('cairn-gym bench shop-browser prints success by department', async () => {
    const { code, out, err } = await spawnCairn([
      'bench',
      'shop-browser',
      '--tasks',
      '4',
      '--agent',
      'random',
      '--agent',
      'expert',
    ]);
    expect(code, err).toBe(0);
    expect(out).toMatch(/^shop-browser-v1, panel test\[0\.\.4\)/);
    expect(out).toMatch(/electronics \(1\) +.*garden \(2\)/);
    expect(out).toMatch(/random .*0\.0 \[0\.0, 49\.0\]/);
    expect(out).toMatch(/searcher .*75\.0 \[30\.1, 95\.4\]/);
  });

  it('cairn-gym train web --pages trains on a user’s pages', async () => {
    const site = path.join(folder, 'site');
    await mkdir(path.join(site, 'core'), { recursive: true });
    await mkdir(path.join(site, 'pages'));
    await writeFile(path.join(site, 'core', 'core.js'), foreignCore);
    await writeFile(path.join(site, 'pages', 'press.html'), foreignPage);
    const small = ['--groups', '1', '--group-size', '2', '--with', 'evaluation.tasks=1', '--max-steps', '2'];
    const { code, out, err } = await spawnCairn([
      'train',
      'web',
      '--pages',
      path.join(site, 'pages'),
      '--dry-run',
      '--json',
      '--quiet',
      '--backend',
      'wasm',
      ...small,
    ]);
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      config: { envConfig: { pages: path.join(site, 'pages') }, warmStart: { episodes: 0 } },
    });
    expect(out).not.toContain('click-button');
  });

  it('cairn-gym train web clones solutions and improves', async () => {
    const run = path.join(folder, 'run');
    const config = z.string().parse(pages[1]).replace('tasks=', 'envConfig.tasks=');
    const { code, err } = await spawnCairn([
      'train',
      'web',
      '--backend',
      'wasm',
      '--seed',
      '3',
      '--iterations',
      '2',
      '--quiet',
      '--run',
      run,
      '--with',
      config,
      ...changes.flatMap((change) => ['--with', change]),
    ]);
    expect(code, err).toBe(0);
    const { lines } = await readJsonl(path.join(run, 'metrics.jsonl'), metricsLineSchema);
    const success = lines.filter((line) => line.kind === 'evaluation').map((line) => line.success.rate);
    expect(success.at(-1)).toBeGreaterThan(0.6);
    expect(lines.filter((line) => line.kind === 'iteration')).toHaveLength(2);
  });
});
