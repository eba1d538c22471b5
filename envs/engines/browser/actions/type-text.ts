import { pressKeys } from './key-press.ts';
import type { HandledPage } from './mouse.ts';

/** The longest text that is typed key by key, as pages that watch the keyboard need it. */
const typedCharacters = 200;

/** Characters that a keyboard has keys for. Other characters are entered without a key. */
const onKeys = /^[ -~\r\n]$/;

/**
 * Enters a text at the cursor.
 *
 * @param on.pastes whether texts of any length are entered at once
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
