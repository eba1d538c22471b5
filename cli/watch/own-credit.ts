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

/** An import that waits for ever ends with an error of its own before that. */
const killMs = 35_000;

/** One batch may take an estimator so long without letting anything else run; then the process ends. */
const computingMs = 60_000;

const letItEnd = 'Let it end.';

/** Watches over an import of the estimator in that file until it is disposed: one that computes for ever lets no signal through. */
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

/** Imports it so, before what takes longer is opened; the import after it is at once. */
export async function importCredit(
  file: string,
  options: LoadPluginOptions,
): Promise<LoadedPlugin<CreditEstimatorDefinition>> {
  using _import = watchCreditImport(file);
  return await loadCreditModule(file, options);
}

/** The same estimator, each of its batches under the watch. */
export function watchCredit(estimator: ValidatedEstimator): ValidatedEstimator {
  const watch = callWatch();
  watch.hear();
  const place = `credit estimator "${terminalText(estimator.name)}"`;
  const what = `it has computed the credit of a batch for ${computingMs / 1000} s without letting anything else run.`;
  const said = watch.say(`error: ${place}: ${what} ${letItEnd}`, computingMs, place, letItEnd);
  return estimator.calledBy((run) => watch.during(said, { panel: -1, index: -1, step: 0 }, run));
}
