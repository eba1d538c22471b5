import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readBack } from '../../models/backend/read-back.ts';
import { turnsDuring } from '../support/turns-during.ts';

type Backend = Parameters<typeof readBack>[0];

/** Gives eight numbers after a while, of a tensor of three. */
function slowBackend(): Backend {
  const read = async (): Promise<Float32Array> => {
    await pause(300);
    return Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  };
  const data = { shape: [3] };
  return { read, tensorMap: { get: () => data, has: () => true } } as unknown as Backend;
}

test('readBack waits gently for a software driver and eagerly for a GPU, and reads the tensor’s length', async () => {
  const [software, gpu] = [slowBackend(), slowBackend()];
  readBack(software, { isSoftware: true });
  readBack(gpu, { isSoftware: false });
  const [gentle, fast] = [
    await turnsDuring(async () => software.read({})),
    await turnsDuring(async () => gpu.read({})),
  ];
  expect(gentle).toBeLessThan(fast / 3);
  expect([await software.read({}), await gpu.read({})]).toEqual([
    Float32Array.of(1, 2, 3),
    Float32Array.of(1, 2, 3),
  ]);
});
