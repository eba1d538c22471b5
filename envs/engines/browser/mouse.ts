import type { CDPSession, Page } from 'playwright-core';

/** A place in the window, in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Goes to a place and presses there, once the page has come to rest under the mouse: a person sees what changes there before they press, such as a picture that is loaded for it. */
export async function clickMouse({ page, session, rest }: { readonly page: Page; readonly session: CDPSession; readonly rest: () => Promise<void> }, at: Point): Promise<void> {
  await page.mouse.move(at.x, at.y);
  await rest();
  // One right behind the other: some controls, such as the arrows of number fields, do something again and again while they are held, by the machine's clock.
  await Promise.all([sendMouse(session, 'mousePressed', at, 1), sendMouse(session, 'mouseReleased', at, 0)]);
}

export const sendMouse = async (session: CDPSession, type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', at: Point, buttons: 0 | 1): Promise<void> =>
  void (await session.send('Input.dispatchMouseEvent', {
    type,
    ...at,
    buttons,
    button: type === 'mouseMoved' && buttons === 0 ? 'none' : 'left',
    clickCount: type === 'mouseMoved' ? 0 : 1,
    force: buttons === 0 ? 0 : 0.5, // pressure, as mice have it
  }));
