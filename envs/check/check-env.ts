import type { z } from 'zod';
import { assertReport, checkOpened } from './check.ts';
import type { CheckOptions } from './options.ts';
import type { CheckReport } from './report.ts';
import type { EnvDefinition, EnvId } from '../core/env.ts';
import { openUnguarded } from '../open.ts';

/**
 * Holds an env, its calls kept in order and counted as everybody's are, to the laws of the contract. Works in any test runner:
 * it never throws for what it finds, it reports. Defaults take a few seconds for a fast env; see {@link CheckOptions} for slow ones.
 *
 * A step after the end is refused by the guard that stands before every opened env: the law of order holds what everybody gets. To hold the
 * env alone to it, give `open: (env, config, context) => env.open(env.config.parse(config), context)`.
 *
 * @throws UsageError for wrong options; the signal's reason when it is aborted.
 */
export async function checkEnv<Config extends z.ZodType, Obs, Act>(
  definition: EnvDefinition<EnvId, Config, Obs, Act>,
  options: CheckOptions<Config, Obs, Act> = {},
): Promise<CheckReport> {
  return checkOpened(definition, options.open ?? openUnguarded, options);
}

/** The same, throwing a `UsageError` that lists all findings of severity `error`. */
export async function assertEnv<Config extends z.ZodType, Obs, Act>(
  definition: EnvDefinition<EnvId, Config, Obs, Act>,
  options: CheckOptions<Config, Obs, Act> = {},
): Promise<CheckReport> {
  const report = await checkEnv(definition, options);
  assertReport(report);
  return report;
}
