import type { Bags } from '../../kernels/bag.ts';
import type { TokenBatch, TokenTraining } from '../token-batch.ts';

/** Zeros that all threads see. */
export function sharedFloats(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(length * Float32Array.BYTES_PER_ELEMENT));
}

/** The batch in memory that all threads see: it is copied once, however many read it. */
export function sharedBatch({ tokens, rowStart, scored, allowed }: TokenBatch): TokenBatch {
  const own = { tokens: integers(tokens), rowStart: integers(rowStart), scored: integers(scored) };
  return allowed === undefined ? own : { ...own, allowed: sharedBags(allowed) };
}

/** The same for one to learn from. */
export function sharedTraining(training: TokenTraining): TokenTraining {
  const { advantage, weight, behaviourLogprob, proximalLogprob, referenceLogprob, normaliser } = training;
  return {
    ...sharedBatch(training),
    advantage: floats(advantage),
    weight: floats(weight),
    behaviourLogprob: floats(behaviourLogprob),
    proximalLogprob: floats(proximalLogprob),
    ...(referenceLogprob === undefined ? {} : { referenceLogprob: floats(referenceLogprob) }),
    ...(normaliser === undefined ? {} : { normaliser }),
  };
}

function sharedBags({ members, start }: Bags): Bags {
  return { members: integers(members), start: integers(start) };
}

function floats(values: Float32Array): Float32Array {
  const shared = sharedFloats(values.length);
  shared.set(values);
  return shared;
}

function integers(values: Int32Array): Int32Array {
  const shared = new Int32Array(new SharedArrayBuffer(values.length * Int32Array.BYTES_PER_ELEMENT));
  shared.set(values);
  return shared;
}
