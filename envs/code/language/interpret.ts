import type {
  Arithmetic,
  ComparisonOperator,
  Expression,
  FunctionDefinition,
  Program,
  Statement,
} from './syntax.ts';

/** The values of programs. Numbers are integers below 2^53. */
export type Value = number | string | boolean | readonly Value[] | ReadonlyMap<Value, Value>;

/** A program that cannot continue: an error, or too many steps. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
  readonly kind: 'error' | 'time';

  constructor(kind: 'error' | 'time', message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Returns the value of the last function. Given lists are not changed.
 *
 * @throws ProgramError after `steps` expressions and statements, or where Python would raise an exception
 */
export function interpret(program: Program, given: readonly Value[], steps: number): Value {
  const main = program.functions.at(-1);
  if (main === undefined) throw new ProgramError('error', 'there is no function');
  return new Interpreter(program, steps).call(main, given.map(copied));
}

type List = Value[];
type Scope = Map<string, Value>;
/** How a block ended: by `return` with a value, by leaving the loop around it, or at its end. */
type End =
  | { readonly kind: 'return'; readonly value: Value }
  | { readonly kind: 'break' | 'continue' }
  | undefined;

const copied = (value: Value): Value =>
  Array.isArray(value) ? (value as readonly Value[]).map(copied) : value;
const deepest = 400;
const longest = 2_000_000;

class Interpreter {
  readonly #functions: ReadonlyMap<string, FunctionDefinition>;
  #steps: number;
  #depth = 0;

  constructor(program: Program, steps: number) {
    this.#functions = new Map(program.functions.map((each) => [each.name, each]));
    this.#steps = steps;
  }

  call({ name, parameters, body }: FunctionDefinition, given: readonly Value[]): Value {
    this.#depth += 1;
    if (this.#depth > deepest) throw new ProgramError('error', 'it calls itself too deep');
    const scope: Scope = new Map(parameters.map((parameter, at) => [parameter, given[at] as Value]));
    const end = this.#block(body, scope);
    this.#depth -= 1;
    if (end?.kind !== 'return') throw new ProgramError('error', `${name} returned nothing`);
    return end.value;
  }

  #block(statements: readonly Statement[], scope: Scope): End {
    for (const statement of statements) {
      const end = this.#do(statement, scope);
      if (end !== undefined) return end;
    }
    return undefined;
  }

  #do(statement: Statement, scope: Scope): End {
    this.#step();
    switch (statement.kind) {
      case 'assign':
        this.#assign(statement, scope);
        return undefined;
      case 'if':
        return this.#block(
          truth(this.#value(statement.test, scope)) ? statement.body : statement.otherwise,
          scope,
        );
      case 'while':
        while (truth(this.#value(statement.test, scope))) {
          const end = this.#block(statement.body, scope);
          if (end?.kind === 'return') return end;
          if (end?.kind === 'break') break;
        }
        return undefined;
      case 'for':
        for (const value of iterated(this.#value(statement.over, scope))) {
          scope.set(statement.name, value);
          const end = this.#block(statement.body, scope);
          if (end?.kind === 'return') return end;
          if (end?.kind === 'break') break;
        }
        return undefined;
      case 'return':
        return { kind: 'return', value: this.#value(statement.value, scope) };
      case 'leave':
        return { kind: statement.how };
      case 'do':
        this.#value(statement.call, scope);
        return undefined;
      case 'pass':
        return undefined;
      default:
        return statement satisfies never;
    }
  }

  #assign({ to, operator, value }: Extract<Statement, { readonly kind: 'assign' }>, scope: Scope): void {
    const given = this.#value(value, scope);
    const put = operator === undefined ? given : arithmetic(operator, this.#value(to, scope), given);
    if (to.kind === 'name') {
      scope.set(to.name, put);
      return;
    }
    if (to.kind !== 'item') throw new ProgramError('error', 'nothing can be put there');
    const list = listOf(this.#value(to.of, scope));
    list[place(list, this.#value(to.at, scope))] = put;
  }

  #value(expression: Expression, scope: Scope): Value {
    this.#step();
    switch (expression.kind) {
      case 'number':
      case 'text':
      case 'truth':
        return expression.value;
      case 'name': {
        const value = scope.get(expression.name);
        if (value === undefined) throw new ProgramError('error', `${expression.name} has no value`);
        return value;
      }
      case 'list':
        return expression.items.map((item) => this.#value(item, scope));
      case 'item': {
        const of = this.#value(expression.of, scope);
        const at = this.#value(expression.at, scope);
        const value = typeof of === 'string' ? of[place(of, at)] : listOf(of)[place(listOf(of), at)];
        return value as Value;
      }
      case 'slice': {
        const of = this.#value(expression.of, scope);
        const from = expression.from === undefined ? 0 : numberOf(this.#value(expression.from, scope));
        const to = expression.to === undefined ? undefined : numberOf(this.#value(expression.to, scope));
        return typeof of === 'string' ? of.slice(from, to) : listOf(of).slice(from, to);
      }
      case 'call':
        return this.#apply(
          expression.name,
          expression.given.map((each) => this.#value(each, scope)),
        );
      case 'arithmetic':
        return arithmetic(
          expression.operator,
          this.#value(expression.left, scope),
          this.#value(expression.right, scope),
        );
      case 'comparison':
        return compare(
          expression.operator,
          this.#value(expression.left, scope),
          this.#value(expression.right, scope),
        );
      case 'junction': {
        const left = truth(this.#value(expression.left, scope));
        return left === (expression.operator === 'or') ? left : truth(this.#value(expression.right, scope));
      }
      case 'not':
        return !truth(this.#value(expression.of, scope));
      default:
        return expression satisfies never;
    }
  }

  #apply(name: string, given: readonly Value[]): Value {
    const own = this.#functions.get(name);
    if (own !== undefined) return this.call(own, given);
    const known = builtIns[name];
    if (known === undefined) throw new ProgramError('error', `there is no function ${name}`);
    return known(given);
  }

  #step(): void {
    this.#steps -= 1;
    if (this.#steps < 0) throw new ProgramError('time', 'it takes too many steps');
  }
}

function truth(value: Value): boolean {
  if (typeof value !== 'boolean') throw new ProgramError('error', 'a truth is wanted');
  return value;
}

function numberOf(value: Value | undefined): number {
  if (typeof value !== 'number') throw new ProgramError('error', 'a number is wanted');
  return value;
}

function textOf(value: Value | undefined): string {
  if (typeof value !== 'string') throw new ProgramError('error', 'a text is wanted');
  return value;
}

function listOf(value: Value | undefined): List {
  if (!Array.isArray(value)) throw new ProgramError('error', 'a list is wanted');
  return value as List; // created or copied here, so it may be changed
}

function mapOf(value: Value | undefined): Map<Value, Value> {
  if (!(value instanceof Map)) throw new ProgramError('error', 'a map is wanted');
  return value as Map<Value, Value>; // created here
}

function iterated(value: Value): readonly Value[] {
  if (typeof value === 'string') return value.split('');
  return listOf(value);
}

function place(of: string | List, at: Value): number {
  const index = numberOf(at);
  if (index < 0 || index >= of.length) throw new ProgramError('error', `there is no item ${index}`);
  return index;
}

function bounded(length: number): number {
  if (length > longest) throw new ProgramError('error', 'a list is too long');
  return Math.max(0, length);
}

function whole(value: number): number {
  if (!Number.isSafeInteger(value)) throw new ProgramError('error', 'a number is too great');
  return value;
}

function arithmetic(operator: Arithmetic, left: Value, right: Value): number {
  const [a, b] = [numberOf(left), numberOf(right)];
  if ((operator === '//' || operator === '%') && b === 0) throw new ProgramError('error', 'division by zero');
  switch (operator) {
    case '+':
      return whole(a + b);
    case '-':
      return whole(a - b);
    case '*':
      return whole(a * b);
    case '//':
      return Math.floor(a / b);
    case '%':
      return ((a % b) + b) % b;
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '<<':
      if (b < 0 || b > 30) throw new ProgramError('error', 'a shift is too far');
      return whole(a * 2 ** b);
    case '>>':
      if (b < 0) throw new ProgramError('error', 'a shift is negative');
      return Math.floor(a / 2 ** b);
    default:
      return operator satisfies never;
  }
}

function compare(operator: ComparisonOperator, left: Value, right: Value): boolean {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  const order = typeof left === 'string' ? ordered(left, textOf(right)) : numberOf(left) - numberOf(right);
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

const ordered = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

function sorted(value: Value | undefined): List {
  const list = [...listOf(value)];
  const kinds = new Set(list.map((item) => typeof item));
  if (kinds.size > 1 || [...kinds].some((kind) => kind !== 'number' && kind !== 'string'))
    throw new ProgramError('error', 'these cannot be sorted');
  return (list as (string | number)[]).sort(ordered);
}

function range(given: readonly Value[]): List {
  const [from, to, step] =
    given.length === 1
      ? [0, numberOf(given[0]), 1]
      : [numberOf(given[0]), numberOf(given[1]), given[2] === undefined ? 1 : numberOf(given[2])];
  if (step === 0) throw new ProgramError('error', 'the step of a range is 0');
  return Array.from({ length: bounded(Math.ceil((to - from) / step)) }, (_, at) => from + at * step);
}

function integer(value: Value | undefined): number {
  const text = textOf(value).trim();
  if (!/^[-+]?\d+$/.test(text)) throw new ProgramError('error', `${JSON.stringify(text)} is no number`);
  return whole(Number(text));
}

type BuiltIn = (given: readonly Value[]) => Value;

/** The functions that every program may call. The renderer of a language defines how they are written. */
const builtIns: Readonly<Record<string, BuiltIn>> = {
  len: ([of]) => (typeof of === 'string' ? of.length : listOf(of).length),
  range,
  min: ([a, b]) => Math.min(numberOf(a), numberOf(b)),
  max: ([a, b]) => Math.max(numberOf(a), numberOf(b)),
  abs: ([a]) => Math.abs(numberOf(a)),
  sum: ([of]) => listOf(of).reduce<number>((total, item) => whole(total + numberOf(item)), 0),
  str: ([a]) => String(numberOf(a)),
  int: ([text]) => integer(text),
  ord: ([text]) => textOf(text).charCodeAt(0),
  chr: ([code]) => String.fromCharCode(numberOf(code)),
  cat: ([a, b]) => textOf(a) + textOf(b),
  times: ([text, count]) => textOf(text).repeat(bounded(numberOf(count))),
  upper: ([text]) => textOf(text).toUpperCase(),
  lower: ([text]) => textOf(text).toLowerCase(),
  is_digit: ([text]) => /^[0-9]+$/.test(textOf(text)),
  is_letter: ([text]) => /^[A-Za-z]+$/.test(textOf(text)),
  split: ([text, by]) => textOf(text).split(textOf(by)),
  join: ([by, list]) => listOf(list).map(textOf).join(textOf(by)),
  append: ([list, item]) => listOf(list).push(item as Value),
  pop: ([list]) => {
    const last = listOf(list).pop();
    if (last === undefined) throw new ProgramError('error', 'nothing is left to take');
    return last;
  },
  concat: ([a, b]) => [...listOf(a), ...listOf(b)],
  sorted: ([of]) => sorted(of),
  reversed: ([of]) => (typeof of === 'string' ? of.split('').toReversed().join('') : listOf(of).toReversed()),
  contains: ([of, item]) =>
    typeof of === 'string' ? of.includes(textOf(item)) : listOf(of).includes(item as Value),
  filled: ([count, value]) => Array.from({ length: bounded(numberOf(count)) }, () => value as Value),
  grid: ([rows, columns, value]) =>
    Array.from({ length: bounded(numberOf(rows)) }, () =>
      Array.from({ length: bounded(numberOf(columns)) }, () => value as Value),
    ),
  new_map: () => new Map<Value, Value>(),
  has: ([map, key]) => mapOf(map).has(key as Value),
  get: ([map, key, otherwise]) => mapOf(map).get(key as Value) ?? (otherwise as Value),
  put: ([map, key, value]) => {
    mapOf(map).set(key as Value, value as Value);
    return true;
  },
  size: ([map]) => mapOf(map).size,
  keys: ([map]) => [...mapOf(map).keys()],
};
