import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  type FileHandle,
} from 'node:fs/promises';
import path from 'node:path';
import { codeOf, FaultError, messageOf, UsageError } from '../../envs/core/errors.ts';
import { failed, impossible, noRoom } from '../faults.ts';
import { innerPath } from '../inner-path.ts';
import { bytesInPages } from '../pages.ts';
import { closedToAll, tooMuch, unkept } from '../misuse.ts';
import type { Owner } from './owner.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants;

/**
 * A path through an open folder. No link can redirect it, even when the folder's own name changes meanwhile.
 */
const below = (folder: FileHandle, name: string): string => `/proc/self/fd/${folder.fd}/${name}`;

/** The fault of a file call, with the path that the caller gave. */
function fileFault(given: string, thrown: unknown): FaultError {
  if (FaultError.is(thrown)) return thrown;
  const code = codeOf(thrown);
  if (code === 'ENOSPC') return noRoom(given);
  return impossible(
    'file',
    `${given}: ${code === 'ELOOP' || code === 'ENOTDIR' ? inTheWay : messageOf(thrown)}`,
    thrown,
  );
}

const inTheWay = 'the path contains a link or a file in place of a folder';

/**
 * Opens the parent folder of `plain`. It opens one name at a time, each from the folder before it and never
 * through a link. So a program that replaces folders by links meanwhile gains nothing.
 */
async function openFolder(
  root: string,
  names: readonly string[],
  make: Owner | undefined,
): Promise<FileHandle> {
  let folder = await open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((thrown: unknown) => {
    // a program cannot remove its work folder, so the process that keeps it has ended
    throw failed('file', `its files are gone: ${messageOf(thrown)}`, thrown);
  });
  try {
    for (const name of names) {
      if (make !== undefined) await makeFolder(folder, name, make);
      const next = await open(below(folder, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      await folder.close();
      folder = next;
    }
    return folder;
  } catch (thrown) {
    await folder.close();
    throw thrown;
  }
}

async function makeFolder(folder: FileHandle, name: string, owner: Owner): Promise<void> {
  try {
    await mkdir(below(folder, name));
    await lchown(below(folder, name), owner.uid, owner.gid);
  } catch (thrown) {
    if (codeOf(thrown) !== 'EEXIST') throw thrown;
  }
}

/**
 * False where nothing has that name. The system reports anything that is not a folder, because it may be a
 * link to one.
 */
export async function hasInnerFolder(root: string, plain: string): Promise<boolean> {
  try {
    await using _folder = await openFolder(root, plain.split('/').filter(Boolean), undefined);
    return true;
  } catch (thrown) {
    return codeOf(thrown) !== 'ENOENT';
  }
}

/**
 * Restores the owner's access to a work folder that a program has closed. The folder belongs to the sandbox,
 * whose own calls must go on.
 */
export async function keepOpen(root: string): Promise<void> {
  const found = await stat(root).catch(() => undefined); // where it is gone, the call itself reports that
  if (found !== undefined && (found.mode & ownersRights) !== ownersRights)
    await chmod(root, found.mode | ownersRights);
}

const ownersRights = 0o700;

/** The error codes for a name that does not exist, or that a program turned into something other than a readable file. */
const isNoFile = (code: string | undefined): boolean =>
  code !== undefined && ['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO', 'EACCES'].includes(code);

/** The bytes of a file below `root`; undefined where no readable file exists. */
export async function readInner(
  root: string,
  given: string,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const plain = innerPath(given);
  const { dir, base } = path.posix.parse(plain);
  try {
    await using folder = await openFolder(root, dir.split('/').filter(Boolean), undefined);
    await using file = await open(below(folder, base), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const kind = await file.stat();
    if (!kind.isFile() || (kind.mode & constants.S_IRUSR) === 0) return undefined;
    return await contentOf(file, given, maxBytes);
  } catch (thrown) {
    if (!FaultError.is(thrown) && isNoFile(codeOf(thrown))) return undefined;
    throw fileFault(given, thrown);
  }
}

async function contentOf(file: FileHandle, given: string, maxBytes: number): Promise<Uint8Array> {
  const kind = await file.stat();
  if (!kind.isFile()) throw impossible('file', `${given} is no file`);
  if (kind.size > maxBytes) throw tooLong(given, maxBytes);
  const bytes = new Uint8Array(kind.size + 1); // a program may extend it meanwhile
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) return bytes.slice(0, length);
    length += bytesRead;
  }
  if (length <= maxBytes) return contentOf(file, given, maxBytes);
  throw tooLong(given, maxBytes);
}

const tooLong = (given: string, maxBytes: number): FaultError =>
  impossible('file', `${given} has more than the ${maxBytes} bytes asked for`);

/**
 * Writes a file below `root` for `owner` and creates its parent folders. The file is written as a whole or
 * not at all. Anything else of that name that is not a file is left alone.
 */
export async function writeInner(
  root: string,
  given: string,
  content: Uint8Array,
  owner: Owner,
): Promise<void> {
  const plain = innerPath(given);
  const { dir, base } = path.posix.parse(plain);
  try {
    await using folder = await openFolder(root, dir.split('/').filter(Boolean), owner);
    await assertNoOther(below(folder, base), given);
    const fresh = below(folder, `.${randomBytes(8).toString('hex')}`);
    try {
      await writeFresh(fresh, content, owner);
      await rename(fresh, below(folder, base));
    } catch (thrown) {
      await rm(fresh, { force: true });
      throw thrown;
    }
  } catch (thrown) {
    throw fileFault(given, thrown);
  }
}

async function assertNoOther(place: string, given: string): Promise<void> {
  const found = await lstat(place).catch(() => undefined);
  if (found === undefined || found.isFile()) return;
  throw impossible('file', `${given}: ${found.isSymbolicLink() ? inTheWay : 'it is not a regular file'}`);
}

async function writeFresh(place: string, content: Uint8Array, owner: Owner): Promise<void> {
  await using file = await open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644);
  await file.chown(owner.uid, owner.gid);
  await file.writeFile(content);
}

/**
 * The content of a folder: regular files with their bytes and whether they are executable, and folders. Links
 * and other entries are omitted.
 */
export type Tree = readonly (
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string; readonly content: Uint8Array; readonly mode: number }
)[];

/** The maximum depth of folders in a snapshot. */
const deepest = 100;

/**
 * Reads a folder.
 *
 * @throws UsageError for entries that cannot be kept, and where all files have more than `maxBytes`
 * @throws the reason of the signal
 */
export async function readTree(
  root: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Tree> {
  const tree: Tree[number][] = [];
  let left = maxBytes;
  let at = '';
  const walk = async (names: readonly string[]): Promise<void> => {
    if (names.length > deepest)
      throw unkept(names.slice(0, 3).join('/'), `it has folders more than ${deepest} deep`);
    await using folder = await openFolder(root, names, undefined);
    for (const entry of await readdir(`/proc/self/fd/${folder.fd}`, { withFileTypes: true })) {
      signal.throwIfAborted();
      const inner = [...names, entry.name].join('/');
      if (entry.name.includes('\uFFFD')) throw unkept(inner, 'its name is no UTF-8');
      at = inner;
      if (entry.isDirectory()) {
        tree.push({ kind: 'folder', path: inner });
        await walk([...names, entry.name]);
      } else if (entry.isFile()) {
        await using file = await open(below(folder, entry.name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
        const { size, mode } = await file.stat();
        if (size > left) throw unkept(inner, tooMuch(maxBytes));
        const content = await contentOf(file, inner, left);
        left -= content.byteLength;
        tree.push({ kind: 'file', path: inner, content, mode: mode & 0o777 });
      }
    }
  };
  try {
    await walk([]);
    return tree;
  } catch (thrown) {
    signal.throwIfAborted();
    if (UsageError.is(thrown)) throw thrown;
    if (codeOf(thrown) === 'EACCES') throw unkept(at, closedToAll);
    throw fileFault('snapshot', thrown);
  }
}

/**
 * The bytes of a tree in a file system in memory: whole pages for the content of files, and a place for each
 * entry.
 */
export function bytesForTree(tree: Tree): number {
  return bytesInPages(tree.map((entry) => (entry.kind === 'file' ? entry.content.byteLength : 0)));
}

/**
 * Writes a tree.
 *
 * @throws FaultError where it cannot be written
 * @throws the reason of the signal
 */
export async function writeTree(
  root: string,
  tree: Tree,
  { owner, signal }: { readonly owner: Owner; readonly signal: AbortSignal },
): Promise<void> {
  try {
    for (const entry of tree) {
      signal.throwIfAborted();
      const { dir, base } = path.posix.parse(entry.path);
      await using folder = await openFolder(root, dir.split('/').filter(Boolean), undefined);
      if (entry.kind === 'folder') {
        await makeFolder(folder, base, owner);
        continue;
      }
      await using file = await open(below(folder, base), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
      await file.writeFile(entry.content);
      await file.chown(owner.uid, owner.gid);
      await file.chmod(entry.mode);
    }
  } catch (thrown) {
    signal.throwIfAborted();
    throw fileFault('snapshot', thrown);
  }
}
