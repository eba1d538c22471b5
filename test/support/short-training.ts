import path from 'node:path';
import { expect } from 'vitest';
import type { z } from 'zod';
import { metricsLineSchema } from '../../trainers/run/metrics-schema.ts';
import { readJsonl } from '../../files/read-jsonl.ts';
import { spawnCairn } from './run-program.ts';

type Evaluation = Extract<z.output<typeof metricsLineSchema>, { readonly kind: 'evaluation' }>;

/** Trains by the built command on wasm into the folder `run`, and gives the evaluations in their order. */
export async function trainShortly(
  run: string,
  words: readonly string[],
  changes: readonly string[],
): Promise<readonly Evaluation[]> {
  const { code, err } = await spawnCairn([
    'train',
    ...words,
    '--backend',
    'wasm',
    '--quiet',
    ...changes.flatMap((change) => ['--with', change]),
    '--run',
    run,
  ]);
  expect(code, err).toBe(0);
  const { lines } = await readJsonl(path.join(run, 'metrics.jsonl'), metricsLineSchema);
  return lines.filter((line) => line.kind === 'evaluation');
}
