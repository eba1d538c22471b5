import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPrompt, promptNames } from '../../../agents/prompt/load-prompt.ts';
import { describeHistory } from '../../../agents/prompt/history.ts';
import { parsePrompt } from '../../../agents/prompt/prompt.ts';
import { readReply } from '../../../agents/prompt/read-reply.ts';
import { charactersCut, shorten } from '../../../agents/prompt/shorten.ts';
import { fillTemplate } from '../../../agents/prompt/template.ts';
import { root } from '../../support/run-program.ts';
import { smallPrompt } from './small-prompt.ts';

describe('built-in prompts', () => {
  it('match the files in their folder by name', async () => {
    const files = (await readdir(path.join(root, 'agents/prompt/prompts'))).toSorted();
    expect(files).toEqual(promptNames.map((name) => `${name}.json`).toSorted());
    for (const name of promptNames) expect((await loadPrompt(name)).name).toBe(name);
  });

  it.each([
    ['household-react', 'sha256:fa8084617ea3d91f'],
    ['household-react-classic', 'sha256:e0fd1cb44bcb3bdf'],
    ['household-tags', 'sha256:06c559076ae5bc01'],
    ['household-tags-classic', 'sha256:dd8ddb5a6c501b11'],
    ['shop-react', 'sha256:01b39c7d20ef3f18'],
    ['shop-tags', 'sha256:3fc72f45cc57054c'],
    ['plain', 'sha256:65e3e0b8aa8aa526'],
    ['terse', 'sha256:dbc9e4e9c15e8822'],
  ])('keep their fingerprint: %s', async (name, fingerprint) => {
    expect((await loadPrompt(name)).fingerprint.slice(0, fingerprint.length)).toBe(fingerprint);
  });

  it('show example replies that their own grammar can read', async () => {
    for (const name of promptNames) {
      const prompt = await loadPrompt(name);
      for (const { turns } of prompt.examples) {
        for (const { reply } of turns)
          expect(readReply(reply, { grammar: prompt.grammar, cut: false })).toMatchObject({
            kind: 'command',
          });
      }
    }
  });
});

describe('prompt file', () => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-prompt-'))));
  afterAll(() => rm(folder, { recursive: true }));
  const write = async (name: string, content: string): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, content);
    return file;
  };

  it('loads by its path, and has a fingerprint of what the model sees', async () => {
    const one = await loadPrompt(await write('one.json', JSON.stringify(smallPrompt)));
    const same = await loadPrompt(
      await write(
        'same.json',
        JSON.stringify(
          {
            ...smallPrompt,
            summary: 'another word for people',
            for: ['household-v1'],
            requires: { dialect: ['classic'] },
            system: ['Play.'],
          },
          undefined,
          4,
        ),
      ),
    );
    const other = await loadPrompt(
      await write('other.json', JSON.stringify({ ...smallPrompt, system: 'Play!' })),
    );
    expect(one.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect([same.fingerprint, other.fingerprint === one.fingerprint]).toEqual([one.fingerprint, false]);
  });

  it.each<[string, object, RegExp]>([
    ['an unknown key', { systen: 'x' }, /unknown key "systen"; did you mean system\?/],
    ['another format', { format: 2 }, /format/],
    [
      'a wrong grammar',
      { grammar: 'reakt' },
      /"reakt" is not one of react, tags, command, tools \(did you mean react\?\)/,
    ],
    [
      'a task that is not shown',
      { opening: 'Look: {observation}' },
      /opening: it must contain \{instruction\}/,
    ],
    [
      'a placeholder that is not known',
      { turn: '{observation} {secret}' },
      /turn: \{secret\} is not defined here; \{observation\} and \{instruction\} can be used\. Write \{\{secret\}\}/,
    ],
    ['a limit of 0 characters', { observationCharacters: 0 }, /observationCharacters/],
    ['an empty list of environments', { for: [] }, /for/],
    ['a required value without alternatives', { requires: { dialect: [] } }, /requires\.dialect/],
    ['a required value that is not a list', { requires: { dialect: 'classic' } }, /requires\.dialect/],
    ['a wrong history', { history: -1 }, /history/],
    ['an empty stop', { stop: [''] }, /stop/],
    ['an empty example', { examples: [{ instruction: 'a', turns: [] }] }, /examples/],
  ])('rejects %s', (_, change, message) => {
    expect(() => parsePrompt({ ...smallPrompt, ...change }, 'test')).toThrow(message);
  });

  it('matches the example in the documentation', async () => {
    const docs = await readFile(path.join(root, 'docs/guides/language-model.md'), 'utf8');
    const [, example = ''] = /^```json\n([\s\S]*?)^```/m.exec(docs) ?? [];
    expect(parsePrompt(JSON.parse(example), 'docs')).toMatchObject({
      name: 'mine',
      examples: [{ turns: [{ reply: 'Thought: there it is\nAction: take mug 1' }] }],
    });
  });

  it('refuses a file that cannot be read', async () => {
    await expect(loadPrompt('houshold-react')).rejects.toThrow(
      /no prompt has that name\. Did you mean household-react/,
    );
    await expect(loadPrompt(path.join(folder, 'none.json'))).rejects.toThrow(
      /none\.json: there is no such file\. Give a JSON file/,
    );
    await expect(loadPrompt(await write('half.json', '{"format": 1, "na'))).rejects.toThrow(
      /half\.json: it cannot be read as JSON/,
    );
    await expect(loadPrompt(await write('long.json', ' '.repeat(2 ** 20 + 1)))).rejects.toThrow(
      /it has 1048577 bytes, and at most 1048576 are allowed/,
    );
    await expect(loadPrompt(folder + path.sep)).rejects.toThrow(/it is a folder, and a file is expected/);
  });
});

describe('fillTemplate', () => {
  it('reads no placeholder in the values that it inserts', () => {
    const odd = fc
      .array(fc.constantFrom('{', '}', '{{', '}}', 'why', 'count', '$&', '$1', 'x'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(odd, odd, (why, count) => {
        expect(fillTemplate('a {why} b {count} {{why}}', { why, count })).toBe(`a ${why} b ${count} {why}`);
      }),
    );
  });
});

describe('shorten', () => {
  it('says how much it left out, and splits no character', () => {
    expect(shorten('abcdef', 6)).toBe('abcdef');
    expect(shorten('abcdefghijkl', 10)).toBe('abcdef\n[2 of 12 characters are left out here]\nijkl');
    expect(shorten('abcdefg', 6)).toBe('abcd\n[1 of 7 characters are left out here]\nfg');
    expect(shorten('abc😀f😀h', 6)).toBe('abc\n[5 of 9 characters are left out here]\nh');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, most) => {
        const cut = shorten(text, most);
        if (text.length <= most) expect(cut).toBe(text);
        else {
          const [, head = '', left, all, tail = ''] =
            /^([\s\S]*)\n\[(\d+) of (\d+) characters are left out here\]\n([\s\S]*)$/.exec(cut) ?? [];
          expect([
            text.startsWith(head),
            text.endsWith(tail),
            head.length + Number(left) + tail.length,
            Number(all),
          ]).toEqual([true, true, text.length, text.length]);
          expect([head, tail].map((kept) => /\p{Surrogate}/u.test(kept))).toEqual([false, false]);
          expect(head.length).toBeGreaterThanOrEqual(tail.length - 1);
        }
        expect(charactersCut(text, most)).toBe(
          text.length <= most ? 0 : Number(/\[(\d+) of /.exec(cut)?.[1]),
        );
      }),
    );
  });
});

describe('describeHistory', () => {
  it('describes a history in the words of the tables', () => {
    expect((['all', 0, 1, 3] as const).map(describeHistory)).toEqual([
      'all steps',
      'none',
      'last 1 step',
      'last 3 steps',
    ]);
  });
});
