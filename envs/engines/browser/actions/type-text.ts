import { pressKeys } from './key-press.ts';
import type { HandledPage } from './mouse.ts';

/** Texts up to this long come key by key, as pages that watch the keyboard need them. */
const typedCharacters = 200;

/** What is on the keys of a keyboard; other characters come without one. */
const onKeys = /^[ -~\r\n]$/;

/**
 * Enters a text where the cursor is.
 *
 * @param on.pastes whether texts of any length come at once
 */
export async function typeText(
  on: Pick<HandledPage, 'page' | 'rest'> & { readonly pastes: boolean },
  text: string,
): Promise<void> {
  const { page, rest, pastes } = on;
  if (pastes || text.length > typedCharacters) return page.keyboard.insertText(text);
  for (const character of text) {
    if (onKeys.test(character)) await pressKeys(on, [character]);
    else {
      await page.keyboard.insertText(character);
      await rest('come');
    }
  }
}
