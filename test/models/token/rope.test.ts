import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { rotationAt } from '../../../models/token/rope.ts';

const position = fc.nat(3_000);

test('rotary angles match their positions, in whatever order they are requested', async () => {
  const backend = await openBackend('cpu');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(position, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(10_000, 500_000),
      async (batches, ropeTheta) => {
        const config = { headSize: 8, ropeTheta, ropeScaling: undefined, longestContext: 2_048 };
        for (const positions of batches) {
          const { cos, sin } = backend.run(() => rotationAt(Int32Array.from(positions), config));
          const angles = positions.flatMap((at) =>
            [0, 1, 2, 3].map((pair) => Math.fround(at * Math.fround(1 / ropeTheta ** (pair / 4)))),
          );
          expect([await cos.data(), await sin.data()]).toEqual([
            Float32Array.from(angles, Math.cos),
            Float32Array.from(angles, Math.sin),
          ]);
          cos.dispose();
          sin.dispose();
        }
      },
    ),
    { numRuns: 40 },
  );
});
