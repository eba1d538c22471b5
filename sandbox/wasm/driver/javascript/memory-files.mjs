// The work folder of a JavaScript program: a table of files in memory.
import path from 'node:path';

/** @typedef {import('../main.mjs').Call} Call @typedef {import('../main.mjs').Changes} Changes */

const home = '/work';

export function memoryFiles() {
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  /** @type {Set<string>} */
  const folders = new Set();
  /** What the other side knows. @type {Map<string, Uint8Array>} */
  const known = new Map();
  let most = Number.POSITIVE_INFINITY;

  const bytes = () => [...files.values()].reduce((sum, content) => sum + content.byteLength, 0);
  /** Relative to the work folder; undefined for what lies outside it. @param {string} given an absolute path */
  const inner = (given) => {
    const plain = path.posix.normalize(given).replace(/\/+$/, '');
    if (plain === home) return '';
    return plain.startsWith(`${home}/`) ? plain.slice(home.length + 1) : undefined;
  };
  /** @param {string} plain */
  const kindOfPlain = (plain) =>
    files.has(plain) ? 'file' : plain === '' || folders.has(plain) ? 'folder' : undefined;
  /** @param {string} plain */
  const above = (plain) => (plain.includes('/') ? plain.slice(0, plain.lastIndexOf('/')) : '');

  return {
    /** @param {number} diskBytes */
    limit: (diskBytes) => {
      most = diskBytes;
    },
    /** @param {Call} call @param {ReadonlyMap<string, Uint8Array>} contents */
    put: (call, contents) => {
      for (const gone of call.removed) for (const table of [files, known]) table.delete(gone);
      for (const folder of call.folders) folders.add(folder);
      for (const [name, content] of contents) for (const table of [files, known]) table.set(name, content);
    },
    /** @returns {Changes} */
    changes: () => {
      const changed = new Map([...files].filter(([name, content]) => known.get(name) !== content));
      const removed = [...known.keys()].filter((name) => !files.has(name));
      for (const name of removed) known.delete(name);
      for (const [name, content] of changed) known.set(name, content);
      return { files: changed, removed, folders: [...folders] };
    },
    /** @param {string} given */
    kindOf: (given) => {
      const plain = inner(given);
      return plain === undefined ? undefined : kindOfPlain(plain);
    },
    /** @param {string} given */
    read: (given) => files.get(inner(given) ?? ''),
    /** @param {string} given @param {Uint8Array} content @returns {string | undefined} the code of what went wrong */
    write: (given, content) => {
      const plain = inner(given);
      if (plain === undefined) return 'EACCES';
      if (kindOfPlain(plain) === 'folder') return 'EISDIR';
      if (kindOfPlain(above(plain)) !== 'folder') return 'ENOENT';
      if (bytes() - (files.get(plain)?.byteLength ?? 0) + content.byteLength > most) return 'ENOSPC';
      files.set(plain, content);
      return undefined;
    },
    /** @param {string} given @returns {string | undefined} the code of what went wrong */
    makeFolder: (given) => {
      const plain = inner(given);
      if (plain === undefined) return 'EACCES';
      if (kindOfPlain(plain) !== undefined) return 'EEXIST';
      if (kindOfPlain(above(plain)) !== 'folder') return 'ENOENT';
      folders.add(plain);
      return undefined;
    },
    /** With all that is in it. @param {string} given */
    remove: (given) => {
      const plain = inner(given);
      if (plain === undefined || plain === '') return;
      for (const table of [files, folders])
        for (const name of table.keys())
          if (name === plain || name.startsWith(`${plain}/`)) table.delete(name);
    },
    /** @param {string} given @returns {readonly string[]} */
    list: (given) => {
      const plain = inner(given);
      return [...files.keys(), ...folders]
        .filter((name) => name !== '' && above(name) === plain)
        .map((name) => path.posix.basename(name))
        .toSorted();
    },
  };
}
