import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ggmlTypes } from '../../../models/gguf/dequantise.ts';

const cases = z
  .array(z.strictObject({ type: z.int(), name: z.string(), blocks: z.base64(), values: z.base64() }))
  .parse(JSON.parse(readFileSync('test/golden/gguf-types/types.json', 'utf8')));

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));

test.each(cases)(
  '$name decodes to the numbers of the package gguf, bit by bit',
  ({ type, name, blocks, values }) => {
    const known = ggmlTypes.get(type);
    expect(known?.name).toBe(name);
    const [stored, expected] = [bytesOf(blocks), new Float32Array(bytesOf(values).buffer)];
    expect((stored.length / (known?.bytes ?? 0)) * (known?.numbers ?? 0)).toBe(expected.length);
    const out = new Float32Array(expected.length);
    known?.decode(stored, out);
    expect(out).toEqual(expected);
  },
);

test('all types but the plain ones are compared with the package gguf', () => {
  const plain = ['F32', 'F16', 'BF16'];
  const names = [...ggmlTypes.values()].map(({ name }) => name).filter((name) => !plain.includes(name));
  expect(names.toSorted()).toEqual(cases.map(({ name }) => name).toSorted());
});
