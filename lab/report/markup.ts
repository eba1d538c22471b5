import { terminalText } from '../../envs/core/terminal-text.ts';

/** HTML that was put together safely: whatever came from outside is escaped in it. */
export class Markup {
  readonly html: string;

  private constructor(html: string) {
    this.html = html;
  }

  /** For text that this package wrote itself, such as a style sheet. Never for anything from outside. */
  static trusted(html: string): Markup {
    return new Markup(html);
  }
}

type Insert = string | number | Markup | readonly Markup[];

/** A template whose inserts are escaped, unless they are markup already. Inserts stand in text or within quoted attributes. */
export function markup(strings: TemplateStringsArray, ...inserts: readonly Insert[]): Markup {
  return Markup.trusted(
    strings
      .map((text, index) => text + (index < inserts.length ? htmlOf(inserts[index] as Insert) : ''))
      .join(''),
  );
}

function htmlOf(insert: Insert): string {
  if (insert instanceof Markup) return insert.html;
  if (typeof insert === 'object') return insert.map((part) => part.html).join('');
  return escapeHtml(String(insert));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in HTML: markup characters as entities, without control characters and marks that reorder text. */
export function escapeHtml(text: string): string {
  return terminalText(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** JSON that can stand inside a script element: it cannot end the element, open a comment, or reorder what a reader sees. */
export function jsonMarkup(value: unknown): Markup {
  return Markup.trusted(
    JSON.stringify(value).replace(
      /[<>&\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
}
