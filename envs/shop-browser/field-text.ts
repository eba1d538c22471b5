/** What one line of text can hold: returns become blanks, as browsers make them when they are pasted, and halves of characters the sign for them. */
export const typedAs = (text: string): string =>
  Buffer.from(text.replaceAll('\r', ' '), 'utf8').toString('utf8');

/** Bytes of a form that the browser may send, with room for its other fields. */
const mostFormBytes = 4 * 2 ** 20 - 1_024;

/** Whether a form can send it: what no request holds, no page can search for. Texts up to a megabyte always fit. */
export const fits = (text: string): boolean =>
  text.length < mostFormBytes / 9 || new URLSearchParams({ search: text }).toString().length <= mostFormBytes;
