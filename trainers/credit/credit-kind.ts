import type { PluginKind } from '../../envs/core/plugin.ts';

/** How the plug-in loader treats credit estimators. */
export const creditKind: PluginKind = {
  noun: 'credit estimator',
  exportName: 'estimator',
  define: 'defineCreditEstimator',
  configKey: 'credit',
  fileVersion: 'credit-file',
};
