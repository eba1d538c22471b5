/**
 * How Python prints values and strips texts. Python servers fill their pages with `str`, `repr` and
 * `json.dumps`.
 */

type Pairs = ReadonlyMap<string, string>;

/** `json.dumps` of a dictionary of strings, in its order: ASCII only, with a blank after comma and colon. */
export function pythonJson(pairs: Pairs): string {
  return `{${[...pairs].map(([name, value]) => `${jsonText(name)}: ${jsonText(value)}`).join(', ')}}`;
}

/** The same as in templates: sorted by name, with the special characters of HTML escaped. */
export function templateJson(pairs: Pairs): string {
  const sorted = new Map([...pairs].toSorted(([a], [b]) => compareCodePoints(a, b)));
  return pythonJson(sorted).replaceAll(/[<>&']/g, unicodeEscape);
}

/** `str` of a dictionary of strings, in its order. */
export function pythonDict(pairs: Pairs): string {
  return `{${[...pairs].map(([name, value]) => `${pythonRepr(name)}: ${pythonRepr(value)}`).join(', ')}}`;
}

/**
 * `repr` of a string: single quotes, unless it contains some and no double quotes. Unprintable characters are
 * escaped.
 */
export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll(/[\\\p{C}\p{Z}]/gu, escapeOf).replaceAll(quote, `\\${quote}`);
  return `${quote}${escaped}${quote}`;
}

/** `str` of a float from 0 to 10^16: integers with `.0`, exponents of two digits and only below 0.0001. */
export function pythonFloat(number: number): string {
  if (Number.isInteger(number)) return `${number}.0`;
  if (number >= 0.0001) return String(number);
  const [digits = '', exponent = ''] = number.toExponential().split('e-');
  return `${digits}e-${exponent.padStart(2, '0')}`;
}

/** `str.strip`, whose white space differs slightly from that of JavaScript. */
export function pythonStrip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f);
  return otherSpaces.has(code) || (code >= 0x2000 && code <= 0x200a);
}

const otherSpaces: ReadonlySet<number> = new Set([
  0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
]);

const jsonText = (text: string): string => JSON.stringify(text).replaceAll(/[\u007F-\uFFFF]/g, unicodeEscape);

const unicodeEscape = (character: string): string => `\\u${hex(character.charCodeAt(0), 4)}`;

function escapeOf(character: string): string {
  if (character === ' ') return ' ';
  if (character === '\\') return '\\\\';
  const named = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` }[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) as number;
  if (code < 0x100) return String.raw`\x` + hex(code, 2);
  return code < 0x10000 ? String.raw`\u` + hex(code, 4) : String.raw`\U` + hex(code, 8);
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** Python sorts by code points, which is the order of UTF-8 bytes. JavaScript sorts by code units. */
const compareCodePoints = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
