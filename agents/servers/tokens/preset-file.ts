import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';

/** Names of adapter sections contain a random UUID and a version. */
const ownName = /-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d+$/;
/** As llama.cpp parses it: a comment may follow. */
const header = /^\s*\[([^\]]*)\]\s*(?:[;#].*)?$/;
/** The last key of an adapter's section. Lines after it belong to the user. */
const lastKey = 'lora';

/** Keys and values of a section, as lines of the file. */
export type Preset = readonly string[];

/**
 * Writes exactly the given adapters at the end of a presets file of llama.cpp (`--models-preset`, an INI
 * file). Other content stays unchanged. This removes the leftovers of a killed run, so only one run may write
 * to the file. The file is overwritten, not replaced, because it may be a link, owned by another user, or
 * mounted.
 * @param adapters the file of each adapter with its model's preset, by section name
 * @throws Error of the file system
 */
export function writeAdapterPresets(
  file: string,
  adapters: ReadonlyMap<string, { readonly preset: Preset; readonly adapter: string }>,
): void {
  const rest = withoutAdapters(readFileSync(file, 'utf8'));
  const ended = rest === '' || rest.endsWith('\n') ? rest : `${rest}\n`;
  const sections = [...adapters].map(([name, { preset, adapter }]) =>
    [`[${name}]`, ...preset, `${lastKey} = ${adapter}`, ''].join('\n'),
  );
  writeOver(file, Buffer.from(ended + sections.join('')));
}

/** The lines of a preset as llama.cpp writes it, without its header. */
export const presetLines = (text: string): Preset =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !header.test(line));

/** The key of a line, such as `ctx-size`. */
export const keyOf = (line: string): string => line.split('=')[0]?.trim() ?? '';

function withoutAdapters(text: string): string {
  const kept: string[] = [];
  let isOwn = false;
  for (const line of text.split(/(?<=\n)/)) {
    const name = header.exec(line.trimEnd())?.[1];
    if (name !== undefined) isOwn = ownName.test(name.trim());
    if (!isOwn) kept.push(line);
    else if (name === undefined && keyOf(line) === lastKey) isOwn = false;
  }
  return kept.join('');
}

/**
 * Overwrites the file in place. Bytes before the first change are rewritten with the same content, so they
 * survive an interruption.
 */
function writeOver(file: string, bytes: Buffer): void {
  const handle = openSync(file, 'r+');
  try {
    for (let written = 0; written < bytes.length;)
      written += writeSync(handle, bytes, written, bytes.length - written, written);
    ftruncateSync(handle, bytes.length);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
