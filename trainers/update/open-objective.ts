import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { configSchemasOf, moduleShape, type PluginKind } from '../../envs/core/plugin.ts';
import { objectives } from '../../models/objectives/list.ts';
import { registerObjective } from '../../models/objectives/policy-term.ts';
import type { BoundName, ObjectiveDefinition } from '../../models/objectives/surrogate.ts';
import {
  definitionShape,
  loadPlugin,
  type DefinitionReader,
  type LoadPluginOptions,
} from '../plugins/load-plugin.ts';
import { parsePluginOptions } from '../plugins/plugin-options.ts';
import type { UpdateSettings } from './policy.ts';

export const objectivePlugin: PluginKind = {
  noun: 'objective',
  exportName: 'objective',
  define: 'defineObjective',
  configKey: 'update.objective',
  fileVersion: 'objective-file',
};

/** Names a policy objective and configures it. */
export const objectiveConfigSchema = z.discriminatedUnion('kind', [
  ...configSchemasOf(objectives),
  z.strictObject(moduleShape('objective')),
]);

export type ObjectiveConfig = z.output<typeof objectiveConfigSchema>;

/** The bounds of an update, and what they are unless a config sets them. */
export const defaultBounds = { clipLow: 0.2, clipHigh: 0.28 } as const;

type Bounds = Pick<UpdateSettings, BoundName>;

/** The objective of a config, ready for use. */
export interface OpenedObjective {
  /** With the absolute path of the user's file, and with defaults of its options filled in. */
  readonly config: ObjectiveConfig;
  /** As updates name it. */
  readonly settings: UpdateSettings['objective'];
  /** What moves numbers and is not in the config; empty for a built-in one. */
  readonly versions: Readonly<Record<string, string>>;
}

const boundNames = ['clipLow', 'clipHigh', 'dualClip'] as const satisfies readonly BoundName[];

const shape = z.strictObject({ ...definitionShape, bounds: z.array(z.enum(boundNames)) });

const reader: DefinitionReader<ObjectiveDefinition> = {
  shape,
  accepts: (value): value is ObjectiveDefinition => shape.safeParse(value).success,
};

/**
 * Opens the objective that a config names; a file of the user's own is loaded and registered in this process.
 * @throws UsageError for a file, options or bounds that do not fit
 */
export async function openObjective(
  { objective: config, ...bounds }: { readonly objective: ObjectiveConfig } & Bounds,
  options: LoadPluginOptions = {},
): Promise<OpenedObjective> {
  if (config.kind !== 'module') {
    const { kind, ...given } = config;
    const definition = objectives.find((each) => each.kind === kind);
    if (definition === undefined) throw new TypeError(`no objective is called ${kind}`);
    refuseUnusedBounds(definition, bounds);
    return { config, settings: { kind, options: given }, versions: {} };
  }
  const { definition, path, fingerprint } = await loadPlugin(objectivePlugin, config.file, reader, options);
  const settled = parsePluginOptions(objectivePlugin, definition, config.options);
  refuseUnusedBounds(definition, bounds);
  const kind = `${definition.kind}@${fingerprint}`;
  registerObjective(kind, definition);
  return {
    config: { ...config, file: path, options: { ...settled.options } },
    settings: { kind, options: settled.options },
    versions: { [objectivePlugin.fileVersion]: fingerprint },
  };
}

/** A bound that the objective does not use, and that the config sets, would be ignored. */
function refuseUnusedBounds({ kind, bounds: used }: ObjectiveDefinition, bounds: Bounds): void {
  const defaults: Readonly<Partial<Record<BoundName, number>>> = defaultBounds;
  const unused = boundNames.find((name) => !used.includes(name) && bounds[name] !== defaults[name]);
  if (unused === undefined) return;
  throw new UsageError({
    where: `training config, update.${unused}`,
    what: `the objective "${kind}" does not use it.`,
    fix: `Leave it out, or choose another update.objective.kind.`,
  });
}
