import { refuse, type Refusal } from '../../engines/tools/tool.ts';
import { floatText, roundToCents } from './numbers.ts';

/** A number of Python. Integers and floats differ in how they fail. */
interface Value {
  readonly number: number;
  readonly isInt: boolean;
}

/** Longer expressions are refused, as Python refuses expressions that are nested too deeply. */
const longest = 1_000;
const deepest = 90;

/** Why an expression has no value, in Python's words. */
class Wrong {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const syntax = (message = 'invalid syntax', line = 1): Wrong =>
  new Wrong(`${message} (<string>, line ${line})`);

/**
 * `str(round(float(eval(expression)), 2))` for expressions of digits, `+ - * /` (and so `**` and `//`), parentheses and
 * blanks. Integers beyond 2^53 are rounded, which Python's are not.
 */
export function calculate(expression: string): string | Refusal {
  if (/[^0-9+\-*/(). ]/.test(expression)) return refuse('error', 'Invalid characters in expression');
  if (expression.length > longest) return refuse('error', 'too many nested parentheses (<string>, line 1)');
  const value = new Reader(expression).read();
  if (value instanceof Wrong) return refuse('error', value.message);
  const { number } = value;
  if (Number.isFinite(number)) return floatText(roundToCents(number));
  if (value.isInt) return refuse('error', 'int too large to convert to float');
  return Number.isNaN(number) ? 'nan' : number > 0 ? 'inf' : '-inf';
}

type Read = Value | Wrong;

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(expression: string) {
    this.#tokens = expression.match(/\d+\.?\d*|\.\d+|\*\*|\/\/|[+\-*/()]|\./g) ?? [];
  }

  read(): Read {
    if (this.#tokens.length === 0) return syntax('invalid syntax', 0);
    const flaw = this.#flawOfNumbers() ?? this.#flawOfParentheses();
    if (flaw !== undefined) return flaw;
    const value = this.#sum();
    if (value instanceof Wrong || this.#at === this.#tokens.length) return value;
    const [before = '', next = ''] = this.#tokens.slice(this.#at - 1, this.#at + 1);
    if (next !== '(') return syntax();
    const isInt = before === ')' ? value.isInt : !before.includes('.');
    return new Wrong(`'${isInt ? 'int' : 'float'}' object is not callable`);
  }

  #flawOfNumbers(): Wrong | undefined {
    return this.#tokens.some((token) => /^0+[1-9]\d*$/.test(token))
      ? syntax(
          'leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers',
        )
      : undefined;
  }

  #flawOfParentheses(): Wrong | undefined {
    let open = 0;
    for (const token of this.#tokens) {
      if (token === '(') open += 1;
      if (token === ')') open -= 1;
      if (open < 0) return syntax("unmatched ')'");
      if (open > deepest) return syntax('too many nested parentheses');
    }
    return open > 0 ? syntax("'(' was never closed") : undefined;
  }

  #sum(): Read {
    let left = this.#product();
    while (this.#next('+', '-')) {
      const sign = this.#take();
      const right = this.#product();
      if (left instanceof Wrong) return left;
      if (right instanceof Wrong) return right;
      left = both(left, right, (a, b) => (sign === '+' ? a + b : a - b));
    }
    return left;
  }

  #product(): Read {
    let left = this.#signed();
    while (this.#next('*', '/', '//')) {
      const operator = this.#take();
      const right = this.#signed();
      if (left instanceof Wrong) return left;
      if (right instanceof Wrong) return right;
      left = multiplied(operator, left, right);
    }
    return left;
  }

  #signed(): Read {
    if (!this.#next('+', '-')) return this.#power();
    if ((this.#depth += 1) > deepest) return syntax('too many nested parentheses');
    const sign = this.#take();
    const value = this.#signed();
    this.#depth -= 1;
    if (value instanceof Wrong) return value;
    return sign === '-' ? { ...value, number: value.isInt ? 0 - value.number : -value.number } : value;
  }

  #power(): Read {
    const base = this.#atom();
    if (!this.#next('**')) return base;
    this.#take();
    const exponent = this.#signed(); // binds to the right, and before a sign on its left
    if (base instanceof Wrong) return base;
    return exponent instanceof Wrong ? exponent : raised(base, exponent);
  }

  #atom(): Read {
    const token = this.#take();
    if (token === '(' && this.#next(')'))
      return new Wrong("float() argument must be a string or a real number, not 'tuple'");
    if (token === '(') {
      const value = this.#sum();
      if (value instanceof Wrong) return value;
      return this.#take() === ')' ? value : syntax();
    }
    if (!/\d/.test(token)) return syntax();
    return { number: Number(token), isInt: !token.includes('.') };
  }

  #next(...tokens: readonly string[]): boolean {
    return tokens.includes(this.#tokens[this.#at] ?? '');
  }

  #take(): string {
    this.#at += 1;
    return this.#tokens[this.#at - 1] ?? '';
  }
}

const both = (left: Value, right: Value, of: (a: number, b: number) => number): Value => ({
  number: of(left.number, right.number),
  isInt: left.isInt && right.isInt,
});

function multiplied(operator: string, left: Value, right: Value): Read {
  if (operator === '*') return both(left, right, (a, b) => a * b);
  const isInt = left.isInt && right.isInt;
  if (right.number === 0) {
    if (operator === '/') return new Wrong(isInt ? 'division by zero' : 'float division by zero');
    return new Wrong(isInt ? 'integer division or modulo by zero' : 'float floor division by zero');
  }
  if (operator === '/') return { number: left.number / right.number, isInt: false };
  return both(left, right, (a, b) => Math.floor(a / b));
}

function raised(base: Value, exponent: Value): Read {
  if (base.number === 0 && exponent.number < 0) return new Wrong('0.0 cannot be raised to a negative power');
  const number = base.number ** exponent.number;
  if (Number.isNaN(number))
    return new Wrong("float() argument must be a string or a real number, not 'complex'");
  const isInt = base.isInt && exponent.isInt && exponent.number >= 0;
  if (!isInt && !Number.isFinite(number)) return new Wrong("(34, 'Numerical result out of range')");
  return { number, isInt };
}
