/**
 * Separates texts of different lines. No text contains it, because all white space of texts becomes plain
 * blanks.
 */
export const newLine = '\u2028';

export const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The most characters of an agent's input that a refusal quotes. */
export const mostQuoted = 200;

/** Shortens a text to a number of characters, and marks the cut with `…`. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** Joins adjacent texts of one line, with the blanks that they contain. Blank texts are dropped. */
export function joinTexts<Node extends object>(
  children: readonly (Node | string)[],
): readonly (Node | string)[] {
  const joined: (Node | string)[] = [];
  let text = '';
  const flush = (): void => {
    const squeezed = squeeze(text);
    if (squeezed !== '') joined.push(squeezed);
    text = '';
  };
  for (const child of children) {
    if (typeof child === 'string' && child !== newLine) {
      text += child;
      continue;
    }
    flush();
    if (child !== newLine) joined.push(child);
  }
  flush();
  return joined;
}
