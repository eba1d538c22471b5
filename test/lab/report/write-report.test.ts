import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findBrowser } from '../../../envs/engines/browser/session/find-browser.ts';
import type { EvaluationResult } from '../../../trainers/results/result.ts';
import { createRun } from '../../../trainers/run/open-run.ts';
import { writeReport } from '../../../lab/report/write-report.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { makeRunFacts, temporaryFolder } from '../../trainers/run/make-run.ts';
import { makeMetrics, makeResult, makeTimings } from './make-run-content.ts';

const hostile = `</script><script>document.title='owned'</script><img src=x onerror="document.title='owned'">" onload='x' \u202e\u0007`;

/** Writes a run with that many iterations and its report; returns the page and where it is. */
async function reportOf(
  folder: string,
  iterations: number,
  name = '',
): Promise<{ readonly page: string; readonly path: string }> {
  const facts = makeRunFacts();
  await using run = await createRun(folder, {
    ...facts,
    panels: { ...facts.panels, [`held-out${name}`]: { fingerprint: `sha256:${'0'.repeat(64)}`, tasks: 3 } },
    versions: { ...facts.versions, backend: `wasm${name}` },
    config: { env: `maze-v1${name}`, seed: 3, credit: { kind: 'gigpo', anchor: 'observation' } },
  });
  if (iterations > 0) {
    for (const line of makeMetrics(iterations, name)) await run.metrics.append(line);
    for (const line of makeTimings(iterations, name)) await run.timings.append(line);
    await run.saveResult('choice', makeResult('picker', 'choice', name));
    await run.saveResult('text', makeResult('writer', 'text', name));
  }
  const path = await writeReport(folder);
  return { page: readFileSync(path, 'utf8'), path };
}

const count = (text: string, part: string): number => text.split(part).length - 1;

describe('report of a run', () => {
  it('includes curves, results, panels, versions and configuration, and stays small', async () => {
    using root = temporaryFolder();
    const { page } = await reportOf(join(root.path, 'first-run'), 2000);
    for (const words of [
      '<h1>first-run</h1>',
      'Final results',
      'Singletons among anchors',
      'Clip fraction',
      'Time by phase',
      'Speed',
      'Warm start: loss',
      'other/figure',
      '&quot;env&quot;: &quot;maze-v1&quot;',
    ]) {
      expect(page, words).toContain(words);
    }
    expect(page).toContain(' on maze-v1, by GiGPO with steps grouped by observation, seed 3.</p>');
    expect(count(page, 'data-chart=')).toBe(14);
    expect(page.length).toBeLessThan(150_000);
    expect(page).toContain('1 fault left (16.7 % of episodes)');
    expect(page).toContain(`<code>sha256:${'ab'.repeat(32)}</code>`);
  });

  it('separates choice and text agents in one table by rules', async () => {
    using root = temporaryFolder();
    const { page } = await reportOf(join(root.path, 'run'), 5);
    const tables = page.split('<table').map((table) => table.split('</table>')[0] ?? '');
    const [table = '', ...more] = tables.filter((each) => each.includes('picker') || each.includes('writer'));
    expect(more).toEqual([]);
    const order = ['Choice agents pick among', 'picker', 'Text agents write', 'writer'];
    const places = order.map((text) => table.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('states above the table of a panel the effect of training, with names escaped', async () => {
    using root = temporaryFolder();
    const folder = join(root.path, 'run');
    await reportOf(folder, 5);
    const at = (agent: string, checkpoint: string): EvaluationResult => {
      const result = makeResult(agent, 'choice');
      return { ...result, shown: { ...result.shown, checkpoint } };
    };
    for (const [name, result] of [
      ['b', at('cloned', 'warm-start')],
      ['a', at('<i>GiGPO', 'iteration-00005')],
    ] as const) {
      writeFileSync(join(folder, 'results', `${name}.json`), JSON.stringify(result));
    }
    const page = readFileSync(await writeReport(folder), 'utf8');
    const [finding, ...more] = page.match(/<p class="finding">.*<\/p>/g) ?? [];
    expect(more).toEqual([]);
    expect(page).toMatch(/<b>50\.0 → 50\.0 %<\/b><span>success on \S+, before and after<\/span>/u);
    expect(finding).toContain('&lt;i&gt;GiGPO against cloned: +0.0 points of success');
    expect(page.indexOf('<td>cloned</td>')).toBeLessThan(page.indexOf('<td>&lt;i&gt;GiGPO</td>'));
    expect(page.indexOf('class="finding"')).toBeLessThan(
      page.lastIndexOf('<table class="data">', page.indexOf('<h2>Curves')),
    );
  });

  it('needs no metrics, and nothing but a config', async () => {
    using root = temporaryFolder();
    const { page } = await reportOf(join(root.path, 'empty'), 0);
    expect(page).toContain('No iteration is done yet.');
    expect(page).toContain("script-src 'none'");
    expect(count(page, 'data-chart=')).toBe(0);
    const bare = join(root.path, 'bare');
    mkdirSync(bare);
    writeFileSync(join(bare, 'config.json'), readFileSync(join(root.path, 'empty', 'config.json')));
    expect(readFileSync(await writeReport(bare), 'utf8')).toContain('No iteration is done yet.');
  });

  it('allows exactly its own scripts and styles, by their digests', async () => {
    using root = temporaryFolder();
    const { page } = await reportOf(join(root.path, 'run'), 5);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    const digests = (pattern: RegExp): readonly string[] =>
      Array.from(
        page.matchAll(pattern),
        ([, text]) =>
          `'sha256-${createHash('sha256')
            .update(text ?? '')
            .digest('base64')}'`,
      );
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${digests(/<style>([\s\S]*?)<\/style>/g).join(' ')}`,
      `script-src ${digests(/<script>([\s\S]*?)<\/script>/g).join(' ')}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(page).not.toMatch(/<[^>]+ style=/);
    expect(page).not.toMatch(/(?:src|href)=/);
  });

  it('turns no name, note or configuration into markup', async () => {
    using root = temporaryFolder();
    const { page } = await reportOf(join(root.path, `run<b>bold`), 10, hostile);
    expect(count(page, '<script')).toBe(3);
    expect(count(page, '</script>')).toBe(3);
    expect(page).not.toContain('<img');
    expect(page).not.toContain('<b>bold');
    expect(page).toContain('run&lt;b&gt;bold');
    expect(page).not.toContain('\u202e');
    expect(page).not.toContain('\u0007');
    const data: unknown = JSON.parse(/id="charts">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '');
    expect(JSON.stringify(data)).toContain('document.title'); // it is still there, as data
  });

  it('cannot be written for a folder that is no run', async () => {
    using root = temporaryFolder();
    await expect(writeReport(root.path)).rejects.toThrow(/there is no run here/);
  });

  it('omits files that are no results, and warns of each above the tables', async () => {
    using root = temporaryFolder();
    const folder = join(root.path, 'run');
    await reportOf(folder, 1);
    writeFileSync(join(folder, 'results', 'bad.json'), '{');
    writeFileSync(join(folder, 'results', 'worse.json'), '{"schema":1,"env":"<b>"}');
    const page = readFileSync(await writeReport(folder), 'utf8');
    const warnings = page.match(/<p class="notice">.*<\/p>/g) ?? [];
    expect(warnings).toEqual([
      expect.stringMatching(
        /results\/bad\.json: it is not JSON\. It is left out: .*npx cairn-gym train --resume plays a final result again\.</,
      ),
      expect.stringMatching(/results\/worse\.json: it is not the result of an evaluation: /),
    ]);
    expect(page.indexOf('class="notice"')).toBeLessThan(page.indexOf('Final results'));
    expect(page).toContain('picker');
  });
});

await describeWithParts(['chromium'], 'report of a run in a browser', () => {
  it('draws every chart under its content policy and runs no script from text', async () => {
    using root = temporaryFolder();
    const { path } = await reportOf(join(root.path, 'run'), 30, hostile);
    const { stdout, stderr } = await promisify(execFile)(
      (await findBrowser()).path,
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--enable-logging=stderr',
        `--user-data-dir=${join(root.path, 'profile')}`,
        '--virtual-time-budget=3000',
        '--dump-dom',
        pathToFileURL(path).href,
      ],
      { timeout: 240_000, maxBuffer: 1 << 26 },
    );
    expect(count(stdout, '<canvas')).toBe(14);
    expect(stdout).toContain('<title>run – Cairn run</title>');
    expect(stderr).not.toMatch(/Refused to|Content Security Policy|Uncaught/);
  });
});
