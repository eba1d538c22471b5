import { flawIn, type Source } from './source.ts';

/** A word in lower case, because PDDL ignores case. */
export interface Word {
  readonly kind: 'word';
  readonly text: string;
  /** Offset of its first character. */
  readonly at: number;
}

export interface List {
  readonly kind: 'list';
  readonly items: readonly Expression[];
  /** Offset of its opening parenthesis. */
  readonly at: number;
}

export type Expression = Word | List;

/** A file nested deeper than this is no planning problem. */
const deepest = 100;

/** A word longer than this is no name. */
const longestWord = 1_000;

const fix = 'Fix the file, or get a new copy.';

/**
 * Parses a text that is one parenthesised expression. `;` starts a comment to the end of the line. As in Fast
 * Downward's parser, a word extends to the next blank or parenthesis, and a question mark starts a new word.
 *
 * @throws UsageError for an incomplete text, for text after the expression, for non-ASCII characters outside
 * comments, and for words that are too long
 */
export function readExpression(source: Source): List {
  const reader = new Reader(source);
  const opening = reader.next();
  if (opening?.text !== '(')
    throw flawIn(source, opening?.at ?? 0, {
      what: `it starts with ${say(opening)} where "(" is expected.`,
      fix,
    });
  const list = reader.readList(opening.at, 1);
  const rest = reader.next();
  if (rest !== undefined)
    throw flawIn(source, rest.at, { what: `${say(rest)} follows the closing parenthesis.`, fix });
  return list;
}

interface Token {
  readonly text: string;
  readonly at: number;
}

const say = (token: Token | undefined): string => (token === undefined ? 'nothing' : `"${token.text}"`);

class Reader {
  readonly #source: Source;
  readonly #tokens: Iterator<Token, undefined>;

  constructor(source: Source) {
    this.#source = source;
    this.#tokens = tokensOf(source);
  }

  next(): Token | undefined {
    return this.#tokens.next().value;
  }

  /** Parses the items after an opening parenthesis, up to the closing one. */
  readList(at: number, depth: number): List {
    if (depth > deepest)
      throw flawIn(this.#source, at, { what: `parentheses are nested more than ${deepest} deep.`, fix });
    const items: Expression[] = [];
    for (let token = this.next(); token !== undefined; token = this.next()) {
      if (token.text === ')') return { kind: 'list', items, at };
      items.push(
        token.text === '('
          ? this.readList(token.at, depth + 1)
          : { kind: 'word', text: token.text.toLowerCase(), at: token.at },
      );
    }
    throw flawIn(this.#source, at, {
      what: 'the parenthesis that opens here is never closed: the text is incomplete.',
      fix,
    });
  }
}

function* tokensOf(source: Source): Generator<Token, undefined> {
  const pattern = /;[^\n]*|[()]|\?[^\s();?]*|[^\s();?]+/g;
  for (const { 0: text, index } of source.text.matchAll(pattern)) {
    if (text.startsWith(';')) continue;
    const strange = /[^!-~]/.exec(text);
    if (strange !== null) {
      const what = `the character ${JSON.stringify(strange[0])} does not belong in PDDL outside comments.`;
      throw flawIn(source, index + strange.index, { what, fix });
    }
    if (text.length > longestWord)
      throw flawIn(source, index, {
        what: `a word of ${text.length} characters starts here, which is too long.`,
        fix,
      });
    yield { text, at: index };
  }
  return undefined;
}
