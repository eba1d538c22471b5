import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import {
  defineEnv,
  type AnyEnvDefinition,
  type EnvDefinition,
  type EnvHost,
  type EnvId,
} from '../../../envs/core/env.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { createRegistry } from '../../../envs/core/registry.ts';
import { refusalOf } from '../../support/refusal-of.ts';

/** A definition of that id and config; it cannot be opened. */
function definition<const Id extends EnvId, Config extends z.ZodType, Obs, Act>(
  id: Id,
  config: Config,
  observation: z.ZodType<Obs>,
  action: z.ZodType<Act>,
): EnvDefinition<Id, Config, Obs, Act> {
  return defineEnv({
    id,
    summary: id,
    config,
    observation,
    action,
    deterministic: true,
    text: {
      observation: (seen: Obs) => String(seen),
      action: (action: Act) => String(action),
      parse: (text) => ({ kind: 'malformed', why: '', text }),
    },
    open: (): Promise<EnvHost<Obs, Act>> => Promise.reject(new Error('not to be opened')),
  });
}

const maze = definition(
  'maze-v1',
  z.strictObject({ size: z.int().default(5) }),
  z.string(),
  z.enum(['north', 'south']),
);
const maze2 = definition('maze-v2', z.strictObject({}), z.string(), z.string());
const maze10 = definition('maze-v10', z.strictObject({}), z.number(), z.string());
const mine = definition('my-lab/maze-v3', z.strictObject({ seed: z.int() }), z.string(), z.int());
const registry = createRegistry([maze, maze10, maze2, mine]);

describe('a registry', () => {
  test('finds a definition by its full id', () => {
    for (const one of [maze, maze2, maze10, mine]) expect(registry.find(one.id)).toBe(one);
    expect(registry.get('maze-v2')).toBe(maze2);
    expect(registry.definitions).toEqual([maze, maze10, maze2, mine]);
  });

  test('resolves a bare name to the version with the highest number', () => {
    expect(registry.find('maze')).toBe(maze10);
    expect(registry.find('my-lab/maze')).toBe(mine);
  });

  test('refuses an unknown id with near misses, or with all ids when there are none', () => {
    expect(refusalOf(() => registry.find('maez'))).toBe(
      'env "maez": this environment does not exist. Did you mean maze? `npx cairn-gym envs` lists all.',
    );
    expect(refusalOf(() => registry.find('maze-v3'))).toMatch(
      /Did you mean maze-v1 or maze-v2 or maze-v10\?/,
    );
    expect(refusalOf(() => registry.find('crossword'))).toMatch(
      /There are maze-v1, maze-v10, maze-v2, my-lab\/maze-v3\. Load your own/,
    );
    for (const id of ['', 'constructor', '__proto__', 'maze-v'])
      expect(() => registry.find(id)).toThrow(UsageError);
  });

  test('refuses an id that is registered twice', () => {
    expect(refusalOf(() => createRegistry([maze, mine, maze]))).toMatch(/"maze-v1" is registered twice/);
  });

  test.each([
    'Maze-v1',
    'maze',
    'maze-v0',
    'maze-v01',
    '-maze-v1',
    'a/b/maze-v1',
    '/maze-v1',
    'maze v1-v1',
    'maze-v1\n',
    'maze-v1.2',
  ])('refuses the malformed id %j', (id) => {
    expect(refusalOf(() => createRegistry([{ ...maze, id: id as EnvId }]))).toMatch(/^env id/);
  });

  test.each(['maze-v1', 'lights-out-v12', '2048-v1', 'my-lab/maze-v1', 'x-v1'])('accepts the id %j', (id) => {
    expect(createRegistry([{ ...maze, id: id as EnvId }]).find(id).id).toBe(id);
  });
});

describe('the types of a registry', () => {
  test('a literal id gives the exact definition type', () => {
    expectTypeOf(registry.get('maze-v1')).toEqualTypeOf(maze);
    expectTypeOf<ReturnType<typeof maze.open>>().resolves.toEqualTypeOf<EnvHost<string, 'north' | 'south'>>();
    expectTypeOf(registry.get('my-lab/maze-v3').config).toEqualTypeOf(mine.config);
    expectTypeOf<z.input<typeof maze.config>>().toEqualTypeOf<{ size?: number | undefined }>();
    expectTypeOf<Parameters<typeof registry.get>[0]>().toEqualTypeOf<
      'maze-v1' | 'maze-v2' | 'maze-v10' | 'my-lab/maze-v3'
    >();
    expectTypeOf(registry.find('maze')).toEqualTypeOf<AnyEnvDefinition>();
  });

  test('unknown ids and ids without a version are type errors', () => {
    // @ts-expect-error -- no such id
    expect(() => registry.get('maze-v7')).toThrow(UsageError);
    // @ts-expect-error -- no version
    const bare: EnvId = 'maze';
    expect(bare).toBe('maze');
  });

  test('every definition is assignable to AnyEnvDefinition', () => {
    expectTypeOf(maze).toExtend<AnyEnvDefinition>();
    expectTypeOf(mine).toExtend<AnyEnvDefinition>();
  });
});
