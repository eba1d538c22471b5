import { statSync } from 'node:fs';
import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { importOwnModule, locateModule, readable, type ImportOptions } from '../../envs/own-module.ts';
import { fingerprintModule } from './fingerprint-module.ts';
import type { PluginDefinition, PluginKind } from '../../envs/core/plugin.ts';

/** A user's plug-in and the file that defines it. */
export interface LoadedPlugin<Definition> {
  readonly definition: Definition;
  /** Absolute path of the file. */
  readonly path: string;
  /** SHA-256 over the file and the files that it imports by relative paths. */
  readonly fingerprint: string;
}

export interface LoadPluginOptions extends Pick<ImportOptions, 'signal' | 'deadlineMs'> {
  /**
   * The fingerprint that the file must have, and where it is recorded. Other content is refused and does not
   * run.
   */
  readonly expected?: { readonly fingerprint: string; readonly where: string; readonly fix: string };
}

const method = z.custom<(...args: never) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
);
const objectSchema = z.custom<z.ZodObject>(
  (value) => typeof value === 'object' && value !== null && '_zod' in value && 'shape' in value,
  'must be z.object or z.strictObject of zod 4',
);

/** Members of every definition; a kind of plug-in adds its own. */
export const definitionShape = {
  kind: z.string().min(1),
  summary: z.string(),
  paper: z.string().optional(),
  options: objectSchema,
  create: method,
};

/** Recognises the definitions of one kind of plug-in. */
export interface DefinitionReader<Definition> {
  /** Reports what is wrong with an invalid value. */
  readonly shape: z.ZodType;
  readonly accepts: (value: unknown) => value is Definition;
}

/** How errors name a user's file. */
export const pluginWhere = ({ noun }: PluginKind, file: string): string => `${noun} module "${file}"`;

/** Where the work of a plug-in belongs, for errors about a file that does not finish loading. */
export const pluginIdle = ({ noun }: PluginKind): string => `what a ${noun} needs belongs in its \`create\``;

/**
 * Loads the plug-in that a user's file exports. Inside the file `cairn-gym/envs`, `cairn-gym/agents` and
 * `cairn-gym/trainers` are this build.
 *
 * @param reader validates the exported value
 * @throws UsageError for a file that is missing, does not load, has changed, or exports something else
 */
export async function loadPlugin<Definition extends PluginDefinition>(
  kind: PluginKind,
  file: string,
  reader: DefinitionReader<Definition>,
  { expected, ...options }: LoadPluginOptions = {},
): Promise<LoadedPlugin<Definition>> {
  const where = pluginWhere(kind, file);
  if (expected !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new UsageError({
      where: expected.where,
      what: `its ${kind.noun} is defined in ${file}, and that file does not exist.`,
      fix: expected.fix,
    });
  const path = locateModule(file, where);
  const fingerprint = await fingerprintModule(path, where);
  if (expected !== undefined && expected.fingerprint !== fingerprint)
    throw new UsageError({
      where: expected.where,
      what: `its ${kind.noun} is defined in ${path}, and that file or one that it imports has changed: the run has ${expected.fingerprint}, the file has ${fingerprint}.`,
      fix: expected.fix,
    });
  const trainers = await import('../index.ts'); // not at the top: the index exports this file
  const agents = await import('../../agents/index.ts');
  const exported = await importOwnModule(path, where, {
    ...options,
    modules: { 'cairn-gym/agents': agents, 'cairn-gym/trainers': trainers },
    idle: pluginIdle(kind),
  });
  const definition = readable(where, () => readExport(kind, exported, reader, where));
  return { definition, path, fingerprint };
}

function readExport<Definition>(
  { noun, exportName, define }: PluginKind,
  exported: unknown,
  { shape, accepts }: DefinitionReader<Definition>,
  where: string,
): Definition {
  const fix = `Export it: export const ${exportName} = ${define}({ … }).`;
  const members = new Map<string, unknown>(
    typeof exported === 'object' && exported !== null ? Object.entries(exported) : [],
  );
  const candidate = members.get(exportName);
  if (candidate === undefined)
    throw new UsageError({
      where,
      what:
        members.size === 0
          ? 'it exports nothing.'
          : `it exports ${[...members.keys()].join(', ')} but no \`${exportName}\`.`,
      fix,
    });
  if (accepts(candidate)) return candidate;
  const { error } = shape.safeParse(candidate);
  throw new UsageError({
    where: `${where}, ${exportName}`,
    what: error === undefined ? `it is not a ${noun}.` : `${describeIssues(error)}.`,
    fix,
  });
}
