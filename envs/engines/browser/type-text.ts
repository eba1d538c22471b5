import type { CDPSession, Page } from 'playwright-core';
import { clockPlace } from './clock-script.ts';
import { isGoneAway } from './page-faults.ts';

/** Texts up to this long come key by key, as pages that watch the keyboard need them. */
const typedCharacters = 200;

/**
 * Enters a text where the cursor is. A page that is told something with frames, of selections or sizes, rests after each key: how many keys come before a frame would else be up to the machine.
 *
 * @param on.pastes whether texts of any length come at once
 */
export async function typeText({ page, session, pastes }: { readonly page: Page; readonly session: CDPSession; readonly pastes: boolean }, text: string): Promise<void> {
  if (pastes || text.length > typedCharacters) return page.keyboard.insertText(text);
  if ((await ofRest(session, 'isTold')) !== true) return page.keyboard.type(text);
  for (const key of text) {
    await page.keyboard.type(key);
    await ofRest(session, 'calm()');
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
