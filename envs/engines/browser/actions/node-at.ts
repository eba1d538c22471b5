import type { CDPSession } from 'playwright-core';
import { isNodeGone } from '../page/page-faults.ts';
import type { Point } from './mouse.ts';

/** A node by the browser's own number, and the frame of its document. */
export interface FoundNode {
  readonly backendNodeId: number;
  readonly frameId: string;
}

/**
 * The node that the mouse would hit at a place of the window; undefined where there is none.
 *
 * @param depth `inner` also finds the parts that the browser itself builds fields from
 */
export async function nodeAt(
  session: CDPSession,
  { x, y }: Point,
  depth: 'outer' | 'inner',
): Promise<FoundNode | undefined> {
  try {
    const { cssVisualViewport: shown } = await session.send('Page.getLayoutMetrics');
    // coordinates of the document, unlike those of mouse and quads
    const place = { x: Math.floor(x + shown.pageX), y: Math.floor(y + shown.pageY) };
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
