import { join, resolve } from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';
import { adapterConfigFile } from '../../models/token/adapter-files.ts';
import { exists } from '../../models/token/checkpoint.ts';
import { manifestName } from './checkpoint-manifest.ts';
import { findCheckpoint } from './checkpoint-store.ts';
import { runPaths } from './open-run.ts';
import { configName, readRunDocument } from './run-document.ts';
import { cloningName, policyFolder } from './checkpoint-names.ts';

/** Runs have this folder, models do not. */
const runMark = 'checkpoints';

/**
 * The absolute folder of named weights; for a run, of its newest checkpoint.
 * @throws UsageError if the run is in its warm start, whose checkpoint is temporary
 */
export async function findWeights(named: string): Promise<string> {
  if (await exists(join(named, manifestName))) return resolve(named, policyFolder);
  if (!(await exists(join(named, runMark)))) return resolve(named);
  await readRunDocument(named);
  const { folder, name } = await findCheckpoint(runPaths(named).checkpoints, 'last');
  if (name !== cloningName) return resolve(folder, policyFolder);
  throw new UsageError({
    where: `policy.model, ${named}`,
    what: 'the warm start of that run is not over, and its weights are temporary.',
    fix: `Let it finish (\`npx cairn-gym train --resume ${named}\` if it was interrupted), or name a copy of ${join(folder, policyFolder)}.`,
  });
}

/** Refuses an adapter folder as a model. @throws UsageError */
export async function refuseAdapter(
  folder: string,
  { named, where }: { readonly named: string; readonly where: string },
): Promise<void> {
  if (!(await exists(join(folder, adapterConfigFile)))) return;
  throw new UsageError({
    where,
    what: 'it is an adapter, not a complete model.',
    fix: `Merge it into its base model with \`npx cairn-gym model merge ${named} --out FOLDER\`, and name that folder.`,
  });
}

/**
 * The absolute folder of the model that a config names.
 * @param where name in errors
 * @throws UsageError if it is neither a model nor a run that trained a whole one
 */
export async function findModelFolder(named: string, where = `policy.model, ${named}`): Promise<string> {
  const model = await findWeights(named);
  await refuseAdapter(model, { named, where });
  if (model === resolve(named) || (await exists(join(model, configName)))) return model;
  throw new UsageError({
    where,
    what: 'the run trained no language model.',
    fix: 'Name a run of `cairn-gym sft` or of `cairn-gym train --policy token`, or the folder of a checkpoint.',
  });
}
