/**
 * A token of SQL, as SQLite's own tokenizer delimits it (https://sqlite.org/lang_keywords.html, tokenize.c).
 */
export interface SqlToken {
  readonly kind:
    | 'word'
    | 'quoted-name'
    | 'string'
    | 'number'
    | 'blob'
    | 'variable'
    | 'sign'
    | 'semicolon'
    | 'broken';
  /** Names without their quotes, everything else verbatim. */
  readonly text: string;
}

/** Match one token at `lastIndex`. White space and comments come first; a comment may extend to the end. */
const patterns = {
  nothing: /(?:[ \t\n\f\r]+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))+/y,
  blob: /[xX]'(?:[0-9a-fA-F]{2})*'/y,
  string: /'(?:[^']|'')*'/y,
  quotedName: /"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]/y,
  number: /0[xX][0-9a-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y,
  word: /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y,
  // including brackets right after the name with any content up to a space, such as quotes and semicolons;
  // unclosed ones are broken
  variable:
    /\?\d*|[:@#$](?:::)*[A-Za-z0-9_$\u0080-\uffff](?:[A-Za-z0-9_$\u0080-\uffff]|::)*(?:\([^ \t-\r)]*\)|(?![A-Za-z0-9_$\u0080-\uffff(]|::))/y,
  sign: /<=|>=|<>|!=|==|\|\||<<|>>|->>?|[-+*/%=<>&|~(),.]/y,
} as const;

/**
 * All tokens of a text, in linear time. What SQLite cannot tokenize, such as an unterminated string, is
 * broken.
 */
export function tokensOf(sql: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const text = pattern.exec(sql)?.[0];
    if (text === undefined || text === '') return undefined;
    at += text.length;
    return text;
  };
  while (at < sql.length) {
    if (take(patterns.nothing) !== undefined) continue;
    tokens.push(nextToken(sql, at, take) ?? { kind: 'broken', text: sql[at] ?? '' });
    if (tokens.at(-1)?.kind === 'semicolon') at += 1;
    if (tokens.at(-1)?.kind === 'broken') break; // SQLite stops here too
  }
  return tokens;
}

function nextToken(
  sql: string,
  at: number,
  take: (pattern: RegExp) => string | undefined,
): SqlToken | undefined {
  if (sql[at] === ';') return { kind: 'semicolon', text: ';' };
  const blob = take(patterns.blob);
  if (blob !== undefined) return { kind: 'blob', text: blob };
  const text = take(patterns.string);
  if (text !== undefined) return { kind: 'string', text };
  const name = take(patterns.quotedName);
  if (name !== undefined) return { kind: 'quoted-name', text: unquoted(name) };
  for (const kind of ['number', 'word', 'variable', 'sign'] as const) {
    const found = take(patterns[kind]);
    if (found !== undefined) return { kind, text: found };
  }
  return undefined;
}

function unquoted(name: string): string {
  const quote = name[0] as string;
  return quote === '[' ? name.slice(1, -1) : name.slice(1, -1).replaceAll(quote + quote, quote);
}
