import type { CDPSession, Frame, Page } from 'playwright-core';
import { inFrame } from './in-frame.ts';
import { inOwnWorld } from './own-world.ts';

/** A place in the window, in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What the protocol says when the browser begins to drag. */
interface Dragging {
  readonly data: { items: { mimeType: string; data: string }[]; dragOperationsMask: number };
}

/** Takes what the browser drags on to a place, or lets go of it there. */
type Carry = (type: 'dragEnter' | 'dragOver' | 'drop', at: Point) => Promise<unknown>;

/** Moves from one end to the other, for pages that follow the mouse. */
const moves = 5;

/**
 * Pressed at one place, moved in steps, released at the other: pages listen to either the mouse's moves or the browser's own dragging, which takes the place of the mouse from where it
 * begins. A `dragstart` may be refused by the page, or by the browser afterwards, as for the text of a password field, and whoever waited for the dragging would wait
 * for good. But what a process of the browser has said before it answers a question is told before the answer: so all that show the page are asked something after each move.
 *
 * @param reach where it ends, asked when the mouse is down: the page may have made room
 */
export async function dragMouse({ page, session }: { readonly page: Page; readonly session: CDPSession }, from: Point, reach: () => Promise<Point>): Promise<void> {
  using dragging = interceptedOn(session);
  await sendMouse(session, 'mouseMoved', from, 0);
  await session.send('Input.setInterceptDrags', { enabled: true });
  try {
    await sendMouse(session, 'mousePressed', from, 1);
    const to = await reach();
    let frames: readonly Frame[] = page.frames().filter((frame) => frame !== page.mainFrame());
    for (let move = 1; move <= moves; move += 1) {
      const at = { x: from.x + ((to.x - from.x) * move) / moves, y: from.y + ((to.y - from.y) * move) / moves };
      if (dragging.carry() === undefined) {
        await sendMouse(session, 'mouseMoved', at, 1);
        [frames] = await Promise.all([answering(frames), inOwnWorld(session, '1')]);
        await dragging.carry()?.('dragEnter', at);
      }
      await dragging.carry()?.('dragOver', at);
    }
    const carry = dragging.carry();
    if (carry === undefined) await sendMouse(session, 'mouseReleased', to, 0);
    else await carry('drop', to);
  } finally {
    await session.send('Input.setInterceptDrags', { enabled: false }).catch(() => undefined); // a page that is gone was told of already
  }
}

/** Those that are answering: frames of another origin have processes of their own. */
async function answering(frames: readonly Frame[]): Promise<readonly Frame[]> {
  const answers = await Promise.all(frames.map(async (frame) => inFrame(frame, '0')));
  return frames.filter((_, place) => answers[place] === 0);
}

/** How what the browser drags is taken on, from when it has begun to drag. */
function interceptedOn(session: CDPSession): Disposable & { readonly carry: () => Carry | undefined } {
  let carry: Carry | undefined;
  const listen = ({ data }: Dragging): void => {
    carry = async (type, at) => session.send('Input.dispatchDragEvent', { type, ...at, data });
  };
  session.on('Input.dragIntercepted', listen);
  return { carry: () => carry, [Symbol.dispose]: () => void session.off('Input.dragIntercepted', listen) };
}

const sendMouse = async (session: CDPSession, type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', at: Point, buttons: 0 | 1): Promise<void> =>
  void (await session.send('Input.dispatchMouseEvent', {
    type,
    ...at,
    buttons,
    button: type === 'mouseMoved' && buttons === 0 ? 'none' : 'left',
    clickCount: type === 'mouseMoved' ? 0 : 1,
    force: buttons === 0 ? 0 : 0.5, // pressure, as mice have it
  }));
