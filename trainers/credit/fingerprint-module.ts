import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { messageOf, UsageError } from '../../envs/core/errors.ts';

const specifiers = /\b(?:from|import|require)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]*)\1/g;

/** What may be left out of, or stand for, the end of a path that is imported. */
const endings = ['', '.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js'];

/**
 * `sha256:` and the digest of a user's module: of its content or, where it imports files by relative paths, of theirs too, with their places
 * beside it. What comes from packages is not in it.
 */
export async function fingerprintModule(path: string, where: string): Promise<string> {
  const digests = new Map<string, string>();
  const open = [path];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (digests.has(file)) continue;
    const text = await read(file, where);
    digests.set(file, digestOf(text));
    for (const [, , target = ''] of text.matchAll(specifiers)) {
      const found = findImported(resolve(dirname(file), target));
      if (found !== undefined) open.push(found);
    }
  }
  const [own = ''] = digests.values();
  if (digests.size === 1) return `sha256:${own}`;
  const lines = [...digests].map(([file, digest]) => `${relative(dirname(path), file).replaceAll('\\', '/')} ${digest}`);
  return `sha256:${digestOf(lines.toSorted().join('\n'))}`;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

async function read(file: string, where: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    throw new UsageError({ where, what: `${file} cannot be read (${messageOf(thrown)}).`, mend: 'Give the path of a TypeScript or JavaScript file.' }, { cause: thrown });
  }
}

/** The file that an import means; a TypeScript file may be imported under the name of what it is compiled to. */
function findImported(path: string): string | undefined {
  const names = [...endings.map((ending) => `${path}${ending}`), path.replace(/\.([cm]?)js$/, '.$1ts')];
  return names.find((name) => statSync(name, { throwIfNoEntry: false })?.isFile() === true);
}
