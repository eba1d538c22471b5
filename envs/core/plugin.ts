import { z } from 'zod';
import type { Json } from './json.ts';

const json: z.ZodType<Json> = z.json();

/** A kind of thing that a training config names by `kind`: one of the built-in list, or a file of the user's own. */
export interface PluginKind {
  /** What one is called in messages, such as `curriculum`. */
  readonly noun: string;
  /** The name under which a module exports one, such as `curriculum`. */
  readonly exportName: string;
  /** The function that makes one, such as `defineCurriculum`. */
  readonly define: string;
  /** The key of the training config that names it, such as `taskSampling`. */
  readonly configKey: string;
  /** How an option is set on a command line; default: `--with` and the path of its key. */
  readonly optionFlag?: string;
  /** The key of a run's `versions` that holds the fingerprint of the user's file. */
  readonly fileVersion: string;
}

/** What every plug-in says of itself. */
export interface PluginDefinition<Kind extends string = string, Options extends z.ZodObject = z.ZodObject> {
  /** Names it in a config. A user's own file has any name here: its config says `module`. */
  readonly kind: Kind;
  /** One sentence for `--keys`, help and docs. */
  readonly summary: string;
  /** Authors, year and identifier of the paper that it follows. */
  readonly paper?: string;
  readonly options: Options;
}

/** The schema of a config that names one plug-in: its `kind` beside its options. */
type ConfigSchemaOf<Definition extends PluginDefinition> = z.ZodObject<
  { kind: z.ZodLiteral<Definition['kind']> } & Definition['options']['shape'],
  z.core.$strict
>;

/** Config schemas of a list, in its order. */
export type ConfigSchemas<List extends readonly PluginDefinition[]> = {
  -readonly [Index in keyof List]: ConfigSchemaOf<List[Index]>;
};

/** The config schemas of a list of built-in plug-ins, refinements of their options included, for a discriminated union by `kind`. */
export function configSchemasOf<const List extends readonly PluginDefinition[]>(
  list: List,
): ConfigSchemas<List> {
  const schemas: unknown = list.map(({ kind, options }) =>
    options.clone({ ...options.def, shape: { kind: z.literal(kind), ...options.shape } }),
  );
  return schemas as ConfigSchemas<List>; // a mapped tuple, which `map` cannot express
}

/** The part of a config that names a user's own file. */
export const moduleShape = (noun: string) => ({
  kind: z.literal('module'),
  file: z.string().min(1).describe(`the TypeScript or JavaScript file of your own ${noun}`),
  options: z.record(z.string(), json).default({}).describe('its options, as its own schema defines them'),
});

/** One line that lists the built-in plug-ins and what each does. */
export const summariesOf = (list: readonly PluginDefinition[]): string =>
  list.map(({ kind, summary }) => `${kind}, ${summary}`).join('; ');
