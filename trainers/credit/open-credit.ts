import { assertGiven } from './module/check-given.ts';
import { CheckedEstimator } from './module/checked-estimator.ts';
import {
  createCreditEstimator,
  type BuiltInCreditConfig,
  type ParsedCreditConfig,
} from './create-credit-estimator.ts';
import { builtInNames, creditVersions } from './credit-name.ts';
import { loadCreditModule, type CreditModuleOptions } from './module/load-credit-module.ts';
import { createOwnEstimator } from './module/own-estimator.ts';

/** The estimator of a config, ready to be used, and what a run keeps of it. */
export interface OpenedCredit<Config> {
  /** With the absolute path of its file and with options that were left out. */
  readonly config: Config;
  readonly estimator: CheckedEstimator;
  /** What of it moves numbers and is not in the config; empty for an estimator of ours. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Opens the estimator that a config names; a file of a user's own is loaded for it.
 * @param options.file where that file is now, if not where the config says
 * @throws UsageError where it cannot be had as the config, or a run, says
 */
export async function openCredit(
  config: ParsedCreditConfig,
  { file, ...options }: CreditModuleOptions & { readonly file?: string | undefined } = {},
): Promise<OpenedCredit<ParsedCreditConfig>> {
  if (config.kind !== 'module') return { config, estimator: checkBuiltIn(config), versions: {} };
  const { definition, path, fingerprint } = await loadCreditModule(file ?? config.file, options);
  const { estimator, options: settled } = createOwnEstimator(definition, config.options);
  return {
    config: { ...config, file: path, options: settled },
    estimator,
    versions: { [creditVersions.estimator]: definition.name, [creditVersions.file]: fingerprint },
  };
}

/** Ours give whole credit; it is looked through like any other. */
function checkBuiltIn(config: BuiltInCreditConfig): CheckedEstimator {
  const estimator = createCreditEstimator(config);
  return new CheckedEstimator({ name: builtInNames[config.kind], compares: 'group' }, (groups) => {
    const credit = estimator.assign(groups, {});
    assertGiven(estimator.name, groups, credit);
    return credit;
  });
}
