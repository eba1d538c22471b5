import { impossible, noRoom } from '../faults.ts';
import { assertHolds } from '../limits.ts';
import type { EndedHeader } from './wire.ts';

/** A copy of the work folder. */
interface Content {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly folders: ReadonlySet<string>;
}

/** The changes that turn an interpreter's own files into those of the work folder. */
export interface FileUpdate {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly removed: readonly string[];
  readonly folders: readonly string[];
}

/** The work folder of one sandbox, in the memory of this process. Paths are plain inner paths. */
export class WorkFiles {
  readonly #files: Map<string, Uint8Array>;
  readonly #folders: Set<string>;
  readonly #mostBytes: number;

  /**
   * @param mostBytes the limit on all files together
   * @throws UsageError where the content exceeds it
   */
  constructor(mostBytes: number, content: Content = { files: new Map(), folders: new Set() }) {
    this.#mostBytes = mostBytes;
    this.#files = new Map(content.files);
    this.#folders = new Set(content.folders);
    assertHolds({ diskBytes: mostBytes }, this.#bytes());
  }

  /** The current content. Contents are never changed in place. */
  copy(): Content {
    return { files: new Map(this.#files), folders: new Set(this.#folders) };
  }

  read(path: string, maxBytes: number): Uint8Array | undefined {
    const content = this.#files.get(path);
    if (content === undefined || content.byteLength <= maxBytes) return content?.slice();
    throw impossible('file', `${path} has ${content.byteLength} bytes, more than the ${maxBytes} asked for`);
  }

  /** @param content becomes part of the work folder without a copy */
  write(path: string, content: Uint8Array): void {
    if (this.#folders.has(path)) throw impossible('file', `${path} is a folder`);
    const above = foldersAbove(path);
    const obstacle = above.find((folder) => this.#files.has(folder));
    if (obstacle !== undefined) throw impossible('file', `${obstacle} is a file, not a folder`);
    if (this.#bytes() - (this.#files.get(path)?.byteLength ?? 0) + content.byteLength > this.#mostBytes)
      throw noRoom(path);
    this.#files.set(path, content);
    for (const folder of above) this.#folders.add(folder);
  }

  hasFolder(path: string): boolean {
    return this.#folders.has(path);
  }

  /** The changes since `seen`. */
  updateSince(seen: ReadonlyMap<string, Uint8Array>): FileUpdate {
    return {
      files: new Map([...this.#files].filter(([path, content]) => seen.get(path) !== content)),
      removed: [...seen.keys()].filter((path) => !this.#files.has(path)),
      folders: [...this.#folders],
    };
  }

  /**
   * Applies the changes of a program.
   *
   * @throws FaultError where that is impossible
   */
  apply({ files, removed, folders }: EndedHeader, body: Uint8Array): void {
    for (const path of removed) this.#files.delete(path);
    let at = 0;
    for (const { path, size } of files) {
      if (!isPlain(path) || at + size > body.byteLength)
        throw impossible('file', 'the interpreter told of files that cannot be');
      this.#files.set(path, body.slice(at, at + size));
      at += size;
    }
    if (this.#bytes() > this.#mostBytes)
      throw impossible('file', `the program left more than ${this.#mostBytes} bytes of files`);
    const kept = [...folders.filter(isPlain), ...[...this.#files.keys()].flatMap(foldersAbove)];
    this.#folders.clear();
    for (const folder of kept) this.#folders.add(folder);
    for (const folder of kept) this.#files.delete(folder);
  }

  #bytes(): number {
    let sum = 0;
    for (const content of this.#files.values()) sum += content.byteLength;
    return sum;
  }
}

const isPlain = (path: string): boolean =>
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !path.includes('\0');

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
