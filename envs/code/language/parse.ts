import type {
  Arithmetic,
  ComparisonOperator,
  Expression,
  FunctionDefinition,
  NodeId,
  Program,
  Statement,
} from './syntax.ts';

/**
 * Parses a program in Python's syntax, with functions in place of methods. Throws a plain `Error` with the
 * line, because all texts are our own.
 */
export function parseProgram(text: string): Program {
  return new Parser(text).program();
}

interface Line {
  readonly number: number;
  readonly indent: number;
  readonly tokens: readonly string[];
}

const tokenPattern =
  /\s*(?:("(?:[^"\\]|\\.)*")|(\d+)|([A-Za-z_]\w*)|(\/\/=|<<|>>|<=|>=|==|!=|\/\/|[-+*%]=|[-+*%&|^<>=()[\],:]))/y;

function linesOf(text: string): readonly Line[] {
  return text.split('\n').flatMap((raw, at): readonly Line[] => {
    if (raw.trim() === '') return [];
    return [
      { number: at + 1, indent: raw.length - raw.trimStart().length, tokens: tokensOf(raw.trim(), at + 1) },
    ];
  });
}

function tokensOf(text: string, number: number): readonly string[] {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const from = tokenPattern.lastIndex;
    const found = tokenPattern.exec(text);
    if (found === null) throw new Error(`line ${number}: ${JSON.stringify(text.slice(from))} cannot be read`);
    tokens.push(found[0].trim());
  }
  return tokens;
}

/** Lowest precedence first. */
const levels: readonly (readonly Arithmetic[])[] = [
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '//', '%'],
];
const comparisons: ReadonlySet<string> = new Set<ComparisonOperator>(['<', '<=', '>', '>=', '==', '!=']);
const assignments: Readonly<Record<string, Arithmetic>> = {
  '+=': '+',
  '-=': '-',
  '*=': '*',
  '//=': '//',
  '%=': '%',
};

class Parser {
  readonly #lines: readonly Line[];
  #line = 0;
  #token = 0;
  #nodes: NodeId = 0;

  constructor(text: string) {
    this.#lines = linesOf(text);
  }

  program(): Program {
    const functions: FunctionDefinition[] = [];
    while (this.#line < this.#lines.length) functions.push(this.#function());
    return { functions };
  }

  #function(): FunctionDefinition {
    this.#take('def');
    const name = this.#next();
    this.#take('(');
    const parameters: string[] = [];
    while (!this.#is(')')) {
      parameters.push(this.#next());
      if (this.#is(',')) this.#next();
    }
    this.#take(')');
    return { name, parameters, body: this.#block(0) };
  }

  /** Parses the lines after a colon that are indented deeper than `outer`. */
  #block(outer: number): readonly Statement[] {
    this.#take(':');
    this.#endLine();
    const indent = this.#lines[this.#line]?.indent ?? 0;
    if (indent <= outer) throw this.#wrong('a block is wanted');
    const statements: Statement[] = [];
    while (this.#lines[this.#line]?.indent === indent) statements.push(this.#statement(indent));
    return statements;
  }

  #statement(indent: number): Statement {
    const id = this.#id();
    const word = this.#peek();
    switch (word) {
      case 'if':
        this.#next();
        return this.#if(id, indent);
      case 'while': {
        this.#next();
        const test = this.#expression();
        return { kind: 'while', id, test, body: this.#block(indent) };
      }
      case 'for': {
        this.#next();
        const name = this.#next();
        this.#take('in');
        const over = this.#expression();
        return { kind: 'for', id, name, over, body: this.#block(indent) };
      }
      case 'return':
        this.#next();
        return this.#ended({ kind: 'return', id, value: this.#expression() });
      case 'break':
      case 'continue':
        this.#next();
        return this.#ended({ kind: 'leave', id, how: word });
      default:
        return this.#ended(this.#plain(id));
    }
  }

  #if(id: NodeId, indent: number): Statement {
    const test = this.#expression();
    const body = this.#block(indent);
    const next = this.#lines[this.#line];
    if (next?.indent !== indent) return { kind: 'if', id, test, body, otherwise: [] };
    if (this.#is('elif')) {
      const inner = this.#id();
      this.#next();
      return { kind: 'if', id, test, body, otherwise: [this.#if(inner, indent)] };
    }
    if (!this.#is('else')) return { kind: 'if', id, test, body, otherwise: [] };
    this.#next();
    return { kind: 'if', id, test, body, otherwise: this.#block(indent) };
  }

  #plain(id: NodeId): Statement {
    const target = this.#expression();
    const sign = this.#peek();
    if (sign === undefined) return { kind: 'do', id, call: target };
    const operator = assignments[sign];
    if (operator === undefined && sign !== '=') throw this.#wrong(`"${sign}" is no assignment`);
    this.#next();
    return { kind: 'assign', id, to: target, operator, value: this.#expression() };
  }

  #ended(statement: Statement): Statement {
    this.#endLine();
    return statement;
  }

  #expression(): Expression {
    let left = this.#conjunction();
    while (this.#is('or')) {
      this.#next();
      left = { kind: 'junction', id: this.#id(), operator: 'or', left, right: this.#conjunction() };
    }
    return left;
  }

  #conjunction(): Expression {
    let left = this.#negation();
    while (this.#is('and')) {
      this.#next();
      left = { kind: 'junction', id: this.#id(), operator: 'and', left, right: this.#negation() };
    }
    return left;
  }

  #negation(): Expression {
    if (!this.#is('not')) return this.#comparison();
    this.#next();
    return { kind: 'not', id: this.#id(), of: this.#negation() };
  }

  #comparison(): Expression {
    const left = this.#arithmetic(0);
    const operator = this.#peek();
    if (operator === undefined || !comparisons.has(operator)) return left;
    this.#next();
    return {
      kind: 'comparison',
      id: this.#id(),
      operator: operator as ComparisonOperator,
      left,
      right: this.#arithmetic(0),
    };
  }

  #arithmetic(level: number): Expression {
    const operators: readonly string[] | undefined = levels[level];
    if (operators === undefined) return this.#postfix();
    let left = this.#arithmetic(level + 1);
    for (let sign = this.#peek(); sign !== undefined && operators.includes(sign); sign = this.#peek()) {
      this.#next();
      left = {
        kind: 'arithmetic',
        id: this.#id(),
        operator: sign as Arithmetic,
        left,
        right: this.#arithmetic(level + 1),
      };
    }
    return left;
  }

  #postfix(): Expression {
    let of = this.#atom();
    while (this.#is('[')) {
      this.#next();
      const id = this.#id();
      const from = this.#is(':') ? undefined : this.#expression();
      if (this.#is(':')) {
        this.#next();
        of = { kind: 'slice', id, of, from, to: this.#is(']') ? undefined : this.#expression() };
      } else if (from !== undefined) of = { kind: 'item', id, of, at: from };
      this.#take(']');
    }
    return of;
  }

  #atom(): Expression {
    const id = this.#id();
    const token = this.#next();
    if (/^\d/.test(token)) return { kind: 'number', id, value: Number(token) };
    if (token.startsWith('"')) return { kind: 'text', id, value: JSON.parse(token) as string };
    if (token === '-') return { kind: 'number', id, value: -Number(this.#next()) };
    if (token === '(') {
      const inner = this.#expression();
      this.#take(')');
      return inner;
    }
    if (token === '[') return { kind: 'list', id, items: this.#items(']') };
    if (token === 'True' || token === 'False') return { kind: 'truth', id, value: token === 'True' };
    if (!/^[A-Za-z_]/.test(token)) throw this.#wrong(`"${token}" begins no expression`);
    if (!this.#is('(')) return { kind: 'name', id, name: token };
    this.#next();
    return { kind: 'call', id, name: token, given: this.#items(')') };
  }

  #items(end: string): readonly Expression[] {
    const items: Expression[] = [];
    while (!this.#is(end)) {
      items.push(this.#expression());
      if (!this.#is(end)) this.#take(',');
    }
    this.#take(end);
    return items;
  }

  #id(): NodeId {
    this.#nodes += 1;
    return this.#nodes;
  }

  #peek(): string | undefined {
    return this.#lines[this.#line]?.tokens[this.#token];
  }

  #is(token: string): boolean {
    return this.#peek() === token;
  }

  #next(): string {
    const token = this.#peek();
    if (token === undefined) throw this.#wrong('the line ends too soon');
    this.#token += 1;
    return token;
  }

  #take(token: string): void {
    const next = this.#next();
    if (next !== token) throw this.#wrong(`"${token}" is wanted, not "${next}"`);
  }

  #endLine(): void {
    if (this.#peek() !== undefined) throw this.#wrong(`"${this.#peek()}" is too much`);
    this.#line += 1;
    this.#token = 0;
  }

  #wrong(what: string): Error {
    return new Error(`line ${this.#lines[this.#line]?.number ?? 'after the last'}: ${what}`);
  }
}
