// Matches what a terminal would obey: escape sequences, other control characters, and marks that reorder text.
const escape = '\u001b';
const commands = new RegExp(
  [
    `(?:${escape}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[\\s\\S]*?(?:\u0007|${escape}\\\\|\u009c|$)`,
    `(?:${escape}\\[|\u009b)[0-?]*[ -/]*[@-~]?`,
    `${escape}[ -/]*[0-~]?`,
    '[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]',
  ].join('|'),
  'g',
);

/** Removes from untrusted text everything that a terminal would obey. Tabs and line feeds stay. */
export function terminalText(text: string): string {
  return text.replace(commands, '');
}

/** {@link terminalText} on one line. */
export function terminalLine(text: string): string {
  return terminalText(text).replace(/\s+/g, ' ').trim();
}
