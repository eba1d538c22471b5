import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { openSafetensors } from '../../models/safetensors/read-safetensors.ts';
import { writeSafetensors, type TensorValues } from '../../models/safetensors/write-safetensors.ts';

const goldenFile = (name: string): string =>
  new URL(`../golden/safetensors/${name}`, import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'cairn-safetensors-'));
afterAll(() => rm(folder, { recursive: true }));

/** A file of that header and so many bytes of numbers. */
function forge(header: string | Uint8Array, dataBytes: number, announced?: bigint): string {
  const text = Buffer.from(header);
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(announced ?? BigInt(text.length));
  const file = join(folder, 'forged.safetensors');
  writeFileSync(file, Buffer.concat([prefix, text, Buffer.alloc(dataBytes)]));
  return file;
}

const entry = (type: string, shape: readonly number[], from: number, to: number): unknown => ({
  dtype: type,
  shape,
  data_offsets: [from, to],
});

describe('files of the original safetensors library', () => {
  test('load value by value, with half precision widened', async () => {
    const schema = z.record(
      z.string(),
      z.object({ shape: z.array(z.number()), values: z.array(z.string()) }),
    );
    const golden = schema.parse(JSON.parse(readFileSync(goldenFile('goldens.json'), 'utf8')));
    await using file = await openSafetensors(goldenFile('mixed.safetensors'));
    expect(file.metadata).toEqual({ 'made-by': 'safetensors', note: 'snow \u2603' });
    expect([...file.tensors.keys()].toSorted()).toEqual(Object.keys(golden).toSorted());
    for (const [name, { shape, values }] of Object.entries(golden)) {
      expect(file.tensors.get(name)?.shape).toEqual(shape);
      if (name === 'wide') continue;
      expect([...(await file.read(name))]).toEqual(
        values.map((value) => Number(value.replace('inf', 'Infinity'))),
      );
    }
  });

  test('may contain unsupported types, which only reading them refuses', async () => {
    await using file = await openSafetensors(goldenFile('mixed.safetensors'));
    await expect(file.read('wide')).rejects.toThrow(/tensor "wide".*I64/);
    await expect(file.read('absent')).rejects.toThrow(/no tensor "absent".*It holds/);
  });

  test('may be empty', async () => {
    await using file = await openSafetensors(goldenFile('empty.safetensors'));
    expect(file.tensors.size).toBe(0);
  });
});

test('writeSafetensors writes files that read back bit by bit', async () => {
  const tensors = fc.dictionary(
    fc.string({ minLength: 1 }).filter((name) => name !== '__metadata__' && name !== '__proto__'),
    fc.float32Array({ maxLength: 40 }).map((values): TensorValues => ({ shape: [1, values.length], values })),
  );
  await fc.assert(
    fc.asyncProperty(
      tensors,
      fc.dictionary(
        fc.string().filter((key) => key !== '__proto__'),
        fc.string(),
      ),
      async (written, metadata) => {
        const file = join(folder, 'round-trip.safetensors');
        await writeSafetensors(file, written, metadata);
        await using read = await openSafetensors(file);
        expect(read.metadata).toEqual({ ...metadata });
        for (const [name, { shape, values }] of Object.entries(written)) {
          expect(read.tensors.get(name)?.shape).toEqual(shape);
          expect(new Uint32Array((await read.read(name)).buffer)).toEqual(
            new Uint32Array(values.slice().buffer),
          );
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('openSafetensors refuses a file cut anywhere, or with extra bytes', async () => {
  const whole = readFileSync(goldenFile('mixed.safetensors'));
  const file = join(folder, 'cut.safetensors');
  for (let length = 0; length < whole.length; length += 1) {
    writeFileSync(file, whole.subarray(0, length));
    await expect(openSafetensors(file), `cut at ${length}`).rejects.toSatisfy((thrown) =>
      UsageError.is(thrown),
    );
  }
  writeFileSync(file, Buffer.concat([whole, Buffer.alloc(3)]));
  await expect(openSafetensors(file)).rejects.toThrow('3 bytes follow');
});

test.each([
  ['a header longer than the file', () => forge('{}', 0, 99n), 'the file ends before'],
  ['a header longer than the format allows', () => forge('{}', 0, 1n << 60n), "above the format's bound"],
  ['a header that is no JSON', () => forge('{"a":', 0), 'not JSON'],
  ['a header that is no UTF-8', () => forge(Buffer.from([0x7b, 0xff, 0x7d]), 0), 'not JSON in UTF-8'],
  ['a header that is no object', () => forge('[1]', 0), 'no JSON object'],
  ['metadata that is not text', () => forge('{"__metadata__":{"a":1}}', 0), '__metadata__'],
  [
    'an entry without a type',
    () => forge('{"a":{"shape":[1],"data_offsets":[0,4]}}', 4),
    'tensor "a" is malformed',
  ],
  [
    'a negative length',
    () => forge(JSON.stringify({ a: entry('F32', [-1], 0, 4) }), 4),
    'tensor "a" is malformed',
  ],
  [
    'an impossible shape',
    () => forge(JSON.stringify({ a: entry('F32', [2 ** 40, 2 ** 40], 0, 4) }), 4),
    'impossible shape',
  ],
  [
    'a size that does not follow from the shape',
    () => forge(JSON.stringify({ a: entry('F32', [3], 0, 8) }), 8),
    'should have 12 bytes, not 8',
  ],
  [
    'tensors that overlap',
    () => forge(JSON.stringify({ a: entry('F32', [2], 0, 8), b: entry('F32', [2], 4, 12) }), 12),
    'gap or an overlap',
  ],
  [
    'a gap between tensors',
    () => forge(JSON.stringify({ a: entry('F32', [1], 0, 4), b: entry('F32', [1], 8, 12) }), 12),
    'gap or an overlap',
  ],
  [
    'offsets that run backwards',
    () => forge(JSON.stringify({ a: entry('X', [1], 8, 0) }), 8),
    'gap or an overlap',
  ],
  ['a missing file', () => join(folder, 'absent.safetensors'), 'cannot be opened'],
])('openSafetensors refuses %s', async (_, make, message) => {
  const attempt = openSafetensors(make());
  await expect(attempt).rejects.toThrow(message);
  await expect(attempt).rejects.toSatisfy((thrown) => UsageError.is(thrown));
});

test('writeSafetensors leaves neither a torn nor an unfinished file when it fails', async () => {
  const file = join(folder, 'failed.safetensors');
  await writeSafetensors(file, { a: { shape: [1], values: Float32Array.of(1) } });
  await expect(writeSafetensors(file, { a: { shape: [2], values: Float32Array.of(2) } })).rejects.toThrow(
    'tensor a',
  );
  await using read = await openSafetensors(file);
  expect([...(await read.read('a'))]).toEqual([1]);
  await expect(openSafetensors(`${file}.unfinished`)).rejects.toThrow('cannot be opened');
});
