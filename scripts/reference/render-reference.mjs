import { renderCommands } from './commands.mjs';
import { renderConfig } from './config.mjs';
import { renderEstimators } from './estimators.mjs';

/**
 * What the pages are made from: the modules of `dist`, or in a test those of the source tree.
 *
 * @typedef {object} Sources
 * @property {typeof import('../../envs/core/config-keys.ts').describeConfigKeys} describeConfigKeys
 * @property {typeof import('../../trainers/credit/estimators/list.ts').creditEstimators} creditEstimators
 * @property {typeof import('../../cli/training/list-keys.ts').describeTrainingKeys} describeTrainingKeys
 * @property {readonly import('../../cli/command.ts').Command[]} commands
 */

/** The pages of `docs/reference` by the names of their files. @param {Sources} sources @returns {Readonly<Record<string, string>>} */
export const renderReference = (sources) => ({
  'config.md': renderConfig(sources.describeTrainingKeys()),
  'commands.md': renderCommands(sources.commands),
  'estimators.md': renderEstimators(sources.creditEstimators, sources.describeConfigKeys),
});
