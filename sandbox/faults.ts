import { FaultError } from '../envs/core/errors.ts';

type Stage = 'open' | 'exec' | 'file';

/** The sandbox failed, not the program in it: trying again may help. */
export const failed = (stage: Stage, message: string, cause?: unknown): FaultError =>
  new FaultError(
    { kind: 'sandbox-failed', stage, message, retryable: true },
    cause === undefined ? undefined : { cause },
  );

/** What was asked for cannot be had, however often it is tried. */
export const impossible = (stage: Stage, message: string, cause?: unknown): FaultError =>
  new FaultError(
    { kind: 'sandbox-failed', stage, message, retryable: false },
    cause === undefined ? undefined : { cause },
  );

/** A file that all files together leave no room for. */
export const noRoom = (path: string): FaultError =>
  impossible(
    'file',
    `${path} cannot be written: with it there would be more than all files together may have (diskBytes)`,
  );
