import { join } from 'node:path';
import { UsageError } from '../../../envs/core/errors.ts';
import { canonicalJson, type Json } from '../../../envs/core/json.ts';
import { curriculumKind } from '../../curriculum/open-curriculum.ts';
import { objectivePlugin } from '../../update/open-objective.ts';
import { evidencePlugin } from '../../critics/open-evidence.ts';
import { creditVersions } from '../../credit/credit-name.ts';
import type { RunFolder } from '../../run/open-run.ts';
import { trainConfigSchema } from '../../config/config.ts';
import { startVersion } from '../../run/lineage.ts';
import { panelsOf, type TrainingSetup } from '../setup/training-setup.ts';

/**
 * Refuses to resume a run in an env that differs from its own: other tasks in a panel, a policy with other
 * traits, another backend, another configuration, a changed file of the user's estimator, or other initial
 * weights. Other versions are only reported. What an older version did not record is not compared. @throws
 * UsageError
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
  if (!config.success || canonicalJson(config.data as Json) !== canonicalJson(setup.config as Json)) {
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
  const ofCredit = {
    name: creditVersions.file,
    says: 'the file of its credit estimator, or one that it imports,',
  };
  const ofCurriculum = {
    name: curriculumKind.fileVersion,
    says: 'the file of its curriculum, or one that it imports,',
  };
  const ofObjective = {
    name: objectivePlugin.fileVersion,
    says: 'the file of its objective, or one that it imports,',
  };
  const ofEvidence = Object.keys(document.versions)
    .filter((name) => name.startsWith(evidencePlugin.fileVersion))
    .map((name) => ({ name, says: 'the file of a source of evidence, or one that it imports,' }));
  const ofStart = { name: startVersion, says: 'the folder of its initial weights' };
  for (const { name, says } of [
    ...setup.policy.traits,
    { name: 'backend', says: 'the tensor backend' },
    ofCredit,
    ofCurriculum,
    ofObjective,
    ...ofEvidence,
    ofStart,
  ]) {
    const [began, now] = [document.versions[name], setup.versions[name]];
    if (began !== undefined && began !== now)
      refuse(`${says} has changed: the run was started with ${began}, and now it is ${now ?? 'unknown'}.`);
  }
}
