import type { CDPSession } from 'playwright-core';
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
 * for good: that it has begun is told by the `pointercancel` that comes with it (Pointer Events, 4.1.3).
 *
 * @param reach where it ends, asked when the mouse is down: the page may have made room
 */
export async function dragMouse(session: CDPSession, from: Point, reach: () => Promise<Point>): Promise<void> {
  using dragging = interceptedOn(session);
  await sendMouse(session, 'mouseMoved', from, 0);
  await inOwnWorld(session, watched);
  await session.send('Input.setInterceptDrags', { enabled: true });
  try {
    await sendMouse(session, 'mousePressed', from, 1);
    const to = await reach();
    let carry: Carry | undefined;
    for (let move = 1; move <= moves; move += 1) {
      const at = { x: from.x + ((to.x - from.x) * move) / moves, y: from.y + ((to.y - from.y) * move) / moves };
      if (carry === undefined) {
        await sendMouse(session, 'mouseMoved', at, 1);
        if ((await inOwnWorld(session, 'globalThis.cairnDragging === true')) !== true) continue;
        carry = await dragging.begun;
        await carry('dragEnter', at);
      }
      await carry('dragOver', at);
    }
    if (carry === undefined) await sendMouse(session, 'mouseReleased', to, 0);
    else await carry('drop', to);
  } finally {
    await session.send('Input.setInterceptDrags', { enabled: false }).catch(() => undefined); // a page that is gone was told of already
  }
}

function interceptedOn(session: CDPSession): Disposable & { readonly begun: Promise<Carry> } {
  let stop = (): unknown => undefined;
  const begun = new Promise<Carry>((resolve) => {
    const listen = ({ data }: Dragging): void => resolve(async (type, at) => session.send('Input.dispatchDragEvent', { type, ...at, data }));
    session.on('Input.dragIntercepted', listen);
    stop = () => session.off('Input.dragIntercepted', listen);
  });
  return { begun, [Symbol.dispose]: () => void stop() };
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

/** Frames of another origin cannot be watched: a drag that begins in one is the mouse's there. */
const watched = `(() => {
  globalThis.cairnDragging = false;
  const onCancel = ({ isTrusted, pointerType }) => {
    if (isTrusted && pointerType === 'mouse') globalThis.cairnDragging = true;
  };
  const watch = (frame) => {
    try {
      frame.addEventListener('pointercancel', onCancel, { capture: true, once: true });
    } catch {
      return; // another origin's
    }
    Array.from(frame, watch);
  };
  watch(globalThis);
})()`;
