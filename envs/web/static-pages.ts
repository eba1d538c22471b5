import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../core/errors.ts';
import { plainAnswer, type PageHandler } from '../engines/browser/page/page-handler.ts';
import { isGiven, type PageFolder } from './page-folder.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.htm': 'text/html; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/** Bytes of the largest served file. Pages with larger ones are not for agents. */
const largestFile = 16 * 1024 * 1024;

/**
 * Serves files of a folder, and nothing else. Neither a path nor a link leads out of it, nor to a name that
 * starts with a dot.
 *
 * @param given the served subfolders, by path from the folder; the whole folder by default
 * @throws UsageError when the folder does not exist
 */
export async function staticPages(folder: string, given: readonly string[] = ['']): Promise<PageHandler> {
  const root = await realpath(folder).catch((thrown: unknown) => {
    throw new UsageError(
      {
        where: `pages ${folder}`,
        what: 'there is no such folder.',
        fix: 'Name the folder that holds the pages and their core scripts.',
      },
      { cause: thrown },
    );
  });
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return plainAnswer(405, 'Pages are only read.');
    const wanted = pathWithin(root, new URL(request.url).pathname);
    if (wanted === undefined) return notThere();
    return answer({ root, given }, wanted);
  };
}

const notThere = (): Response => plainAnswer(404, 'There is no such page.');

/** The file of an address; undefined where it can have none. */
function pathWithin(root: string, address: string): string | undefined {
  try {
    const decoded = decodeURIComponent(address);
    if (decoded.includes('\0') || decoded.includes('\\')) return undefined;
    const file = path.join(root, decoded);
    return isWithin(root, file) ? file : undefined;
  } catch {
    return undefined; // the address cannot be decoded
  }
}

const isWithin = (root: string, file: string): boolean =>
  file.startsWith(root.endsWith(path.sep) ? root : root + path.sep);

async function answer(
  { root, given }: Pick<PageFolder, 'root' | 'given'>,
  wanted: string,
): Promise<Response> {
  try {
    const file = await realpath(wanted);
    if (!isWithin(root, file) || ![wanted, file].every((each) => isGiven(given, path.relative(root, each))))
      return notThere();
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe would block
    const stats = await handle.stat();
    if (!stats.isFile()) return notThere();
    if (stats.size > largestFile)
      return plainAnswer(413, `The file has ${stats.size} bytes; at most ${largestFile} are given out.`);
    const type = contentTypes[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
    return new Response(await handle.readFile(), { headers: { 'content-type': type } });
  } catch (thrown) {
    if (
      thrown instanceof Error &&
      'code' in thrown &&
      typeof thrown.code === 'string' &&
      notThereCodes.has(thrown.code)
    )
      return notThere();
    throw thrown;
  }
}

/**
 * Missing file, a file in place of a folder, an impossible name, a link to itself, a file without read
 * permission.
 */
const notThereCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES']);
