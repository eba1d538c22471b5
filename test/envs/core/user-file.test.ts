import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeLoosely,
  decodeUtf8,
  describePathError,
  describeReadError,
  readUserFile,
  withoutBom,
} from '../../../envs/core/user-file.ts';
import { temporaryFolder } from '../../trainers/run/make-run.ts';

const bytes = (...parts: readonly (string | number)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));

describe('decodeLoosely', () => {
  it.each([
    ['UTF-8 with a byte order mark', bytes('\uFEFFname,größe'), 'name,größe'],
    [
      'UTF-8 with stray bytes of Windows-1252',
      bytes('größe ', 0x93, 'wide', 0x94, ' – ', 0xa9),
      'größe “wide” – ©',
    ],
    ['a byte order mark and stray bytes', bytes('\uFEFF', 0x80, ' 5'), '€ 5'],
    ['Windows-1252 as a whole', bytes('caf', 0xe9, ', ', 0x96, ' na', 0xef, 'f'), 'café, – naïf'],
    ['bytes that Windows-1252 leaves undefined', bytes(0x81, 0x9d), '\u0081\u009d'],
    ['a sequence that is cut off', bytes('a', 0xe2, 0x82), 'aâ‚'],
    ['overlong forms and surrogates', bytes(0xc0, 0xaf, 0xed, 0xa0, 0x80), 'À¯í\u00a0€'],
    ['UTF-16, little end first', bytes(0xff, 0xfe, 'a', 0, 0xe9, 0), 'aé'],
    ['UTF-16, big end first', bytes(0xfe, 0xff, 0, 'a', 0x20, 0xac), 'a€'],
    ['an empty file', bytes(), ''],
    ['a second byte order mark', bytes('\uFEFF\uFEFFa', 0xff), '\uFEFFaÿ'],
  ])('reads %s', (_, given, text) => {
    expect(decodeLoosely(given)).toBe(text);
  });

  it('reads every text in UTF-8 as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeLoosely(Buffer.from(`x${text}`))).toBe(`x${text}`);
      }),
    );
  });

  it('keeps valid sequences around any stray byte', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0xf8, max: 0xff }), (text, stray) => {
        const read = decodeLoosely(bytes(`x${text}`, stray, text));
        expect(read).toBe(`x${text}${String.fromCharCode(stray)}${text}`);
      }),
    );
  });
});

describe('decodeUtf8', () => {
  it('removes a byte order mark and refuses other encodings', () => {
    expect(decodeUtf8(bytes('\uFEFFa'))).toBe('a');
    expect(decodeUtf8(bytes('a', 0xe9))).toBeUndefined();
    expect(withoutBom('\uFEFFa')).toBe('a');
    expect(withoutBom('a\uFEFF')).toBe('a\uFEFF');
  });
});

describe('readUserFile', () => {
  it('returns the text without a byte order mark', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'a.txt'), '\uFEFFa\r\nb');
    expect(await readUserFile(join(folder.path, 'a.txt'), { fix: 'Give one.' })).toBe('a\r\nb');
  });

  it('names the file and the reason in every refusal', async () => {
    using folder = temporaryFolder();
    const file = (name: string): string => join(folder.path, name);
    writeFileSync(file('latin'), bytes(0xe9));
    writeFileSync(file('large'), 'x'.repeat(11));
    writeFileSync(file('closed'), '');
    chmodSync(file('closed'), 0);
    mkdirSync(file('folder'));
    symlinkSync('circle', file('circle'));
    execFileSync('mkfifo', [file('pipe')]);
    const refusals: readonly (readonly [string, RegExp])[] = [
      ['absent', /there is no such file\. Give a file\.$/],
      ['latin/file', /there is no such file/],
      ['folder', /it is a folder, and a file is expected/],
      ['pipe', /it is a pipe or a device/],
      ['circle', /symbolic link that leads back to itself/],
      ['large', /it has 11 bytes, and at most 10 are allowed/],
      ['latin', /it is not UTF-8\. Convert it/],
      ['x'.repeat(300), /its name is too long/],
    ];
    for (const [name, says] of refusals)
      await expect(readUserFile(file(name), { fix: 'Give a file.', maxBytes: 10 })).rejects.toThrow(says);
    if (process.getuid?.() !== 0)
      await expect(readUserFile(file('closed'), { fix: 'Give a file.' })).rejects.toThrow(
        /not allowed to read/,
      );
  });
});

describe('errors of the file system in words', () => {
  const failed = (code: string): Error => Object.assign(new Error(`${code}: no`), { code });

  it.each([
    ['ENOENT', 'there is no such file', 'there is no such folder'],
    ['ENOTDIR', 'there is no such file', 'it, or a part of its path, is a file and no folder'],
    ['EISDIR', 'it is a folder, and a file is expected', 'it is a folder, and a file is expected'],
    ['EACCES', 'you are not allowed to read it', 'you have no permission for it'],
    ['EPERM', 'you are not allowed to read it', 'you have no permission for it'],
    ['EROFS', 'it cannot be read (EROFS: no)', 'its file system is read-only'],
    ['ENAMETOOLONG', 'its name is too long for the file system', 'its name is too long for the file system'],
    [
      'ELOOP',
      'it is a symbolic link that leads back to itself',
      'it is a symbolic link that leads back to itself',
    ],
  ])('describe %s of a file and of a folder', (code, file, folder) => {
    expect([describeReadError(failed(code)), describePathError(failed(code))]).toEqual([file, folder]);
  });
});
