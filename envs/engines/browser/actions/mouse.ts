import type { CDPSession, Page } from 'playwright-core';
import { nodeAt } from './node-at.ts';

/** A place in the window, in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What mouse and keyboard need of a page. */
export interface HandledPage {
  readonly page: Page;
  readonly session: CDPSession;
  /**
   * Waits until the page is at rest after the last mouse or keyboard input. `come`: everything requested has
   * arrived. `shown`: it is also shown, as needed before a press.
   */
  readonly rest: (until: 'come' | 'shown') => Promise<void>;
}

/**
 * Moves to a place, presses there and releases. Before each it waits until the page is at rest. A person sees
 * what changes under the mouse before pressing, such as a picture that is loaded, and holds the button for a
 * while.
 */
export async function clickMouse({ page, session, rest }: HandledPage, at: Point): Promise<void> {
  await page.mouse.move(at.x, at.y);
  await rest('shown');
  const press = async (): Promise<void> => sendMouse(session, 'mousePressed', at, 1);
  const release = async (): Promise<void> => sendMouse(session, 'mouseReleased', at, 0);
  if (await isOnArrow(session, at)) return void (await Promise.all([press(), release()]));
  await press();
  await rest('come');
  await release();
}

/**
 * Whether an arrow of a number field is there. Such an arrow repeats while it is held, by the machine's
 * clock.
 */
async function isOnArrow(session: CDPSession, at: Point): Promise<boolean> {
  const found = await nodeAt(session, at, 'inner');
  if (found === undefined) return false;
  const { node } = await session.send('DOM.describeNode', { backendNodeId: found.backendNodeId });
  return node.attributes?.includes('-webkit-inner-spin-button') === true;
}

export const sendMouse = async (
  session: CDPSession,
  type: 'mouseMoved' | 'mousePressed' | 'mouseReleased',
  at: Point,
  buttons: 0 | 1,
): Promise<void> =>
  void (await session.send('Input.dispatchMouseEvent', {
    type,
    ...at,
    buttons,
    button: type === 'mouseMoved' && buttons === 0 ? 'none' : 'left',
    clickCount: type === 'mouseMoved' ? 0 : 1,
    force: buttons === 0 ? 0 : 0.5, // the pressure that a mouse reports
  }));
