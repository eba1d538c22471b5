/** What of a text is left out where no more than so many of its characters are shown, as places of the text. */
interface Gap {
  readonly start: number;
  readonly end: number;
}

/** The gap lies behind the first three fifths of what is shown: pages and rooms end with what can be done there. */
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

/** `most` characters of the text, of its beginning and its end, with a line between that says how much was cut; no character is cut in two. */
export function shorten(text: string, most: number): string {
  const gap = gapIn(text, most);
  if (gap === undefined) return text;
  return `${text.slice(0, gap.start)}\n[${gap.end - gap.start} of ${text.length} characters are left out here]\n${text.slice(gap.end)}`;
}
