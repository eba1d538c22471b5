import { tensor2d } from '@tensorflow/tfjs-core';
import type { Rotation } from './operations/rotate.ts';
import type { LlamaScaling, TransformerConfig } from './transformer-config.ts';

type RopeConfig = Pick<TransformerConfig, 'headSize' | 'ropeTheta' | 'ropeScaling' | 'longestContext'>;

/** The angles of tokens at those positions of their rows. */
export function rotationAt(positions: Int32Array, config: RopeConfig): Rotation {
  const table = tableOf(
    config,
    positions.reduce((most, position) => Math.max(most, position + 1), 0),
  );
  const pairs = config.headSize / 2;
  const gathered = (values: Float32Array): Float32Array => {
    const rows = new Float32Array(positions.length * pairs);
    for (let token = 0, to = 0; token < positions.length; token += 1) {
      for (
        let from = (positions[token] as number) * pairs, end = from + pairs;
        from < end;
        from += 1, to += 1
      )
        rows[to] = values[from] as number;
    }
    return rows;
  };
  const shape: [number, number] = [positions.length, pairs];
  return { cos: tensor2d(gathered(table.cos), shape), sin: tensor2d(gathered(table.sin), shape) };
}

/** Cosines and sines by position and pair: (positions, d / 2) each. */
interface RotationTable {
  readonly positions: number;
  readonly cos: Float32Array;
  readonly sin: Float32Array;
}

const tables = new WeakMap<RopeConfig, RotationTable>(); // generation asks with every pass, and angles take as long as some of its kernels

function tableOf(config: RopeConfig, positions: number): RotationTable {
  const known = tables.get(config) ?? { positions: 0, cos: new Float32Array(0), sin: new Float32Array(0) };
  if (known.positions >= positions) return known;
  const made = grown(
    known,
    config,
    Math.max(positions, Math.min(2 * known.positions, config.longestContext)),
  );
  tables.set(config, made);
  return made;
}

function grown(known: RotationTable, config: RopeConfig, positions: number): RotationTable {
  const frequencies = ropeFrequencies(config);
  const pairs = frequencies.length;
  const [cos, sin] = [new Float32Array(positions * pairs), new Float32Array(positions * pairs)];
  cos.set(known.cos);
  sin.set(known.sin);
  for (let position = known.positions; position < positions; position += 1) {
    for (const [pair, frequency] of frequencies.entries()) {
      const angle = Math.fround(position * frequency); // in float32 everywhere, so that long contexts turn as they did in training
      cos[position * pairs + pair] = Math.cos(angle);
      sin[position * pairs + pair] = Math.sin(angle);
    }
  }
  return { positions, cos, sin };
}

/** Turns of each pair of a head, in radians a token (Su et al. 2021, eq. 15), rounded to float32 as the checkpoints were trained: (d / 2). */
function ropeFrequencies({ headSize, ropeTheta, ropeScaling }: RopeConfig): Float32Array {
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
