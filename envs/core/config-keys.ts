import { z } from 'zod';

/** A description of one config key. */
export interface ConfigKey {
  /** The path, such as `update.learningRate`. `*` stands for any entry of a list or a map. */
  readonly name: string;
  /** The type with its bounds, such as `integer 3 to 7`. */
  readonly type: string;
  /** The default; undefined where there is none. */
  readonly default: unknown;
  /** True where the key has no default and is not optional. */
  readonly required: boolean;
  readonly says: string;
  /** The conditions under which the key is allowed; empty where it always is. */
  readonly when: readonly Condition[];
}

/** A condition on another key: it must have one of the values. */
export interface Condition {
  readonly key: string;
  readonly is: readonly unknown[];
}

/** `credit.kind gigpo`, or with several values `update.schedule.kind linear or cosine`. */
export const describeCondition = ({ key, is }: Condition): string => `${key} ${is.map(String).join(' or ')}`;

const childrenSchema = z.array(z.unknown());
const nodeSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: childrenSchema.optional(),
  oneOf: childrenSchema.optional(),
  allOf: childrenSchema.optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  required: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  default: z.unknown().optional(),
  description: z.string().optional(),
  $ref: z.string().optional(),
  $defs: z.record(z.string(), z.unknown()).optional(),
});
/** A part of a JSON Schema, with what zod writes of it. */
type Node = z.output<typeof nodeSchema>;

/** The place of a node in the config. */
interface Place {
  readonly path: readonly string[];
  /** The value in the default of an outer node, which applies as a whole. */
  readonly preset: unknown;
  readonly required: boolean;
  readonly node: (part: unknown) => Node;
  /** The nodes around this one. A schema may contain itself. */
  readonly around: readonly Node[];
}

/** Lists the keys of a config schema in its order, nested keys by their paths. It reads the JSON Schema that zod makes of the schema. */
export function describeConfigKeys(config: z.ZodType): readonly ConfigKey[] {
  const schema = nodeSchema.parse(z.toJSONSchema(config, { io: 'input', unrepresentable: 'any' }));
  const node = (part: unknown): Node => {
    const parsed = nodeSchema.safeParse(part).data ?? {};
    if (parsed.$ref === undefined) return parsed;
    const target = parsed.$ref === '#' ? schema : schema.$defs?.[parsed.$ref.replace('#/$defs/', '')];
    return { ...nodeSchema.safeParse(target).data, ...parsed, $ref: undefined };
  };
  return keysOf(schema, { path: [], preset: undefined, required: false, node, around: [] });
}

function keysOf(node: Node, outer: Place): readonly ConfigKey[] {
  const preset = outer.preset === undefined ? node.default : outer.preset;
  const isInside = outer.around.some(
    (other) => other.properties !== undefined && canonical(other.properties) === canonical(node.properties),
  );
  if (isInside) return [leaf(node, { ...outer, preset })];
  const place = { ...outer, preset, around: [...outer.around, node] };
  if (node.allOf !== undefined) return node.allOf.flatMap((part) => keysOf(place.node(part), place));
  const variants = node.oneOf ?? node.anyOf;
  if (variants !== undefined) return keysOfVariants(variants.map(place.node), node, place);
  if (node.properties !== undefined) return keysOfObject(node, place);
  const entries = place.node(node.items ?? node.additionalProperties);
  const inner =
    entries.properties === undefined
      ? []
      : keysOf(entries, { ...place, path: [...place.path, '*'], preset: undefined });
  return place.path.length === 0 ? inner : [leaf(node, place), ...inner];
}

function keysOfObject(node: Node, place: Place, except?: string): readonly ConfigKey[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, part]) => {
    if (name === except) return [];
    const preset = isRecord(place.preset) ? place.preset[name] : undefined;
    return keysOf(place.node(part), {
      ...place,
      path: [...place.path, name],
      preset,
      required: node.required?.includes(name) === true,
    });
  });
}

/** The keys of all variants. A key that not every variant has gets a condition. */
function keysOfVariants(variants: readonly Node[], node: Node, place: Place): readonly ConfigKey[] {
  const shapes = variants.filter(({ properties }) => properties !== undefined);
  const own = shapes.length < variants.length ? [leaf(node, place)] : [];
  const tag = tagOf(shapes);
  const found = new Map<string, { readonly key: ConfigKey; readonly is: unknown[]; variants: number }>();
  for (const shape of shapes) {
    const is = tag === undefined ? [] : valuesOf(place.node(shape.properties?.[tag]));
    const isPreset = tag !== undefined && isRecord(place.preset) && is.includes(place.preset[tag]);
    for (const key of keysOfObject(shape, { ...place, preset: isPreset ? place.preset : undefined }, tag)) {
      const known = found.get(canonical(key));
      if (known === undefined) found.set(canonical(key), { key, is: [...is], variants: 1 });
      else {
        known.is.push(...is);
        known.variants += 1;
      }
    }
  }
  if (tag === undefined) return [...own, ...[...found.values()].map(({ key }) => key)];
  const tagKey = describeTag(tag, shapes, node, place);
  const others = [...found.values()].map(({ key, is, variants: holders }) =>
    holders === shapes.length ? key : { ...key, when: [{ key: tagKey.name, is }, ...key.when] },
  );
  return [...own, tagKey, ...others];
}

/** The key whose value distinguishes the variants. */
function tagOf(shapes: readonly Node[]): string | undefined {
  const [first, ...others] = shapes;
  const isTag = (name: string): boolean =>
    [first, ...others].every(
      (shape) => valuesOf(nodeSchema.safeParse(shape?.properties?.[name]).data ?? {}).length > 0,
    );
  return others.length === 0 ? undefined : Object.keys(first?.properties ?? {}).find(isTag);
}

function describeTag(tag: string, shapes: readonly Node[], node: Node, place: Place): ConfigKey {
  const nodes = shapes.map((shape) => place.node(shape.properties?.[tag]));
  const described = {
    enum: nodes.flatMap(valuesOf),
    description: nodes.find(({ description }) => description !== undefined)?.description ?? node.description,
  };
  const preset = isRecord(place.preset) ? place.preset[tag] : undefined;
  return leaf(described, { ...place, path: [...place.path, tag], preset, required: true });
}

const valuesOf = (node: Node): readonly unknown[] =>
  node.enum ?? (node.const === undefined ? [] : [node.const]);

function leaf(node: Node, place: Place): ConfigKey {
  return {
    name: place.path.join('.'),
    type: typeWords(node, place.node),
    default: place.preset,
    required: place.required && place.preset === undefined,
    says: node.description ?? '',
    when: [],
  };
}

function typeWords(node: Node, resolve: Place['node']): string {
  const values = valuesOf(node);
  if (values.length > 0) return values.map((value) => JSON.stringify(value)).join(' | ');
  const variants = node.oneOf ?? node.anyOf;
  if (variants !== undefined) return variants.map((part) => typeWords(resolve(part), resolve)).join(' | ');
  if (node.type === 'array') return `list of ${typeWords(resolve(node.items), resolve)}`;
  const type = [node.type ?? 'any'].flat().join(' | ');
  const bounds = boundWords(node);
  return bounds === '' ? type : `${type} ${bounds}`;
}

/** The bounds in words. An integer's bounds are inclusive. */
function boundWords(node: Node): string {
  const whole = node.type === 'integer';
  const low = whole && node.exclusiveMinimum !== undefined ? node.exclusiveMinimum + 1 : node.minimum;
  const high = whole && node.exclusiveMaximum !== undefined ? node.exclusiveMaximum - 1 : node.maximum;
  const hasLow = low !== undefined && low > Number.MIN_SAFE_INTEGER;
  const hasHigh = high !== undefined && high < Number.MAX_SAFE_INTEGER;
  if (hasLow && hasHigh) return `${low} to ${high}`;
  const lower = hasLow
    ? `from ${low}`
    : whole || node.exclusiveMinimum === undefined
      ? ''
      : `above ${node.exclusiveMinimum}`;
  const upper = hasHigh
    ? `up to ${high}`
    : whole || node.exclusiveMaximum === undefined
      ? ''
      : `below ${node.exclusiveMaximum}`;
  return [lower, upper].filter((words) => words !== '').join(', ');
}

/** The part of a value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = Reflect.get(at, part);
  }
  return at;
}

const canonical = (value: unknown): string => JSON.stringify(value) ?? '';
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
