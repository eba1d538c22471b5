import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import { UsageError } from '../../envs/core/errors.ts';
import { describeReadError } from '../../envs/core/user-file.ts';

const specifiers = /\b(?:from|import|require)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]*)\1/g;

/**
 * `sha256:` and the digest of a user's module: of its content or, if it imports files by relative paths, of
 * all their contents and relative paths. Packages are not included.
 */
export async function fingerprintModule(path: string, where: string): Promise<string> {
  const digests = new Map<string, string>();
  // only jiti decides which file a path means, because it imports them
  const jiti = createJiti(path, { fsCache: false });
  const open = [path];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (digests.has(file)) continue;
    const text = await read(file, where);
    digests.set(file, digestOf(text));
    for (const [, , target = ''] of text.matchAll(specifiers)) {
      const found = jiti.esmResolve(resolve(dirname(file), target), {
        parentURL: pathToFileURL(file),
        try: true,
      });
      if (found !== undefined && found !== '') open.push(fileURLToPath(found));
    }
  }
  const [own = ''] = digests.values();
  if (digests.size === 1) return `sha256:${own}`;
  const lines = [...digests].map(
    ([file, digest]) => `${relative(dirname(path), file).replaceAll('\\', '/')} ${digest}`,
  );
  return `sha256:${digestOf(lines.toSorted().join('\n'))}`;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

async function read(file: string, where: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    throw new UsageError(
      {
        where,
        what: `${file} cannot be read: ${describeReadError(thrown)}.`,
        fix: 'Give the path of a TypeScript or JavaScript file.',
      },
      { cause: thrown },
    );
  }
}
