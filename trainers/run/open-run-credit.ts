import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { RunDocument } from './run-document.ts';
import { parseCreditConfig, type ParsedCreditConfig } from '../credit/credit-config.ts';
import { creditVersions } from '../credit/credit-name.ts';
import type { ValidatedEstimator } from '../credit/validation/validated-estimator.ts';
import { openCredit, type OpenCreditOptions } from '../credit/open-credit.ts';

/** Where a run is, and what its `config.json` holds of it. */
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
 * The content that the file of a run's own estimator must have; undefined of an estimator of ours.
 * @param fix what else than bringing it back there is
 * @throws UsageError where the run does not say it
 */
export function expectedFile({ folder, document }: CreditOfRun, fix: string): OpenCreditOptions['expected'] {
  const config = creditConfigOf({ document });
  if (config?.kind !== 'module') return undefined;
  const fingerprint = document.versions[creditVersions.file];
  if (fingerprint !== undefined)
    return { fingerprint, where: `run ${folder}`, fix: `Bring ${config.file} back as it was, ${fix}.` };
  throw new UsageError({
    where: `run ${folder}`,
    what: `it does not say which content ${config.file}, by which its credit was given, had.`,
    fix: 'Bring its config.json back from a copy.',
  });
}

/**
 * The estimator of a run, to compute the credit of stored groups again; undefined where the run names none.
 * @param options.file where the file of a module is now, if not where the run says
 * @throws UsageError where that file is gone or has changed, and where a group alone does not determine its credit
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
      what: `the credit of ${run.folder} is given by ${config.kind}, which has no file.`,
      fix: 'Leave it out.',
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
    what: `${why}, so the credit of a stored group cannot be computed again.`,
    fix: 'Look at episodes without their credit, or train with an estimator that compares within a group and keeps no state.',
  });
}

/** Why a group alone does not determine its credit; undefined where it does. */
function whyNotRepeatable({ compares, initialState }: ValidatedEstimator): string | undefined {
  if (compares === 'batch') return "it compares over the whole batch (compares: 'batch')";
  return initialState === undefined ? undefined : 'it keeps state, and that of each iteration is not stored';
}
