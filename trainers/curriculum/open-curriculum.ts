import { z } from 'zod';
import {
  definitionShape,
  loadPlugin,
  type DefinitionReader,
  type LoadPluginOptions,
} from '../plugins/load-plugin.ts';
import { parsePluginOptions } from '../plugins/plugin-options.ts';
import { configSchemasOf, moduleShape, type PluginKind } from '../../envs/core/plugin.ts';
import {
  openState,
  type CurriculumDefinition,
  type CurriculumSetup,
  type OpenCurriculum,
} from './curriculum.ts';
import { curricula } from './list.ts';

export const curriculumKind: PluginKind = {
  noun: 'curriculum',
  exportName: 'curriculum',
  define: 'defineCurriculum',
  configKey: 'taskSampling',
  fileVersion: 'curriculum-file',
};

/** Names a curriculum and its options. */
export const curriculumConfigSchema = z.discriminatedUnion('kind', [
  ...configSchemasOf(curricula),
  z.strictObject(moduleShape('curriculum')),
]);

export type CurriculumConfig = z.output<typeof curriculumConfigSchema>;

/** The curriculum of a config, ready for use. */
export interface OpenedCurriculum {
  /** With the absolute path of the user's file and with default options. */
  readonly config: CurriculumConfig;
  /** What changes results and is not in the config; empty for a built-in one. */
  readonly versions: Readonly<Record<string, string>>;
  readonly start: (setup: CurriculumSetup) => OpenCurriculum;
}

const shape = z.strictObject({
  ...definitionShape,
  state: z.custom<z.ZodType>(
    (value) => typeof value === 'object' && value !== null && '_zod' in value,
    'must be a schema of zod 4',
  ),
});

const reader: DefinitionReader<CurriculumDefinition> = {
  shape,
  accepts: (value): value is CurriculumDefinition => shape.safeParse(value).success,
};

const start = (
  definition: CurriculumDefinition,
  options: Readonly<Record<string, unknown>>,
  setup: CurriculumSetup,
): OpenCurriculum => openState(definition, definition.create(options, setup));

/**
 * Opens the curriculum that a config names, and loads the user's file if it names one.
 * @throws UsageError for an invalid file or options
 */
export async function openCurriculum(
  config: CurriculumConfig,
  options: LoadPluginOptions = {},
): Promise<OpenedCurriculum> {
  if (config.kind !== 'module') {
    const { kind, ...given } = config;
    const definition = curricula.find((each) => each.kind === kind);
    if (definition === undefined) throw new TypeError(`there is no curriculum "${kind}"`);
    return { config, versions: {}, start: (setup) => start(definition, given, setup) };
  }
  const { definition, path, fingerprint } = await loadPlugin(curriculumKind, config.file, reader, options);
  const { options: settled, parsed } = parsePluginOptions(curriculumKind, definition, config.options);
  return {
    config: { ...config, file: path, options: { ...settled } },
    versions: { [curriculumKind.fileVersion]: fingerprint },
    start: (setup) => start(definition, parsed, setup),
  };
}
