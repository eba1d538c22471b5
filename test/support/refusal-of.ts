import { UsageError } from '../../envs/core/errors.ts';

/** The words of the `UsageError` that a call throws; anything else that it does is a failure of the test. */
export function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (thrown) {
    if (UsageError.is(thrown)) return thrown.message;
    throw thrown;
  }
  throw new Error('nothing was refused');
}
