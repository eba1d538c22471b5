import { openBuiltIn } from './create-credit-estimator.ts';
import type { ParsedCreditConfig } from './credit-config.ts';
import { creditVersions } from './credit-name.ts';
import type { LoadPluginOptions } from '../plugins/load-plugin.ts';
import { loadCreditModule } from './module/load-credit-module.ts';
import { openEstimator } from './validation/open-estimator.ts';
import type { ValidatedEstimator } from './validation/validated-estimator.ts';

/** The estimator of a config, and what a run records of it. */
export interface OpenedCredit {
  /** With defaults, and the absolute path of a module. */
  readonly config: ParsedCreditConfig;
  readonly estimator: ValidatedEstimator;
  /**
   * What changes results and is not in the config: name and fingerprint of a module. Empty for built-in
   * estimators.
   */
  readonly versions: Readonly<Record<string, string>>;
}

export interface OpenCreditOptions extends LoadPluginOptions {
  /** Current path of a module's file. Default: the path in the config. */
  readonly file?: string | undefined;
  /**
   * Names of the evidence that the trainer gathers. `stored`: the evidence stored on the trajectories.
   * Default: none.
   */
  readonly sources?: readonly string[] | 'stored';
}

/**
 * Opens the estimator that a config names, and loads the file of a module.
 * @throws UsageError if it does not match the config or the run
 */
export async function openCredit(
  config: ParsedCreditConfig,
  { file, sources = [], ...options }: OpenCreditOptions = {},
): Promise<OpenedCredit> {
  if (config.kind !== 'module') return { config, estimator: openBuiltIn(config, sources), versions: {} };
  const { definition, path, fingerprint } = await loadCreditModule(file ?? config.file, options);
  const opened = openEstimator(definition, config.options, { sources });
  return {
    config: { ...config, file: path, options: opened.options },
    estimator: opened.estimator,
    versions: { [creditVersions.estimator]: definition.name, [creditVersions.file]: fingerprint },
  };
}
