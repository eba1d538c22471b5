import { terminalText } from '../../envs/core/terminal-text.ts';
import { unfinished } from '../../envs/own-module.ts';
import type { ValidatedEstimator } from '../../trainers/credit/validation/validated-estimator.ts';
import { creditKind } from '../../trainers/credit/credit-kind.ts';
import type { CreditEstimatorDefinition } from '../../trainers/credit/define-credit-estimator.ts';
import { loadCreditModule } from '../../trainers/credit/module/load-credit-module.ts';
import {
  pluginIdle,
  pluginWhere,
  type LoadedPlugin,
  type LoadPluginOptions,
} from '../../trainers/plugins/load-plugin.ts';
import { callWatch } from './call-watch.ts';

/** An import that waits forever ends with its own error before this. */
const killMs = 35_000;

/** Time that an estimator may block the process for one batch; then the process ends. */
const computingMs = 60_000;

const letItEnd = 'Make it end.';

/**
 * Watches an import of the estimator in that file until it is disposed: one that computes forever blocks all
 * signals.
 */
export function watchCreditImport(file: string): Disposable {
  const watch = callWatch();
  watch.hear();
  return watch.begin(
    watch.say(
      `error: ${terminalText(unfinished(pluginWhere(creditKind, file), killMs, pluginIdle(creditKind)).message)}`,
      killMs,
      terminalText(pluginWhere(creditKind, file)),
      letItEnd,
    ),
  );
}

/** Imports it under the watch, before slower parts are opened; the later import is immediate. */
export async function importCredit(
  file: string,
  options: LoadPluginOptions,
): Promise<LoadedPlugin<CreditEstimatorDefinition>> {
  using _import = watchCreditImport(file);
  return await loadCreditModule(file, options);
}

/** The same estimator with each of its batches watched. */
export function watchCredit(estimator: ValidatedEstimator): ValidatedEstimator {
  const watch = callWatch();
  watch.hear();
  const place = `credit estimator "${terminalText(estimator.name)}"`;
  const what = `it has computed the credit of a batch for ${computingMs / 1000} s without letting anything else run.`;
  const said = watch.say(`error: ${place}: ${what} ${letItEnd}`, computingMs, place, letItEnd);
  return estimator.calledBy((run) => watch.during(said, { panel: -1, index: -1, step: 0 }, run));
}
