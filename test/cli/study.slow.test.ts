// Slow: trains several runs of a study in processes of their own.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cairn } from '../support/command-line.ts';
import { spawnCairn } from '../support/run-program.ts';
import { temporaryFolder } from '../trainers/run/make-run.ts';

const root = temporaryFolder();
afterAll(() => root[Symbol.dispose]());
const at = (...parts: readonly string[]): string => join(root.path, ...parts);

const small = {
  env: 'lights-out',
  settings: {
    envConfig: { size: 3 },
    backend: 'cpu',
    iterations: 1,
    groups: 2,
    groupSize: 2,
    policy: { buckets: 64, width: 2, hidden: 2 },
    warmStart: { episodes: 0 },
    evaluation: { tasks: 2, finalTasks: 4 },
    finalPanels: ['unseen'],
  },
  variants: { gigpo: {}, grpo: { credit: { kind: 'grpo' } } },
  seeds: [0, 1],
};
function put(name: string, content: unknown): string {
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  return at(name);
}

describe('cairn-gym study', () => {
  it('trains every variant with every seed, compares them, and trains only what is missing the next time', async () => {
    const file = put('study.json', small);
    const words = ['study', file, '--folder', at('runs'), '--jobs', '2'];
    const { code, out } = await spawnCairn(words);
    expect(code).toBe(0);
    expect(out).toMatch(/gigpo against grpo: .* points of success/);
    const runs = ['gigpo-0', 'gigpo-1', 'grpo-0', 'grpo-1'];
    expect(readdirSync(at('runs')).toSorted()).toEqual(['configs', ...runs]);
    expect(readFileSync(at('runs', 'grpo-1', 'config.json'), 'utf8')).toMatch(/"seed": 1/);
    const before = runs.map((run) => statSync(at('runs', run, 'metrics.jsonl')).mtimeMs);
    rmSync(at('runs', 'grpo-1'), { recursive: true });
    expect((await spawnCairn(words)).code).toBe(0);
    const after = runs.map((run) => statSync(at('runs', run, 'metrics.jsonl')).mtimeMs);
    expect(after.map((time, place) => time === before[place])).toEqual([true, true, true, false]);
    const other = put('study.json', { ...small, settings: { ...small.settings, iterations: 2 } });
    const refused = await cairn(['study', other, '--folder', at('runs')]);
    expect(refused.err).toMatch(/the study has other settings for this run/);
  });

  it('reports what a training said when it fails', async () => {
    const file = put('wrong.json', { ...small, settings: { ...small.settings, grous: 3 }, seeds: [0] });
    const { code, err } = await spawnCairn(['study', file, '--folder', at('wrong')]);
    expect(code).not.toBe(0);
    expect(err).toMatch(/unknown key "grous"/);
  });

  it.each([
    ['a file that is not there', undefined, /study .*: there is no such file/],
    ['text that is not JSON', '{', /it is not JSON/],
    ['an unknown key', { ...small, seed: 3 }, /seed/],
    ['no variants', { ...small, variants: {} }, /variants: it names none/],
    ['a seed that comes twice', { ...small, seeds: [1, 1] }, /seeds: one comes twice/],
    ['a variant whose name is a path', { ...small, variants: { '../x': {} } }, /variants/],
  ])('refuses %s', async (name, content, says) => {
    const file =
      content === undefined ? at('absent.json') : put(`${name.replaceAll(' ', '-')}.json`, content);
    const { code, err } = await cairn(['study', file, '--folder', at('refused')]);
    expect(code).toBe(2);
    expect(err.replaceAll(/\s+/g, ' ')).toMatch(says);
  });
});
