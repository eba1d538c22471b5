import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Registry } from '../../envs/core/registry.ts';
import { trainConfigJsonSchema } from '../../trainers/config/config-schema.ts';
import type { Outcome } from '../command.ts';
import { flagOf } from '../options/option-values.ts';
import type { TrainOptions } from './options.ts';

/** The JSON Schema of config files; with an environment also of its config. It depends on no other option. */
export function printSchema(options: TrainOptions, registry: Registry<readonly AnyEnvDefinition[]>): Outcome {
  const { schema: _schema, env, envModule: _envModule, set, with: changes, ...others } = options;
  const given = [
    ...Object.entries(others).flatMap(([name, value]) =>
      value === undefined || value === false ? [] : [name],
    ),
    ...(changes.length > 0 ? ['with'] : []),
    ...(Object.keys(set).length > 0 ? ['set'] : []),
  ];
  const [first] = given;
  if (first !== undefined)
    throw new UsageError({
      where: 'cairn-gym train, --schema',
      what: `it only prints, and ${flagOf(first)} is given.`,
      fix: 'Remove one of the two.',
    });
  const document = trainConfigJsonSchema(env === undefined ? undefined : registry.find(env).config);
  return { document, lines: [JSON.stringify(document, undefined, 2)] };
}
