import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { CreditModule } from './credit-module.ts';

/** One small change to the source of a formula, and the check that must notice it. */
export interface Mutation {
  readonly name: string;
  /** File of `trainers/credit`. */
  readonly file: string;
  /** Text that stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Name of a check that turns red. */
  readonly red: string;
}

const creditFolder = fileURLToPath(new URL('../../../trainers/credit/', import.meta.url));

const entry = `
  import { createCreditEstimator } from './create-credit-estimator.ts';
  export { createCreditEstimator };
  export const createGigpo = (options) => createCreditEstimator({ kind: 'gigpo', ...options });
  export const createGrpo = (options) => createCreditEstimator({ kind: 'grpo', ...options });
  export { anchorStatistics } from './parts/anchor-statistics.ts';
  export { numberExactly } from './parts/key-numbering.ts';
  export { isSimilar, prepareText, similarityRatio } from './parts/sequence-matcher.ts';
`;

/** The credit module as it is, or with one mutation, freshly built from source and loaded beside the real one. */
export async function loadCredit(mutation?: Mutation): Promise<CreditModule> {
  const mutated = new Set<string>();
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: creditFolder, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    plugins: [shareZod, ...(mutation === undefined ? [] : [mutate(mutation, mutated)])],
  });
  if (mutation !== undefined && mutated.size !== 1) throw new Error(`the build never read ${mutation.file}`);
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error('esbuild made nothing');
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-mutant-'));
  try {
    const file = path.join(folder, 'credit.mjs');
    await writeFile(file, bundle.text);
    // Same source but for one expression, so the types are those of the real module.
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as CreditModule;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Imports the installed zod. Bundling it each time would cost more than all the rest. */
const shareZod: Plugin = {
  name: 'share-zod',
  setup(setup) {
    const installed = pathToFileURL(createRequire(import.meta.url).resolve('zod')).href;
    setup.onResolve({ filter: /^zod$/ }, () => ({ path: installed, external: true }));
  },
};

function mutate({ file, find, replace }: Mutation, mutated: Set<string>): Plugin {
  const target = path.join(creditFolder, file);
  return {
    name: 'mutate',
    setup(setup) {
      setup.onLoad({ filter: /\.ts$/ }, async (source) => {
        if (source.path !== target) return undefined;
        const text = await readFile(target, 'utf8');
        const pieces = text.split(find);
        if (pieces.length !== 2) throw new Error(`"${find}" stands ${pieces.length - 1} times in ${file}`);
        mutated.add(file);
        return { contents: pieces.join(replace), loader: 'ts' };
      });
    },
  };
}
