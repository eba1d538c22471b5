import { messageOf, FaultError, type Fault } from '../../../core/errors.ts';

/** The fault of an episode whose browser crashed or hung. */
export function browserFault(where: string, thrown: unknown): FaultError {
  if (FaultError.is(thrown)) return thrown;
  const [message = ''] = messageOf(thrown).split('\n');
  const fault: Fault = { kind: 'env-crashed', where, message };
  return new FaultError(fault, { cause: thrown });
}

export const pageCrashed = (where: string): FaultError =>
  new FaultError({ kind: 'env-crashed', where, message: 'the page crashed its tab.' });

export const browserGone = (where: string): FaultError =>
  new FaultError({ kind: 'env-crashed', where, message: 'the browser ended.' });

/**
 * Whether a request to a page failed because another document replaced it meanwhile, or its tab was closed.
 */
export const isGoneAway = (thrown: unknown): boolean =>
  isTabClosed(thrown) ||
  (thrown instanceof Error &&
    /navigated or closed|Not attached to an active page|Execution context was destroyed|Cannot find (?:context|default execution context)/.test(
      thrown.message,
    ));

/** Whether a request failed because its tab is closed, alone or with the browser. */
export const isTabClosed = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  /Target page, context or browser has been closed|Navigating frame was detached/.test(thrown.message);

/** Whether the protocol reports that a node is no longer in the document, or has no box. */
export const isNodeGone = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  /No node with given id|Could not (?:find|compute)|does not have a layout object|Node is detached|not scrollable|No node found/i.test(
    thrown.message,
  );
