import { join, resolve } from 'node:path';
import { isPromptFile } from '../../../agents/prompt/load-prompt.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { canonicalJson, type Json } from '../../../envs/core/json.ts';
import type { RunFolder } from '../../run/open-run.ts';
import { userFilesOf } from '../../run/user-files.ts';
import { trainConfigSchema, type TrainConfig } from '../../config/config.ts';
import { startVersion } from '../../run/lineage.ts';
import { panelsOf, type TrainingSetup } from '../setup/training-setup.ts';

/**
 * Refuses to resume a run in an env that differs from its own: other tasks in a panel, a policy with other
 * traits, another backend, another configuration, a changed file of the user's, or other initial weights.
 * Other versions are only reported. What an older version did not record is not compared. @throws UsageError
 */
export function assertSameRun(run: RunFolder, setup: TrainingSetup): void {
  const { document } = run;
  const refuse = (what: string): never => {
    throw new UsageError({
      where: `run ${run.folder}`,
      what,
      fix: `Resume with what the run was started with (cairn-gym ${document.versions['cairn-gym']}), or start a new run with --config ${join(run.folder, 'config.json')}.`,
    });
  };
  const config = trainConfigSchema.safeParse(document.config);
  if (!config.success || configText(config.data) !== configText(setup.config)) {
    refuse('it was started with another configuration.');
  }
  const here = new Map(panelsOf(setup).map((panel) => [panel.name, panel.fingerprint]));
  for (const name of new Set([...Object.keys(document.panels), ...here.keys()])) {
    const [began, now] = [document.panels[name]?.fingerprint, here.get(name)];
    if (began !== now)
      refuse(
        `the tasks of its panel ${name} have changed: it was started with ${began ?? 'none'}, and now it has ${now ?? 'none'}.`,
      );
  }
  const ofFiles = userFilesOf(document)
    .filter(({ kind }) => kind !== 'prompt') // a trait of its policy
    .map(({ noun, version }) => ({
      name: version,
      says: `the file of its ${noun}, or one that it imports,`,
    }));
  const ofStart = { name: startVersion, says: 'the folder of its initial weights' };
  for (const { name, says } of [
    ...setup.policy.traits,
    { name: 'backend', says: 'the tensor backend' },
    ...ofFiles,
    ofStart,
  ]) {
    const [began, now] = [document.versions[name], setup.versions[name]];
    if (began !== undefined && began !== now)
      refuse(`${says} has changed: the run was started with ${began}, and now it is ${now ?? 'unknown'}.`);
  }
}

/** Older versions recorded the path of a prompt file as it was given. */
function configText(config: TrainConfig | TrainingSetup['config']): string {
  const { policy } = config;
  if (policy.kind !== 'token' || policy.prompt === undefined || !isPromptFile(policy.prompt))
    return canonicalJson(config as Json);
  return canonicalJson({ ...config, policy: { ...policy, prompt: resolve(policy.prompt) } } as Json);
}
