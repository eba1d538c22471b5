import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { RunDocument } from './run-document.ts';
import { parseCreditConfig, type ParsedCreditConfig } from '../credit/credit-config.ts';
import { creditVersions } from '../credit/credit-name.ts';
import type { ValidatedEstimator } from '../credit/validation/validated-estimator.ts';
import { openCredit, type OpenCreditOptions } from '../credit/open-credit.ts';

/** A run's folder and its `config.json`. */
export interface CreditOfRun {
  readonly folder: string;
  readonly document: Pick<RunDocument, 'versions' | 'config'>;
}

const configSchema = z.looseObject({ credit: z.unknown().optional() });

/** The credit settings of a run; undefined where it says none. */
export function creditConfigOf({ document }: Pick<CreditOfRun, 'document'>): ParsedCreditConfig | undefined {
  const credit = configSchema.safeParse(document.config).data?.credit;
  return credit === undefined ? undefined : parseCreditConfig(credit);
}

/**
 * The content that the file of a run's module estimator must have; undefined for built-in estimators.
 * @param fix an alternative to restoring the file
 * @throws UsageError if the run does not record it
 */
export function expectedFile({ folder, document }: CreditOfRun, fix: string): OpenCreditOptions['expected'] {
  const config = creditConfigOf({ document });
  if (config?.kind !== 'module') return undefined;
  const fingerprint = document.versions[creditVersions.file];
  if (fingerprint !== undefined)
    return { fingerprint, where: `run ${folder}`, fix: `Restore ${config.file}, ${fix}.` };
  throw new UsageError({
    where: `run ${folder}`,
    what: `it does not record the content of ${config.file}, which assigned its credit.`,
    fix: 'Restore its config.json from a copy.',
  });
}

/**
 * The estimator of a run, to recompute the credit of stored groups; undefined if the run names none.
 * @param options.file current path of a module's file, if it has moved
 * @throws UsageError if that file is missing or has changed, or if credit does not depend on the group alone
 */
export async function openRunCredit(
  run: CreditOfRun,
  { file, signal }: { readonly file: string | undefined; readonly signal: AbortSignal },
): Promise<ValidatedEstimator | undefined> {
  const config = creditConfigOf(run);
  if (config === undefined) return undefined;
  if (file !== undefined && config.kind !== 'module') {
    throw new UsageError({
      where: '--credit',
      what: `the credit of ${run.folder} comes from ${config.kind}, which has no file.`,
      fix: 'Remove it.',
    });
  }
  const expected = expectedFile(run, 'or name a copy of it with --credit FILE');
  const { estimator } = await openCredit(config, {
    file,
    signal,
    sources: 'stored',
    ...(expected === undefined ? {} : { expected }),
  });
  const why = whyNotRepeatable(estimator);
  if (why === undefined) return estimator;
  throw new UsageError({
    where: `run ${run.folder}, credit estimator "${estimator.name}"`,
    what: `${why}, so the credit of a stored group cannot be recomputed.`,
    fix: 'Inspect episodes without credit, or train with an estimator that compares within a group and has no state.',
  });
}

/** Why a group alone does not determine its credit; undefined if it does. */
function whyNotRepeatable({ compares, initialState }: ValidatedEstimator): string | undefined {
  if (compares === 'batch') return "it compares over the whole batch (compares: 'batch')";
  return initialState === undefined ? undefined : 'it has state, and that of each iteration is not stored';
}
