import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertNew, writeNew } from '../../../cli/options/new-file.ts';
import { RunError, UsageError } from '../../../envs/core/errors.ts';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import { cairn } from '../../support/command-line.ts';
import { root } from '../../support/run-program.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-test-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const inside = (name: string): string => path.join(folder, name);
const caught = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

async function* parts(...texts: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield await Promise.resolve(text);
  }
}

describe('assertNew', () => {
  it('refuses an existing file, even a dangling link', async () => {
    writeFileSync(inside('old'), 'x');
    symlinkSync(inside('nothing'), inside('link'));
    for (const name of ['old', 'link'])
      expect(String(await caught(assertNew(inside(name))))).toContain('it exists already');
  });

  it.each([
    [
      'in a folder that is missing',
      'nowhere/x.json',
      /the folder .*nowhere does not exist\. Create it first/,
    ],
    ['below a file', 'old/x.json', /the folder .*old does not exist\. Create it first/],
    [
      'with a name too long',
      'n'.repeat(400),
      /it cannot be a file: its name is too long for the file system/,
    ],
  ])('refuses a file %s', async (_, name, says) => {
    writeFileSync(inside('old'), 'x');
    const error = await caught(assertNew(inside(name)));
    expect(UsageError.is(error)).toBe(true);
    expect(String(error)).toMatch(says);
    expect(readdirSync(folder)).toEqual(['old']);
  });

  it('refuses a folder where no file can be made', async () => {
    const error = await caught(assertNew('/proc/x.json'));
    expect(UsageError.is(error)).toBe(true);
    expect(String(error)).toMatch(
      /\/proc\/x\.json: no file can be created in \/proc \(E.*Name a file in a folder that you may write to/,
    );
  });

  it('refuses a disk without room, and leaves no trace on success', async () => {
    expect(RunError.is(await caught(assertNew(inside('large'), 2 ** 62)))).toBe(true);
    await assertNew(inside('small'));
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('writeNew', () => {
  it('writes a whole file, from parts too', async () => {
    await writeNew(inside('one'), 'text');
    await writeNew(inside('two'), parts('a', 'é', '\n'));
    expect([readFileSync(inside('one'), 'utf8'), readFileSync(inside('two'), 'utf8')]).toEqual([
      'text',
      'aé\n',
    ]);
    expect(readdirSync(folder)).toEqual(['one', 'two']);
  });

  it('leaves no file when its parts end in an error', async () => {
    const broken = new Error('no more parts');
    expect(await caught(writeNew(inside('one'), parts('a', broken)))).toBe(broken);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('overwrites no file', async () => {
    writeFileSync(inside('one'), 'old');
    const error = await caught(writeNew(inside('one'), 'new'));
    expect(RunError.is(error)).toBe(true);
    expect(readFileSync(inside('one'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['one']);
  });

  it('throws a RunError when the file cannot be written', async () => {
    expect(String(await caught(writeNew(inside('nowhere/one'), 'new')))).toMatch(
      /nowhere\/one: it could not be written: ENOENT/,
    );
  });
});

describe('--out', () => {
  it('fails before anything is played or read', async () => {
    mkdirSync(inside('run'));
    for (const words of [
      ['eval', 'lights-out', '--agent', 'random'],
      ['export', inside('run')],
    ]) {
      const { code, out, err } = await cairn([...words, '--out', inside('nowhere/x')]);
      expect({ code, out, err }).toEqual({
        code: 2,
        out: '',
        err: expect.stringMatching(/^error: .*nowhere\/x: the folder .*\n$/) as string,
      });
    }
  });

  it('fails at the end with the result printed first', async () => {
    const file = inside('result.json');
    const module = inside('racing-env.ts');
    writeFileSync(
      module,
      `import { writeFileSync } from 'node:fs';
      import { environments as sorting } from ${JSON.stringify(path.join(root, 'examples/sort-env.ts'))};
      const [sort] = sorting;
      export const environments = [{ ...sort, id: 'my-lab/racing-v1', open: (...words) => {
        writeFileSync(${JSON.stringify(file)}, 'somebody else was quicker');
        return sort.open(...words);
      } }];`,
    );
    const words = [
      'eval',
      'my-lab/racing',
      '--env-module',
      module,
      '--agent',
      'random',
      '--tasks',
      '2',
      '--out',
      file,
      '--quiet',
    ];
    const plain = await cairn(words);
    expect(plain.code).toBe(1);
    expect(plain.out).toContain('random');
    expect(plain.err).toMatch(/^error: .*result\.json: it was created by another process in the meantime/);
    expect(readFileSync(file, 'utf8')).toBe('somebody else was quicker');
    rmSync(file);
    const json = await cairn([...words, '--json']);
    expect(json.code).toBe(1);
    expect(parseResult(JSON.parse(json.out), 'stdout').agent).toBe('random');
    expect(json.err).toContain('result.json');
  });
});
