/**
 * The attributes of an entity that can be written. As in TextWorld, every entity has the articles `the` and
 * `a`.
 */
export const attributes = ['name', 'id', 'type', 'definite', 'indefinite'] as const;

export type Attribute = (typeof attributes)[number];

/** The subset of Python that templates use. */
export type Expression =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'attribute'; readonly variable: string; readonly attribute: Attribute }
  | { readonly kind: 'sum'; readonly parts: readonly Expression[] }
  /** The first non-empty part, else the last. */
  | { readonly kind: 'or'; readonly parts: readonly Expression[] };

const pattern =
  /\s*(?:(?<text>'[^'\\]*'|"[^"\\]*")|(?<name>[A-Za-z_]\w*)(?:\.(?<attribute>[A-Za-z_]\w*))?|(?<sign>[+()]))/y;

interface Token {
  readonly kind: 'text' | 'name' | 'sign';
  readonly text: string;
  readonly attribute: string | undefined;
}

/**
 * Parses `o.indefinite + ' ' + o.name`, `r.name or r.id`, or `o` alone, which means its name. Undefined for
 * anything else.
 */
export function parseExpression(text: string): Expression | undefined {
  const tokens = tokensOf(text.trim());
  if (tokens === undefined || tokens.length === 0) return undefined;
  const parser = new Parser(tokens);
  const expression = parser.either();
  return parser.isAtEnd ? expression : undefined;
}

function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (pattern.lastIndex = 0; pattern.lastIndex < text.length;) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) return undefined;
    if (groups['text'] !== undefined)
      tokens.push({ kind: 'text', text: groups['text'].slice(1, -1), attribute: undefined });
    else if (groups['name'] !== undefined)
      tokens.push({ kind: 'name', text: groups['name'], attribute: groups['attribute'] });
    else tokens.push({ kind: 'sign', text: groups['sign'] as string, attribute: undefined });
  }
  return tokens;
}

/** The deepest nesting of parentheses in a template. */
const deepest = 50;

class Parser {
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#index === this.#tokens.length;
  }

  either(): Expression | undefined {
    return this.#list('or', 'name', 'or', () => this.#list('+', 'sign', 'sum', () => this.#single()));
  }

  #list(
    word: string,
    kind: Token['kind'],
    as: 'or' | 'sum',
    part: () => Expression | undefined,
  ): Expression | undefined {
    const parts = [part()];
    while (this.#take(kind, word)) parts.push(part());
    const known = parts.filter((one) => one !== undefined);
    if (known.length < parts.length) return undefined;
    return known.length === 1 ? known[0] : { kind: as, parts: known };
  }

  #single(): Expression | undefined {
    const token = this.#tokens[this.#index];
    this.#index += 1;
    if (token?.kind === 'text') return { kind: 'text', text: token.text };
    if (token?.kind === 'name') {
      const attribute = attributes.find((name) => name === (token.attribute ?? 'name'));
      return attribute === undefined ? undefined : { kind: 'attribute', variable: token.text, attribute };
    }
    if (token?.text !== '(' || this.#depth > deepest) return undefined;
    this.#depth += 1;
    const inner = this.either();
    this.#depth -= 1;
    return this.#take('sign', ')') ? inner : undefined;
  }

  #take(kind: Token['kind'], text: string): boolean {
    const token = this.#tokens[this.#index];
    if (token?.kind !== kind || token.text !== text || token.attribute !== undefined) return false;
    this.#index += 1;
    return true;
  }
}
