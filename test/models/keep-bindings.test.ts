import {
  add,
  concat,
  dispose,
  env,
  findBackend,
  fused,
  matMul,
  mul,
  ones,
  scalar,
  slice,
  sub,
  tensor,
  tensor1d,
  tidy,
  transpose,
  type Tensor,
} from '@tensorflow/tfjs-core';
import { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { softwareVulkanDriver } from '../../cli/doctor/system-parts.ts';
import { keepBindings } from '../../models/backend/keep-bindings.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { UniformWords, type UniformField, type UniformSource } from '../../models/backend/uniform-words.ts';
import { describeWithParts } from '../support/system-part.ts';
import { runs } from '../support/thorough.ts';

process.env['VK_ICD_FILENAMES'] = softwareVulkanDriver;

test('UniformWords lays out uniforms like the library', () => {
  const shape = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 6 });
  const field = fc.record({
    type: fc.constantFrom('int32', 'uint32', 'float32'),
    data: fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 6 }),
  });
  const words = new UniformWords();
  vi.stubGlobal('GPUBufferUsage', {}); // the library asks for it
  onTestFinished(() => void vi.unstubAllGlobals());
  fc.assert(
    fc.property(
      fc.array(shape, { maxLength: 5 }),
      fc.option(fc.nat(), { nil: undefined }),
      fc.array(field, { maxLength: 5 }),
      (shapes, size, fields) => {
        const source = { shapes, size, fields };
        const length = words.write(source);
        expect(words.bytes.subarray(0, length)).toEqual(laidOutByLibrary(source));
      },
    ),
    { numRuns: runs(500) },
  );
});

test('UniformWords refuses more uniforms than fit', () => {
  expect(() =>
    new UniformWords().write({
      shapes: Array.from({ length: 200 }, () => [2, 3, 4]),
      size: undefined,
      fields: [],
    }),
  ).toThrow(RangeError);
});

await describeWithParts(
  ['vulkan-loader', 'software-vulkan'],
  'bindings of webgpu through a software driver',
  () => {
    test('serve repeated work again, which computes the same', async () => {
      const backend = await openBackend('webgpu');
      const made = vi.spyOn(openedWebgpu().device, 'createBindGroup');
      const written = vi.spyOn(openedWebgpu().queue, 'writeBuffer');
      onTestFinished(() => [made, written].forEach((spy) => spy.mockRestore()));
      const [left, right] = [numbered([40, 30]), numbered([30, 50])];
      const once = async (): Promise<Float32Array> => {
        const product = backend.run(() =>
          add(matMul(left, right), slice(concat([left, left], 1), [0, 0], [40, 50])),
        );
        const values = await backend.read(product);
        dispose(product);
        return values;
      };
      const first = await once();
      await once();
      expect(made).toHaveBeenCalled();
      [made, written].forEach((spy) => spy.mockClear());
      for (let round = 0; round < 5; round += 1) expect(await once()).toEqual(first);
      expect([made.mock.calls.length, written.mock.calls.length]).toEqual([0, 0]);
      dispose([left, right]);
    });

    test('get remade when more are used than may be kept, which computes the same', async () => {
      const backend = await openBackend('webgpu');
      const webgpu = openedWebgpu();
      const kept: unknown = Reflect.get(webgpu, 'recordAndSubmit');
      onTestFinished(() => void Reflect.set(webgpu, 'recordAndSubmit', kept));
      keepBindings(webgpu, 3);
      const made = vi.spyOn(webgpu.device, 'createBindGroup');
      onTestFinished(() => made.mockRestore());
      for (let round = 0; round < 4; round += 1) {
        made.mockClear();
        for (const side of [2, 3, 5]) {
          const matrix = numbered([side, side + 1]);
          const twice = backend.run(() => transpose(add(matrix, matrix)));
          const expected = Array.from(
            { length: side * (side + 1) },
            (_, place) => 2 * ((place % side) * (side + 1) + Math.floor(place / side)),
          );
          expect([...(await backend.read(twice))]).toEqual(expected);
          dispose([matrix, twice]);
        }
        expect(made.mock.calls.length).toBeGreaterThanOrEqual(3);
      }
    });

    test('keep tensors of a pending command from being reused', async () => {
      const backend = await openBackend('webgpu');
      const [five, one] = [tensor1d([5, 9]), tensor1d([1, 1])];
      const six = backend.run(() => add(five, one));
      dispose([five, one]);
      const nine = tensor1d([9, 13]);
      const ten = backend.run(() => add(nine, 1));
      expect([[...(await backend.read(six))], [...(await backend.read(ten))]]).toEqual([
        [6, 10],
        [10, 14],
      ]);
      dispose([six, nine, ten]);
    });

    test('submit as many calls together as the library is configured to', async () => {
      const backend = await openBackend('webgpu');
      const submitted = vi.spyOn(openedWebgpu().queue, 'submit');
      const before = env().getNumber('WEBGPU_DEFERRED_SUBMIT_BATCH_SIZE');
      onTestFinished(() => {
        submitted.mockRestore();
        env().set('WEBGPU_DEFERRED_SUBMIT_BATCH_SIZE', before);
      });
      const calls = async (together: number): Promise<number> => {
        env().set('WEBGPU_DEFERRED_SUBMIT_BATCH_SIZE', together);
        const sum = backend.run(() =>
          Array.from({ length: 12 }).reduce<Tensor>((sofar) => add(sofar, 1), numbered([4])),
        );
        expect([...(await backend.read(sum))]).toEqual([12, 13, 14, 15]);
        dispose(sum);
        const { length } = submitted.mock.calls;
        submitted.mockClear();
        return length;
      };
      expect([await calls(1), await calls(4), await calls(100)]).toEqual([13, 4, 1]); // with the one that reads
    });

    test('accept shaders of the library with null uniforms', async () => {
      const backend = await openBackend('webgpu');
      const sum = backend.run(() =>
        fused.matMul({ a: ones([16, 2_048]), b: ones([2_048, 32]), bias: ones([32]), activation: 'relu' }),
      );
      expect(new Set(await backend.read(sum))).toEqual(new Set([2_049]));
      dispose(sum);
    });

    test('read as many numbers as a tensor has, though its buffer is longer', async () => {
      const backend = await openBackend('webgpu');
      const sum = backend.run(() => add(ones([3]), ones([3])));
      expect([await sum.array(), [...(await sum.data())], [...(await backend.read(sum))]]).toEqual([
        [2, 2, 2],
        [2, 2, 2],
        [2, 2, 2],
      ]);
      const small = backend.run(() => add(scalar(1), scalar(2)));
      expect(await small.array()).toBe(3);
      dispose([sum, small]);
    });

    test('differ for two shaders on the same buffers', async () => {
      const backend = await openBackend('webgpu');
      const [left, right] = [numbered([2, 3]), numbered([2, 3])];
      const said: number[][] = [];
      for (const operation of [add, mul, sub, add, mul, sub]) {
        const result = backend.run(() => operation(left, right));
        said.push([...(await backend.read(result))]);
        dispose(result);
      }
      const expected = [
        [0, 2, 4, 6, 8, 10],
        [0, 1, 4, 9, 16, 25],
        [0, 0, 0, 0, 0, 0],
      ];
      expect(said).toEqual([...expected, ...expected]);
      dispose([left, right]);
    });

    test.each([0, 1, 2, 3, 4, 5, 6])('read a tensor of rank %d by its own shape', async (rank) => {
      const backend = await openBackend('webgpu');
      const shape = Array.from({ length: rank }, (_, side) => 2 + (side % 2));
      const sums = backend.run(() =>
        tidy(() => add(numbered(shape), numbered(shape.map((side, place) => (place === 0 ? 1 : side))))),
      );
      const inner = shape.slice(1).reduce((product, side) => product * side, 1);
      expect([...(await backend.read(sums))]).toEqual(
        Array.from({ length: inner * (shape[0] ?? 1) }, (_, place) => place + (place % inner)),
      );
      dispose(sums);
    });
  },
);

/** 0, 1, 2, … */
function numbered(shape: number[]): Tensor {
  return tensor(
    Array.from({ length: shape.reduce((product, side) => product * side, 1) }, (_, place) => place),
    shape,
  );
}

/** The backend that runs on WebGPU, even if another file of this process has chosen another since. */
function openedWebgpu(): WebGPUBackend {
  const backend: unknown = findBackend('webgpu');
  if (!(backend instanceof WebGPUBackend)) throw new TypeError('webgpu was not opened');
  return backend;
}

/** The bytes that the library's own function writes. */
function laidOutByLibrary({ shapes, size, fields }: UniformSource): Buffer {
  const strides = (shape: readonly number[]): number[] =>
    shape.slice(1).map((_, side) => shape.slice(side + 1).reduce((product, length) => product * length, 1));
  const all: UniformField[] = [
    { type: 'float32', data: [Number.NaN] },
    { type: 'float32', data: [Number.POSITIVE_INFINITY] },
    ...shapes.flatMap((shape) => [
      { type: 'int32', data: shape },
      { type: 'int32', data: strides(shape) },
    ]),
    ...(size === undefined ? [] : [{ type: 'int32', data: [size] }]),
    ...fields,
  ];
  let written: Buffer | undefined;
  const held = {
    bufferManager: { acquireBuffer: () => ({}) },
    queue: {
      writeBuffer: (_buffer: object, _to: number, bytes: ArrayBuffer) => void (written = Buffer.from(bytes)),
    },
    uniformPendingDisposal: [],
  };
  const makeUniforms: unknown = Reflect.get(WebGPUBackend.prototype, 'makeUniforms');
  if (typeof makeUniforms !== 'function') throw new TypeError('the library has no makeUniforms any more');
  Reflect.apply(makeUniforms, held, [all.map(({ type, data }) => ({ type, data: [...data] }))]);
  if (written === undefined) throw new TypeError('the library wrote nothing');
  return written;
}
