import { tensor2d } from '@tensorflow/tfjs-core';
import type { Rotation } from './operations/rotate.ts';
import type { LlamaScaling, TransformerConfig } from './transformer-config.ts';

/** Turns of each pair of a head, in radians a token (Su et al. 2021, eq. 15), rounded to float32 as the checkpoints were trained: (d / 2). */
export function ropeFrequencies(config: Pick<TransformerConfig, 'headSize' | 'ropeTheta' | 'ropeScaling'>): Float32Array {
  const { headSize, ropeTheta, ropeScaling } = config;
  return Float32Array.from({ length: headSize / 2 }, (_, pair) => {
    const frequency = 1 / ropeTheta ** ((2 * pair) / headSize);
    return ropeScaling === undefined ? frequency : stretched(frequency, ropeScaling);
  });
}

/** Slow turns are divided by the factor, fast ones kept, those between blended. */
function stretched(frequency: number, scaling: LlamaScaling): number {
  const { factor, lowFrequencyFactor, highFrequencyFactor, originalContext } = scaling;
  const turns = (originalContext * frequency) / (2 * Math.PI); // over the original context
  if (turns < lowFrequencyFactor) return frequency / factor;
  if (turns > highFrequencyFactor) return frequency;
  const kept = (turns - lowFrequencyFactor) / (highFrequencyFactor - lowFrequencyFactor);
  return ((1 - kept) * frequency) / factor + kept * frequency;
}

/** The angles of tokens at those positions of their rows. */
export function rotationAt(positions: Int32Array, frequencies: Float32Array): Rotation {
  const pairs = frequencies.length;
  const cos = new Float32Array(positions.length * pairs);
  const sin = new Float32Array(positions.length * pairs);
  for (const [token, position] of positions.entries()) {
    for (const [pair, frequency] of frequencies.entries()) {
      const angle = Math.fround(position * frequency); // in float32 everywhere, so that long contexts turn as they did in training
      cos[token * pairs + pair] = Math.cos(angle);
      sin[token * pairs + pair] = Math.sin(angle);
    }
  }
  const shape: [number, number] = [positions.length, pairs];
  return { cos: tensor2d(cos, shape), sin: tensor2d(sin, shape) };
}
