/** An arithmetic expression over positive integers. */
export type Expression =
  | number
  | { readonly negated: Expression }
  | { readonly operator: Operator; readonly left: Expression; readonly right: Expression };

export const operators = ['+', '-', '*', '/'] as const;
export type Operator = (typeof operators)[number];

/** A reduced fraction; the denominator is positive. */
export type Fraction = readonly [numerator: number, denominator: number];

/** Brackets and operators nest at most this deep, so that no text can exhaust the stack. */
const deepest = 64;

/** Other signs that people write. */
const signs: Readonly<Record<string, Operator>> = { '×': '*', '·': '*', '÷': '/', '−': '-', '–': '-' };
export const arithmeticSymbols = Object.keys(signs).join('');

/**
 * Parses integers, the four operators, brackets, and a minus sign before a part. Nothing is evaluated. Undefined where the text
 * is no expression.
 */
export function parseExpression(text: string): Expression | undefined {
  const tokens = text.match(/\d{1,9}(?!\d)|[-+*/()×·÷−–]|\S/g) ?? [];
  let at = 0;
  const take = (...wanted: readonly string[]): string | undefined => {
    const token = tokens[at];
    if (token === undefined || !wanted.includes(signs[token] ?? token)) return undefined;
    at += 1;
    return signs[token] ?? token;
  };
  const atom = (depth: number): Expression | undefined => {
    const token = tokens[at] ?? '';
    if (/^\d/.test(token)) {
      at += 1;
      return Number(token);
    }
    if (depth >= deepest) return undefined;
    if (take('-') !== undefined) {
      const negated = atom(depth + 1);
      return negated === undefined ? undefined : { negated };
    }
    if (take('(') === undefined) return undefined;
    const inner = sum(depth + 1);
    return take(')') === undefined ? undefined : inner;
  };
  const chain = (
    of: (depth: number) => Expression | undefined,
    depth: number,
    ...of2: readonly Operator[]
  ): Expression | undefined => {
    let left = of(depth);
    for (let length = 0; left !== undefined; length += 1) {
      const operator = take(...of2) as Operator | undefined;
      if (operator === undefined) return left;
      const right = length < deepest ? of(depth) : undefined;
      left = right === undefined ? undefined : { operator, left, right };
    }
    return undefined;
  };
  const product = (depth: number): Expression | undefined => chain(atom, depth, '*', '/');
  const sum = (depth: number): Expression | undefined => chain(product, depth, '+', '-');
  const parsed = sum(0);
  return at === tokens.length ? parsed : undefined;
}

/** The expression with the brackets that it needs. */
export function writeExpression(expression: Expression): string {
  if (typeof expression === 'number') return String(expression);
  if ('negated' in expression) return `(-(${writeExpression(expression.negated)}))`;
  const { operator, left, right } = expression;
  const isProduct = operator === '*' || operator === '/';
  const inBrackets = (part: Expression, isRight: boolean): boolean =>
    typeof part !== 'number' &&
    !('negated' in part) &&
    (isProduct
      ? isRight || part.operator === '+' || part.operator === '-'
      : isRight && operator === '-' && (part.operator === '+' || part.operator === '-'));
  const write = (part: Expression, isRight: boolean): string =>
    inBrackets(part, isRight) ? `(${writeExpression(part)})` : writeExpression(part);
  return `${write(left, false)} ${operator} ${write(right, true)}`;
}

/** The numbers of an expression, from left to right. */
export function numbersOf(expression: Expression): number[] {
  if (typeof expression === 'number') return [expression];
  return 'negated' in expression
    ? numbersOf(expression.negated)
    : [...numbersOf(expression.left), ...numbersOf(expression.right)];
}

/**
 * The exact value; undefined where it divides by zero. Exact as long as the product of all numbers plus one is below 2^53.
 */
export function evaluate(expression: Expression): Fraction | undefined {
  if (typeof expression === 'number') return [expression, 1];
  if ('negated' in expression) {
    const value = evaluate(expression.negated);
    return value === undefined ? undefined : apply('-', [0, 1], value);
  }
  const left = evaluate(expression.left);
  const right = left === undefined ? undefined : evaluate(expression.right);
  return left === undefined || right === undefined ? undefined : apply(expression.operator, left, right);
}

/** The result of an operator; undefined for a division by zero. */
export function apply(operator: Operator, [a, b]: Fraction, [c, d]: Fraction): Fraction | undefined {
  switch (operator) {
    case '+':
      return reduce(a * d + c * b, b * d);
    case '-':
      return reduce(a * d - c * b, b * d);
    case '*':
      return reduce(a * c, b * d);
    case '/':
      return c === 0 ? undefined : c < 0 ? reduce(-a * d, -b * c) : reduce(a * d, b * c);
  }
}

function reduce(numerator: number, denominator: number): Fraction {
  let [a, b] = [Math.abs(numerator), denominator];
  while (b !== 0) [a, b] = [b, a % b];
  return [numerator / a + 0, denominator / a]; // + 0: no negative zero
}

/** `7/3`, or `7` for an integer. */
export const writeFraction = ([numerator, denominator]: Fraction): string =>
  denominator === 1 ? String(numerator) : `${numerator}/${denominator}`;

/** Parses {@link writeFraction}. */
export function readFraction(text: string): Fraction {
  const [numerator = '0', denominator = '1'] = text.split('/');
  return [Number(numerator), Number(denominator)];
}
