import { messageOf, RunError, UsageError, type ErrorParts } from '../../../envs/core/errors.ts';
import { isMemoryFull, memoryFull } from '../../backend/memory-full.ts';
import type { CacheSize } from '../generate/cached-passes.ts';
import type { PackedTokens } from '../packed-tokens.ts';
import type { LossSums } from '../../loss-totals.ts';
import type { TrainedShape } from '../token-parameters.ts';
import type { NamedValues } from '../weight-layout.ts';
import type { LearnJob, ScoreJob } from './passes.ts';

/** What a worker is asked for. Arrays of weights and batches lie in shared memory, which is only read here. */
export type WorkerRequest =
  | {
      readonly kind: 'begin';
      readonly shape: TrainedShape;
      readonly weights: NamedValues;
      /** Of the adapter, where there is one. */
      readonly factors: NamedValues | undefined;
    }
  /** Go on with these in place of what is trained, or of the reference. */
  | { readonly kind: 'take'; readonly whose: ScoreJob['whose']; readonly values: NamedValues }
  | { readonly kind: 'score'; readonly job: ScoreJob; readonly rows: Int32Array }
  | { readonly kind: 'learn'; readonly job: LearnJob; readonly rows: Int32Array }
  /** Compute tokens over a cache, which is made where it is missing. */
  | {
      readonly kind: 'write';
      readonly cache: number;
      readonly size: CacheSize;
      readonly packed: PackedTokens;
      readonly places: Int32Array;
    }
  | { readonly kind: 'free'; readonly cache: number };

/** What it answers, one a request, in their order. */
export type WorkerAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'scored'; readonly logprob: Float32Array }
  | { readonly kind: 'learned'; readonly sums: LossSums; readonly gradient: NamedValues | undefined }
  /** Logits, place by place, in one buffer. */
  | { readonly kind: 'written'; readonly logits: readonly Float32Array[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** An error that can cross to another thread, where classes and marks are lost. */
export type Failure =
  | { readonly kind: 'usage' | 'run'; readonly parts: ErrorParts }
  | { readonly kind: 'memory-full' | 'slip'; readonly message: string };

export function failureOf(thrown: unknown): Failure {
  if (isMemoryFull(thrown))
    return { kind: 'memory-full', message: RunError.is(thrown) ? thrown.parts.what : messageOf(thrown) };
  if (UsageError.is(thrown)) return { kind: 'usage', parts: thrown.parts };
  if (RunError.is(thrown)) return { kind: 'run', parts: thrown.parts };
  return { kind: 'slip', message: messageOf(thrown) };
}

/** The reverse of {@link failureOf}. `worker` is where in errors that do not say it themselves. */
export function errorOf(failure: Failure, worker: string): Error {
  switch (failure.kind) {
    case 'usage':
      return new UsageError(failure.parts);
    case 'run':
      return new RunError(failure.parts);
    case 'memory-full':
      return memoryFull(worker, failure.message);
    case 'slip':
      return lostWorker(worker, `it failed (${failure.message})`);
    default:
      return failure satisfies never;
  }
}

/** The error for a worker that is no more. */
export function lostWorker(worker: string, how: string): RunError {
  return new RunError({
    where: worker,
    what: `${how}; the weights have not been moved, and the other workers have been ended.`,
    fix: 'Where memory is short, take fewer workers or lower tokensAtOnce; without workers everything is computed in one thread.',
  });
}
