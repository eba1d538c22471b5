/** The omitted part of a text, as offsets. */
interface Gap {
  readonly start: number;
  readonly end: number;
}

/**
 * The gap comes after the first three fifths of what is shown, because pages and rooms end with the possible
 * actions.
 */
function gapIn(text: string, most: number): Gap | undefined {
  if (text.length <= most) return undefined;
  const start = Math.ceil((3 * most) / 5);
  const end = text.length - (most - start);
  return {
    start: splitsCharacter(text, start) ? start - 1 : start,
    end: splitsCharacter(text, end) ? end + 1 : end,
  };
}

const splitsCharacter = (text: string, at: number): boolean =>
  /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '');

/** How many characters {@link shorten} leaves out. */
export function charactersCut(text: string, most: number): number {
  const { start, end } = gapIn(text, most) ?? { start: 0, end: 0 };
  return end - start;
}

/**
 * Shortens the text to `most` characters of its beginning and end, with a line between that gives the number
 * of omitted characters. It does not split a character.
 */
export function shorten(text: string, most: number): string {
  const gap = gapIn(text, most);
  if (gap === undefined) return text;
  return `${text.slice(0, gap.start)}\n[${gap.end - gap.start} of ${text.length} characters are left out here]\n${text.slice(gap.end)}`;
}
