import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { configSchemasOf, moduleShape, type PluginKind } from '../../envs/core/plugin.ts';
import {
  definitionShape,
  loadPlugin,
  type DefinitionReader,
  type LoadPluginOptions,
} from '../plugins/load-plugin.ts';
import { parsePluginOptions } from '../plugins/plugin-options.ts';
import type { EvidenceDefinition, EvidenceSource } from './evidence-source.ts';
import { evidenceSources } from './list.ts';

export const evidencePlugin: PluginKind = {
  noun: 'evidence source',
  exportName: 'evidence',
  define: 'defineEvidence',
  configKey: 'evidence',
  fileVersion: 'evidence-file',
};

/** Names the sources of evidence of a run. */
export const evidenceConfigSchema = z.array(
  z.discriminatedUnion('kind', [
    ...configSchemasOf(evidenceSources),
    z.strictObject(moduleShape('evidence source')),
  ]),
);

export type EvidenceConfig = z.output<typeof evidenceConfigSchema>;

/** A source that is ready to use. */
export interface OpenedEvidence {
  /** Its kind, which also names its learner's folder in a checkpoint. */
  readonly name: string;
  readonly gives: readonly string[];
  readonly source: EvidenceSource;
}

const shape = z.strictObject({ ...definitionShape, gives: z.array(z.string().regex(/^[a-z][a-z0-9-]*$/)) });

const reader: DefinitionReader<EvidenceDefinition> = {
  shape,
  accepts: (value): value is EvidenceDefinition => shape.safeParse(value).success,
};

/**
 * Opens the sources that a config names, and loads the user's files.
 * @throws UsageError for an invalid file or options, for two sources of one name, and for evidence that two
 * sources give
 */
export async function openEvidence(
  config: EvidenceConfig,
  options: LoadPluginOptions = {},
): Promise<{
  readonly config: EvidenceConfig;
  readonly sources: readonly OpenedEvidence[];
  readonly versions: Readonly<Record<string, string>>;
}> {
  const settled: EvidenceConfig = [];
  const sources: OpenedEvidence[] = [];
  const versions: Record<string, string> = {};
  for (const [at, each] of config.entries()) {
    if (each.kind !== 'module') {
      const { kind, ...given } = each;
      const definition = evidenceSources.find((source) => source.kind === kind);
      if (definition === undefined) throw new TypeError(`there is no evidence source "${kind}"`);
      settled.push(each);
      sources.push({ name: kind, gives: definition.gives, source: definition.create(given) });
      continue;
    }
    const { definition, path, fingerprint } = await loadPlugin(evidencePlugin, each.file, reader, options);
    const own = parsePluginOptions(evidencePlugin, definition, each.options);
    settled.push({ ...each, file: path, options: { ...own.options } });
    sources.push({
      name: definition.kind,
      gives: definition.gives,
      source: definition.create(own.parsed),
    });
    versions[`${evidencePlugin.fileVersion}-${at}`] = fingerprint;
  }
  refuseTwice(sources.map(({ name }) => name));
  refuseTwice(sources.flatMap(({ gives }) => gives));
  return { config: settled, sources, versions };
}

function refuseTwice(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return;
  throw new UsageError({
    where: 'training config, evidence',
    what: `two sources give "${twice}".`,
    fix: 'Remove one of them.',
  });
}
