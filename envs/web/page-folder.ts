import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../core/errors.ts';

/** A folder of pages by the MiniWoB++ convention. */
export interface PageFolder {
  /** The folder that addresses start at: the parent of the core scripts' folder. */
  readonly root: string;
  /**
   * The served folders, by path from the root: that of the pages, that of their core, and those beside it
   * that their scripts, links and styles name. The whole root where it is within the folder.
   */
  readonly given: readonly string[];
  /** In the order of their names. */
  readonly pages: readonly FolderPage[];
  /** SHA-256 over the names and contents of all served files. */
  readonly digest: string;
  /** Files that look like pages and are none, by reason. */
  readonly passedOver: readonly PassedOver[];
}

export interface PassedOver {
  readonly why: string;
  readonly count: number;
}

export interface FolderPage {
  /** The name of the file without its ending; with its folders where two have the same name. */
  readonly name: string;
  /** Its address, from `/`. */
  readonly path: string;
}

const mostFiles = 20_000;
const mostBytes = 1024 ** 3;
/** With or without quotes, and with a version query. */
const coreScript = /<script[^>]+src\s*=\s*(["']?)([^"'>?#]*core\/core\.js)(?:[?#][^"'\s>]*)?\1[\s>]/i;
/** Matches what scripts, links, pictures and styles of a document name above its folder. */
const namedAbove =
  /(?:\b(?:src|href)\s*=\s*["']?|\burl\(\s*["']?|@import\s+["'])((?:\.\.\/)+[^"'()?#\s>]*)/gi;
/** Files that name others. */
const isNaming = (file: string): boolean => /\.(?:html?|css)$/i.test(file);
const isDocument = (file: string): boolean => /\.html?$/i.test(file);

/**
 * Finds the pages of a folder: documents that load `core/core.js`. The core may be beside the folder, as in
 * the original, whose pages are in `html/miniwob` and whose core is in `html/core`.
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
  const above = new Set<string>();
  for (const file of files.filter(isNaming)) {
    signal.throwIfAborted();
    const text = await readFile(file, 'utf8');
    const core = isDocument(file) ? coreScript.exec(text)?.[2] : undefined;
    if (core !== undefined) found.push({ file, core: path.resolve(path.dirname(file), core) });
    for (const [, address = ''] of text.matchAll(namedAbove))
      above.add(path.resolve(path.dirname(file), address));
  }
  const [first] = found;
  if (first === undefined) {
    throw new UsageError({
      where,
      what: `none of its ${documents.length} documents loads a core/core.js.`,
      fix: 'Name a folder with pages by the MiniWoB++ convention, such as html/miniwob of the original.',
    });
  }
  const root = await realpath(path.dirname(path.dirname(first.core))).catch(() =>
    path.dirname(path.dirname(first.core)),
  );
  for (const { file, core } of found) await assertCore(file, core, root);
  const passedOver = [
    { why: 'documents that load no core/core.js, passed over', count: documents.length - found.length },
    {
      why: 'links to documents, which are not followed, passed over',
      count: links.filter(isDocument).length,
    },
  ].filter(({ count }) => count > 0);
  const given = givenFrom(root, start, above);
  return {
    root,
    given,
    pages: named(
      found.map(({ file }) => file),
      root,
    ),
    digest: await digestOf({ root, given }, where, signal),
    passedOver,
  };
}

/** Files in the root itself are served only with the whole root. */
function givenFrom(root: string, start: string, above: ReadonlySet<string>): readonly string[] {
  const within = path.relative(root, start);
  if (within === '' || within.startsWith('..')) return [''];
  const beside = [...above].flatMap((file) => {
    const [folder = '', inner] = path.relative(root, file).split(path.sep);
    return inner === undefined || folder === '..' || folder === within.split(path.sep)[0] ? [] : [folder];
  });
  return [...new Set([within, 'core', ...beside])].toSorted();
}

/**
 * Whether a file, by its path from the root, is in a served folder. Names that start with a dot are never
 * served.
 */
export const isGiven = (given: readonly string[], file: string): boolean =>
  !file.split(path.sep).some((part) => part.startsWith('.')) &&
  given.some((folder) => folder === '' || file.startsWith(folder + path.sep));

const isFileError = (thrown: unknown): thrown is NodeJS.ErrnoException =>
  thrown instanceof Error && 'syscall' in thrown && 'code' in thrown;

/** The error for a failure of the file system on the folder, or on something in it. */
function unreadable(where: string, folder: string, thrown: NodeJS.ErrnoException): UsageError {
  const place = thrown.path ?? folder;
  const what = {
    ENOENT: 'is not there, or is a link to nothing',
    ENOTDIR: 'is a file, or is looked for in one, and a folder is wanted',
    ELOOP: 'is a link that leads back to itself',
    EACCES: 'may not be read',
    EPERM: 'may not be read',
    ENAMETOOLONG: 'has a name that is too long for the file system',
  }[thrown.code ?? ''];
  const isItself = place === folder;
  return new UsageError(
    {
      where,
      what: `${isItself ? 'it' : place} ${what ?? `cannot be read (${thrown.message})`}.`,
      fix: isItself
        ? 'Name the folder that holds the pages.'
        : 'Fix it or remove it, or name another folder of pages.',
    },
    { cause: thrown },
  );
}

async function assertCore(file: string, core: string, root: string): Promise<void> {
  const isThere = await stat(core).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (!isThere)
    throw new UsageError({
      where: `page ${file}`,
      what: `its script ${core} is missing.`,
      fix: 'Keep the folder of pages beside its core, as it was published.',
    });
  if (path.dirname(path.dirname(core)) === root && file.startsWith(root + path.sep)) return;
  throw new UsageError({
    where: `page ${file}`,
    what: `its core is not that of the other pages, in ${root}.`,
    fix: 'Name a single folder of pages with one core.',
  });
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

/** All files below a folder, by path, and its links. Links are not followed: nothing outside is served. */
async function filesIn(
  folder: string,
  where: string,
): Promise<{ readonly files: readonly string[]; readonly links: readonly string[] }> {
  const [files, links]: [string[], string[]] = [[], []];
  const folders = [folder];
  for (let within = folders.pop(); within !== undefined; within = folders.pop()) {
    for (const entry of await readdir(within, { withFileTypes: true })) {
      const place = path.join(within, entry.name);
      if (entry.isDirectory()) folders.push(place);
      else if (entry.isFile()) files.push(place);
      else if (entry.isSymbolicLink()) links.push(place);
    }
    if (files.length > mostFiles)
      throw new UsageError({
        where,
        what: `there are more than ${mostFiles} files in ${folder}.`,
        fix: 'Name a folder that contains only the pages and their core.',
      });
  }
  return { files: files.toSorted(), links: links.toSorted() };
}

async function digestOf(
  { root, given }: Pick<PageFolder, 'root' | 'given'>,
  where: string,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  const files: string[] = [];
  for (const folder of given) files.push(...(await filesIn(path.join(root, folder), where)).files);
  for (const file of files.toSorted()) {
    signal.throwIfAborted();
    if (!isGiven(given, path.relative(root, file))) continue;
    const content = await readFile(file);
    bytes += content.length;
    if (bytes > mostBytes)
      throw new UsageError({
        where,
        what: `${given.map((folder) => path.join(root, folder)).join(' and ')} hold more than 1 GiB.`,
        fix: 'Name a folder that contains only the pages and their core.',
      });
    hash
      .update(`${path.relative(root, file).split(path.sep).join('/')}\0${content.length}\0`)
      .update(content);
  }
  return hash.digest('hex');
}
