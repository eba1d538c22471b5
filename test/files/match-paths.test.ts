import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isPattern, matchPaths } from '../../files/match-paths.ts';

const root = mkdtempSync(join(tmpdir(), 'cairn-match-'));
afterAll(() => rmSync(root, { recursive: true }));
for (const name of [
  'runs/a-0',
  'runs/a-1',
  'runs/a-10',
  'runs/b.0',
  'runs/.hidden',
  'other/a-0',
  'runs/é-0',
  'runs/a(1)',
])
  mkdirSync(join(root, name), { recursive: true });
writeFileSync(join(root, 'runs', 'a-0', 'config.json'), '{}');

describe('matchPaths', () => {
  it.each([
    ['runs/a-*', ['runs/a-0', 'runs/a-1', 'runs/a-10']],
    ['runs/a-?', ['runs/a-0', 'runs/a-1']],
    ['runs/a-[12]*', ['runs/a-1', 'runs/a-10']],
    ['runs/a-[!0]', ['runs/a-1']],
    ['*/a-0', ['other/a-0', 'runs/a-0']],
    ['runs/*/config.json', ['runs/a-0/config.json']],
    ['runs/b.?', ['runs/b.0']],
    ['runs/b?0', ['runs/b.0']],
    ['runs/bx?', []],
    ['runs/?-0', ['runs/a-0', 'runs/é-0']],
    ['runs/a(*)', ['runs/a(1)']],
    ['runs/.h*', ['runs/.hidden']],
    ['runs/a-0/config.json/*', []],
    ['nowhere/*', []],
    ['runs/[a', []],
    [`runs/${'x'.repeat(300)}*`, []],
  ])('finds what %s stands for', async (pattern, found) => {
    const paths = await matchPaths(join(root, '/') + pattern);
    expect(paths.map((path) => relative(root, path))).toEqual(found);
  });

  it('looks from the current folder without a slash in front', async () => {
    expect(await matchPaths('package.js?n')).toEqual(['package.json']);
  });
});

it.each([
  ['runs/a', false],
  ['runs/a*', true],
  ['runs/[ab]', true],
  ['what?', true],
])('isPattern recognises the signs: %s', (path, expected) => {
  expect(isPattern(path)).toBe(expected);
});
