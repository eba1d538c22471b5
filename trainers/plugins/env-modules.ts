import { locateModule } from '../../envs/own-module.ts';
import { fingerprintModule } from './fingerprint-module.ts';

/** The key of a run's `versions` with the fingerprint of an env module, counted from 0. */
export const envModuleVersion = (at: number): string => `env-module-${at}`;

/** The key of a run's `versions` with earlier fingerprints of an env module whose change was accepted. */
export const earlierEnvModule = (at: number): string => `${envModuleVersion(at)}-earlier`;

/** The fingerprints of the env modules among recorded versions, in an order of their own. */
export const envModulesIn = (versions: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(versions)
    .flatMap(([key, value]) => (/^env-module-\d+$/.test(key) ? [value] : []))
    .toSorted();

/** Env modules as a run records them. */
export interface EnvModules {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** SHA-256 over each module and the files that it imports by relative paths. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Finds the files of env modules and fingerprints them. Imports nothing.
 * @param files paths, file URLs or names of installed packages
 * @throws UsageError for a module that does not exist
 */
export async function locateEnvModules(files: readonly string[]): Promise<EnvModules> {
  const located: string[] = [];
  const versions: Record<string, string> = {};
  for (const [at, file] of files.entries()) {
    const where = `env module "${file}"`;
    const path = locateModule(file, where);
    located.push(path);
    versions[envModuleVersion(at)] = await fingerprintModule(path, where);
  }
  return { files: located, versions };
}
