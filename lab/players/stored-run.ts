import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { Lineage } from '../../trainers/results/lineage.ts';
import { policyFolder } from '../../trainers/run/checkpoint-names.ts';
import { refuseAdapter } from '../../trainers/run/find-model.ts';
import { lineageOf, readSettings, type TrainingSettings } from '../../trainers/run/lineage.ts';
import { optimiserFile } from '../../models/optimisation.ts';
import { weightsFileOf } from '../../trainers/policy/weights-file.ts';
import { findCheckpoint } from '../../trainers/run/checkpoint-store.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import { policyConfigSchema } from '../../trainers/policy/policy-config.ts';
import { readCheckpoint } from '../../trainers/run/read-checkpoint.ts';
import { readRunDocument, type RunDocument } from '../../trainers/run/run-document.ts';

/** What an evaluation reads of a run's configuration. */
const configSchema = z.object({
  env: z.string(),
  envConfig: z.record(z.string(), z.json()).default({}),
  seed: z.number(),
  temperature: z.number(),
  policy: policyConfigSchema.prefault({}),
  evaluation: z.object({ decoding: z.enum(['sampled', 'greedy']) }),
});

/** A checkpoint of a run, found whole, and what was trained in it. */
export interface StoredRun extends z.output<typeof configSchema> {
  /** Its absolute path. */
  readonly folder: string;
  /** Name of its folder. */
  readonly name: string;
  readonly checkpoint: string;
  /** What trained it. */
  readonly training: Lineage;
  /** With what it was trained. */
  readonly settings: TrainingSettings;
  /** Its recorded config and versions. */
  readonly document: Pick<RunDocument, 'versions' | 'config'>;
  /** That it used. */
  readonly panels: RunDocument['panels'];
  readonly identity: RunDocument['identity'];
  /** Where the weights of the policy are. */
  readonly weights: string;
  /** Of the file that holds them. */
  readonly weightsDigest: string;
}

/** @param which `last`, `best` or the name of a checkpoint */
export async function readStoredRun(folder: string, which: string): Promise<StoredRun> {
  await refuseAdapter(folder, { named: folder, where: folder });
  const { config, versions, panels, identity } = await readRunDocument(folder);
  const parsed = configSchema.safeParse(config);
  if (!parsed.success) {
    throw new UsageError({
      where: `config of ${folder}`,
      what: `it is not that of a training run: ${describeIssues(parsed.error)}.`,
      fix: 'Give the folder of a run that `cairn-gym train` made.',
    });
  }
  const found = await findCheckpoint(runPaths(folder).checkpoints, which);
  const file = `${policyFolder}/${weightsFileOf(parsed.data.policy)}`;
  const unneeded = `${policyFolder}/${optimiserFile}`;
  const { files } = await readCheckpoint(found.folder, { needs: (name) => name !== unneeded }); // what is played is what was written
  const written = files[file];
  if (written === undefined) {
    throw new UsageError({
      where: `checkpoint ${found.folder}`,
      what: `it lists no ${file}, which playing needs.`,
      fix: 'Use another checkpoint.',
    });
  }
  const place = { folder: resolve(folder), name: basename(resolve(folder)), checkpoint: found.name };
  const training = lineageOf(
    { config, versions },
    { name: place.name, seed: parsed.data.seed, checkpoint: found.name, iteration: found.manifest.iteration },
  );
  return {
    ...parsed.data,
    ...place,
    training,
    settings: readSettings({ config, versions }, `config of ${folder}`),
    document: { config, versions },
    panels,
    identity,
    weights: join(found.folder, policyFolder),
    weightsDigest: `sha256:${written.sha256}`,
  };
}
