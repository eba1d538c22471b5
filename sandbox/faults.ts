import { FaultError } from '../envs/core/errors.ts';

type Stage = 'open' | 'exec' | 'file';

/** A failure of the sandbox, not of the program in it. A retry may help. */
export const failed = (stage: Stage, message: string, cause?: unknown): FaultError =>
  new FaultError(
    { kind: 'sandbox-failed', stage, message, retryable: true },
    cause === undefined ? undefined : { cause },
  );

/** A request that cannot be fulfilled. A retry would fail too. */
export const impossible = (stage: Stage, message: string, cause?: unknown): FaultError =>
  new FaultError(
    { kind: 'sandbox-failed', stage, message, retryable: false },
    cause === undefined ? undefined : { cause },
  );

/** A file that would exceed the limit on all files together. */
export const noRoom = (path: string): FaultError =>
  impossible('file', `${path} cannot be written: all files together would exceed the limit diskBytes`);
