import { z } from 'zod';
import type { Json } from '../../core/json.ts';

/** The kind of each annotated schema. */
const kinds = z.registry<{ readonly kind: string }>();

/**
 * Says what kind of value an argument takes, or a field of a result holds, such as `orders.id`. Listed calls
 * fill the arguments of a kind with the values of that kind that results have shown. Without it the name is
 * the kind. A kind that no result has, such as `said`, leaves what the user mentions. Use it on the outside: `from('orders.id', z.string().describe('…'))`.
 */
export function from<Schema extends z.ZodType>(kind: string, schema: Schema): Schema {
  const own = schema.clone(undefined, { parent: true }) as Schema; // a schema may stand in several places, with a kind in each
  kinds.add(own, { kind });
  return own;
}

/** An argument of a tool, as the listing of calls sees it. */
export interface ArgumentSpec {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly isRequired: boolean;
  readonly kind: string;
  /** All values, where the schema lists them. */
  readonly options: readonly Json[] | undefined;
  readonly type: 'string' | 'number' | 'other';
  /** Whether the schema describes its strings by a pattern or a format, so that words can be tried on it. */
  readonly isNarrow: boolean;
}

/** The arguments of a tool. */
export function argumentsOf(input: z.ZodObject): readonly ArgumentSpec[] {
  return Object.entries(input.shape).map(([name, given]): ArgumentSpec => {
    const schema = given as z.ZodType;
    const inner = unwrap(schema);
    const json = z.toJSONSchema(inner, { unrepresentable: 'any' });
    const { type } = json;
    return {
      name,
      schema: inner,
      isRequired: !schema.safeParse(undefined).success,
      kind: kindOf(schema) ?? name,
      options: optionsOf(json),
      type: type === 'string' ? 'string' : type === 'number' || type === 'integer' ? 'number' : 'other',
      isNarrow: json.pattern !== undefined || json.format !== undefined || json.allOf !== undefined,
    };
  });
}

function optionsOf(json: z.core.JSONSchema.BaseSchema): readonly Json[] | undefined {
  if (json.type === 'boolean') return [true, false];
  if (json.const !== undefined) return [json.const as Json];
  return json.enum as readonly Json[] | undefined;
}

/** The kinds of fields of a result, by name, where a field has a kind of its own. */
export function fieldKinds(output: z.ZodType): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (name: string, schema: z.ZodType, depth: number): void => {
    if (depth > 20) return; // a schema may contain itself
    const kind = kinds.get(schema)?.kind;
    if (kind !== undefined) found.set(name, kind);
    if (schema instanceof z.ZodObject)
      for (const [key, part] of Object.entries(schema.shape)) visit(key, part as z.ZodType, depth + 1);
    else if (schema instanceof z.ZodArray) visit(name, schema.element as z.ZodType, depth + 1);
    else if (schema instanceof z.ZodUnion)
      for (const part of schema.options) visit(name, part as z.ZodType, depth + 1);
    else if (isWrapped(schema)) visit(name, schema.unwrap() as z.ZodType, depth + 1);
  };
  visit('', output, 0);
  return found;
}

const isWrapped = (
  schema: z.ZodType,
): schema is z.ZodOptional | z.ZodExactOptional | z.ZodNullable | z.ZodDefault =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodExactOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault;

const unwrap = (schema: z.ZodType): z.ZodType =>
  isWrapped(schema) ? unwrap(schema.unwrap() as z.ZodType) : schema;

const kindOf = (schema: z.ZodType): string | undefined =>
  kinds.get(schema)?.kind ?? (isWrapped(schema) ? kindOf(schema.unwrap() as z.ZodType) : undefined);
