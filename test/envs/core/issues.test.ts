import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeConfigKeys } from '../../../envs/core/config-keys.ts';
import { describeIssues } from '../../../envs/core/issues.ts';

const schema = z.strictObject({
  seed: z.int().default(0),
  size: z.int().min(2).default(2),
  mode: z.enum(['plain', 'fancy']).default('plain'),
  update: z
    .strictObject({ learningRate: z.number().default(1), batchSteps: z.int().positive().default(1) })
    .prefault({}),
  credit: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('gigpo'), omega: z.number().default(1) }),
      z.strictObject({ kind: z.literal('grpo'), std: z.number().default(1) }),
    ])
    .prefault({ kind: 'gigpo' }),
  stages: z.array(z.strictObject({ width: z.int() })).default([]),
  label: z.string().min(1).default('x'),
});

function said(value: unknown): string {
  const { error } = schema.safeParse(value);
  return error === undefined ? 'nothing' : describeIssues(error, { value, keys: describeConfigKeys(schema) });
}

describe('describeIssues on an unknown key', () => {
  test.each([
    [
      { sed: 1 },
      'unknown key "sed"; did you mean seed? Keys: seed, size, mode, update, credit, stages, label',
    ],
    [
      { update: { learningrate: 1 } },
      'unknown key "learningrate" in update; did you mean learningRate? Keys: learningRate, batchSteps',
    ],
    [
      { learningRate: 1 },
      'unknown key "learningRate"; did you mean update.learningRate? Keys: seed, size, mode, update, credit, stages, label',
    ],
    [
      { learning_rate: 1 },
      'unknown key "learning_rate"; did you mean update.learningRate? Keys: seed, size, mode, update, credit, stages, label',
    ],
    [{ qqq: 1 }, 'unknown key "qqq". Keys: seed, size, mode, update, credit, stages, label'],
    [
      { stages: [{ width: 1 }, { width: 1, widht: 1 }] },
      'unknown key "widht" in stages.[1]; did you mean width? Keys: width',
    ],
    [
      { credit: { kind: 'gigpo', omgea: 1 } },
      'unknown key "omgea" in credit; did you mean omega? Keys: kind, omega',
    ],
    [
      { credit: { kind: 'grpo', omega: 1 } },
      'unknown key "omega" in credit: it goes only with credit.kind gigpo. Keys: kind, std',
    ],
    [
      { sise: 1, zzzzzz: 1 },
      'unknown key "sise"; did you mean size? Unknown key "zzzzzz". Keys: seed, size, mode, update, credit, stages, label',
    ],
  ])('names the place, a near miss and the known keys of %j', (value, message) => {
    expect(said(value)).toBe(message);
  });
});

describe('describeIssues on a wrong value', () => {
  test.each([
    [{ mode: 'fanzy' }, 'mode: "fanzy" is not one of plain, fancy (did you mean fancy?)'],
    [{ mode: 3 }, 'mode: 3 is not one of plain, fancy'],
    [{ credit: { kind: 'grop' } }, 'credit.kind: "grop" is not one of gigpo, grpo (did you mean grpo?)'],
    [{ credit: {} }, 'credit.kind: nothing is given; it is one of gigpo, grpo'],
    [{ size: 1 }, 'size: 1 is given where integer from 2 is wanted'],
    [{ size: 'big' }, 'size: "big" is given where integer from 2 is wanted'],
    [{ stages: [{}] }, 'stages.[0].width: nothing is given where integer is wanted'],
    [{ update: 4 }, 'update: 4 is given where an object is wanted: its keys are learningRate, batchSteps'],
    [
      { credit: 'gigpo' },
      'credit: "gigpo" is given where an object is wanted: its keys are kind, omega; did you mean credit.kind=gigpo?',
    ],
    [{ label: '' }, 'label: Too small: expected string to have >=1 characters'],
    [
      { seed: 'x', size: 0 },
      'seed: "x" is given where integer is wanted. size: 0 is given where integer from 2 is wanted',
    ],
  ])('shows the value beside what is wanted for %j', (value, message) => {
    expect(said(value)).toBe(message);
  });
});

test('uses the words of the schema when it has no parsed value', () => {
  const { error } = schema.safeParse({ sed: 1, update: { x: 1 } });
  expect(error && describeIssues(error)).toBe('update: Unrecognized key: "x"; Unrecognized key: "sed"');
});
