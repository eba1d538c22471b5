import { UsageError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import { differencesOf } from '../../envs/core/json-differences.ts';
import { isMixtureId } from '../../envs/core/mixture-name.ts';
import { readPanel } from '../../envs/core/task.ts';
import { parseEnvConfig } from '../../envs/open.ts';
import type { TrainedOn } from '../../trainers/results/result.ts';
import { benchPresetFor } from '../../trainers/recipes/bench-preset.ts';
import type { EnvSession } from '../../trainers/env-session.ts';
import type { StoredRun } from './stored-run.ts';

/** On what a run was trained, where that is not what is played here; undefined where both are the same. */
export function trainedOn(run: StoredRun, envSession: EnvSession): TrainedOn | undefined {
  const [panel, fingerprint] = smallestPanel(run) ?? [];
  const other = otherEnv(run, envSession);
  if (other !== undefined)
    return {
      env: run.env,
      differences: [
        { key: 'env', trained: other, played: envSession.definition.id },
        ...(isMixtureId(other) ? [] : differencesIn(run, envSession)),
      ],
    };
  const here = panel === undefined ? undefined : fingerprintHere(panel, envSession);
  if (here !== undefined && here === fingerprint) return undefined; // it covers the env's id, its identifying config and its tasks
  const differences = differencesIn(run, envSession);
  if (differences.length > 0) return { env: run.env, differences };
  if (panel === undefined) return undefined;
  return {
    env: run.env,
    differences: [
      { key: `the tasks of ${panel}`, trained: fingerprint, ...(here === undefined ? {} : { played: here }) },
    ],
  };
}

/** The env that the run was trained on, where it is another one whose policies play here. */
const otherEnv = (run: StoredRun, { definition }: EnvSession): string | undefined =>
  isMixtureId(run.env) && run.env !== definition.id ? run.env : acceptedEnv(run, definition);

const acceptedEnv = (run: StoredRun, definition: EnvSession['definition']): string | undefined =>
  benchPresetFor(definition).takesRunsOf.find((id) => id === run.env || id.replace(/-v\d+$/, '') === run.env);

const differencesIn = (run: StoredRun, envSession: EnvSession): TrainedOn['differences'] =>
  differencesOf(...documentsToCompare(run, envSession)).map(({ key, one: trained, other: played }) => ({
    key,
    ...(trained === undefined ? {} : { trained }),
    ...(played === undefined ? {} : { played }),
  }));

/** Of the identities, where both are known: configs hold places of the machine, too. */
function documentsToCompare(run: StoredRun, envSession: EnvSession): readonly [trained: Json, played: Json] {
  const { identity } = envSession.host;
  if (run.identity !== undefined && identity !== undefined) return [run.identity, identity];
  return [trainedConfig(run, envSession), envSession.envConfig];
}

/**
 * The smallest panel that the run used: any of them identifies the env, and the smallest is read the fastest.
 */
function smallestPanel({ panels }: StoredRun): readonly [string, string] | undefined {
  const [smallest] = Object.entries(panels).toSorted(([, one], [, other]) => one.tasks - other.tasks);
  return smallest === undefined ? undefined : [smallest[0], smallest[1].fingerprint];
}

/** The fingerprint that the panel, such as `dev` or `dev[0..128)`, has here; undefined where there is none like it. */
function fingerprintHere(panel: string, { definition, envConfig, host }: EnvSession): string | undefined {
  const [, name = panel, limit] = /^(.*)\[0\.\.(\d+)\)$/.exec(panel) ?? [];
  try {
    return readPanel(host, {
      env: definition.id,
      config: envConfig,
      name,
      ...(limit === undefined ? {} : { limit: Number(limit) }),
    }).fingerprint;
  } catch (thrown) {
    if (UsageError.is(thrown)) return undefined;
    throw thrown;
  }
}

/** With the defaults filled in, as the config that is played has them; as it stands where the env takes it no more. */
function trainedConfig({ envConfig }: StoredRun, { definition }: EnvSession): Json {
  try {
    return parseEnvConfig(definition, envConfig) as Json;
  } catch (thrown) {
    if (UsageError.is(thrown)) return envConfig;
    throw thrown;
  }
}
