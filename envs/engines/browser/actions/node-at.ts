import type { CDPSession } from 'playwright-core';
import { isNodeGone } from '../page/page-faults.ts';
import type { Point } from './mouse.ts';

/** A node by the browser's own number, and the frame whose document it is in. */
export interface FoundNode {
  readonly backendNodeId: number;
  readonly frameId: string;
}

/**
 * What the mouse would meet at a place of the window; undefined where there is nothing.
 *
 * @param depth `inner` also finds the parts that the browser itself makes fields of
 */
export async function nodeAt(
  session: CDPSession,
  { x, y }: Point,
  depth: 'outer' | 'inner',
): Promise<FoundNode | undefined> {
  try {
    const { cssVisualViewport: shown } = await session.send('Page.getLayoutMetrics');
    const place = { x: Math.floor(x + shown.pageX), y: Math.floor(y + shown.pageY) }; // of the document, unlike mouse and quads
    return await session.send('DOM.getNodeForLocation', {
      ...place,
      ignorePointerEventsNone: false,
      includeUserAgentShadowDOM: depth === 'inner',
    });
  } catch (thrown) {
    if (isNodeGone(thrown)) return undefined;
    throw thrown;
  }
}
