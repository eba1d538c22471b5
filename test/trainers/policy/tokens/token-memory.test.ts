import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../envs/core/errors.ts';
import { modelPresets } from '../../../../models/token/model-presets.ts';
import type { TransformerConfig } from '../../../../models/token/transformer-config.ts';
import type { MemoryLimit } from '../../../../trainers/policy/memory-limit.ts';
import {
  assertFitsTokenMemory,
  estimateTokenMemory,
  type TokenTrainingShape,
} from '../../../../trainers/policy/tokens/token-memory.ts';

const gibibyte = 2 ** 30;
const family = {
  family: 'qwen2',
  ropeTheta: 1e6,
  ropeScaling: undefined,
  normEpsilon: 1e-6,
  tied: true,
  attentionBias: true,
  outputBias: false,
  feedForwardBias: false,
  queryKeyNorm: false,
  longestContext: 32_768,
} as const;
/** The shape of Qwen2.5-0.5B. */
const half: TransformerConfig = {
  ...family,
  vocabulary: 151_936,
  width: 896,
  layers: 24,
  heads: 14,
  keyValueHeads: 2,
  headSize: 64,
  hiddenWidth: 4_864,
};
const nano: TransformerConfig = { ...family, ...modelPresets.nano, queryKeyNorm: true };

const shapeOf = (
  transformer: TransformerConfig,
  policy: Partial<TokenTrainingShape['policy']> = {},
  klWeight = 0,
): TokenTrainingShape => ({
  transformer,
  policy: { slots: 32, tokensAtOnce: 8_192, recompute: false, workers: 0, ...policy },
  update: { batchSteps: 512, klWeight },
  contextLength: 2_048,
});
const onWasm: MemoryLimit = { backend: 'wasm', machine: 64 * gibibyte };

function refusalOf(shape: TokenTrainingShape, limit = onWasm, tokens = 100_000): string {
  try {
    assertFitsTokenMemory(shape, limit, tokens);
  } catch (thrown) {
    if (UsageError.is(thrown)) return thrown.message;
    throw thrown;
  }
  return '';
}

describe('memory estimate of training a language model', () => {
  it('counts weights, moments, gradient and any reference', () => {
    const [without, beside] = [
      estimateTokenMemory(shapeOf(half), 0),
      estimateTokenMemory(shapeOf(half, {}, 0.1), 0),
    ];
    expect(without.weights / 4 / 494_032_768).toBeCloseTo(1, 6);
    expect([without.optimiser, without.gradient, without.reference]).toEqual([
      2 * without.weights,
      without.weights,
      0,
    ]);
    expect(beside.peak - without.peak).toBe(without.weights);
  });

  it('comes near the measured 56 MiB for a nano model on 2,048 tokens, kernels included', () => {
    const { peak } = estimateTokenMemory({ ...shapeOf(nano, { slots: 1 }), contextLength: 128 }, 2_048);
    expect(peak / 2 ** 20).toBeGreaterThan(56);
    expect(peak / 2 ** 20).toBeLessThan(84);
  });

  it('adds little to the weights for an adapter', () => {
    const { weights, optimiser, gradient } = estimateTokenMemory(
      shapeOf(half, { adapter: { rank: 16, alpha: 32, targets: ['q_proj', 'v_proj'] } }),
      0,
    );
    expect(optimiser + gradient).toBeLessThan(0.02 * weights);
  });

  it('counts the weights once more for each worker, whose passes are smaller', () => {
    const [none, two, three] = [0, 2, 3].map((workers) =>
      estimateTokenMemory(shapeOf(half, { workers }), 100_000),
    );
    expect((three?.peak ?? 0) - (two?.peak ?? 0)).toBe(two?.worker);
    expect(two?.worker).toBeGreaterThan(two?.weights ?? 0);
    expect(two?.batch).toBeLessThan(none?.batch ?? 0);
  });

  it('causes an error beyond the limit, with settings that fit', () => {
    const message = refusalOf(shapeOf(half));
    expect(message).toMatch(
      /^training config, memory: its tensors need at least \d+\.\d GiB \(the weights alone 1\.8 GiB\), and backend wasm holds at most 4\.0 GiB\./,
    );
    const lean = shapeOf(half, {
      adapter: { rank: 16, alpha: 32, targets: ['q_proj', 'v_proj'] },
      tokensAtOnce: 4_096,
      recompute: true,
    });
    expect(refusalOf(lean)).toBe('');
    const [, tokensAtOnce = ''] =
      /--with policy\.tokensAtOnce=(\d+)/.exec(
        refusalOf({ ...lean, policy: { ...lean.policy, recompute: false, tokensAtOnce: 65_536 } }),
      ) ?? [];
    expect(
      refusalOf({
        ...lean,
        policy: { ...lean.policy, recompute: false, tokensAtOnce: Number(tokensAtOnce) },
      }),
    ).toBe('');
    const [, slots = ''] =
      /--with policy\.slots=(\d+)/.exec(refusalOf(shapeOf(nano, { slots: 1_000_000 }))) ?? [];
    expect(refusalOf(shapeOf(nano, { slots: Number(slots) }))).toBe('');
  });

  it('limits all workers together to the machine’s memory', () => {
    const many = shapeOf(nano, { workers: 8 });
    expect(refusalOf(many)).toBe('');
    expect(refusalOf(many, { backend: 'wasm', machine: gibibyte })).toMatch(
      /and this machine has at most 1\.0 GiB\. Any of these would fit: .*--with policy\.workers=\d/,
    );
  });

  it('counts a graphics card’s own memory, except for the weights on their way there', () => {
    expect(refusalOf(shapeOf(half), { backend: 'webgpu', machine: 4 * gibibyte })).toBe('');
    expect(refusalOf(shapeOf(half), { backend: 'webgpu', machine: gibibyte })).toContain('this machine has');
  });
});
