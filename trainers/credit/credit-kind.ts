import type { PluginKind } from '../../envs/core/plugin.ts';

/** What credit estimators are among the plug-ins of a training. */
export const creditKind: PluginKind = {
  noun: 'credit estimator',
  exportName: 'estimator',
  define: 'defineCreditEstimator',
  configKey: 'credit',
  fileVersion: 'credit-file',
};
