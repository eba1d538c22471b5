import type { CDPSession, Frame, Page } from 'playwright-core';
import { clockPlace } from '../scripts/clock-script.ts';
import { inFrame } from '../page/in-frame.ts';
import { sendMouse, type HandledPage, type Point } from './mouse.ts';
import { inOwnWorld } from '../page/own-world.ts';

/** The protocol's event for the start of a browser drag. */
interface Dragging {
  readonly data: { items: { mimeType: string; data: string }[]; dragOperationsMask: number };
}

/** Moves the browser's drag to a place, or drops there. */
type Carry = (type: 'dragEnter' | 'dragOver' | 'drop', at: Point) => Promise<unknown>;

/** Mouse moves from start to end, for pages that follow the mouse. */
const moves = 5;

/** A place outside of every page. */
const outside: Point = { x: -1, y: -1 };

/** What a drag needs of its page. */
export interface Dragged extends HandledPage {
  /** Lets this share of an action's time pass on the page, for pages that check where a held mouse is. */
  readonly pass: (share: number) => Promise<void>;
}

/**
 * Presses at one place, moves in steps and releases at the other. Pages listen either to the mouse's moves or
 * to the browser's own drag events. The drag events replace the moves from the start of a drag.
 *
 * The page may refuse a `dragstart`, or the browser may afterwards, as for the text of a password field.
 * Waiting for the drag could then take for ever. But messages of a process arrive before its answer to a
 * later question. So all processes that show the page are asked something after each move.
 *
 * @param reach returns the end, and is called when the mouse is down, because the page may have made room.
 * Undefined where the end is gone: the mouse is then released outside the window, since releasing it at the
 * start would be a click
 * @returns whether the drag was completed
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
    // a missing page was reported already
    await session.send('Input.setInterceptDrags', { enabled: false }).catch(() => undefined);
    await hold(on, false);
  }
}

const embedded = (page: Page): readonly Frame[] =>
  page.frames().filter((frame) => frame !== page.mainFrame());

/** Informs the documents that the mouse will be held, or is released. */
async function hold({ page, session }: Dragged, isHeld: boolean): Promise<void> {
  const expression = `void ${clockPlace}?.rest.hold(${isHeld})`;
  await Promise.all([
    session.send('Runtime.evaluate', { expression }).catch(() => undefined),
    ...embedded(page).map(async (frame) => inFrame(frame, expression).catch(() => undefined)),
  ]); // a missing page was reported already
}

/** The frames that answer. Frames of another origin have their own processes. */
async function answering(frames: readonly Frame[]): Promise<readonly Frame[]> {
  const answers = await Promise.all(frames.map(async (frame) => inFrame(frame, '0')));
  return frames.filter((_, place) => answers[place] === 0);
}

/** Intercepts the browser's drag. `carry` moves it, once the browser has started to drag. */
function interceptedOn(session: CDPSession): Disposable & { readonly carry: () => Carry | undefined } {
  let carry: Carry | undefined;
  const listen = ({ data }: Dragging): void => {
    carry = async (type, at) => session.send('Input.dispatchDragEvent', { type, ...at, data });
  };
  session.on('Input.dragIntercepted', listen);
  return { carry: () => carry, [Symbol.dispose]: () => void session.off('Input.dragIntercepted', listen) };
}
