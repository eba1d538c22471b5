import type { CDPSession } from 'playwright-core';
import { isGoneAway } from './page-faults.ts';

/** Evaluates what is awaited in a world of our own of the page, whose clock goes on while that of its scripts stands still. Ends at once, with nothing, where the page gives way to another. */
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
