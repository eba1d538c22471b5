import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { codeOf } from '../../envs/core/errors.ts';

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});
type Package = z.output<typeof packageSchema>;

/** This package: its folder and its package.json, whether it runs from its sources or from its build, one folder deeper. */
export function readPackage(): { readonly root: URL; readonly manifest: Package } {
  for (const place of ['../../package.json', '../../../package.json']) {
    const file = new URL(place, import.meta.url);
    try {
      const manifest = packageSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      if (manifest.name === 'cairn-gym') return { root: new URL('.', file), manifest };
    } catch (thrown) {
      if (codeOf(thrown) !== 'ENOENT') throw thrown;
    }
  }
  throw new Error('the package.json of cairn-gym is not where it belongs; install the package again');
}
