import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { publishedFolders, readSources, type SourceFile } from '../support/source-tree.ts';

const sources = readSources();
const published = readSources(publishedFolders);
const lines = (file: SourceFile): number => file.text.trimEnd().split('\n').length;
const breakers = (files: readonly SourceFile[], broken: (file: SourceFile) => boolean): readonly string[] =>
  files.filter(broken).map((file) => file.path);

describe('source files', () => {
  it('use meaningful kebab-case names', () => {
    const empty = /(?:^|-)(?:utils?|helpers?|common|misc|stuff|shared)(?:-|$)/;
    const wrong = breakers(sources, (file) => {
      const parts = file.path.replace(/(?:(?:\.slow)?\.test|\.test-d|\.bench|\.d)?\.ts$/, '').split('/');
      return parts.some((part) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(part) || empty.test(part));
    });
    expect(wrong).toEqual([]);
  });

  it('stay short', () => {
    const sizes = published.map(lines).toSorted((a, b) => a - b);
    const quantile = (share: number): number => sizes[Math.floor(share * (sizes.length - 1))] ?? 0;
    const longest = published.toSorted((a, b) => lines(b) - lines(a)).slice(0, 5);
    const rows = [
      `${sizes.length} published files: half have up to ${quantile(0.5)} lines (aim 120), nine tenths up to ${quantile(0.9)} (aim 250)`,
      ...longest.map((file) => `${String(lines(file)).padStart(5)}  ${file.path}`),
    ];
    process.stdout.write(`${rows.join('\n')}\n`);
    expect(breakers(published, (file) => lines(file) > 500)).toEqual([]);
    expect(breakers(sources, (file) => lines(file) > 1020)).toEqual([]);
  });

  it('import vitest only under test, except for the templates of cairn-gym new', () => {
    const outside = sources.filter(({ path }) => !/^(?:test|examples\/(?:env|tools)-template)\//.test(path));
    expect(breakers(outside, (file) => /\.(?:test|spec)\.ts$/.test(file.path))).toEqual([]);
    expect(breakers(outside, (file) => /\bfrom 'vitest'/.test(file.text))).toEqual([]);
  });
});

describe('source code', () => {
  it('exports by name, one by one', () => {
    expect(breakers(sources, (file) => /^export default\b/m.test(file.text))).toEqual([]);
    expect(breakers(sources, (file) => /^export \*/m.test(file.text))).toEqual([]);
  });

  it('disables no check', () => {
    const switches = new RegExp(['@ts-(?:ignore|nocheck)', '(?:oxlint|eslint)-disable'].join('|'));
    expect(
      breakers(sources, (file) => switches.test(file.text) && !file.path.startsWith('test/project/')),
    ).toEqual([]);
    expect(breakers(published, (file) => file.text.includes('@ts-expect-error'))).toEqual([]); // tests may say what must not compile
  });

  it('gets randomness, time and environment variables through the context, except in composition roots', () => {
    const direct =
      /\bMath\.random\b|\bDate\.now\b|\bnew Date\b|\bperformance\.now\b|\bprocess\.env\b|\bconsole\.|\bhrtime\b/;
    const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    const inPages = /^envs\/engines\/browser\/scripts\/[a-z]+-script\.ts$/; // their text runs in a page, whose chance and clock they make
    const inSandboxes =
      /^envs\/code\/(?:judge\/[a-z]+-(?:harness|watch)|problems\/lines-form|simple-programs)\.ts$/; // their texts are programs that run in one
    const timers = /^envs\/core\/patient-timer\.ts$/; // it measures how late a timer is, which no result depends on
    const spared = [/^(?:cli|gym)\//, inPages, inSandboxes, timers];
    const kept = published.filter((file) => !spared.some((pattern) => pattern.test(file.path)));
    expect(breakers(kept, (file) => direct.test(withoutComments(file.text)))).toEqual([]);
  });

  it('includes in public entries the types that their signatures need', () => {
    const entries = published.filter((file) =>
      /^(?:envs|agents|trainers|lab|sandbox)\/index\.ts$/.test(file.path),
    );
    const references =
      '/// <reference lib="esnext.disposable" preserve="true" />\n/// <reference types="node" preserve="true" />\n';
    expect(entries.length).toBeGreaterThan(2);
    expect(breakers(entries, (file) => !file.text.startsWith(references))).toEqual([]);
  });
});

describe('tests', () => {
  it('contain no test that is skipped by hand or focused', () => {
    const soft = /\b(?:it|test|describe)\.(?:skip|only|todo|skipIf|runIf)\b/;
    expect(
      breakers(sources, (file) => soft.test(file.text) && path.basename(file.path) !== 'house-rules.test.ts'),
    ).toEqual([]);
  });

  it('assert no time', () => {
    const timed = /expect\([^)]*(?:elapsed|duration|performance\.now|Date\.now)[^)]*\)\.toBe(?:Less|Greater)/;
    expect(breakers(sources, (file) => timed.test(file.text))).toEqual([]);
  });

  it('set no deadline that a machine ten times slower would miss', () => {
    const deadlines =
      /\btimeout: *(\d[\d_]*)|^\s*\}, (\d[\d_]{4,})\);$|^\s*\},\n\s*(\d[\d_]{3,}),\n\s*\);$/gm;
    const short = sources
      .filter((file) => file.path.startsWith('test/'))
      .flatMap(({ path: file, text }) =>
        [...text.matchAll(deadlines)]
          .map(([whole, ...groups]) => ({ whole, ms: Number(groups.join('').replaceAll('_', '')) }))
          .filter(({ ms }) => ms < 30_000)
          .map(({ whole }) => `${file}: ${whole.trim()}`),
      );
    expect(short).toEqual([]);
  });
});
