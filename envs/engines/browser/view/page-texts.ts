/** Between texts of different lines. No text has it, since all blanks of texts are made plain ones. */
export const newLine = '\u2028';

export const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Characters of what an agent said that refusals give back. */
export const mostQuoted = 200;

/** A text of so many characters at most, with `…` where it goes on. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** Texts side by side are one, where they are of one line, with blanks where they have them themselves; blank ones go. */
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
