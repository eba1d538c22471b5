import { keyTable, page, sentence } from './markdown.mjs';

/** @typedef {import('../../trainers/credit/define-credit-estimator.ts').CreditEstimatorDefinition} CreditEstimatorDefinition */
/** @typedef {typeof import('../../envs/core/config-keys.ts').describeConfigKeys} DescribeConfigKeys */

/**
 * @param {readonly Pick<CreditEstimatorDefinition, 'kind' | 'name' | 'summary' | 'paper' | 'options'>[]} estimators
 * @param {DescribeConfigKeys} describeKeys
 */
export const renderEstimators = (estimators, describeKeys) =>
  page('Credit estimators', [
    'Choose an estimator with `--credit ID`. Set an option with `--with credit.OPTION=VALUE`. The first estimator is the default.',
    '',
    '```sh',
    ...estimators.map(({ kind }) => `npx cairn-gym train household --credit ${kind}`),
    'npx cairn-gym train household --credit ./my-credit.ts --with credit.options.scale=2',
    '```',
    '',
    ...estimators.flatMap(({ kind, name, summary, paper, options }) => [
      `## ${kind}`,
      '',
      sentence(summary),
      '',
      `- Name in tables: ${name}.`,
      ...(paper === undefined ? [] : [`- Paper: ${paper}.`]),
      '',
      ...keyTable(describeKeys(options)),
      '',
    ]),
  ]);
