import { z } from 'zod';
import { UsageError } from '../../../envs/core/errors.ts';
import {
  definitionShape,
  loadPlugin,
  pluginWhere,
  type DefinitionReader,
  type LoadedPlugin,
  type LoadPluginOptions,
} from '../../plugins/load-plugin.ts';
import { creditKind } from '../credit-kind.ts';
import { findNameProblem } from '../credit-name.ts';
import type { CreditEstimatorDefinition } from '../define-credit-estimator.ts';

const shape = z.strictObject({ ...definitionShape, name: z.string() });

const reader: DefinitionReader<CreditEstimatorDefinition> = {
  shape,
  accepts: (value): value is CreditEstimatorDefinition => shape.safeParse(value).success,
};

/**
 * Loads the estimator that a user's file exports as `estimator`.
 * @throws UsageError for a file that is missing, does not load, has changed, or exports something else
 */
export async function loadCreditModule(
  file: string,
  options: LoadPluginOptions = {},
): Promise<LoadedPlugin<CreditEstimatorDefinition>> {
  const loaded = await loadPlugin(creditKind, file, reader, options);
  const problem = findNameProblem(loaded.definition.name);
  if (problem === undefined) return loaded;
  throw new UsageError({
    where: `${pluginWhere(creditKind, file)}, ${creditKind.exportName}`,
    what: `${problem}.`,
    fix: 'Give it another name.',
  });
}
