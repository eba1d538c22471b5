/**
 * What `str.isspace` accepts, for the inside of a character class. JavaScript's `\s` differs: it has U+FEFF and lacks U+001C to U+001F and
 * U+0085.
 */
export const pythonSpaces = String.raw`\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;

const isSpace = new RegExp(`[${pythonSpaces}]`, 'u');
const words = new RegExp(`[^${pythonSpaces}]+`, 'gu');
const lineEnds = new RegExp(String.raw`\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029]`, 'u');

export type Side = 'start' | 'end' | 'both';

/**
 * `strip`, `lstrip` and `rstrip`.
 * @param characters the characters to remove, in any order; undefined removes whitespace
 */
export function strip(text: string, side: Side, characters?: string): string {
  const removed = characters === undefined ? undefined : new Set(characters);
  const isRemoved = (character: string): boolean => removed?.has(character) ?? isSpace.test(character);
  let start = 0;
  while (side !== 'end' && start < text.length) {
    const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
    if (!isRemoved(character)) break;
    start += character.length;
  }
  let end = text.length;
  while (side !== 'start' && end > start) {
    const character = lastCharacter(text, end);
    if (!isRemoved(character)) break;
    end -= character.length;
  }
  return text.slice(start, end);
}

/** The code point that ends before a position: two code units where they are a pair. */
function lastCharacter(text: string, end: number): string {
  const pair = text.slice(Math.max(0, end - 2), end);
  return pair.codePointAt(0) === pair.charCodeAt(0) ? text.slice(end - 1, end) : pair;
}

/** `split(separator, most)`. Runs of whitespace separate where there is no separator; a negative `most` sets no limit. */
export function split(text: string, separator: string | undefined, most: number): string[] {
  if (separator === undefined) return splitWords(text, most);
  if (separator === '') throw new Error('empty separator');
  const parts = text.split(separator);
  return most < 0 || parts.length <= most + 1
    ? parts
    : [...parts.slice(0, most), parts.slice(most).join(separator)];
}

function splitWords(text: string, most: number): string[] {
  const found: string[] = [];
  for (const { 0: word, index } of text.matchAll(words)) {
    if (most >= 0 && found.length >= most) return [...found, text.slice(index)];
    found.push(word);
  }
  return found;
}

/** `rsplit(separator, most)`, which counts its splits from the end. */
export function splitFromEnd(text: string, separator: string | undefined, most: number): string[] {
  const reversed = (part: string): string => Array.from(part).toReversed().join('');
  const parts = split(reversed(text), separator === undefined ? undefined : reversed(separator), most);
  return parts.map(reversed).toReversed();
}

/** `splitlines`: more characters than `\n` end a line, and an end of the text begins none. */
export function splitLines(text: string): string[] {
  const lines = text.split(lineEnds);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** `capitalize`. */
export function capitalize(text: string): string {
  const [first = '', ...rest] = text;
  return titlecase(first) + rest.join('').toLowerCase();
}

/** `title` as a method: a letter that follows a letter is small. */
export const titleWords = (text: string): string =>
  text.replaceAll(
    /[\p{Lu}\p{Ll}\p{Lt}][\p{Lu}\p{Ll}\p{Lt}\p{M}]*/gu,
    (word) => titlecase(Array.from(word)[0] ?? '') + Array.from(word).slice(1).join('').toLowerCase(),
  );

/** `title` as a filter: words begin after whitespace, hyphens and opening brackets. */
export function titleAfterBreaks(text: string): string {
  const parts = text.split(new RegExp(`([-${pythonSpaces}({[<]+)`, 'u'));
  return parts
    .map(
      (part) => (Array.from(part)[0] ?? '').toUpperCase() + Array.from(part).slice(1).join('').toLowerCase(),
    )
    .join('');
}

/** Capital of a first letter: U+01C6 becomes U+01C5, `ß` becomes `Ss`, and U+0149 becomes U+02BC and `N`. */
function titlecase(character: string): string {
  const digraph = 'ǅǈǋǲ'.split('').find((title) => title.toLowerCase() === character.toLowerCase());
  if (digraph !== undefined) return digraph;
  return character.toUpperCase().replace(/(?<=\p{Lu}).+$/su, (rest) => rest.toLowerCase());
}

/** The filter `indent`. */
export function indentLines(
  text: string,
  indent: string,
  { first, blank }: { readonly first: boolean; readonly blank: boolean },
): string {
  const lines = splitLines(`${text}\n`);
  const indented = lines.map((line, place) => {
    if (place === 0) return first ? indent + line : line;
    return blank || line !== '' ? indent + line : line;
  });
  return indented.join('\n');
}

/** `repr` of a text. */
export function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll(/['"\\]|[\p{C}\p{Z}]/gu, (character) => {
    if (character === ' ' || (character !== mark && (character === "'" || character === '"')))
      return character;
    if (character === '\\' || character === mark) return `\\${character}`;
    const named = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` }[character];
    if (named !== undefined) return named;
    const code = character.codePointAt(0) ?? 0;
    const digits = code.toString(16);
    if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
    return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
  });
  return mark + escaped + mark;
}
