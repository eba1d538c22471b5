import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../core/errors.ts';

/** Pages by the MiniWoB++ convention in a folder. */
export interface PageFolder {
  /** What is given out: the folder that holds their core scripts' folder. */
  readonly root: string;
  /** In the order of their names. */
  readonly pages: readonly FolderPage[];
  /** SHA-256 over the names and contents of all that is given out. */
  readonly digest: string;
  /** What looked like a page and is none, by why. */
  readonly passedOver: readonly PassedOver[];
}

export interface PassedOver {
  readonly why: string;
  readonly count: number;
}

export interface FolderPage {
  /** Of the file, without the ending; with its folders where two are called the same. */
  readonly name: string;
  /** Its address, from `/`. */
  readonly path: string;
}

const mostFiles = 20_000;
const mostBytes = 1024 ** 3;
/** With or without quotes, and what servers tell versions apart by. */
const coreScript = /<script[^>]+src\s*=\s*(["']?)([^"'>?#]*core\/core\.js)(?:[?#][^"'\s>]*)?\1[\s>]/i;
const isDocument = (file: string): boolean => /\.html?$/i.test(file);

/**
 * Finds the pages of a folder: documents that load `core/core.js`, which may stand beside the folder, as in the original, whose pages are in
 * `html/miniwob` and whose core is in `html/core`.
 *
 * @throws UsageError when the folder cannot be read, it has no pages, or a core script is missing
 */
export async function readPageFolder(folder: string, signal: AbortSignal): Promise<PageFolder> {
  const where = `pages ${folder}`;
  try {
    return await readPages(await realpath(folder), where, signal);
  } catch (thrown) {
    throw isFileError(thrown) ? unreadable(where, folder, thrown) : thrown;
  }
}

async function readPages(start: string, where: string, signal: AbortSignal): Promise<PageFolder> {
  const { files, links } = await filesIn(start, where);
  const documents = files.filter(isDocument);
  const found: { readonly file: string; readonly core: string }[] = [];
  for (const file of documents) {
    signal.throwIfAborted();
    const core = coreScript.exec(await readFile(file, 'utf8'))?.[2];
    if (core !== undefined) found.push({ file, core: path.resolve(path.dirname(file), core) });
  }
  const [first] = found;
  if (first === undefined) {
    throw new UsageError({ where, what: `none of its ${documents.length} documents loads a core/core.js.`, mend: 'Name a folder with pages by the MiniWoB++ convention, such as html/miniwob of the original.' });
  }
  const root = await realpath(path.dirname(path.dirname(first.core))).catch(() => path.dirname(path.dirname(first.core)));
  for (const { file, core } of found) await assertCore(file, core, root);
  const passedOver = [
    { why: 'documents that load no core/core.js, passed over', count: documents.length - found.length },
    { why: 'links to documents, which are not followed, passed over', count: links.filter(isDocument).length },
  ].filter(({ count }) => count > 0);
  return { root, pages: named(found.map(({ file }) => file), root), digest: await digestOf(root, where, signal), passedOver };
}

const isFileError = (thrown: unknown): thrown is NodeJS.ErrnoException => thrown instanceof Error && 'syscall' in thrown && 'code' in thrown;

/** What a file system said of the folder, or of something in it. */
function unreadable(where: string, folder: string, thrown: NodeJS.ErrnoException): UsageError {
  const place = thrown.path ?? folder;
  const what = { ENOENT: 'is not there, or is a link to nothing', ENOTDIR: 'is a file, or is looked for in one, and a folder is wanted', ELOOP: 'is a link that leads back to itself', EACCES: 'may not be read', EPERM: 'may not be read' }[thrown.code ?? ''];
  const isItself = place === folder;
  return new UsageError(
    { where, what: `${isItself ? 'it' : place} ${what ?? `cannot be read (${thrown.message})`}.`, mend: isItself ? 'Name the folder that holds the pages.' : 'Mend it or take it out, or name another folder of pages.' },
    { cause: thrown },
  );
}

async function assertCore(file: string, core: string, root: string): Promise<void> {
  const isThere = await stat(core).then((stats) => stats.isFile(), () => false);
  if (!isThere) throw new UsageError({ where: `page ${file}`, what: `its script ${core} is not there.`, mend: 'Keep the folder of pages beside its core, as it was published.' });
  if (path.dirname(path.dirname(core)) === root && file.startsWith(root + path.sep)) return;
  throw new UsageError({ where: `page ${file}`, what: `its core is not the one of the other pages, in ${root}.`, mend: 'Name one folder of pages with one core at a time.' });
}

function named(files: readonly string[], root: string): readonly FolderPage[] {
  const bare = (file: string): string => path.basename(file).replace(/\.html?$/i, '');
  const counts = new Map<string, number>();
  for (const file of files) counts.set(bare(file), (counts.get(bare(file)) ?? 0) + 1);
  const pages = files.map((file) => {
    const within = path.relative(root, file).split(path.sep);
    const name = counts.get(bare(file)) === 1 ? bare(file) : within.join('/').replace(/\.html?$/i, '');
    return { name, path: `/${within.map(encodeURIComponent).join('/')}` };
  });
  return pages.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** All files below a folder, by path, and its links, which are left alone: nothing outside is given out. */
async function filesIn(folder: string, where: string): Promise<{ readonly files: readonly string[]; readonly links: readonly string[] }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = (kept: readonly (typeof entries)[number][]): readonly string[] => kept.map((entry) => path.join(entry.parentPath, entry.name)).toSorted();
  const files = paths(entries.filter((entry) => entry.isFile()));
  if (files.length <= mostFiles) return { files, links: paths(entries.filter((entry) => entry.isSymbolicLink())) };
  throw new UsageError({ where, what: `there are ${files.length} files in ${folder}; at most ${mostFiles} are read.`, mend: 'Name a folder that holds the pages and their core alone.' });
}

async function digestOf(root: string, where: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const file of (await filesIn(root, where)).files) {
    signal.throwIfAborted();
    const content = await readFile(file);
    bytes += content.length;
    if (bytes > mostBytes) throw new UsageError({ where, what: `${root} holds more than 1 GiB.`, mend: 'Name a folder that holds the pages and their core alone.' });
    hash.update(`${path.relative(root, file).split(path.sep).join('/')}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
