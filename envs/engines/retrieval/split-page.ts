/** Characters of a part of a page, at most. */
export const partCharacters = 2_000;

/**
 * Splits a text into parts of at most {@link partCharacters} characters. It cuts at the end of a paragraph, a sentence
 * or a word in the second half of the part, where there is one. The parts joined give the text.
 */
export function splitPage(text: string, most = partCharacters): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  while (text.length - start > most) {
    const end = start + cutAt(text.slice(start, start + most), most);
    parts.push(text.slice(start, end));
    start = end;
  }
  if (start < text.length || parts.length === 0) parts.push(text.slice(start));
  return parts;
}

/** Where to cut a piece that is too long, from 1. */
function cutAt(piece: string, most: number): number {
  for (const mark of ['\n', '. ', ' ']) {
    const at = piece.lastIndexOf(mark);
    if (at >= most / 2) return at + mark.length;
  }
  return /[\uD800-\uDBFF]$/.test(piece) && piece.length > 1 ? piece.length - 1 : piece.length;
}
