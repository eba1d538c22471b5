import type { z } from 'zod';
import { assertReport, checkOpened } from './check.ts';
import type { CheckOptions } from './options.ts';
import type { CheckReport } from './report.ts';
import type { EnvDefinition, EnvId } from '../core/env.ts';
import { openUnguarded } from '../open.ts';

/**
 * Checks an env against the laws of the contract. It works in any test runner: it reports its findings and
 * never throws for them. The defaults take a few seconds for a fast env. See {@link CheckOptions} for slow
 * ones.
 *
 * The env is checked behind the guard of `openEnv`, which keeps calls in order and refuses a step after the
 * end. To check the env alone, give `open: (env, config, context) => env.open(env.config.parse(config),
 * context)`.
 *
 * @throws UsageError for wrong options
 * @throws the signal's reason when the signal aborts
 */
export async function checkEnv<Config extends z.ZodType, Obs, Act>(
  definition: EnvDefinition<EnvId, Config, Obs, Act>,
  options: CheckOptions<Config, Obs, Act> = {},
): Promise<CheckReport> {
  return checkOpened(definition, options.open ?? openUnguarded, options);
}

/** Like {@link checkEnv}, but throws a `UsageError` that lists all findings of severity `error`. */
export async function assertEnv<Config extends z.ZodType, Obs, Act>(
  definition: EnvDefinition<EnvId, Config, Obs, Act>,
  options: CheckOptions<Config, Obs, Act> = {},
): Promise<CheckReport> {
  const report = await checkEnv(definition, options);
  assertReport(report);
  return report;
}
