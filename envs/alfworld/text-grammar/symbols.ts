import { parseExpression, type Expression } from './expression.ts';
import { parseQuery, type QueryAtom } from './query.ts';

/** An item that stands for one entity or one choice of entities. */
export type Item =
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'value'; readonly expression: Expression };

export type TextSymbol =
  | { readonly kind: 'literal'; readonly text: string }
  /** `#name#`. */
  | { readonly kind: 'rule'; readonly name: string }
  /** `{item | query}`: the item once for each answer of the query; without a query, once. */
  | { readonly kind: 'each'; readonly item: Item; readonly query: readonly QueryAtom[] | undefined }
  /** `[{item | query}]`: the same as a list in words. */
  | { readonly kind: 'list'; readonly item: Item; readonly query: readonly QueryAtom[] | undefined };

/** What could not be parsed, and where in the text. */
export interface TextFlaw {
  readonly what: string;
  readonly at: number;
}

const tag = /#(?<name>[\w()/!<>\-\s,.]+)#/y;
const quoted = /"(?<literal>[^;|"<>[\]#{}]*)"/y;
const literal = /[^;|"<>[\]#{}]+/y;

/**
 * Parses a text of the grammar into symbols. As in TextWorld, blanks and line breaks at the start of a text
 * are dropped, and so are tabs before any symbol. TextWorld's parser silently drops the rest of a text at an
 * unexpected character. This one reports it.
 */
export function parseText(text: string): readonly TextSymbol[] | TextFlaw {
  const symbols: TextSymbol[] = [];
  let at = (/^(?:\s+|\/\/[^\n]*)+/.exec(text)?.[0] ?? '').length;
  for (;;) {
    while (text[at] === '\t') at += 1;
    if (at >= text.length) return symbols;
    const next = readSymbol(text, at);
    if ('what' in next) return next;
    symbols.push(next.symbol);
    at = next.end;
  }
}

interface Read {
  readonly symbol: TextSymbol;
  readonly end: number;
}

function readSymbol(text: string, at: number): Read | TextFlaw {
  const plain = matchAt(literal, text, at) ?? matchAt(quoted, text, at);
  if (plain !== undefined)
    return {
      symbol: { kind: 'literal', text: plain.groups?.['literal'] ?? plain[0] },
      end: at + plain[0].length,
    };
  const reference = matchAt(tag, text, at);
  if (reference !== undefined && reference[0].length <= longest)
    return {
      symbol: { kind: 'rule', name: reference.groups?.['name'] as string },
      end: at + reference[0].length,
    };
  const isList = text[at] === '[';
  const inner = bracesAt(text, isList ? at + 1 : at);
  if (inner === undefined)
    return { what: `the character ${JSON.stringify(text[at])} starts no valid expression`, at };
  const end = inner.end + (isList ? 1 : 0);
  if (isList && text[end - 1] !== ']')
    return { what: 'this list has no closing bracket after its braces', at };
  const content = readBraces(inner, at);
  return 'what' in content ? content : { symbol: { kind: isList ? 'list' : 'each', ...content }, end };
}

/** The content of braces: an expression or a `#name#`, and an optional query after a `|`. */
interface Braces {
  readonly statement: string;
  readonly given: string | undefined;
  readonly end: number;
}

/** The braces that open there; undefined where none do, or where their content is invalid. */
function bracesAt(text: string, at: number): Braces | undefined {
  const close = text.indexOf('}', at);
  if (text[at] !== '{' || close < 0 || close - at > longest) return undefined;
  const content = text.slice(at + 1, close);
  const stroke = content.indexOf('|');
  const statement = (stroke < 0 ? content : content.slice(0, stroke)).trimEnd();
  const given = stroke < 0 ? undefined : content.slice(stroke + 1).trim();
  const isSound =
    (ruleName.test(statement) || /^[^[\]{\n<>]+$/.test(statement)) && /^[^;|{\n[\]#]*$/.test(given ?? '');
  return isSound ? { statement, given, end: close + 1 } : undefined;
}

/** The longest name or expression. */
const longest = 1_000;

const ruleName = /^#(?<name>[\w()/!<>\-\s,.]+)#$/;

function readBraces(
  { statement: text, given }: Braces,
  at: number,
): { readonly item: Item; readonly query: readonly QueryAtom[] | undefined } | TextFlaw {
  const rule = ruleName.exec(text)?.groups?.['name'];
  const statement = rule === undefined ? text : undefined;
  const expression = statement === undefined ? undefined : parseExpression(statement);
  if (rule === undefined && expression === undefined)
    return { what: `the expression "${statement ?? ''}" is not supported`, at };
  const item: Item =
    expression === undefined ? { kind: 'rule', name: rule as string } : { kind: 'value', expression };
  const query = given === undefined ? undefined : parseQuery(given);
  return given !== undefined && query === undefined
    ? { what: `the query "${given}" is not supported`, at }
    : { item, query };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
