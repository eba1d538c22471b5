import { UsageError } from '../../envs/core/errors.ts';
import { canonicalJson, type Json } from '../../envs/core/json.ts';
import { readPanel } from '../../envs/core/task.ts';
import { parseEnvConfig } from '../../envs/open.ts';
import type { TrainedOn } from '../../trainers/evaluate/result.ts';
import type { Workbench } from '../../trainers/workbench.ts';
import type { StoredRun } from './stored-run.ts';

/** On what a run was trained, where that is not what is played here; undefined where both are the same. */
export function trainedOn(run: StoredRun, bench: Workbench): TrainedOn | undefined {
  const [panel, fingerprint] = smallestPanel(run) ?? [];
  const here = panel === undefined ? undefined : fingerprintHere(panel, bench);
  if (here !== undefined && here === fingerprint) return undefined; // it holds the env's id, what its config tells apart, and tasks
  const differences = differencesOf(...leavesToCompare(run, bench));
  if (differences.length > 0) return { env: run.env, differences };
  if (panel === undefined) return undefined;
  return { env: run.env, differences: [{ key: `the tasks of ${panel}`, trained: fingerprint, ...(here === undefined ? {} : { played: here }) }] };
}

/** Of the identities, where both are known: configs hold places of the machine, too. */
function leavesToCompare(run: StoredRun, bench: Workbench): readonly [trained: Leaves, played: Leaves] {
  const { identity } = bench.host;
  if (run.identity !== undefined && identity !== undefined) return [leavesOf(run.identity), leavesOf(identity)];
  return [leavesOf(trainedConfig(run, bench)), leavesOf(bench.envConfig)];
}

type Leaves = ReadonlyMap<string, Json>;

/** Of the panels that the run used: any of them tells envs apart, and the smallest is read the fastest. */
function smallestPanel({ panels }: StoredRun): readonly [string, string] | undefined {
  const [smallest] = Object.entries(panels).toSorted(([, one], [, other]) => one.tasks - other.tasks);
  return smallest === undefined ? undefined : [smallest[0], smallest[1].fingerprint];
}

/** The fingerprint that the panel, such as `dev` or `dev[0..128)`, has here; undefined where there is none like it. */
function fingerprintHere(panel: string, { definition, envConfig, host }: Workbench): string | undefined {
  const [, name = panel, limit] = /^(.*)\[0\.\.(\d+)\)$/.exec(panel) ?? [];
  try {
    return readPanel(host, { env: definition.id, config: envConfig, name, ...(limit === undefined ? {} : { limit: Number(limit) }) }).fingerprint;
  } catch (thrown) {
    if (UsageError.is(thrown)) return undefined;
    throw thrown;
  }
}

/** With the defaults filled in, as the config that is played has them; as it stands where the env takes it no more. */
function trainedConfig({ envConfig }: StoredRun, { definition }: Workbench): Json {
  try {
    return parseEnvConfig(definition, envConfig) as Json;
  } catch (thrown) {
    if (UsageError.is(thrown)) return envConfig;
    throw thrown;
  }
}

/** Every value that is no object, by its path. */
function leavesOf(value: Json, path = ''): Leaves {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[path, value]]);
  return new Map(Object.entries(value).flatMap(([name, part]) => [...leavesOf(part, path === '' ? name : `${path}.${name}`)]));
}

function differencesOf(trained: Leaves, played: Leaves): TrainedOn['differences'] {
  const keys = [...new Set([...trained.keys(), ...played.keys()])];
  return keys.flatMap((key) => {
    const [there, here] = [trained.get(key), played.get(key)];
    if (there !== undefined && here !== undefined && canonicalJson(there) === canonicalJson(here)) return [];
    return [{ key, ...(there === undefined ? {} : { trained: there }), ...(here === undefined ? {} : { played: here }) }];
  });
}
