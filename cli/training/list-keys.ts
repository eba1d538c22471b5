import type { ConfigKey } from '../../envs/core/config-keys.ts';
import { valueAt } from '../../envs/core/config-keys.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Registry } from '../../envs/core/registry.ts';
import { parseEnvConfig } from '../../envs/open.ts';
import type { TrainConfig } from '../../trainers/config/config.ts';
import { trainingKeys, type KnownBelow } from '../../trainers/config/training-keys.ts';
import type { Outcome } from '../command.ts';
import { layOutKeys, type ShownKey } from '../options/config-keys.ts';
import { flagOf } from '../options/option-values.ts';
import { importCredit } from '../watch/own-credit.ts';
import { configKeys, type TrainOptions } from './options.ts';
import { resolveTraining } from './resolve-config.ts';

/**
 * Every key of a training config; if an env is named, also the values from this command line, its file and
 * the recipe.
 */
export async function listKeys(
  options: TrainOptions,
  registry: Registry<readonly AnyEnvDefinition[]>,
  signal: AbortSignal,
): Promise<Outcome> {
  refuseWhatRuns(options);
  const keys = settlesNothing(options)
    ? describeTrainingKeys()
    : await resolvedKeys(options, registry, signal);
  return {
    document: { keys },
    lines: [
      'Keys of a training config: --with path=value, or a JSON file for --config.',
      '',
      ...layOutKeys(keys),
      '',
      keys.some((key) => 'value' in key)
        ? 'The second column is the value for this command line: flag before file, file before recipe, recipe before default.'
        : '`npx cairn-gym train ENV --keys` shows the recipe of an environment with the defaults, and the keys of the environment itself.',
    ],
  };
}

/** Every key of a training config with its default, and with its flag where it has one of its own. */
export const describeTrainingKeys = (): readonly ShownKey[] => trainingKeys().map(withFlag);

function refuseWhatRuns(options: TrainOptions): void {
  const names = ['run', 'seeds', 'sweep', 'jobs', 'dryRun', 'forecast', 'tensorboard'] as const;
  const given = names.find((name) => options[name] !== undefined && options[name] !== false);
  if (given === undefined) return;
  throw new UsageError({
    where: 'cairn-gym train, --keys',
    what: `it only prints, and ${flagOf(given)} is given.`,
    fix: 'Remove one of the two.',
  });
}

/** True if neither an env nor any setting is given, so there is nothing to resolve. */
function settlesNothing({
  keys: _keys,
  dryRun: _dryRun,
  forecast: _forecast,
  schema: _schema,
  tensorboard: _tensorboard,
  acceptChangedEnv: _acceptChangedEnv,
  envModule: _envModule,
  set,
  with: changes,
  ...others
}: TrainOptions): boolean {
  return (
    Object.values(others).every((value) => value === undefined) &&
    changes.length === 0 &&
    Object.keys(set).length === 0
  );
}

async function resolvedKeys(
  options: TrainOptions,
  registry: Registry<readonly AnyEnvDefinition[]>,
  signal: AbortSignal,
): Promise<readonly ShownKey[]> {
  const { definition, config } = await resolveTraining(options, registry);
  const { credit, own } = await resolveCredit(config, signal);
  const settled = { ...config, credit, envConfig: parseEnvConfig(definition, config.envConfig) };
  const known = trainingKeys({ envConfig: definition.config, ...own }).filter(({ when }) =>
    when.every(({ key, is }) => is.includes(valueAt(settled, key.split('.')))),
  );
  return known.map((key) => ({ ...withFlag(key), value: valueAt(settled, key.name.split('.')) }));
}

/** A user's estimator has options of its own. */
async function resolveCredit(
  { credit }: TrainConfig,
  signal: AbortSignal,
): Promise<{ readonly credit: object; readonly own: KnownBelow }> {
  if (credit.kind !== 'module') return { credit, own: {} };
  const {
    definition: { options },
  } = await importCredit(credit.file, { signal });
  // if one is missing or invalid, the given options are shown
  const settled = options.safeParse(credit.options);
  return {
    credit: { ...credit, ...(settled.success ? { options: settled.data } : {}) },
    own: { 'credit.options': options },
  };
}

const flags = new Map<string, string>(configKeys.map(({ name, path }) => [path, flagOf(name)]));

function withFlag(key: ConfigKey): ShownKey {
  const flag = key.name.startsWith('envConfig.')
    ? `--set ${key.name.slice('envConfig.'.length)}`
    : flags.get(key.name);
  return flag === undefined ? key : { ...key, flag };
}
