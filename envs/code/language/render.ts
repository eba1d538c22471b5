import type {
  Arithmetic,
  ComparisonOperator,
  Expression,
  FunctionDefinition,
  Program,
  Statement,
} from './syntax.ts';

/** How a language expresses the constructs of the little language. */
export interface TargetSyntax {
  readonly truths: readonly [no: string, yes: string];
  readonly comparisons: Readonly<Record<ComparisonOperator, string>>;
  readonly and: string;
  readonly or: string;
  readonly not: string;
  /** Division and remainder follow Python everywhere: rounded down, with the sign of the divisor. */
  arithmetic(operator: Arithmetic, left: RenderedCode, right: RenderedCode): RenderedCode;
  call(name: string, given: readonly string[]): string;
  slice(of: string, from: string | undefined, to: string | undefined): string;
  /** `declared`: names that are assigned in the function and are no parameters. */
  head(definition: FunctionDefinition, declared: readonly string[]): readonly string[];
  /** The start of a block, and its end where that takes a line. */
  readonly blocks: Readonly<Record<'if' | 'elif' | 'while', (test: string) => string>> & {
    readonly otherwise: string;
    for(name: string, over: string): string;
    readonly end: string | undefined;
  };
  /** The end of a plain statement. */
  readonly stop: string;
  readonly pass: string;
  readonly indent: string;
}

/**
 * A rendered expression, and the precedence of its outermost operator: higher binds tighter, 100 is no
 * operator.
 */
export interface RenderedCode {
  readonly text: string;
  readonly level: number;
}

const levels: Readonly<Record<Arithmetic | 'or' | 'and' | 'not' | 'comparison', number>> = {
  or: 1,
  and: 2,
  not: 3,
  comparison: 4,
  '|': 5,
  '^': 6,
  '&': 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '//': 10,
  '%': 10,
};

/** Adds parentheses where the precedence is below `level`. */
export const bracketed = ({ text, level: own }: RenderedCode, level: number): string =>
  own < level ? `(${text})` : text;

/** Renders both sides of a left-associative operator with its precedence. */
export function infix(
  operator: Arithmetic,
  sign: string,
  left: RenderedCode,
  right: RenderedCode,
): RenderedCode {
  const level = levels[operator];
  const bits = level >= 5 && level <= 8; // their precedence differs between languages
  return {
    text: `${bracketed(left, bits ? 100 : level)} ${sign} ${bracketed(right, bits ? 100 : level + 1)}`,
    level,
  };
}

/** The program in the target language, without a final line feed. */
export function render(program: Program, dialect: TargetSyntax): string {
  return program.functions.map((each) => renderFunction(each, dialect).join('\n')).join('\n\n');
}

function renderFunction(definition: FunctionDefinition, dialect: TargetSyntax): readonly string[] {
  const declared = [...new Set(assigned(definition.body))].filter(
    (name) => !definition.parameters.includes(name),
  );
  const body = block(definition.body, dialect);
  return [
    ...dialect.head(definition, declared),
    ...body,
    ...(dialect.blocks.end === undefined ? [] : [dialect.blocks.end]),
  ];
}

function assigned(statements: readonly Statement[]): readonly string[] {
  return statements.flatMap((statement): readonly string[] => {
    switch (statement.kind) {
      case 'assign':
        return statement.to.kind === 'name' ? [statement.to.name] : [];
      case 'if':
        return [...assigned(statement.body), ...assigned(statement.otherwise)];
      case 'while':
        return assigned(statement.body);
      case 'for':
        return [statement.name, ...assigned(statement.body)];
      case 'return':
      case 'leave':
      case 'do':
      case 'pass':
        return [];
      default:
        return statement satisfies never;
    }
  });
}

function block(statements: readonly Statement[], dialect: TargetSyntax): readonly string[] {
  const lines = statements.flatMap((statement) => lineOf(statement, dialect));
  return lines.map((line) => `${dialect.indent}${line}`);
}

function lineOf(statement: Statement, dialect: TargetSyntax): readonly string[] {
  const write = (expression: Expression): string => expressionOf(expression, dialect).text;
  const { blocks, stop } = dialect;
  const closing = blocks.end === undefined ? [] : [blocks.end];
  switch (statement.kind) {
    case 'assign': {
      const { to, operator, value } = statement;
      if (operator === undefined) return [`${write(to)} = ${write(value)}${stop}`];
      return [
        `${write(to)} = ${dialect.arithmetic(operator, expressionOf(to, dialect), expressionOf(value, dialect)).text}${stop}`,
      ];
    }
    case 'if':
      return [...branches(statement, dialect, blocks.if), ...closing];
    case 'while':
      return [blocks.while(write(statement.test)), ...block(statement.body, dialect), ...closing];
    case 'for':
      return [
        blocks.for(statement.name, write(statement.over)),
        ...block(statement.body, dialect),
        ...closing,
      ];
    case 'return':
      return [`return ${write(statement.value)}${stop}`];
    case 'leave':
      return [`${statement.how}${stop}`];
    case 'do':
      return [`${write(statement.call)}${stop}`];
    case 'pass':
      return [dialect.pass];
    default:
      return statement satisfies never;
  }
}

function branches(
  { test, body, otherwise }: Extract<Statement, { readonly kind: 'if' }>,
  dialect: TargetSyntax,
  open: (test: string) => string,
): readonly string[] {
  const lines = [open(expressionOf(test, dialect).text), ...block(body, dialect)];
  const [only] = otherwise;
  if (only === undefined) return lines;
  if (otherwise.length === 1 && only.kind === 'if')
    return [...lines, ...branches(only, dialect, dialect.blocks.elif)];
  return [...lines, dialect.blocks.otherwise, ...block(otherwise, dialect)];
}

/** Renders an expression. */
function expressionOf(expression: Expression, dialect: TargetSyntax): RenderedCode {
  const inner = (each: Expression): RenderedCode => expressionOf(each, dialect);
  const plain = (text: string): RenderedCode => ({ text, level: 100 });
  switch (expression.kind) {
    case 'number':
      return { text: String(expression.value), level: expression.value < 0 ? levels['*'] : 100 };
    case 'text':
      return plain(JSON.stringify(expression.value));
    case 'truth':
      return plain(dialect.truths[expression.value ? 1 : 0]);
    case 'name':
      return plain(expression.name);
    case 'list':
      return plain(`[${expression.items.map((item) => inner(item).text).join(', ')}]`);
    case 'item':
      return plain(`${bracketed(inner(expression.of), 100)}[${inner(expression.at).text}]`);
    case 'slice':
      return plain(
        dialect.slice(
          bracketed(inner(expression.of), 100),
          expression.from && inner(expression.from).text,
          expression.to && inner(expression.to).text,
        ),
      );
    case 'call':
      return plain(
        dialect.call(
          expression.name,
          expression.given.map((each) => inner(each).text),
        ),
      );
    case 'arithmetic':
      return dialect.arithmetic(expression.operator, inner(expression.left), inner(expression.right));
    case 'comparison': {
      const [left, right] = [inner(expression.left), inner(expression.right)].map((side) =>
        bracketed(side, levels['+']),
      );
      return {
        text: `${left} ${dialect.comparisons[expression.operator]} ${right}`,
        level: levels.comparison,
      };
    }
    case 'junction': {
      const level = levels[expression.operator];
      return {
        text: `${bracketed(inner(expression.left), level)} ${dialect[expression.operator]} ${bracketed(inner(expression.right), level + 1)}`,
        level,
      };
    }
    case 'not':
      return {
        text: `${dialect.not}${bracketed(inner(expression.of), dialect.not === '!' ? 100 : levels.not)}`,
        level: levels.not,
      };
    default:
      return expression satisfies never;
  }
}
