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

/** The open folder under a path that no link can lead out of, whatever becomes of its name meanwhile. */
const below = (folder: FileHandle, name: string): string => `/proc/self/fd/${folder.fd}/${name}`;

/** The fault of a file call, with the path as the caller gave it. */
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

const inTheWay = 'a link, or a file above it, stands in the way';

/**
 * Opens the folder that holds `plain`, one name at a time, each from the folder before it and never through a link: a program that swaps
 * folders for links meanwhile wins nothing.
 */
async function openFolder(
  root: string,
  names: readonly string[],
  make: Owner | undefined,
): Promise<FileHandle> {
  let folder = await open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((thrown: unknown) => {
    throw failed('file', `its files are gone: ${messageOf(thrown)}`, thrown); // no program can take its work folder away: what keeps it has ended
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

/** False where there is nothing by that name; of what is no folder the system says so, for it may be a link that leads to one. */
export async function hasInnerFolder(root: string, plain: string): Promise<boolean> {
  try {
    await using _folder = await openFolder(root, plain.split('/').filter(Boolean), undefined);
    return true;
  } catch (thrown) {
    return codeOf(thrown) !== 'ENOENT';
  }
}

/** Lets the owner into a work folder that a program has closed to everybody: it is the sandbox's, and what is done there has to go on. */
export async function keepOpen(root: string): Promise<void> {
  const found = await stat(root).catch(() => undefined); // where it is gone, the call itself says so
  if (found !== undefined && (found.mode & ownersRights) !== ownersRights)
    await chmod(root, found.mode | ownersRights);
}

const ownersRights = 0o700;

/** What the system says of a name that is not there, or of which a program made something else than a file that can be read. */
const isNoFile = (code: string | undefined): boolean =>
  code !== undefined && ['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO', 'EACCES'].includes(code);

/** The bytes of a file below `root`; undefined where there is none that can be read. */
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
  const bytes = new Uint8Array(kind.size + 1); // a program may make it longer meanwhile
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

/** Writes a file below `root`, with the folders above it, for `owner`: whole or not at all. What stands under its name and is no file is left alone. */
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
  throw impossible('file', `${given}: ${found.isSymbolicLink() ? inTheWay : 'it is no file'}`);
}

async function writeFresh(place: string, content: Uint8Array, owner: Owner): Promise<void> {
  await using file = await open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644);
  await file.chown(owner.uid, owner.gid);
  await file.writeFile(content);
}

/** What there is below a folder: regular files with their bytes and whether they may be run, and folders; links and the rest are left out. */
export type Tree = readonly (
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string; readonly content: Uint8Array; readonly mode: number }
)[];

/** Folders within folders that a snapshot keeps. */
const deepest = 100;

/** @throws UsageError for what cannot be kept, and where all files have more than `maxBytes`; the reason of the signal */
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

/** What a tree takes of a file system in memory: whole pages for what is in its files, and a place for each. */
export function bytesForTree(tree: Tree): number {
  return bytesInPages(tree.map((entry) => (entry.kind === 'file' ? entry.content.byteLength : 0)));
}

/** @throws FaultError where it cannot be written; the reason of the signal */
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
