/** The text up to `most` characters, with a line that says how much was cut; no character is cut in two. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const splitsPair = /[\ud800-\udbff]/.test(text[most - 1] ?? '') && /[\udc00-\udfff]/.test(text[most] ?? '');
  const kept = text.slice(0, splitsPair ? most - 1 : most);
  return `${kept}\n[${text.length - kept.length} of ${text.length} characters are left out here]`;
}
