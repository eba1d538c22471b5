import { readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';

/** Sections of adapters have names with a random UUID and a version in them. */
const ownName = /-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d+$/;
const header = /^\s*\[(.+)\]\s*$/;

/** A named part of the file, header included; what stands before the first one has no name. */
interface Section {
  readonly name: string | undefined;
  readonly lines: readonly string[];
}

/** Keys and values of a section, as lines of a file of presets. */
export type Preset = readonly string[];

/**
 * Puts a section into a file of presets of llama.cpp (`--models-preset`, an INI file), at its end. Sections of adapters whose files are gone,
 * which runs that were killed have left, go. Reading and writing are one turn of this process, so that its runs lose none of each other's.
 * @throws Error of the file system
 */
export const addPreset = (file: string, name: string, preset: Preset): void => rewrite(file, (sections) => [...sections.filter((each) => each.name !== name), { name, lines: [`[${name}]`, ...preset, ''] }]);

/**
 * Takes a section out, where it is there.
 * @throws Error of the file system
 */
export const dropPreset = (file: string, name: string): void => rewrite(file, (sections) => sections.filter((each) => each.name !== name));

/** The lines of a preset as llama.cpp writes it, without its header. */
export const presetLines = (text: string): Preset => text.split('\n').map((line) => line.trim()).filter((line) => line !== '' && !header.test(line));

/** The value of a key; undefined where it is not there. */
export function presetValue(preset: Preset, key: string): string | undefined {
  const line = preset.find((each) => each.split('=')[0]?.trim() === key);
  return line?.slice(line.indexOf('=') + 1).trim();
}

function rewrite(file: string, change: (sections: readonly Section[]) => readonly Section[]): void {
  const place = realpathSync(file); // a link stays one
  const sections = sectionsOf(readFileSync(place, 'utf8')).filter((section) => !isLeftOver(section));
  const text = change(sections).flatMap(({ lines }) => lines).join('\n');
  const temporary = `${place}.cairn-${process.pid}`;
  writeFileSync(temporary, text.endsWith('\n') ? text : `${text}\n`, { mode: statSync(place).mode });
  renameSync(temporary, place); // a server that reads it now reads the one or the other whole
}

function sectionsOf(text: string): readonly Section[] {
  const sections: { name: string | undefined; lines: string[] }[] = [{ name: undefined, lines: [] }];
  for (const line of text.split('\n')) {
    const name = header.exec(line)?.[1];
    if (name !== undefined) sections.push({ name, lines: [] });
    sections.at(-1)?.lines.push(line);
  }
  return sections;
}

function isLeftOver({ name, lines }: Section): boolean {
  if (name === undefined || !ownName.test(name)) return false;
  const adapter = presetValue(lines, 'lora');
  return adapter !== undefined && statSync(adapter, { throwIfNoEntry: false }) === undefined;
}
