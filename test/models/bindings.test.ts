import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Bindings, type BindingDevice } from '../../models/backend/bindings.ts';

interface FakeBuffer {
  says: string;
  isDestroyed: boolean;
  readonly destroy: () => void;
}

/** A call, or the end of a batch. */
const call = fc.record({ pipeline: fc.nat(1), buffers: fc.constantFrom([0], [0, 1]), says: fc.nat(9) });
const event = fc.oneof(
  { weight: 15, arbitrary: call },
  { weight: 1, arbitrary: fc.constant('submit' as const) },
);

test('Bindings give each submitted call its own uniforms, and destroy no buffer in use', () => {
  fc.assert(
    fc.property(
      fc.array(event, { minLength: 30, maxLength: 200 }),
      fc.integer({ min: 1, max: 40 }),
      (events, most) => {
        const { device, boundTo, live } = fakeDevice();
        const parts = { pipelines: [fakePipeline(), fakePipeline()], buffers: [fakeBuffer(), fakeBuffer()] };
        const bindings = new Bindings(device, most);
        let batch: {
          readonly group: object;
          readonly says: number;
          readonly pipeline: object;
          readonly buffers: readonly object[];
        }[] = [];
        const submit = (): void => {
          for (const { group, says, pipeline, buffers } of batch) {
            const { layout, entries } = boundTo(group);
            const uniforms = entries.at(-1);
            expect([layout, ...entries.slice(0, -1)]).toEqual([pipeline, ...buffers]);
            expect(uniforms).toMatchObject({ isDestroyed: false, says: expectedBytes(says) });
          }
          batch = [];
          bindings.beginBatch();
          expect(live()).toBeLessThanOrEqual(most);
        };
        bindings.beginBatch();
        for (const one of events) {
          if (one === 'submit') {
            submit();
            continue;
          }
          const pipeline = parts.pipelines[one.pipeline] as unknown as GPUComputePipeline;
          const buffers = one.buffers.map((number) => parts.buffers[number] as unknown as GPUBuffer);
          batch.push({
            group: bindings.of(pipeline, buffers, { shapes: [], size: one.says, fields: [] }),
            says: one.says,
            pipeline,
            buffers,
          });
        }
        submit();
        bindings.dispose();
        expect(live()).toBe(0);
      },
    ),
  );
});

test('Bindings drop the least recently used ones beyond the limit', () => {
  const { device, made } = fakeDevice();
  const bindings = new Bindings(device, 10);
  const pipelines = Array.from({ length: 12 }, () => fakePipeline() as unknown as GPUComputePipeline);
  const buffer = fakeBuffer() as unknown as GPUBuffer;
  const use = (pipeline: GPUComputePipeline): void => {
    bindings.beginBatch();
    bindings.of(pipeline, [buffer], { shapes: [], size: 1, fields: [] });
  };
  for (const pipeline of pipelines.slice(0, 10)) use(pipeline);
  for (const pipeline of pipelines.slice(0, 5)) use(pipeline);
  for (const pipeline of pipelines.slice(10)) use(pipeline);
  for (const pipeline of pipelines.slice(0, 5)) use(pipeline);
  expect(made()).toBe(12);
  for (const pipeline of pipelines.slice(5, 7)) use(pipeline);
  expect(made()).toBe(14);
});

test('Bindings make only a few groups for changing uniforms, and write nothing for equal ones', () => {
  const { device, made, written } = fakeDevice();
  const bindings = new Bindings(device, 1_000);
  const [pipeline, buffer] = [
    fakePipeline() as unknown as GPUComputePipeline,
    fakeBuffer() as unknown as GPUBuffer,
  ];
  for (let size = 0; size < 500; size += 1) {
    bindings.beginBatch();
    bindings.of(pipeline, [buffer], { shapes: [[size + 1]], size, fields: [] });
  }
  expect([made(), written()]).toEqual([4, 500]);
  for (let round = 0; round < 50; round += 1) {
    bindings.beginBatch();
    for (const size of [496, 497, 498, 499])
      bindings.of(pipeline, [buffer], { shapes: [[size + 1]], size, fields: [] });
  }
  expect([made(), written()]).toEqual([4, 500]);
});

const fakePipeline = () => ({
  getBindGroupLayout(this: object) {
    return this;
  },
});

function fakeBuffer(): FakeBuffer {
  const buffer: FakeBuffer = {
    says: '',
    isDestroyed: false,
    destroy: () => void (buffer.isDestroyed = true),
  };
  return buffer;
}

/** No number, infinity, and the size. */
const expectedBytes = (size: number): string =>
  Buffer.from(new Float32Array([Number.NaN, Number.POSITIVE_INFINITY]).buffer).toString('latin1') +
  Buffer.from(Int32Array.of(size).buffer).toString('latin1');

/** A device that only remembers. */
function fakeDevice() {
  vi.stubGlobal('GPUBufferUsage', { UNIFORM: 64, COPY_DST: 8 });
  onTestFinished(() => void vi.unstubAllGlobals());
  const groups = new Map<object, { readonly layout: object; readonly entries: readonly object[] }>();
  const buffers: FakeBuffer[] = [];
  let written = 0;
  const device = {
    createBuffer: () => {
      const buffer = fakeBuffer();
      buffers.push(buffer);
      return buffer;
    },
    createBindGroup: ({
      layout,
      entries,
    }: {
      readonly layout: object;
      readonly entries: readonly { readonly resource: { readonly buffer: object } }[];
    }) => {
      const group = {};
      groups.set(group, { layout, entries: entries.map(({ resource }) => resource.buffer) });
      return group;
    },
    queue: {
      writeBuffer: (...[buffer, , bytes, from, length]: [FakeBuffer, number, Buffer, number, number]) => {
        written += 1;
        buffer.says = bytes.toString('latin1', from, from + length);
      },
    },
  };
  const boundTo = (group: object) => {
    const bound = groups.get(group);
    if (bound === undefined) throw new TypeError('it made no such group');
    return bound;
  };
  return {
    device: device as unknown as BindingDevice,
    boundTo,
    made: () => groups.size,
    written: () => written,
    live: () => buffers.filter(({ isDestroyed }) => !isDestroyed).length,
  };
}
