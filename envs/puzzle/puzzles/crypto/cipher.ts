/** Ciphers over the letters A to Z. Blanks stay where they are. */

const first = 65; // the code of A
export const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** Replaces each letter by the one at its place in `to(letter, count)`; `count` is the number of letters before it. */
function replace(text: string, to: (letter: number, count: number) => number): string {
  let [out, count] = ['', 0];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at) - first;
    if (letter < 0 || letter > 25) out += text[at];
    else {
      out += alphabet[modulo(to(letter, count), 26)];
      count += 1;
    }
  }
  return out;
}

/** Caesar's cipher: each letter moves on by `by` places of the alphabet. */
export const shift = (text: string, by: number): string => replace(text, (letter) => letter + by);

/** Vigenère's cipher: the letters of the key are the shifts, in turn, with A for 0. `sign` -1 decrypts. */
export const vigenere = (text: string, key: string, sign: 1 | -1): string =>
  replace(text, (letter, count) => letter + sign * (key.charCodeAt(count % key.length) - first));

/** A letter becomes the letter at its place of the key, which is a permutation of the alphabet. */
export const substitute = (text: string, key: string): string =>
  replace(text, (letter) => key.charCodeAt(letter) - first);

/** The key that undoes a substitution. */
export const inverseKey = (key: string): string =>
  alphabet
    .split('')
    .map((letter) => alphabet[key.indexOf(letter)])
    .join('');

/** Writes a text into rows of `columns` letters and reads it column by column, without the blanks at the end of the last row. */
export function transpose(text: string, columns: number): string {
  let out = '';
  for (let column = 0; column < columns; column += 1)
    for (let at = column; at < text.length; at += columns) out += text[at];
  return out;
}

/** Undoes {@link transpose}. */
export function untranspose(text: string, columns: number): string {
  const out: string[] = [];
  let next = 0;
  for (let column = 0; column < columns; column += 1)
    for (let at = column; at < text.length; at += columns) out[at] = text[next++] ?? '';
  return out.join('');
}

/** Reads a text as players write it: small letters count as capitals, and blanks in a row as one. Undefined for other characters. */
export function readLetters(text: string): string | undefined {
  const plain = text
    .toUpperCase()
    .replaceAll(/["'.\s]+/g, ' ')
    .trim();
  return /^[A-Z ]+$/.test(plain) ? plain : undefined;
}
