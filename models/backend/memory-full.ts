import { RunError } from '../../envs/core/errors.ts';

const full = new WeakSet<object>();

/** The error for a backend whose memory has no room for so many bytes more. */
export function memoryFull(where: string, what: string): RunError {
  const error = new RunError({
    where,
    what,
    fix: 'Use smaller batches, a smaller model, or a GPU backend; --forecast says what a run takes.',
  });
  full.add(error);
  return error;
}

/** Whether something failed because memory was full: a backend's, or the processor's own for an array. */
export function isMemoryFull(thrown: unknown): thrown is Error {
  if (thrown instanceof RangeError)
    return /allocation failed|array length|array buffer/i.test(thrown.message);
  if (thrown instanceof Error && /\bOOM when allocating\b/.test(thrown.message)) return true; // in TensorFlow's words
  return typeof thrown === 'object' && thrown !== null && full.has(thrown);
}
