import type { CDPSession, Page } from 'playwright-core';
import { clockPlace } from './clock-script.ts';
import { isGoneAway } from './page-faults.ts';

/** Texts up to this long come key by key, as pages that watch the keyboard need them. */
const typedCharacters = 200;

/** Each takes a frame or more, on a busy machine some tens of milliseconds. */
const mostRests = 50;

/**
 * Enters a text where the cursor is. A page that is told something with frames, of selections or sizes, rests after each of the first keys: how many keys come before a frame would else be up to the machine.
 *
 * @param on.pastes whether texts of any length come at once
 */
export async function typeText({ page, session, pastes }: { readonly page: Page; readonly session: CDPSession; readonly pastes: boolean }, text: string): Promise<void> {
  if (pastes || text.length > typedCharacters) return page.keyboard.insertText(text);
  if ((await ofRest(session, 'isTold')) !== true) return page.keyboard.type(text);
  let left = mostRests;
  for (const key of text) {
    await page.keyboard.type(key);
    if (left > 0) left = (await ofRest(session, 'calm()')) === false ? 0 : left - 1; // a page that never rests is not waited for again
  }
}

async function ofRest(session: CDPSession, what: string): Promise<unknown> {
  try {
    const { result } = await session.send('Runtime.evaluate', { expression: `${clockPlace}?.rest.${what}`, awaitPromise: true, returnByValue: true });
    return result.value as unknown;
  } catch (thrown) {
    if (isGoneAway(thrown)) return undefined;
    throw thrown;
  }
}
