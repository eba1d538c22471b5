import { describe, expect, it } from 'vitest';
import { trainConfigSchema } from '../../../../trainers/config/config.ts';
import { describeSamplerGap, findSamplerGap } from '../../../../trainers/loop/health/sampler-gap.ts';
import type { IterationLine } from '../../../../trainers/run/metrics-schema.ts';

const runOf = (...mismatches: readonly (number | undefined)[]): readonly IterationLine[] =>
  mismatches.map((mismatch, index) => ({
    kind: 'iteration',
    iteration: index + 1,
    environmentSteps: 100,
    episodes: 32,
    success: 0.5,
    figures: mismatch === undefined ? {} : { 'update/mismatch': mismatch },
  }));

describe('sampler gap of a server', () => {
  it('shows in its log-probabilities, but not with half precision or without a server', () => {
    expect(findSamplerGap(runOf(0.004, 0.02, 0.05), { async: 0 })).toBeUndefined();
    expect(findSamplerGap(runOf(undefined, undefined), { async: 0 })).toBeUndefined();
    expect(findSamplerGap(runOf(0.01, 0.3, 0.02, 0.75), { async: 0 })).toEqual({
      first: 2,
      iterations: 2,
      nats: 0.75,
    });
    expect([
      findSamplerGap(runOf(0.08), { async: 0 })?.nats,
      findSamplerGap(runOf(0.08), { async: 1 }),
      findSamplerGap(runOf(0.12), { async: 1 })?.nats,
    ]).toEqual([0.08, undefined, 0.12]);
  });

  it('comes with a description of likely causes', () => {
    const config = (sampler: object, ahead: number) =>
      trainConfigSchema.parse({
        env: 'household-v1',
        async: ahead,
        policy: {
          kind: 'token',
          model: 'm',
          adapter: { rank: 2 },
          sampler: { url: 'http://localhost:1/v1', model: 'm', ...sampler },
        },
      });
    const gap = { first: 3, iterations: 1, nats: 0.456 };
    expect(describeSamplerGap(gap, config({ kind: 'vllm' }, 0))).toMatch(
      /^in iteration 3 the log-probabilities of the server differed from those computed here by 0\.46 nats per token .*: the sampled model is not the trained one\. Check that the server has the same model, and was started as policy\.sampler\.logprobs=raw says\.$/,
    );
    expect(
      describeSamplerGap({ ...gap, iterations: 4 }, config({ kind: 'llama-cpp', presets: 'p.ini' }, 2)),
    ).toMatch(
      /^in 4 iterations, 3 the first, .*: the weights are stale \(--async 2\), or the sampled model is not the trained one\. Check that the server has the same model, not quantised\.$/,
    );
  });
});
