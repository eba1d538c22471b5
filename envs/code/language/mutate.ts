import type { ComparisonOperator, Expression, NodeId, Program, Statement } from './syntax.ts';

/** Kinds of mistakes that programmers make. */
export const slips = [
  'off by one',
  'swapped comparison',
  'swapped operator',
  'swapped bound',
  'swapped truth',
  'missing case',
  'wrong turn',
] as const;
export type Slip = (typeof slips)[number];

/** A place with alternatives, including the current piece. */
export interface Site {
  readonly id: NodeId;
  readonly slip: Slip;
  /** The order does not depend on which is right, except for numbers: see {@link numberPieces}. */
  readonly pieces: readonly Piece[];
  /** The index of the current piece. */
  readonly now: number;
}

/** An alternative for a site, and its description. */
type Piece = { readonly says: string } & (
  | { readonly kind: 'expression'; readonly put: (old: Expression) => Expression }
  | { readonly kind: 'statement'; readonly put: (old: Statement) => Statement }
);

/** Which piece of which site to use. */
export type Change = { readonly site: Site; readonly piece: number };

const words: Readonly<Record<string, string>> = {
  '<': 'less than',
  '<=': 'at most',
  '>': 'greater than',
  '>=': 'at least',
  '==': 'equal to',
  '!=': 'different from',
  '+': 'plus',
  '-': 'minus',
  max: 'maximum',
  min: 'minimum',
  and: 'both',
  or: 'either',
};

const orders: readonly ComparisonOperator[] = ['<', '<=', '>', '>='];
const equalities: readonly ComparisonOperator[] = ['==', '!='];
const signs = ['+', '-'] as const;
const bounds = ['max', 'min'] as const;
const junctions = ['and', 'or'] as const;
const turns = ['break', 'continue'] as const;

/**
 * All sites of the program, in the order of its text. For a number, three neighbours are offered. `window`
 * returns the position of the current number among them (0, 1 or 2). Drawn uniformly, the three numbers
 * reveal nothing about the right one.
 */
export function sitesOf(program: Program, window: (id: NodeId) => number): readonly Site[] {
  const sites: Site[] = [];
  const visit = (node: Expression | Statement): void => {
    const site = siteOf(node, window);
    if (site !== undefined) sites.push(site);
    childrenOf(node).forEach(visit);
  };
  for (const { body } of program.functions) body.forEach(visit);
  return sites.toSorted((a, b) => a.id - b.id);
}

/** The program with other pieces in some places. */
export function change(program: Program, changes: readonly Change[]): Program {
  const pieces = new Map(changes.map(({ site, piece }) => [site.id, site.pieces[piece] as Piece]));
  return {
    functions: program.functions.map((each) => ({
      ...each,
      body: each.body.map((statement) => rewrite(statement, pieces)),
    })),
  };
}

function siteOf(node: Expression | Statement, window: (id: NodeId) => number): Site | undefined {
  const { id } = node;
  switch (node.kind) {
    case 'number': {
      const { pieces, now } = numberPieces(node.value, window(id));
      return { id, slip: 'off by one', pieces, now };
    }
    case 'comparison': {
      const among = orders.includes(node.operator) ? orders : equalities;
      return {
        id,
        slip: 'swapped comparison',
        now: among.indexOf(node.operator),
        pieces: among.map((operator) =>
          onExpression(operator, (old) => (old.kind === 'comparison' ? { ...old, operator } : old)),
        ),
      };
    }
    case 'arithmetic':
      if (node.operator !== '+' && node.operator !== '-') return undefined;
      return {
        id,
        slip: 'swapped operator',
        now: signs.indexOf(node.operator),
        pieces: signs.map((operator) =>
          onExpression(operator, (old) => (old.kind === 'arithmetic' ? { ...old, operator } : old)),
        ),
      };
    case 'junction':
      return {
        id,
        slip: 'swapped operator',
        now: junctions.indexOf(node.operator),
        pieces: junctions.map((operator) =>
          onExpression(operator, (old) => (old.kind === 'junction' ? { ...old, operator } : old)),
        ),
      };
    case 'call': {
      const now = bounds.findIndex((name) => name === node.name);
      if (now < 0) return undefined;
      return {
        id,
        slip: 'swapped bound',
        now,
        pieces: bounds.map((name) =>
          onExpression(name, (old) => (old.kind === 'call' ? { ...old, name } : old)),
        ),
      };
    }
    case 'truth':
      return {
        id,
        slip: 'swapped truth',
        now: node.value ? 1 : 0,
        pieces: [false, true].map((value) =>
          onExpression(String(value), (old) => (old.kind === 'truth' ? { ...old, value } : old)),
        ),
      };
    case 'leave':
      return {
        id,
        slip: 'wrong turn',
        now: turns.indexOf(node.how),
        pieces: turns.map((how) => onStatement(how, (old) => (old.kind === 'leave' ? { ...old, how } : old))),
      };
    case 'assign':
      if (node.operator !== '+' && node.operator !== '-') return undefined;
      return {
        id,
        slip: 'swapped operator',
        now: signs.indexOf(node.operator),
        pieces: signs.map((operator) =>
          onStatement(operator, (old) => (old.kind === 'assign' ? { ...old, operator } : old)),
        ),
      };
    case 'if':
      if (node.otherwise.length > 0) return undefined;
      return {
        id,
        slip: 'missing case',
        now: 0,
        pieces: [
          onStatement('kept', (old) => old),
          onStatement('dropped', (old) => ({ kind: 'pass', id: old.id })),
        ],
      };
    default:
      return undefined;
  }
}

/** Three consecutive numbers, of which the one at `at` is the right one. */
function numberPieces(
  value: number,
  at: number,
): { readonly pieces: readonly Piece[]; readonly now: number } {
  const first = value - at;
  return {
    now: at,
    pieces: [first, first + 1, first + 2].map((number) =>
      onExpression(String(number), (old) => (old.kind === 'number' ? { ...old, value: number } : old)),
    ),
  };
}

const onExpression = (name: string, put: (old: Expression) => Expression): Piece => ({
  kind: 'expression',
  says: words[name] ?? name,
  put,
});
const onStatement = (name: string, put: (old: Statement) => Statement): Piece => ({
  kind: 'statement',
  says: words[name] ?? name,
  put,
});

function childrenOf(node: Expression | Statement): readonly (Expression | Statement)[] {
  switch (node.kind) {
    case 'number':
    case 'text':
    case 'truth':
    case 'name':
    case 'leave':
    case 'pass':
      return [];
    case 'list':
      return node.items;
    case 'item':
      return [node.of, node.at];
    case 'slice':
      return [node.of, node.from, node.to].filter((each) => each !== undefined);
    case 'call':
      return node.given;
    case 'arithmetic':
    case 'comparison':
    case 'junction':
      return [node.left, node.right];
    case 'not':
      return [node.of];
    case 'assign':
      return [node.to, node.value];
    case 'if':
      return [node.test, ...node.body, ...node.otherwise];
    case 'while':
      return [node.test, ...node.body];
    case 'for':
      return [node.over, ...node.body];
    case 'return':
      return [node.value];
    case 'do':
      return [node.call];
    default:
      return node satisfies never;
  }
}

type Pieces = ReadonlyMap<NodeId, Piece>;

function rewrite(statement: Statement, pieces: Pieces): Statement {
  const block = (each: readonly Statement[]): readonly Statement[] =>
    each.map((inner) => rewrite(inner, pieces));
  const value = (each: Expression): Expression => rewriteExpression(each, pieces);
  const inside = (): Statement => {
    switch (statement.kind) {
      case 'assign':
        return { ...statement, to: value(statement.to), value: value(statement.value) };
      case 'if':
        return {
          ...statement,
          test: value(statement.test),
          body: block(statement.body),
          otherwise: block(statement.otherwise),
        };
      case 'while':
        return { ...statement, test: value(statement.test), body: block(statement.body) };
      case 'for':
        return { ...statement, over: value(statement.over), body: block(statement.body) };
      case 'return':
        return { ...statement, value: value(statement.value) };
      case 'do':
        return { ...statement, call: value(statement.call) };
      case 'leave':
      case 'pass':
        return statement;
      default:
        return statement satisfies never;
    }
  };
  const piece = pieces.get(statement.id);
  return piece?.kind === 'statement' ? piece.put(inside()) : inside();
}

function rewriteExpression(expression: Expression, pieces: Pieces): Expression {
  const value = (each: Expression): Expression => rewriteExpression(each, pieces);
  const inside = (): Expression => {
    switch (expression.kind) {
      case 'number':
      case 'text':
      case 'truth':
      case 'name':
        return expression;
      case 'list':
        return { ...expression, items: expression.items.map(value) };
      case 'item':
        return { ...expression, of: value(expression.of), at: value(expression.at) };
      case 'slice':
        return {
          ...expression,
          of: value(expression.of),
          from: expression.from && value(expression.from),
          to: expression.to && value(expression.to),
        };
      case 'call':
        return { ...expression, given: expression.given.map(value) };
      case 'arithmetic':
      case 'comparison':
      case 'junction':
        return { ...expression, left: value(expression.left), right: value(expression.right) };
      case 'not':
        return { ...expression, of: value(expression.of) };
      default:
        return expression satisfies never;
    }
  };
  const piece = pieces.get(expression.id);
  return piece?.kind === 'expression' ? piece.put(inside()) : inside();
}
