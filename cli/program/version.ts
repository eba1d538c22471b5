import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { codeOf } from '../../envs/core/errors.ts';

const packageSchema = z.object({ name: z.string(), version: z.string() });

/** This package's version, whether it runs from its sources or from its build, one folder deeper. */
export function readVersion(): string {
  for (const place of ['../../package.json', '../../../package.json']) {
    try {
      const parsed = packageSchema.parse(JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')));
      if (parsed.name === 'cairn-gym') return parsed.version;
    } catch (thrown) {
      if (codeOf(thrown) !== 'ENOENT') throw thrown;
    }
  }
  throw new Error('the package.json of cairn-gym is not where it belongs; install the package again');
}
