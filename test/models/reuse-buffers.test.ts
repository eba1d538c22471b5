import { add, dispose, memory, ones } from '@tensorflow/tfjs-core';
import fc, { type Stream } from 'fast-check';
import { expect, test } from 'vitest';
import { softwareVulkanDriver } from '../../cli/doctor/system-parts.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { bufferSize, reuseBuffers } from '../../models/backend/reuse-buffers.ts';
import { describeWithParts } from '../support/system-part.ts';

process.env['VK_ICD_FILENAMES'] = softwareVulkanDriver;

test('bufferSize rounds up to few sizes, by a sixteenth at most, or up to double for small buffers', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 1, max: 2 ** 19 }), fc.integer({ min: 1, max: 2 ** 30 })),
      (words) => {
        const made = bufferSize(4 * words);
        expect(made).toBeGreaterThanOrEqual(4 * words);
        expect(made).toBeLessThanOrEqual(words > 2 ** 18 ? 4.25 * words : Math.max(64, 8 * words));
        expect(made % 4).toBe(0);
        expect(bufferSize(made)).toBe(made);
      },
    ),
  );
  expect(
    new Set(Array.from({ length: 100_000 }, (_, at) => bufferSize(1_000_000 + 4 * at))).size,
  ).toBeLessThan(11);
  expect(new Set(Array.from({ length: 2 ** 20 }, (_, at) => bufferSize(at + 1))).size).toBe(15);
  expect([bufferSize(2 ** 31 - 1_024, 2 ** 31 - 4), bufferSize(2 ** 31 - 1_024)]).toEqual([
    2 ** 31 - 1_024,
    2 ** 31,
  ]);
});

test('equal work gets the same buffers each time, in whatever order they were freed', () => {
  const { manager, device } = fakeDriver();
  reuseBuffers(manager, device);
  const work = (sizes: readonly number[]): Buffer[] =>
    sizes.map((bytes) => manager.acquireBuffer(bytes, 128));
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 300_000 }), { maxLength: 40 }),
      fc.infiniteStream(fc.nat()),
      (sizes, chance) => {
        const first = work(sizes);
        for (const buffer of shuffled(first, chance)) manager.releaseBuffer(buffer);
        const second = work(sizes);
        for (const buffer of shuffled(second, chance)) manager.releaseBuffer(buffer);
        const third = work(sizes);
        for (const buffer of third) manager.releaseBuffer(buffer);
        expect(third).toEqual(second);
        expect(third.every((buffer, place) => buffer === second[place])).toBe(true);
      },
    ),
  );
});

test('batches of changing sizes hold at most twice the memory in use', () => {
  const { manager, device, held } = fakeDriver();
  reuseBuffers(manager, device);
  let [mostHeld, mostUsed] = [0, 0];
  for (let batch = 0; batch < 40; batch += 1) {
    const bytes = 4 * (5_000_000 + ((batch * 7_919_113) % 30_000_000));
    const inUse = Array.from({ length: 12 }, (_, part) => manager.acquireBuffer(bytes + 40_000 * part, 128));
    mostUsed = Math.max(mostUsed, manager.numBytesUsed);
    mostHeld = Math.max(mostHeld, held());
    for (const buffer of inUse) manager.releaseBuffer(buffer);
  }
  expect(mostHeld / mostUsed).toBeLessThanOrEqual(2);
  expect(manager.numBytesAllocated).toBe(held());
  manager.dispose();
  expect(held()).toBe(0);
});

await describeWithParts(
  ['vulkan-loader', 'software-vulkan'],
  'buffers of webgpu through a software driver',
  () => {
    test('hold at most twice the memory in use for tensors of new sizes, which read back whole', async () => {
      const backend = await openBackend('webgpu');
      let most = 0;
      for (let round = 0; round < 60; round += 1) {
        const numbers = 1_000_000 + round * 70_001;
        const sum = backend.run(() => add(ones([numbers]), 1));
        const values = await backend.read(sum);
        expect(values.length).toBe(numbers);
        expect([values[0], values.at(-1)]).toEqual([2, 2]);
        dispose(sum);
        const held = memory();
        most = Math.max(
          most,
          'numBytesAllocatedInGPU' in held ? Number(held.numBytesAllocatedInGPU) : Number.NaN,
        );
      }
      expect(most).toBeLessThan(200 * 2 ** 20); // at most three buffers of 20 MiB are in use at once; all that were made take 1.1 GiB
    });
  },
);

type Driver = Parameters<typeof reuseBuffers>;
type Buffer = ReturnType<Driver[0]['acquireBuffer']>;

function shuffled<T>(items: readonly T[], chance: Stream<number>): T[] {
  return items
    .map((item) => [chance.next().value, item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
}

/** A driver that gives memory without having any, and says how much of it is held. */
function fakeDriver(): {
  readonly manager: Driver[0];
  readonly device: Driver[1];
  readonly held: () => number;
} {
  const live = new Set<{ readonly size: number }>();
  const createBuffer = ({ size, usage }: { readonly size: number; readonly usage: number }) => {
    const buffer = { size, usage, mapState: 'unmapped', destroy: () => void live.delete(buffer) };
    live.add(buffer);
    return buffer;
  };
  const device = { createBuffer, limits: { maxBufferSize: 2 ** 40, maxStorageBufferBindingSize: 2 ** 40 } };
  const manager = { numBytesUsed: 0, numBytesAllocated: 0 };
  return {
    manager: manager as unknown as Driver[0],
    device: device as unknown as Driver[1],
    held: () => [...live].reduce((sum, { size }) => sum + size, 0),
  };
}
