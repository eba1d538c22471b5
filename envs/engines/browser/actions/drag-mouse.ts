import type { CDPSession, Frame, Page } from 'playwright-core';
import { clockPlace } from '../scripts/clock-script.ts';
import { inFrame } from '../page/in-frame.ts';
import { sendMouse, type HandledPage, type Point } from './mouse.ts';
import { inOwnWorld } from '../page/own-world.ts';

/** What the protocol says when the browser begins to drag. */
interface Dragging {
  readonly data: { items: { mimeType: string; data: string }[]; dragOperationsMask: number };
}

/** Takes what the browser drags on to a place, or lets go of it there. */
type Carry = (type: 'dragEnter' | 'dragOver' | 'drop', at: Point) => Promise<unknown>;

/** Moves from one end to the other, for pages that follow the mouse. */
const moves = 5;

/** A place that is no part of any page. */
const outside: Point = { x: -1, y: -1 };

/** What a drag needs of its page. */
export interface Dragged extends HandledPage {
  /** Lets that share of an action's time go by on the page, for those that look where the mouse is while it is held. */
  readonly pass: (share: number) => Promise<void>;
}

/**
 * Pressed at one place, moved in steps, released at the other: pages listen to either the mouse's moves or the browser's own dragging, which takes the place of the mouse from where it
 * begins. A `dragstart` may be refused by the page, or by the browser afterwards, as for the text of a password field, and whoever waited for the dragging would wait
 * for good. But what a process of the browser has said before it answers a question is told before the answer: so all that show the page are asked something after each move.
 *
 * @param reach where it ends, asked when the mouse is down: the page may have made room. Undefined where that is gone: the mouse is then let go outside the window, since where
 * it was pressed that would be a click
 * @returns whether it came to its end
 */
export async function dragMouse(
  on: Dragged,
  from: Point,
  reach: () => Promise<Point | undefined>,
): Promise<boolean> {
  const { page, session } = on;
  using dragging = interceptedOn(session);
  await hold(on, true);
  await sendMouse(session, 'mouseMoved', from, 0);
  await on.rest('shown');
  await session.send('Input.setInterceptDrags', { enabled: true });
  try {
    await sendMouse(session, 'mousePressed', from, 1);
    await on.rest('come');
    const to = await reach();
    if (to === undefined) {
      await sendMouse(session, 'mouseMoved', outside, 1);
      await sendMouse(session, 'mouseReleased', outside, 0);
      return false;
    }
    let frames = embedded(page);
    for (let move = 1; move <= moves; move += 1) {
      const at = {
        x: from.x + ((to.x - from.x) * move) / moves,
        y: from.y + ((to.y - from.y) * move) / moves,
      };
      if (dragging.carry() === undefined) {
        await sendMouse(session, 'mouseMoved', at, 1);
        [frames] = await Promise.all([answering(frames), inOwnWorld(session, '1')]);
        await dragging.carry()?.('dragEnter', at);
      }
      await dragging.carry()?.('dragOver', at);
      await on.pass(1 / (moves + 1));
    }
    const carry = dragging.carry();
    if (carry === undefined) await sendMouse(session, 'mouseReleased', to, 0);
    else {
      await carry('drop', to);
      await sendMouse(session, 'mouseMoved', to, 0);
    }
    return true;
  } finally {
    await session.send('Input.setInterceptDrags', { enabled: false }).catch(() => undefined); // a page that is gone was told of already
    await hold(on, false);
  }
}

const embedded = (page: Page): readonly Frame[] =>
  page.frames().filter((frame) => frame !== page.mainFrame());

/** Tells the documents that the mouse is going to be held, or is held no more. */
async function hold({ page, session }: Dragged, isHeld: boolean): Promise<void> {
  const expression = `void ${clockPlace}?.rest.hold(${isHeld})`;
  await Promise.all([
    session.send('Runtime.evaluate', { expression }).catch(() => undefined),
    ...embedded(page).map(async (frame) => inFrame(frame, expression).catch(() => undefined)),
  ]); // a page that is gone was told of already
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
