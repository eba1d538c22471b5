import { FaultError, UsageError } from '../core/errors.ts';

/**
 * Runs code that reads or plays a game. An error in the game's file becomes a fault of the episode. One
 * broken file among thousands must not end a run that has played the others.
 */
export function playable<T>(run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    if (!UsageError.is(thrown)) throw thrown;
    const { where, what, fix } = thrown.parts;
    throw new FaultError({ kind: 'task-broken', where, message: `${what} ${fix}` }, { cause: thrown });
  }
}
