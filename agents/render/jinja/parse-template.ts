import { parse, tokenize, type Statement, type Token } from '@huggingface/jinja';
import { pythonSpaces, strip } from './python-text.ts';

const spaces = `[${pythonSpaces}]`;
const textOfSpaces = new RegExp(`^${spaces}+$`, 'u');
/** A `+` or `-` may follow an opening mark. `raw` is a tag whose content is text. */
const opening = new RegExp(
  `(?<raw>\\{%(?<rawSign>[-+]?)${spaces}*raw${spaces}*(?:-%\\}${spaces}*|%\\}))|(?<kind>\\{%|\\{#|\\{\\{)(?<sign>[-+]?)`,
  'gu',
);
const rawEnd = new RegExp(
  `\\{%(?<sign>[-+]?)${spaces}*endraw${spaces}*(?:\\+%\\}|-%\\}${spaces}*|%\\}\\n?)`,
  'gu',
);
const closing = {
  '{#': new RegExp(`\\+#\\}|-#\\}${spaces}*|#\\}\\n?`, 'gu'),
  '{%': new RegExp(`\\+%\\}|-%\\}${spaces}*|%\\}\\n?`, 'yu'),
  '{{': new RegExp(`-\\}\\}${spaces}*|\\}\\}`, 'yu'),
} as const;
const literal = /'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"/suy;
const brackets: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * Parses a chat template as `transformers` has jinja2 read it: `trim_blocks`, `lstrip_blocks`, Python's whitespace, line ends all `\n`,
 * string literals with Python's escapes. The library parses what is within the marks.
 *
 * @throws Error where it is no template
 */
export function parseTemplate(source: string): Statement {
  return parse(new TemplateReader(normalizeLineEnds(source)).read());
}

/** One line end at the end of a template is no part of it. */
const normalizeLineEnds = (source: string): string => source.replaceAll(/\r\n?/gu, '\n').replace(/\n$/u, '');

class TemplateReader {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  /** Whether a line begins at the position. */
  #beginsLine = true;

  constructor(source: string) {
    this.#source = source;
  }

  read(): readonly Token[] {
    for (;;) {
      const { index, 0: mark, groups = {} } = this.#find(opening) ?? { index: this.#source.length, 0: '' };
      const sign = groups['rawSign'] ?? groups['sign'] ?? '';
      this.#addText(this.#source.slice(this.#at, index), {
        sign,
        isBlock: groups['kind'] !== '{{' && mark !== '',
      });
      if (mark === '') return this.#tokens;
      this.#advance(index + mark.length);
      if (groups['raw'] !== undefined) this.#readRaw();
      else if (groups['kind'] === '{#') this.#skipComment();
      else this.#readTag(groups['kind'] === '{{' ? '{{' : '{%');
    }
  }

  #find(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#source) ?? undefined;
  }

  #advance(to: number): void {
    if (to > this.#at) this.#beginsLine = this.#source[to - 1] === '\n';
    this.#at = to;
  }

  /** Adds the text before a mark, with the whitespace that the mark removes. */
  #addText(text: string, { sign, isBlock }: { readonly sign: string; readonly isBlock: boolean }): void {
    let kept = text;
    if (sign === '-') kept = strip(text, 'end');
    else if (sign === '' && isBlock) {
      const lineStart = text.lastIndexOf('\n') + 1;
      if ((lineStart > 0 || this.#beginsLine) && textOfSpaces.test(text.slice(lineStart)))
        kept = text.slice(0, lineStart);
    }
    if (kept !== '') this.#tokens.push({ type: 'Text', value: kept });
  }

  #skipComment(): void {
    const end = this.#find(closing['{#']);
    if (end === undefined) throw new Error('a comment has no end');
    this.#advance(end.index + end[0].length);
  }

  #readRaw(): void {
    const end = this.#find(rawEnd);
    if (end === undefined) throw new Error('a raw block has no end');
    const text = this.#source.slice(this.#at, end.index);
    this.#addText(text, { sign: end.groups?.['sign'] ?? '', isBlock: true });
    this.#advance(end.index + end[0].length);
  }

  /** Reads what is within a tag, in which marks within brackets and string literals end nothing. */
  #readTag(kind: '{{' | '{%'): void {
    const open: string[] = [];
    let inside = '';
    while (this.#at < this.#source.length) {
      const end = open.length === 0 ? this.#find(closing[kind]) : undefined;
      if (end !== undefined) {
        this.#advance(this.#at + end[0].length);
        this.#tokens.push(...tokenize(`${kind} ${inside} ${kind === '{{' ? '}}' : '%}'}`));
        return;
      }
      const character = this.#source[this.#at] ?? '';
      const text = character === "'" || character === '"' ? this.#find(literal)?.[0] : character;
      if (text === undefined) throw new Error('a string literal has no end');
      if (brackets[character] !== undefined) open.push(brackets[character]);
      else if (character === open.at(-1)) open.pop();
      inside += text === character ? (textOfSpaces.test(character) ? ' ' : character) : rewriteLiteral(text);
      this.#advance(this.#at + text.length);
    }
    throw new Error(`a tag that begins with ${kind} has no end`);
  }
}

const escapes: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const escapePattern = /\\(?:[0-7]{1,3}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[\s\S])/gu;

/** What an escape of Python stands for: itself where Python knows none such. */
function readEscape(escape: string): string {
  const body = escape.slice(1);
  if (/^[0-7]/u.test(body)) return String.fromCodePoint(Number.parseInt(body, 8));
  if (/^[xuU]./u.test(body)) return String.fromCodePoint(Number.parseInt(body.slice(1), 16));
  if (/^[xuUN]$/u.test(body))
    throw new Error(`a string literal has an escape that cannot be read, ${escape}`);
  return escapes[body] ?? escape;
}

/** A string literal in Python's escapes as one that the library reads alike. */
function rewriteLiteral(written: string): string {
  const ascii = written.slice(1, -1).replaceAll(/[^\0-\x7f]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100
      ? `\\x${hex(code, 2)}`
      : code < 0x1_0000
        ? `\\u${hex(code, 4)}`
        : `\\U${hex(code, 8)}`;
  });
  const text = ascii.replaceAll(escapePattern, readEscape);
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `'${units.map((unit) => (isPlain(unit) ? String.fromCharCode(unit) : `\\u${hex(unit, 4)}`)).join('')}'`;
}

const hex = (code: number, length: number): string => code.toString(16).padStart(length, '0');

/** Letters and digits of ASCII, and the space. */
const isPlain = (unit: number): boolean => /[A-Za-z0-9 ]/u.test(String.fromCharCode(unit));
