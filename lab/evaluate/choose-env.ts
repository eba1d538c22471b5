import { z } from 'zod';
import { merge, type Tree } from '../../envs/core/config-tree.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { canonicalJson } from '../../envs/core/json.ts';
import { isMixtureId, parseMixture } from '../../envs/core/mixture-name.ts';
import type { Registry } from '../../envs/core/registry.ts';
import { parseEnvConfig } from '../../envs/open.ts';
import { benchPresetFor } from '../../trainers/recipes/bench-preset.ts';
import type { StoredRun } from '../players/stored-run.ts';

/** Whether an env is one of a mixture: a policy of the mixture plays each of its envs. */
const isPartOf = (id: string, mixture: string): boolean =>
  isMixtureId(mixture) && parseMixture(mixture).some(({ name }) => name === id);

const recordSchema = z.record(z.string(), z.json());

/** The env of an evaluation, with its config before defaults. */
export interface ChosenEnv {
  readonly definition: AnyEnvDefinition;
  readonly envConfig: Tree;
}

/**
 * Chooses the env that is named, or else the env of the runs.
 * @param wanted.envConfig keys that the user sets over the config of the runs
 * @throws UsageError where no env is named, and where the runs need different envs or configs
 */
export function chooseEnv(
  registry: Registry<readonly AnyEnvDefinition[]>,
  wanted: {
    readonly env: string | undefined;
    readonly envConfig: Tree;
    readonly runs: readonly StoredRun[];
  },
): ChosenEnv {
  const { runs, envConfig: assigned } = wanted;
  const [first] = runs;
  const named = wanted.env ?? first?.env;
  if (named === undefined) {
    throw new UsageError({
      where: 'cairn-gym',
      what: 'no environment is named.',
      fix: 'Name one, or a run with --run. `npx cairn-gym envs` lists all.',
    });
  }
  const definition = registry.find(named);
  const takes = (id: string): boolean =>
    id === definition.id ||
    benchPresetFor(definition).takesRunsOf.includes(id) ||
    isPartOf(definition.id, id);
  /** The config of the run. A run of another env whose policies play here brings the defaults of that env, which can differ. */
  const configOf = (run: StoredRun): Tree => {
    const own = registry.find(run.env);
    if (isPartOf(definition.id, own.id)) return recordSchema.parse(run.envConfig[definition.id] ?? {});
    return own.id === definition.id || !takes(own.id)
      ? run.envConfig
      : recordSchema.parse(parseEnvConfig(own, run.envConfig));
  };
  const envConfig = merge(first === undefined ? {} : configOf(first), assigned);
  for (const run of runs) {
    const sameEnv = takes(registry.find(run.env).id);
    if (sameEnv && canonicalJson(merge(configOf(run), assigned)) === canonicalJson(envConfig)) continue;
    throw new UsageError({
      where: `run ${run.name}`,
      what: sameEnv
        ? 'its env has another config than that of the first run.'
        : `it was trained on ${run.env}, and ${definition.id} is asked for.`,
      fix: sameEnv
        ? 'Evaluate runs of different configs one by one.'
        : `Name ${run.env}, or leave the environment out${runs.length === 1 ? '' : '; evaluate runs of different envs one by one'}.`,
    });
  }
  return { definition, envConfig };
}
