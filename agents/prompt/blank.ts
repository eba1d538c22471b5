/**
 * Whether a text shows nothing: it is empty, or has only blanks, control and format characters, halves of characters, or
 * letters without a shape. Strict servers refuse such a message.
 */
export const isBlank = (text: string): boolean =>
  /^[\s\p{C}\u115F\u1160\u2800\u3164\uFFA0\uFFFD]*$/u.test(text);
