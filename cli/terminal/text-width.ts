const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Characters that terminals draw over the previous one, or not at all. */
const unseen = /^[\p{Mark}\p{Format}\p{Control}]+$/u;

/** Emoji, and the blocks that take two columns by Unicode's East Asian Width. */
const wide =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Terminal columns of a text without control codes. */
export function textWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text))
    width += unseen.test(segment) ? 0 : wide.test(segment) ? 2 : 1;
  return width;
}

/**
 * The text if it fits; otherwise its first words that fit and `…`. A word is cut only if not even one fits.
 */
export function shorten(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  const words = text.split(' ');
  for (let count = words.length - 1; count > 0; count -= 1) {
    const shorter = `${words.slice(0, count).join(' ')} …`;
    if (textWidth(shorter) <= columns) return shorter;
  }
  let cut = '';
  for (const { segment } of segmenter.segment(text)) {
    if (textWidth(cut) + textWidth(segment) > columns - 1) break;
    cut += segment;
  }
  return columns < 1 ? '' : `${cut}…`;
}
