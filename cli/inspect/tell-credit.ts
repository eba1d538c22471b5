import type { ValidatedEstimator } from '../../trainers/credit/validation/validated-estimator.ts';
import { creditConfigOf, openRunCredit, type CreditOfRun } from '../../trainers/run/open-run-credit.ts';
import { watchCredit, watchCreditImport } from '../watch/own-credit.ts';
import { messageIfRefused } from '../../lab/inspect/refusal.ts';

/** The estimator by which credit is told; undefined where it cannot be, with why not. */
export interface CreditTeller {
  readonly estimator: ValidatedEstimator | undefined;
  readonly untold: readonly string[];
}

/**
 * Finds the estimator of a run. Where it cannot be had the episodes are still worth a look, without their credit.
 * @param options.file where its file is now, if not where the run says; one that is named must be the right one
 */
export async function tellCredit(
  run: CreditOfRun | undefined,
  { file, signal }: { readonly file: string | undefined; readonly signal: AbortSignal },
): Promise<CreditTeller> {
  if (file !== undefined || run === undefined)
    return { estimator: await requireCredit(run, { file, signal }), untold: [] };
  try {
    return { estimator: await requireCredit(run, { file, signal }), untold: [] };
  } catch (thrown) {
    return { estimator: undefined, untold: [`no credit is shown. ${messageIfRefused(thrown)}`] };
  }
}

/** The estimator of a run, under the watch where it is a user's own; undefined where the episodes are of no run. */
export async function requireCredit(
  run: CreditOfRun | undefined,
  { file, signal }: { readonly file: string | undefined; readonly signal: AbortSignal },
): Promise<ValidatedEstimator | undefined> {
  if (run === undefined) return undefined;
  const config = creditConfigOf(run);
  if (config?.kind !== 'module') return openRunCredit(run, { file, signal });
  using _import = watchCreditImport(file ?? config.file);
  const estimator = await openRunCredit(run, { file, signal });
  return estimator === undefined ? undefined : watchCredit(estimator);
}
