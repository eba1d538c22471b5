import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { builtInEnvs } from '../../../envs/catalog.ts';
import { describeConfigKeys, valueAt, type ConfigKey } from '../../../envs/core/config-keys.ts';

/** The parts of a key, without the usual ones. */
const brief = ({ name, type, default: preset, required, says, when }: ConfigKey): unknown => [
  name,
  type,
  preset,
  ...(required ? ['required'] : []),
  ...(says === '' ? [] : [says]),
  ...when.map(({ key, is }) => `${key} = ${is.join('/')}`),
];
const keysOf = (schema: z.ZodType): unknown => describeConfigKeys(schema).map(brief);

describe('describeConfigKeys', () => {
  test('lists name, type with bounds, default and meaning, in order', () => {
    const schema = z.strictObject({
      name: z.string(),
      size: z.int().min(3).max(7).default(5).describe('how large'),
      count: z.number().int().positive().default(1),
      below: z.int().lt(10).optional(),
      rate: z.number().positive().default(0.1),
      share: z.number().gt(0).lt(1).optional(),
      tilt: z.number().min(-1).max(1).default(0),
      mode: z.enum(['a', 'b']).default('a'),
      fixed: z.literal(3).default(3),
      names: z.array(z.string()).default([]),
      either: z.union([z.string(), z.number().min(0)]).optional(),
      nothing: z.null().optional(),
    });
    expect(keysOf(schema)).toEqual([
      ['name', 'string', undefined, 'required'],
      ['size', 'integer 3 to 7', 5, 'how large'],
      ['count', 'integer from 1', 1],
      ['below', 'integer up to 9', undefined],
      ['rate', 'number above 0', 0.1],
      ['share', 'number above 0, below 1', undefined],
      ['tilt', 'number -1 to 1', 0],
      ['mode', '"a" | "b"', 'a'],
      ['fixed', '3', 3],
      ['names', 'list of string', []],
      ['either', 'string | number from 0', undefined],
      ['nothing', 'null', undefined],
    ]);
  });

  test('lists keys of nested objects by path, with the outermost default', () => {
    const inner = z.strictObject({
      speed: z.number().default(1),
      deep: z.strictObject({ x: z.int().default(2) }).prefault({}),
    });
    expect(
      keysOf(
        z.strictObject({
          a: inner.prefault({}),
          b: inner.default({ speed: 9, deep: { x: 8 } }),
          c: inner.optional(),
        }),
      ),
    ).toEqual([
      ['a.speed', 'number', 1],
      ['a.deep.x', 'integer', 2],
      ['b.speed', 'number', 9],
      ['b.deep.x', 'integer', 8],
      ['c.speed', 'number', 1],
      ['c.deep.x', 'integer', 2],
    ]);
  });

  test('lists keys of variants with their condition, unless all variants have them', () => {
    const shared = { both: z.int().default(1) };
    const schema = z.strictObject({
      fall: z
        .discriminatedUnion('kind', [
          z.strictObject({ kind: z.literal('none') }),
          z.strictObject({ kind: z.literal('line'), ...shared, floor: z.number().default(0) }),
          z.strictObject({
            kind: z.literal('curve'),
            ...shared,
            floor: z.number().default(0),
            by: z.number(),
          }),
        ])
        .default({ kind: 'line', both: 1, floor: 0.1 })
        .describe('how it falls'),
      all: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('x'), ...shared }),
        z.strictObject({ kind: z.literal('y'), ...shared }),
      ]),
    });
    expect(keysOf(schema)).toEqual([
      ['fall.kind', '"none" | "line" | "curve"', 'line', 'how it falls'],
      ['fall.both', 'integer', 1, 'fall.kind = line/curve'],
      ['fall.floor', 'number', 0.1, 'fall.kind = line'],
      ['fall.floor', 'number', 0, 'fall.kind = curve'],
      ['fall.by', 'number', undefined, 'required', 'fall.kind = curve'],
      ['all.kind', '"x" | "y"', undefined, 'required'],
      ['all.both', 'integer', 1],
    ]);
  });

  test('ends at lists, maps, unions and recursive schemas', () => {
    interface Tree {
      readonly leaf: number;
      readonly branches?: readonly Tree[] | undefined;
    }
    const tree: z.ZodType<Tree> = z.strictObject({
      leaf: z.number(),
      get branches() {
        return z.array(tree).optional();
      },
    });
    const schema = z.strictObject({
      stages: z.array(z.strictObject({ x: z.int() })).default([]),
      rooms: z.record(z.string(), z.strictObject({ y: z.int() })).default({}),
      maybe: z.nullable(z.strictObject({ z: z.int() })).default(null),
      tree: tree.optional(),
    });
    expect(keysOf(schema)).toEqual([
      ['stages', 'list of object', []],
      ['stages.*.x', 'integer', undefined, 'required'],
      ['rooms', 'object', {}],
      ['rooms.*.y', 'integer', undefined, 'required'],
      ['maybe', 'object | null', null],
      ['maybe.z', 'integer', undefined, 'required'],
      ['tree.leaf', 'number', undefined, 'required'],
      ['tree.branches', 'list of object', undefined],
      ['tree.branches.*', 'object', undefined],
    ]);
  });

  test('returns no keys when the config is not an object', () => {
    expect(keysOf(z.strictObject({}))).toEqual([]);
    expect(keysOf(z.string())).toEqual([]);
    expect(keysOf(z.strictObject({ any: z.custom(() => true).default(1) }))).toEqual([['any', 'any', 1]]);
  });
});

describe('config keys of the built-in envs', () => {
  test.each(builtInEnvs.map((definition) => [definition.id, definition] as const))(
    'describe every key of %s',
    (_id, { config }) => {
      const keys = describeConfigKeys(config);
      expect(keys.filter(({ says }) => says === '')).toEqual([]);
      const optional = keys.filter(({ required }) => !required).map(({ name }) => `${name}.`);
      const isAsked = ({ name, required, when }: ConfigKey): boolean =>
        required && when.length === 0 && !optional.some((outer) => name.startsWith(outer));
      expect(keys.filter(isAsked)).toEqual([]); // it opens without a config
      expect(config.safeParse({}).success).toBe(true);
    },
  );
});

test('valueAt looks up own properties by path', () => {
  const value = { a: [{ b: 1 }], none: null };
  expect(valueAt(value, ['a', 0, 'b'])).toBe(1);
  expect(valueAt(value, [])).toBe(value);
  for (const path of [['a', 1, 'b'], ['none', 'x'], ['constructor'], ['a', 0, 'b', 'c']])
    expect(valueAt(value, path)).toBeUndefined();
});
