import { chmod, lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetLines, writeAdapterPresets } from '../../../../agents/servers/tokens/preset-file.ts';
import { useFolder } from '../../../support/own-folder.ts';

const at = useFolder();
const name = (version: number): string => `cairn-01234567-89ab-cdef-0123-456789abcdef-${version}`;
const adapters = (...versions: readonly number[]) =>
  new Map(
    versions.map((version) => [
      name(version),
      { preset: ['model = /m.gguf', 'ctx-size = 64'], adapter: `/a/${version}.gguf` },
    ]),
  );
const sectionOf = (version: number): string =>
  `[${name(version)}]\nmodel = /m.gguf\nctx-size = 64\nlora = /a/${version}.gguf\n`;

async function written(text: string, ...versions: readonly number[]): Promise<string> {
  await writeFile(at('presets.ini'), text);
  writeAdapterPresets(at('presets.ini'), adapters(...versions));
  return readFile(at('presets.ini'), 'utf8');
}

describe('adapters in a preset file', () => {
  it('stand at its end, and give way to the current ones', async () => {
    const text = 'version = 1\n[*]\nthreads = 1\n\n[mine] ; the model\nmodel = /m.gguf\n';
    expect(await written(text, 1)).toBe(text + sectionOf(1));
    expect(await written(text + sectionOf(1), 1, 2)).toBe(text + sectionOf(1) + sectionOf(2));
    expect(await written(text + sectionOf(1) + sectionOf(2))).toBe(text);
  });

  it('leave everything that people wrote before or after them', async () => {
    const line = fc.constantFrom(
      '',
      '; a comment',
      '# another',
      'version = 1',
      '[*]',
      '[mine]',
      '[org/model:Q8_0] ; with a comment',
      ' [ spaced ] ',
      'lora = /own.gguf',
      'ctx-size = 64',
      'key = [no header',
      '\u00fc = \u2713',
    );
    const text = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\r\n')).map((parts) => parts.join('')))
      .map((lines) => lines.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, behind) => {
        expect(await written(before + sectionOf(7) + behind)).toBe(before + behind);
        expect(await written(before + behind, 1, 2)).toBe(before + behind + sectionOf(1) + sectionOf(2));
      }),
      { numRuns: 200 },
    );
  });

  it('start on a line of their own', async () => {
    expect([await written('[mine]\nmodel = /m.gguf', 1), await written('', 1)]).toEqual([
      `[mine]\nmodel = /m.gguf\n${sectionOf(1)}`,
      sectionOf(1),
    ]);
  });

  it('leave the file a link, with its permissions', async () => {
    await mkdir(at('elsewhere'));
    await writeFile(at('elsewhere', 'presets.ini'), '[mine]\n');
    await chmod(at('elsewhere', 'presets.ini'), 0o666);
    const before = await stat(at('elsewhere', 'presets.ini'));
    await symlink(at('elsewhere', 'presets.ini'), at('link.ini'));
    writeAdapterPresets(at('link.ini'), adapters(1));
    const after = await stat(at('elsewhere', 'presets.ini'));
    expect([(await lstat(at('link.ini'))).isSymbolicLink(), after.mode, after.ino]).toEqual([
      true,
      before.mode,
      before.ino,
    ]);
    expect(await readFile(at('elsewhere', 'presets.ini'), 'utf8')).toBe(`[mine]\n${sectionOf(1)}`);
  });

  it('fail with ENOENT when there is no file', () => {
    expect(() => writeAdapterPresets(at('none.ini'), adapters(1))).toThrow(/ENOENT/);
  });
});

it('presetLines returns the lines of a preset without its header', () => {
  expect(presetLines('[mine]\nwebui = 0\nmodel = /m.gguf\n\n')).toEqual(['webui = 0', 'model = /m.gguf']);
});
