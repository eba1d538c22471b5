import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../cli/commands.ts';
import { readRequest } from '../../cli/program/program.ts';
import { root } from '../support/run-program.ts';
import {
  commandLinesOf,
  commandsOf,
  documents,
  readDocument,
  readInfo,
  snippetsOf,
} from '../support/snippets.ts';
import { readMarkdown } from '../support/markdown.ts';
import { compileSnippets, type CompiledSnippets } from './compile-snippets.ts';

const snippets = documents.flatMap(snippetsOf);

describe('snippets of documents', () => {
  let compiled: CompiledSnippets;
  beforeAll(async () => void (compiled = await compileSnippets(snippets)));
  afterAll(() => compiled[Symbol.asyncDispose]());

  it('every ts block compiles against the types of the package', () => {
    expect(compiled.errors).toEqual([]);
  });

  it('every quoted block equals the file of the example', () => {
    const wrong = snippets.filter(
      ({ code, use }) =>
        use.kind === 'quote' &&
        !(use.file.startsWith('examples/') && readFileSync(path.join(root, use.file), 'utf8').includes(code)),
    );
    expect(wrong.map(({ at }) => at)).toEqual([]);
  });

  it('every json block is JSON', () => {
    const blocks = documents.flatMap((document) =>
      readDocument(document)
        .blocks.filter(({ language }) => language === 'json')
        .map(({ code, line }) => ({ at: `${document}:${line}`, code })),
    );
    for (const { at, code } of blocks) expect(() => JSON.parse(code) as unknown, at).not.toThrow();
  });

  it.each(documents)('commands and flags of %s exist', async (document) => {
    const wrong: string[] = [];
    for (const { at, words, isProse } of commandLinesOf(document)) {
      try {
        await readRequest(words, commands, '0.0.0');
      } catch (thrown) {
        if (isProse && /argument missing/.test(String(thrown))) continue; // names a flag, such as `cairn-gym eval --run`
        wrong.push(`${at}: npx cairn-gym ${words.join(' ')}: ${String(thrown)}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('reading documents', () => {
  it('finds blocks within blocks and lists', () => {
    const text =
      '# A\n````md\n```ts\nno\n```\n````\n- b\n\n  ```ts no-run why\n  if (a)\n    b();\n  ```\nc\n';
    const { blocks, prose } = readMarkdown(text);
    expect(blocks).toEqual([
      { language: 'md', info: '', code: '```ts\nno\n```\n', line: 2 },
      { language: 'ts', info: 'no-run why', code: 'if (a)\n  b();\n', line: 9 },
    ]);
    expect(prose).toBe('# A\n- b\n\nc\n');
    expect(() => readMarkdown('```ts\n')).toThrow('the fence of line 1 is not closed');
  });

  it('reads the use of a snippet from its fence', () => {
    expect(readInfo('')).toEqual({ use: { kind: 'run' }, file: undefined });
    expect(readInfo('file=a-b.ts')).toEqual({ use: { kind: 'run' }, file: 'a-b.ts' });
    expect(readInfo('file=a.ts no-run needs a server')).toEqual({
      use: { kind: 'compile', why: 'needs a server' },
      file: 'a.ts',
    });
    expect(readInfo('quotes examples/a.ts').use).toEqual({ kind: 'quote', file: 'examples/a.ts' });
    for (const info of ['no-run', 'norun why', 'quotes', 'file=../a.ts'])
      expect(() => readInfo(info), info).toThrow(/is none of/);
  });

  it('reads the words of commands as a shell does', () => {
    expect(
      commandsOf(
        [
          'npx cairn-gym eval a --prompt "x y" # a comment',
          'KEY=1 npx cairn-gym train b --with \'c=[{"d": 1}]\' \\',
          '  --seed 1 > out.txt',
          '$ npx cairn-gym envs | head',
          'npm start',
          'echo cairn',
        ].join('\n'),
      ),
    ).toEqual([
      ['eval', 'a', '--prompt', 'x y'],
      ['train', 'b', '--with', 'c=[{"d": 1}]', '--seed', '1'],
      ['envs'],
    ]);
  });
});
