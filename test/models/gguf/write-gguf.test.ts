import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeGguf } from '../../../models/gguf/write-gguf.ts';
import { useFolder } from '../../support/own-folder.ts';
import { readGguf } from './read-gguf.ts';

const inFolder = useFolder();
const name = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text !== '__proto__'); // also those of more bytes than characters
/** Distinguishes NaN and -0 too. */
const bits = (values: Float32Array): Uint32Array => new Uint32Array(values.slice().buffer);

test('writeGguf writes files that read back unchanged, whatever the names and lengths', async () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.float({ noNaN: true }));
  const tensor = fc
    .float32Array({ minLength: 1, maxLength: 40 })
    .map((values) => ({ shape: [1, values.length], values }));
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, value), fc.dictionary(name, tensor), async (keys, tensors) => {
      const file = inFolder('any.gguf');
      await writeGguf(file, keys, tensors);
      const read = readGguf(file);
      expect(read.keys).toEqual({ ...keys });
      expect(Object.keys(read.tensors)).toEqual(Object.keys(tensors));
      for (const [of, { shape, values }] of Object.entries(tensors)) {
        expect(read.tensors[of]?.lengths).toEqual(shape.toReversed());
        expect(bits(read.tensors[of]?.values ?? new Float32Array(0))).toEqual(bits(values));
      }
    }),
    { numRuns: 60 },
  );
  expect(readdirSync(inFolder())).toEqual(['any.gguf']);
});

test('writeGguf refuses a tensor whose shape does not match its numbers', async () => {
  await expect(
    writeGguf(inFolder('odd.gguf'), {}, { some: { shape: [2, 3], values: new Float32Array(5) } }),
  ).rejects.toThrow('tensor some of shape [2, 3] was given 5 numbers');
});
