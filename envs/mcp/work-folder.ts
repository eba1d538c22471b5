import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Json } from '../core/json.ts';

/** The name that agents see for the work folder. Its real path differs from episode to episode. */
export const shownFolder = '/folder';

/** The folder of an env, which its servers get by `{folder}`. Each episode starts with the files of its task. */
export class WorkFolder {
  #root: string | undefined;

  /** The real path. It exists after the first {@link fill}. */
  get path(): string | undefined {
    return this.#root === undefined ? undefined : path.join(this.#root, 'work');
  }

  /** Empties the folder and writes the files, by their relative paths. */
  async fill(files: Readonly<Record<string, string>>): Promise<string> {
    this.#root ??= await mkdtemp(path.join(os.tmpdir(), 'cairn-mcp-'));
    const folder = path.join(this.#root, 'work');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    return folder;
  }

  async remove(): Promise<void> {
    const root = this.#root;
    this.#root = undefined;
    if (root !== undefined) await rm(root, { recursive: true, force: true });
  }

  /** Arguments of a call with the real path in place of the shown one. */
  toReal(given: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
    const folder = this.path;
    return folder === undefined
      ? given
      : (inStrings(given, (text) => realText(text, folder)) as typeof given);
  }

  /** A text of a server with the shown path in place of the real one, which may be written relative to the server's folder. */
  toShown(text: string): string {
    const folder = this.path;
    if (folder === undefined) return text;
    const ownName = path.join(path.basename(path.dirname(folder)), path.basename(folder));
    return withoutRelative(text, ownName).replaceAll(folder, shownFolder);
  }

  /** A value of a server with the shown path in place of the real one. */
  valueToShown(value: unknown): unknown {
    return this.path === undefined ? value : inStrings(value, (text) => this.toShown(text));
  }
}

/** What can stand before a relative path: a mark or a space. */
const beforePath = /[\s"'()<>[\]]/;

/** The text with the shown path in place of each relative path that ends with the name, such as ../../tmp/NAME. */
function withoutRelative(text: string, name: string): string {
  const [head = '', ...rest] = text.split(name);
  return rest.reduce((done, next) => {
    let at = done.length;
    while (at > 0 && !beforePath.test(done.charAt(at - 1))) at -= 1;
    return done.startsWith('.', at) ? done.slice(0, at) + shownFolder + next : done + name + next;
  }, head);
}

const realText = (text: string, folder: string): string =>
  text === shownFolder || text.startsWith(`${shownFolder}/`)
    ? `${folder}${text.slice(shownFolder.length)}`
    : text;

function inStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => inStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inStrings(item, change)]));
}
