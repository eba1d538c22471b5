import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Json } from '../../envs/core/json.ts';
import { parseResult } from '../../trainers/results/parse-result.ts';
import type { EvaluationResult } from '../../trainers/results/result.ts';
import { poolSeeds } from '../../trainers/results/summarise.ts';
import { metricsLineSchema, type EvaluationLine } from '../../trainers/run/metrics-schema.ts';
import { readJsonl } from '../../files/read-jsonl.ts';
import { readRunDocument } from '../../trainers/run/run-document.ts';

/** One training of a study. */
export interface StudyRun {
  readonly variant: string;
  readonly seed: number;
  readonly folder: string;
}

const usageSchema = z.strictObject({
  /** Of all threads, by the system's count. */
  processorSeconds: z.number(),
  seconds: z.number(),
  /** Load of the machine when it began. */
  load: z.number(),
  /** Of what was trained with; not there in folders of earlier studies. */
  commit: z.string().optional(),
});

/** What a training took. */
export type Usage = Readonly<z.output<typeof usageSchema>>;

/** A training with what its folder says of it. */
export interface StoredRun extends StudyRun {
  /** What it was trained with, its seed and the folder of its model apart. */
  readonly settings: Json;
  /** On `dev`, in their order. */
  readonly evaluations: readonly EvaluationLine[];
  /** Of all players on held-out panels, at the end. */
  readonly results: readonly EvaluationResult[];
  readonly usage: Usage | undefined;
}

/** Where the study puts down what a training took, beside what the training wrote. */
export const usageFile = (folder: string): string => path.join(folder, 'usage.json');

/** Reads the folder of a training that has ended. */
export async function readStoredRun(run: StudyRun): Promise<StoredRun> {
  const { lines } = await readJsonl(path.join(run.folder, 'metrics.jsonl'), metricsLineSchema);
  const results = path.join(run.folder, 'results');
  const files = (await readdir(results)).toSorted();
  const usage = await readFile(usageFile(run.folder), 'utf8').catch(() => undefined);
  const { config } = await readRunDocument(run.folder);
  const {
    seed: _seed,
    policy: { model: _folder, ...policy },
    ...others
  } = z
    .looseObject({ seed: z.number(), policy: z.looseObject({ model: z.string().optional() }) })
    .parse(config);
  const settings = { ...others, policy };
  return {
    ...run,
    settings: settings as Json, // a part of JSON
    evaluations: lines.filter((line) => line.kind === 'evaluation'),
    results: await Promise.all(
      files.map(async (file) =>
        parseResult(JSON.parse(await readFile(path.join(results, file), 'utf8')), file),
      ),
    ),
    usage: usage === undefined ? undefined : usageSchema.parse(JSON.parse(usage)),
  };
}

/** Success on `dev` over the training, by seed. */
export const successCurves = (runs: readonly StoredRun[]) => ({
  curveColumns: ['iteration', 'environmentSteps', 'success on dev'],
  curves: runs.map(({ seed, evaluations }) => ({
    seed,
    curve: evaluations.map(({ iteration, environmentSteps, success }) => [
      iteration,
      environmentSteps,
      success.rate,
    ]),
  })),
});

/** By agent what its results of all seeds come to, as `show` puts it; its intervals are over seeds and tasks. */
export function poolAgents(
  runs: readonly StoredRun[],
  show: (pooled: EvaluationResult, bySeed: readonly EvaluationResult[]) => unknown,
): Readonly<Record<string, unknown>> {
  const agents = [...new Set(runs.flatMap(({ results }) => results.map(({ agent }) => agent)))];
  const entries = agents.map((agent) => {
    const ofSeeds = runs.flatMap(({ seed, results }) =>
      results.filter((result) => result.agent === agent).map((result) => ({ seed, result })),
    );
    return [
      agent,
      show(
        poolSeeds(ofSeeds, { agent }),
        ofSeeds.map(({ result }) => result),
      ),
    ] as const;
  });
  return Object.fromEntries(entries);
}
