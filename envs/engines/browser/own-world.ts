import type { CDPSession } from 'playwright-core';
import { isGoneAway } from './page-faults.ts';

/** Evaluates what is awaited in a world of our own of the page, whose clock goes on while that of its scripts stands still. Ends at once where the page gives way to another. */
export async function inOwnWorld(session: CDPSession, expression: string): Promise<void> {
  try {
    const { frameTree } = await session.send('Page.getFrameTree');
    const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'cairn' });
    await session.send('Runtime.evaluate', { contextId: executionContextId, awaitPromise: true, expression });
  } catch (thrown) {
    if (!isGoneAway(thrown)) throw thrown;
  }
}
