import type { CDPSession } from 'playwright-core';
import { isGoneAway } from './page-faults.ts';

/**
 * Evaluates an expression in an isolated world of the page and awaits it. That world's clock runs while the
 * clock of the page's scripts stands still. Returns nothing, at once, where the page is replaced by another.
 */
export async function inOwnWorld(session: CDPSession, expression: string): Promise<unknown> {
  try {
    const { frameTree } = await session.send('Page.getFrameTree');
    const { executionContextId } = await session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
      worldName: 'cairn',
    });
    const { result } = await session.send('Runtime.evaluate', {
      contextId: executionContextId,
      awaitPromise: true,
      returnByValue: true,
      expression,
    });
    return result.value as unknown;
  } catch (thrown) {
    if (!isGoneAway(thrown)) throw thrown;
    return undefined;
  }
}
