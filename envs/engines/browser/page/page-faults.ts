import { messageOf, FaultError, type Fault } from '../../../core/errors.ts';

/** What a browser's crash or hanging means to the episode that it happened to. */
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

/** Whether what was asked of a page came to nothing because another document took its place meanwhile, or its tab was closed. */
export const isGoneAway = (thrown: unknown): boolean =>
  isTabClosed(thrown) ||
  (thrown instanceof Error &&
    /navigated or closed|Not attached to an active page|Execution context was destroyed|Cannot find (?:context|default execution context)/.test(
      thrown.message,
    ));

/** Whether it was asked of a tab that is closed, be it alone or with its browser. */
export const isTabClosed = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  /Target page, context or browser has been closed|Navigating frame was detached/.test(thrown.message);

/** Whether the protocol says that a node is not in the document any more, or has no box there. */
export const isNodeGone = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  /No node with given id|Could not (?:find|compute)|does not have a layout object|Node is detached|not scrollable|No node found/i.test(
    thrown.message,
  );
