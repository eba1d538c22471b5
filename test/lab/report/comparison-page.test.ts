import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findBrowser } from '../../../envs/engines/browser/session/find-browser.ts';
import { compareSides, type SidesComparison } from '../../../lab/compare/compare-sides.ts';
import { makeSide, type Member } from '../../../lab/compare/side.ts';
import { wilsonInterval } from '../../../trainers/results/intervals.ts';
import { summarise } from '../../../trainers/results/summarise.ts';
import { curveCharts, renderComparison } from '../../../lab/report/comparison-page.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { makeFacts, makeGroups, type Ending } from '../../trainers/evaluate/make-trajectories.ts';
import { fingerprint, temporaryFolder } from '../../trainers/run/make-run.ts';

const hostile = `</script><script>document.title='owned'</script><img src=x onerror="document.title='owned'">`;

function member(method: string, seed: number, rate: number): Member {
  const endings = Array.from({ length: 6 }, (_, task): Ending[] => [task < 6 * rate ? 'solved' : 'failed']);
  const training = {
    method,
    settings: fingerprint,
    runs: [{ name: `${method}-${seed}`, seed, checkpoint: 'iteration-2', iteration: 2 }],
  };
  return {
    where: `runs/${method}-${seed}`,
    name: `${method}-${seed}`,
    result: summarise([{ seed, groups: makeGroups(endings) }], makeFacts(6, { agent: 'policy', training })),
    settings: { seed, settings: { credit: method }, begins: { folders: [], digest: undefined } },
    evaluations: [0, 1, 2].map((iteration) => ({
      kind: 'evaluation',
      iteration,
      environmentSteps: iteration * (100 + seed),
      panel: 'dev',
      fingerprint,
      agent: 'policy',
      decoding: { kind: 'greedy' },
      success: wilsonInterval(2 * iteration + seed, 10),
      score: { mean: (2 * iteration + seed) / 10 },
      byFamily: {},
    })),
    notes: [],
  };
}

const compared = (name: string): SidesComparison =>
  compareSides(
    [
      makeSide(`gigpo${name}`, [member('gigpo', 0, 0.9), member('gigpo', 1, 0.7)]),
      makeSide('grpo', [member('grpo', 0, 0.3)]),
    ],
    0.4,
  );

describe('page of a comparison', () => {
  it('draws the seeds of a side thin and their mean thick, in one colour, by iterations and steps', () => {
    const charts = curveCharts(compared('').sides);
    expect(charts.map(({ title, x }) => [title, x])).toEqual([
      ['Success on dev by iterations', [0, 1, 2]],
      ['Success on dev by environment steps', [0, 100, 101, 200, 202]],
    ]);
    expect(
      charts[0]?.series.map(({ label, colour, faint, band }) => [label, colour, faint, band !== undefined]),
    ).toEqual([
      ['', 0, true, false],
      ['', 0, true, false],
      ['gigpo, mean of 2 seeds', 0, undefined, true],
      ['grpo', 1, undefined, false],
    ]);
    expect(charts[0]?.series[2]?.values).toEqual([0.05, 0.25, 0.45]);
    expect(charts[1]?.series[2]?.values).toEqual([0.05, 0.249, 0.251, 0.448, undefined]);
  });

  it('prints the findings, their limits, and each seed', async () => {
    const page = await renderComparison(compared(''));
    for (const words of [
      'gigpo against grpo: +',
      'grpo is one training run',
      'settings that differ in credit gigpo and grpo',
      'Environment steps to a success of 40.0 % on dev',
      '<td>gigpo-1</td>',
    ]) {
      expect(page, words).toContain(words);
    }
    expect(page).not.toContain('Before and after');
  });
});

await describeWithParts(['chromium'], 'page of a comparison in a browser', () => {
  it('draws its curves under its content policy and runs no script from text', async () => {
    using root = temporaryFolder();
    const file = join(root.path, 'compare.html');
    writeFileSync(file, await renderComparison(compared(hostile)));
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
        pathToFileURL(file).href,
      ],
      { timeout: 240_000, maxBuffer: 1 << 26 },
    );
    expect(stdout.split('<canvas').length - 1).toBe(2);
    expect(stdout).toMatch(/<title>gigpo.* against grpo – Cairn comparison<\/title>/);
    expect(stdout).not.toContain('<title>owned');
    expect(stderr).not.toMatch(/Refused to|Content Security Policy|Uncaught/);
  });
});
