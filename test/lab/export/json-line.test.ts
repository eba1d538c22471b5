import fc from 'fast-check';
import { expect, it } from 'vitest';
import { trainingLine } from '../../../lab/export/json-line.ts';

const columns = ['return', 'returns', 'input_ids', 'metadata', 'a "name"'] as const;

it('trainingLine writes what JSON.stringify writes, for a reader of JSON', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const row = fc.dictionary(fc.oneof(fc.constantFrom(...columns), fc.string()), value, {
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(row, (of) => {
      expect(JSON.parse(trainingLine(of))).toEqual(JSON.parse(JSON.stringify(of)));
    }),
  );
});

it('trainingLine writes fractional numbers with a point even when they are whole', () => {
  const row = {
    returns: [1, 0.5, null, -0],
    metadata: { return: -2, score: 1e21, member: 3 },
    input_ids: [7],
  };
  expect(trainingLine(row)).toBe(
    '{"returns":[1.0,0.5,null,0.0],"metadata":{"return":-2.0,"score":1e+21,"member":3},"input_ids":[7]}\n',
  );
});
