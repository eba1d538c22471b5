import { parseBuiltInConfig, type BuiltInCreditConfig } from './credit-config.ts';
import { creditEstimators } from './estimators/list.ts';
import { openEstimator } from './validation/open-estimator.ts';
import type { CompleteEstimator, ValidatedEstimator } from './validation/validated-estimator.ts';

/** Creates a built-in estimator whose credit is complete. @throws UsageError for an invalid config */
export function createCreditEstimator(config: BuiltInCreditConfig): CompleteEstimator {
  const estimator = openBuiltIn(config, []);
  const { name, level, compares, needs, initialState } = estimator;
  return {
    name,
    level,
    compares,
    needs,
    initialState,
    assign: (groups, inputs) => estimator.assign(groups, inputs),
    statistics: (groups) => estimator.statistics(groups),
  };
}

/**
 * The same, as the trainer uses it.
 * @param sources names of the evidence that the trainer gathers
 */
export function openBuiltIn(
  config: BuiltInCreditConfig,
  sources: readonly string[] | 'stored',
): ValidatedEstimator {
  const { kind, ...options } = parseBuiltInConfig(config);
  const definition = creditEstimators.find((each) => each.kind === kind);
  // cannot happen: the schema is derived from the list
  if (definition === undefined) throw new RangeError(`the list has no credit estimator "${kind}"`);
  return openEstimator(definition, options, { sources }).estimator;
}
