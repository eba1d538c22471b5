import { resolve } from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';
import type { RunDocument } from '../../trainers/run/run-document.ts';
import { envModulesOf, findChangedFiles, type ChangedFile } from '../../trainers/run/user-files.ts';

/** A run whose environments may be a user's. */
export interface RunOfModules {
  /** As errors name it. */
  readonly folder: string;
  readonly document: Pick<RunDocument, 'versions' | 'config'>;
}

/** The env modules that runs need, and how they differ from what the runs recorded. */
export interface ModulesOfRuns {
  /** The named modules, or else those that the runs record. */
  readonly files: readonly string[];
  readonly changes: readonly (ChangedFile & { readonly folder: string })[];
}

/**
 * Finds the env modules of runs. Nothing of them is imported.
 * @param named the modules of the command line, which replace those that the runs record
 */
export async function findModulesOfRuns(
  named: readonly string[],
  runs: readonly RunOfModules[],
): Promise<ModulesOfRuns> {
  const found = runs.map(({ folder, document }) => {
    const recorded = envModulesOf(document);
    const moved = named.length === recorded.length;
    const files = recorded.map((each, at) => ({
      ...each,
      file: moved ? resolve(named[at] ?? each.file) : each.file,
    }));
    return { folder, recorded, files: named.length === 0 || moved ? files : [] };
  });
  const changes = await Promise.all(
    found.map(async ({ folder, files }) =>
      (await findChangedFiles(files)).map((change) => ({ ...change, folder })),
    ),
  );
  const recorded = found.flatMap((each) => each.recorded.map(({ file }) => file));
  return { files: named.length > 0 ? named : [...new Set(recorded)], changes: changes.flat() };
}

/** Refuses a module that is missing. @throws UsageError that says how to name it */
export function assertModulesThere({ changes }: ModulesOfRuns): void {
  const missing = changes.find(({ isMissing }) => isMissing);
  if (missing === undefined) return;
  throw new UsageError({
    where: `run ${missing.folder}`,
    what: missing.what,
    fix: 'Name the file where it is now, with --env-module FILE.',
  });
}

/** One line for each change, for people. */
export const describeModuleChanges = ({ changes }: ModulesOfRuns): readonly string[] =>
  changes.map(({ folder, what }) => `run ${folder}: ${what}`);
