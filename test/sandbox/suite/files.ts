import { expect, it } from 'vitest';
import { FaultError, UsageError } from '../../../envs/core/errors.ts';
import type { Limits, Sandbox } from '../../../sandbox/index.ts';
import { never, readText, runSource, spokenLanguages, type Sources } from './subject.ts';

export type Open = (limits?: Partial<Limits>) => Promise<Sandbox>;

/** The names in a folder, if a shell can list them. */
async function namesIn(sandbox: Sandbox, folder: string): Promise<string | undefined> {
  if (sandbox.interpreters.shell === undefined) return undefined;
  const { stdout } = await sandbox.exec(['ls', '-A', folder], { signal: never });
  return stdout.text.trim().split('\n').join(' ');
}

/** Files written and read. */
export function describeFiles(open: Open): void {
  it('writes files and reads them back, byte by byte', async () => {
    await using sandbox = await open();
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 31) % 256);
    await sandbox.write('deep/er/bytes', bytes, { signal: never });
    expect(await sandbox.read('deep/../deep/er/bytes', { signal: never, maxBytes: 100_000 })).toEqual(bytes);
    await sandbox.write('deep/er/bytes', 'short', { signal: never });
    expect(await readText(sandbox, 'deep/er/bytes')).toBe('short');
    await sandbox.write('empty', '', { signal: never });
    expect(await readText(sandbox, 'empty')).toBe('');
    await sandbox.write('Näme with $(id) "quotes" -rf', 'odd', { signal: never });
    expect(await readText(sandbox, 'Näme with $(id) "quotes" -rf')).toBe('odd');
    expect(await readText(sandbox, 'missing')).toBeUndefined();
    expect(await readText(sandbox, 'missing/too')).toBeUndefined();
  });

  it('checks how long a file is before it reads it, since one with holes has any length', async () => {
    await using sandbox = await open();
    if (sandbox.interpreters.shell === undefined) return; // without a shell there are no sparse files
    await runSource(sandbox, { language: 'shell', source: 'truncate -s 1T hole' });
    const before = process.memoryUsage.rss();
    const read = sandbox.read('hole', { signal: never, maxBytes: 2 ** 42 });
    await read.then(
      (bytes) => expect(bytes ?? []).toHaveLength(0),
      (thrown: unknown) => expect(String(thrown)).toContain('bytes of the limit diskBytes'),
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 2 ** 20);
  });

  it('refuses files above the requested size, and to write over what is not a file', async () => {
    await using sandbox = await open();
    await sandbox.write('folder/four', '1234', { signal: never });
    await expect(sandbox.read('folder/four', { signal: never, maxBytes: 3 })).rejects.toThrow(FaultError);
    for (const path of ['folder', 'folder/four/below'])
      expect(await sandbox.read(path, { signal: never, maxBytes: 100 }), path).toBe(undefined);
    await expect(sandbox.write('folder', 'x', { signal: never })).rejects.toThrow(FaultError);
    await expect(sandbox.write('folder/four/below', 'x', { signal: never })).rejects.toThrow(FaultError);
    expect(await readText(sandbox, 'folder/four')).toBe('1234');
  });

  it.each([
    ['unlinked', 'os.unlink("file")'],
    ['replaced', 'open("other", "w").close(); os.replace("other", "file")'],
    [
      'unlinked in a folder that is gone',
      'os.mkdir("d"); os.rename("file", "d/file"); os.unlink("d/file"); os.rmdir("d")',
    ],
  ])('counts files that are open and %s, until they are closed', async (_, hide) => {
    await using sandbox = await open({ diskBytes: 4 * 2 ** 20 });
    const source = `
import os
def fill():
  kept = []
  try:
    while len(kept) < 12:
      kept.append(open("file", "wb", buffering=0))
      kept[-1].write(b"x" * 1000000)
      ${hide}
  except OSError: pass
  for file in kept: file.close()
  return len(kept)
print(fill(), fill())
`;
    const result = await runSource(sandbox, { language: 'python', source });
    const counts = result.stdout.text.trim().split(' ').filter(Boolean).map(Number);
    if (result.kind !== 'killed') expect(counts).toHaveLength(2);
    else expect(result.by).toBe('disk');
    // four whole ones, one cut short and one that is empty
    for (const count of counts) expect(count).toSatisfy((files: number) => files > 3 && files <= 6);
  });

  it('reads nothing where a program made something else of a file, and goes on', async () => {
    await using sandbox = await open();
    if (sandbox.interpreters.shell === undefined) return;
    await sandbox.write('kept', 'kept', { signal: never });
    await sandbox.write('closed', 'closed', { signal: never });
    const source =
      'mkfifo pipe; mkdir -p folder/inner; chmod 0 closed; ln -s kept link; ln -s folder way; ln -s loop loop; ln -s nowhere dangling; echo x >folder/file';
    await runSource(sandbox, { language: 'shell', source });
    for (const path of [
      'pipe',
      'folder',
      'closed',
      'link',
      'way/file',
      'loop',
      'loop/x',
      'dangling',
      'kept/x',
      'pipe/x',
    ])
      expect(await sandbox.read(path, { signal: never, maxBytes: 100 }), path).toBe(undefined);
    expect([await readText(sandbox, 'kept'), await readText(sandbox, 'folder/file')]).toEqual([
      'kept',
      'x\n',
    ]);
  });

  it('writes no more than its limit on files', async () => {
    await using sandbox = await open({ diskBytes: 4 * 2 ** 20 });
    const noRoom = /cannot be written: all files together would exceed the limit diskBytes/;
    await sandbox.write('file', 'before', { signal: never });
    await expect(sandbox.write('file', new Uint8Array(5 * 2 ** 20), { signal: never })).rejects.toThrow(
      noRoom,
    );
    await sandbox.write('most', new Uint8Array(3 * 2 ** 20), { signal: never });
    await expect(sandbox.write('file', new Uint8Array(2 * 2 ** 20), { signal: never })).rejects.toThrow(
      noRoom,
    );
    await expect(sandbox.write('new/file', new Uint8Array(2 * 2 ** 20), { signal: never })).rejects.toThrow(
      FaultError,
    );
    expect([await readText(sandbox, 'file'), await readText(sandbox, 'new/file')]).toEqual([
      'before',
      undefined,
    ]); // whole or not at all
    await sandbox.write('small', 'x', { signal: never });
    expect(await readText(sandbox, 'small')).toBe('x');
    expect(await namesIn(sandbox, '.')).toSatisfy(
      (names) => names === undefined || names === 'file most new small',
    );
    expect(await namesIn(sandbox, 'new')).toSatisfy((names) => names === undefined || names === '');
  });

  it('leaves a file old or new, and no other file, when its writing is aborted', async () => {
    await using sandbox = await open({ diskBytes: 16 * 2 ** 20 });
    const bytes = 5 * 2 ** 20;
    for (let ms = 0; ms < 80; ms += 4) {
      const content = new Uint8Array(bytes).fill(ms);
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error('enough')), ms);
      const wasWritten = await sandbox.write('file', content, { signal: controller.signal }).then(
        () => true,
        (thrown: unknown) => !String(thrown).includes('enough'),
      );
      const found = await sandbox.read('file', { signal: never, maxBytes: bytes });
      expect(found?.byteLength ?? bytes).toBe(bytes);
      if (wasWritten) expect(found?.[0]).toBe(ms);
    }
    expect(await namesIn(sandbox, '.')).toSatisfy(
      (names) => names === undefined || names === 'file' || names === '',
    );
  });

  it.each([
    '/etc/passwd',
    '../x',
    'a/../../x',
    '..',
    '.',
    '',
    'a/',
    'a\0b',
    'a\\b',
    'x'.repeat(256),
    'ü'.repeat(128),
    `a/${'x'.repeat(256)}/b`,
    'long/'.repeat(800) + 'x',
  ])('refuses the path %j', async (path) => {
    await using sandbox = await open();
    await expect(sandbox.write(path, '', { signal: never })).rejects.toThrow(UsageError);
    await expect(sandbox.read(path, { signal: never, maxBytes: 1 })).rejects.toThrow(UsageError);
    if (path.length > 100)
      await expect(sandbox.exec(['true'], { signal: never, folder: path })).rejects.toThrow(UsageError);
  });

  it('accepts names and paths of the greatest length', async () => {
    await using sandbox = await open();
    for (const path of [
      'x'.repeat(255),
      'ü'.repeat(127),
      `${`${'d'.repeat(199)}/`.repeat(19)}${'x'.repeat(200)}`,
    ]) {
      await sandbox.write(path, 'long', { signal: never });
      expect(await readText(sandbox, path)).toBe('long');
    }
  });

  it('keeps files of programs from one call to the next', async () => {
    await using sandbox = await open();
    const sources: Sources = { python: 'open("made", "a").write("x")\n', shell: 'printf x >> made\n' };
    const [language] = spokenLanguages(sandbox, sources);
    if (language === undefined) return;
    for (const expected of ['x', 'xx']) {
      await runSource(sandbox, { language, source: sources[language] ?? '' });
      expect(await readText(sandbox, 'made')).toBe(expected);
    }
    await sandbox.write('made', 'ours', { signal: never });
    await runSource(sandbox, { language, source: sources[language] ?? '' });
    expect(await readText(sandbox, 'made')).toBe('oursx');
  });
}
