/** A piece of HTML. Texts become markup only through {@link html}, which escapes them. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type Part = Markup | string | number | readonly Markup[];

/**
 * HTML with filled-in parts: markup unchanged, lists concatenated, everything else escaped for text and for
 * quoted attributes.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let source = strings[0] ?? '';
  for (const [index, part] of parts.entries()) source += sourceOf(part) + (strings[index + 1] ?? '');
  return new Markup(source);
}

function sourceOf(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part instanceof Markup ? part.source : part.map(({ source }) => source).join('');
}

/** The text with the five special characters of HTML escaped. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => references[character] ?? character);

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
