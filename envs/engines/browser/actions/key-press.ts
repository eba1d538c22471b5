import { z } from 'zod';
import type { HandledPage } from './mouse.ts';

/** Keys that are pressed for their function and not for a character. */
export const namedKeys = [
  'Enter',
  'Tab',
  'Escape',
  'Backspace',
  'Delete',
  'Space',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
] as const;

const chord =
  /^(?:(?:Control|Shift|Alt|Meta)\+)*(?:[!-~]|Enter|Tab|Escape|Backspace|Delete|Space|ArrowUp|ArrowDown|ArrowLeft|ArrowRight|Home|End|PageUp|PageDown|F(?:[1-9]|1[0-2]))$/;

/** A key or a chord, such as `Control+a`. */
export const keySchema = z
  .string()
  .max(60)
  .regex(
    chord,
    `expected a character, ${namedKeys.join(', ')}, F1 to F12, with Control+, Shift+, Alt+ or Meta+ before it`,
  );

/** Whether the keys mean to paste, with any other modifiers. */
export const isPasting = (chordOfKeys: string): boolean =>
  /(?:^|\+)(?:Control|Meta)\+(?:.*\+)?[vV]$/.test(chordOfKeys);

/** The keys of a chord, in the order of pressing. */
export const keysOf = (chordOfKeys: string): readonly string[] => chordOfKeys.split(/(?<=.)\+(?=.)/);

/**
 * Presses keys one after another and releases them in reverse order. Before each it waits until the page is
 * at rest, as a human hand would.
 */
export async function pressKeys(
  { page, rest }: Pick<HandledPage, 'page' | 'rest'>,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    await page.keyboard.down(key);
    await rest('come');
  }
  for (const key of keys.toReversed()) {
    await page.keyboard.up(key);
    await rest('come');
  }
}
