/**
 * The text of a single-line field: returns become blanks, as browsers do when pasting, and lone surrogates
 * become U+FFFD.
 */
export const typedAs = (text: string): string =>
  Buffer.from(text.replaceAll('\r', ' '), 'utf8').toString('utf8');

/** Bytes of a form that the browser may send, minus room for its other fields. */
const mostFormBytes = 4 * 2 ** 20 - 1_024;

/**
 * Whether a form can send the text. A text that no request can contain cannot be searched for. Texts up to a
 * megabyte always fit.
 */
export const fits = (text: string): boolean =>
  text.length < mostFormBytes / 9 || new URLSearchParams({ search: text }).toString().length <= mostFormBytes;
