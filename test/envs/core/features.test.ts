import { describe, expect, it } from 'vitest';
import {
  actionTargetSchema,
  featureReaderOf,
  FeatureReader,
  featuresSchema,
  type ActionTarget,
} from '../../../envs/core/features.ts';
import { strictTextual, type Textual } from '../../../envs/core/textual.ts';
import { z } from 'zod';
import { refusalOf } from '../../support/refusal-of.ts';

const messageOf = (schema: z.ZodType, value: unknown): string =>
  schema
    .safeParse(value)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join() ?? '';

describe('featuresSchema', () => {
  it('accepts rows of characters and rows of longer texts', () => {
    const grid = { rows: ['#😀.', ['wall', 'door', 'floor']], focus: [0, 2], walls: ['#'], block: [1, 3] };
    expect(featuresSchema.parse({ grid, fields: { keys: 2, open: false, colour: '' } })).toEqual({
      grid,
      fields: { keys: 2, open: false, colour: '' },
    });
    expect(featuresSchema.parse({})).toEqual({});
  });

  it.each([
    [{ grid: { rows: ['..', '.'] } }, /^grid.rows.1: it has 1 cells, but the first row has 2$/],
    [{ grid: { rows: ['..'], focus: [0, 2] } }, /^grid.focus: \[0, 2\] lies outside of the 1 by 2 cells$/],
    [{ grid: { rows: ['..'], focus: [-1, 0] } }, /^grid.focus: /],
    [{ grid: { rows: [] } }, /^grid.rows: /],
    [{ grid: { rows: [''] } }, /^grid.rows.0: /],
    [{ grid: { rows: ['.'.repeat(129)] } }, /^grid.rows.0: /],
    [{ grid: { rows: ['.'], block: [0, 1] } }, /^grid.block.0: /],
    [{ fields: { many: Number.NaN } }, /^fields.many: /],
    [{ fields: { none: undefined } }, /^fields.none: /],
    [{ board: [] }, /Unrecognized key: "board"/],
  ])('refuses %j', (value, words) => {
    expect(messageOf(featuresSchema, value)).toMatch(words);
  });
});

describe('actionTargetSchema', () => {
  it('accepts cells outside of the grid, and refuses halves of cells', () => {
    expect(actionTargetSchema.parse({ cell: [-1, 200] })).toEqual({ cell: [-1, 200] });
    expect(messageOf(actionTargetSchema, { cell: [0.5, 1] })).toMatch(/^cell.0: /);
    expect(messageOf(actionTargetSchema, { direction: [1] })).toMatch(/^direction/);
  });
});

const words: Textual<string, string> = {
  observation: (observation) => observation,
  action: (action) => action,
  parse: (text) =>
    text === '' ? { kind: 'malformed', why: 'empty', text } : { kind: 'action', action: text.trim() },
};

describe('FeatureReader', () => {
  it('exists only where something is declared', () => {
    expect(featureReaderOf(words)).toBeUndefined();
    expect(featureReaderOf({ ...words, target: () => ({}) })).toBeInstanceOf(FeatureReader);
  });

  it('reads the observation, and each action by its text, once', () => {
    const asked: string[] = [];
    const reader = new FeatureReader<string, string>({
      ...words,
      features: (observation) => ({ grid: { rows: [observation] } }),
      target: (action): ActionTarget | undefined => {
        asked.push(action);
        return action === 'wait' ? undefined : { verb: action };
      },
    });
    expect(reader.read('..', ['go', '', 'wait'], 'a')).toEqual({
      features: { grid: { rows: ['..'] } },
      targets: [{ verb: 'go' }, undefined, undefined],
    });
    reader.read('..', ['wait', 'go'], 'a');
    expect(asked).toEqual(['go', 'wait']);
  });

  it('names the episode, the fault and the fix where a declaration is invalid', () => {
    const reader = new FeatureReader<string, string>({
      ...words,
      features: (observation) => ({ grid: { rows: ['..', observation] } }),
      target: (action) => ({ cell: [Number(action), 0] }),
    });
    expect(refusalOf(() => reader.read('...', [], 'run/task-1'))).toMatch(
      /^text.features of the env in run\/task-1: its return value is invalid: grid.rows.\[1\]: it has 3 cells.* Fix the environment/,
    );
    expect(refusalOf(() => reader.read('..', ['left'], 'run/task-1'))).toMatch(
      /^text.target of the env in run\/task-1: its return value is invalid: cell.\[0\]: .* Fix the environment/,
    );
  });

  it('survives strictTextual', () => {
    const text = { ...words, features: () => ({ fields: { a: 1 } }), target: () => ({ verb: 'go' }) };
    const strict = strictTextual<string, string>({ text, action: z.string() });
    expect(featureReaderOf(strict)?.read('', ['x'], 'a')).toEqual({
      features: { fields: { a: 1 } },
      targets: [{ verb: 'go' }],
    });
  });
});
