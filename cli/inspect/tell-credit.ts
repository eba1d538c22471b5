import type { ValidatedEstimator } from '../../trainers/credit/validation/validated-estimator.ts';
import { creditConfigOf, openRunCredit, type CreditOfRun } from '../../trainers/run/open-run-credit.ts';
import { watchCredit, watchCreditImport } from '../watch/own-credit.ts';
import { messageIfRefused } from '../../lab/inspect/refusal.ts';

/** The estimator that computes credit for display. Undefined with a reason if there is none. */
export interface CreditTeller {
  readonly estimator: ValidatedEstimator | undefined;
  readonly untold: readonly string[];
}

/**
 * Finds the estimator of a run. Without it episodes are still shown, without their credit.
 * @param options.file current path of its file, if it has moved; a named file must be the right one
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
    return { estimator: undefined, untold: [`credit cannot be shown. ${messageIfRefused(thrown)}`] };
  }
}

/** The estimator of a run, watched if it is a user's; undefined if the episodes belong to no run. */
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
