import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { UsageError } from '../../../../envs/core/errors.ts';
import { updateSchema } from '../../../../trainers/config/config.ts';
import { choiceConfigSchema } from '../../../../models/choice/choice-config.ts';
import {
  assertFitsMemory,
  estimateTrainingMemory,
} from '../../../../trainers/policy/choice/choice-memory.ts';
import type { MemoryLimit } from '../../../../trainers/policy/memory-limit.ts';

const gibibyte = 2 ** 30;
const configOf = (policy: z.input<typeof choiceConfigSchema>, klWeight = 0.01) => ({
  policy: choiceConfigSchema.parse(policy),
  update: updateSchema.parse({ klWeight }),
});
const onWasm: MemoryLimit = { backend: 'wasm', machine: 64 * gibibyte };

function refusalOf(policy: z.input<typeof choiceConfigSchema>, limit = onWasm): string {
  try {
    assertFitsMemory(configOf(policy), limit);
  } catch (thrown) {
    if (UsageError.is(thrown)) return thrown.message;
    throw thrown;
  }
  return '';
}

describe('memory estimate of a choice training', () => {
  it.each([
    { klWeight: 0.01, held: 3, most: 10 },
    { klWeight: 0, held: 0, most: 7 },
  ])(
    'counts the learning policy and, with a KL weight of $klWeight, $held times its weights for the reference',
    ({ klWeight, held, most }) => {
      const { weights, reference, peak } = estimateTrainingMemory(
        configOf({ buckets: 1000, width: 10, hidden: 10 }, klWeight),
        { decisions: 0, rows: 0, features: 0 },
      );
      expect(weights).toBe(4 * (1000 * 10 + 10 + 10 * 10 + 10 + 10));
      expect(reference).toBe(held * weights);
      expect(peak).toBe(most * weights);
    },
  );

  it('causes an error beyond the backend’s limit, with the largest value of each key', () => {
    const message = refusalOf({ width: 8192 });
    expect(message).toMatch(
      /^training config, memory: its tensors need at least 5\.0 GiB \(the weights alone, of 16384 buckets of width 8192, 514\.0 MiB\), and backend wasm holds at most 4\.0 GiB\./,
    );
    const [, width = '', buckets = ''] =
      /Any of these would fit: --with policy\.width=(\d+), or --with policy\.buckets=(\d+)\.$/.exec(
        message,
      ) ?? [];
    expect([
      refusalOf({ width: Number(width) }),
      refusalOf({ width: 8192, buckets: Number(buckets) }),
    ]).toEqual(['', '']);
    expect([
      refusalOf({ width: Number(width) + 1 }),
      refusalOf({ width: 8192, buckets: Number(buckets) + 1 }),
    ]).not.toContain('');
  });

  it('causes an error beyond the machine’s memory, on a graphics card too', () => {
    const wide = { width: 8192 };
    expect(refusalOf(wide, { backend: 'cpu', machine: 64 * gibibyte })).toBe('');
    expect(refusalOf(wide, { backend: 'cpu', machine: 2 * gibibyte })).toMatch(
      /and this machine has at most 2\.0 GiB/,
    );
    expect(refusalOf({ width: 64 }, { backend: 'wasm', machine: gibibyte })).toBe('');
    expect(refusalOf(wide, { backend: 'wasm', machine: gibibyte })).toMatch(
      /and this machine has at most 1\.0 GiB/,
    );
    expect(refusalOf(wide, { backend: 'webgpu', machine: 2 * gibibyte })).toBe('');
    expect(refusalOf({ ...wide, buckets: 1 << 26 }, { backend: 'webgpu', machine: 2 ** 40 })).toMatch(
      /6\.0 TiB/,
    );
  });

  it('includes the mini-batch when it is known', () => {
    const config = configOf({});
    const batchAt = (batchSteps: number) => ({
      decisions: batchSteps,
      rows: 10_000 * batchSteps,
      features: 0,
    });
    expect(() => assertFitsMemory(config, onWasm, batchAt)).toThrow(
      /Any of these would fit: .*--with update\.batchSteps=\d+/,
    );
  });
});
