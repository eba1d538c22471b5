import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root, run } from '../support/run-program.ts';
import type { Snippet } from '../support/snippets.ts';

export interface CompiledSnippets extends AsyncDisposable {
  /** What the compiler reports, with document and line. */
  readonly errors: readonly string[];
  /** The program of a snippet, in a folder of its document. */
  readonly programOf: (snippet: Snippet) => string;
  /** The folder of a document, with the examples in it. */
  readonly folderOf: (document: string) => Promise<string>;
}

/**
 * Compiles all snippets in one run. Their folder is within the repository, so that `cairn-gym` is the build in `dist`. Beside the snippets of
 * a document stand the examples, which they may import.
 */
export async function compileSnippets(snippets: readonly Snippet[]): Promise<CompiledSnippets> {
  const within = path.join(root, 'runs'); // which git ignores
  await mkdir(within, { recursive: true });
  const folder = await mkdtemp(path.join(within, 'snippets-'));
  const examples = (await readdir(path.join(root, 'examples'))).filter((file) => file.endsWith('.ts'));
  const placeOf = (document: string): string =>
    path.join(folder, document.replace(/\.md$/, '').replaceAll('/', '-'));
  const folderOf = async (document: string): Promise<string> => {
    const place = placeOf(document);
    if (existsSync(place)) return place;
    await mkdir(place);
    for (const file of examples) await copyFile(path.join(root, 'examples', file), path.join(place, file));
    return place;
  };
  const fileOf = ({ document, at, file }: Snippet): string =>
    path.join(placeOf(document), file ?? `line-${at.split(':')[1]}.ts`);
  const compiled = snippets.filter(({ use }) => use.kind !== 'quote');
  for (const snippet of compiled) {
    await folderOf(snippet.document);
    await writeFile(fileOf(snippet), snippet.code);
  }
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: {
      noEmit: false,
      allowJs: false,
      checkJs: false,
      outDir: '.',
      rootDir: '.',
      moduleDetection: 'force',
      noUnusedLocals: false,
      noPropertyAccessFromIndexSignature: false,
    },
    include: ['**/*.ts', path.join(root, 'test/support/ai-sdk.d.ts')],
    exclude: [],
  };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { out, err } = await run(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder });
  const places = new Map(compiled.map((snippet) => [path.relative(folder, fileOf(snippet)), snippet]));
  const errors = `${out}${err}`
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, file = '', row = '0', rest = ''] = /^([^(]+)\((\d+),\d+\): (.*)$/.exec(line) ?? [];
      const snippet = places.get(file);
      if (snippet === undefined) return line;
      return `${snippet.document}:${Number(snippet.at.split(':')[1]) + Number(row)}: ${rest}`;
    });
  return {
    errors,
    programOf: (snippet) => fileOf(snippet).replace(/\.ts$/, '.js'),
    folderOf,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
