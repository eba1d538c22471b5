import { Environment, Interpreter, type RuntimeValue, type Statement } from '@huggingface/jinja';
import { areEqual, isItems, isText, isUndefined, printed, valueOf } from './python-values.ts';
import {
  applyTextFilter,
  callTextMethod,
  isTextFilter,
  isTextMethod,
  type Arguments,
} from './text-methods.ts';
import {
  isBinary,
  isCall,
  isFiltered,
  isIdentifier,
  isLoop,
  isMember,
  isSelection,
  isTuple,
  type Binary,
  type Call,
  type Filtered,
  type Loop,
  type Member,
} from './template-parts.ts';

/** A part that was evaluated: it lets the library go on with the value. */
interface Evaluated extends Statement {
  readonly type: 'Evaluated';
  readonly value: RuntimeValue;
}

const isEvaluated = (part: Statement): part is Evaluated => part.type === 'Evaluated';
const evaluated = (value: RuntimeValue): Evaluated => ({ type: 'Evaluated', value });

/** Statements whose value is no output. */
const silent: ReadonlySet<string> = new Set(['Set', 'Macro', 'Comment']);

/** Ends an iteration of a loop early, with what it has written so far. */
class LeaveLoop extends Error {
  readonly kind: string;
  text = '';

  constructor(kind: string) {
    super(`${kind} is outside of a loop`);
    this.kind = kind;
  }
}

/**
 * Evaluates a template as jinja2 does where the library differs. Text methods and filters use Python's whitespace
 * and arguments, and count characters as code points. Values are compared by Python's `==` and printed by its
 * `str`. Variables that an iteration sets end with it.
 */
export class PythonInterpreter extends Interpreter {
  override evaluate(statement: Statement | undefined, environment: Environment): RuntimeValue {
    if (statement === undefined) return super.evaluate(statement, environment);
    if (isEvaluated(statement)) return statement.value;
    if (isCall(statement)) return this.#call(statement, environment);
    if (isFiltered(statement)) return this.#filter(statement, environment);
    if (isMember(statement)) return this.#member(statement, environment);
    if (isBinary(statement)) return this.#binary(statement, environment);
    if (isLoop(statement)) return this.#loop(statement, environment);
    if (statement.type === 'Break' || statement.type === 'Continue') throw new LeaveLoop(statement.type);
    return super.evaluate(statement, environment);
  }

  protected override evaluateBlock(statements: readonly Statement[], environment: Environment): RuntimeValue {
    let text = '';
    try {
      for (const statement of statements) {
        const value = this.evaluate(statement, environment);
        if (!silent.has(statement.type)) text += printed(value);
      }
    } catch (thrown) {
      if (thrown instanceof LeaveLoop) thrown.text = text + thrown.text;
      throw thrown;
    }
    return valueOf(text);
  }

  #arguments(args: readonly Statement[], environment: Environment): Arguments {
    const [byPlace, byName] = this.evaluateArguments(args, environment);
    return { byPlace, byName };
  }

  #call(call: Call, environment: Environment): RuntimeValue {
    const { callee, args } = call;
    if (!isMember(callee) || callee.computed || !isIdentifier(callee.property))
      return super.evaluate(call, environment);
    const { value: name } = callee.property;
    if (!isTextMethod(name)) return super.evaluate(call, environment);
    const object = this.evaluate(callee.object, environment);
    if (isText(object)) return callTextMethod(object.value, name, this.#arguments(args, environment));
    const member: Member = { ...callee, object: evaluated(object) };
    const known: Call = { ...call, callee: member };
    return super.evaluate(known, environment);
  }

  #filter(part: Filtered, environment: Environment): RuntimeValue {
    const operand =
      part.type === 'FilterExpression'
        ? this.evaluate(part.operand, environment)
        : this.evaluateBlock(part.body, environment);
    const { filter } = part;
    const name = isCall(filter) ? filter.callee : filter;
    if (isIdentifier(name) && isText(operand) && isTextFilter(name.value)) {
      const given = this.#arguments(isCall(filter) ? filter.args : [], environment);
      return applyTextFilter(operand.value, name.value, given);
    }
    if (isIdentifier(name) && name.value === 'string') return valueOf(printed(operand));
    const known: Statement & { readonly operand: Statement; readonly filter: Statement } = {
      type: 'FilterExpression',
      operand: evaluated(operand),
      filter,
    };
    return super.evaluate(known, environment);
  }

  /** A place in a text counts characters. */
  #member(member: Member, environment: Environment): RuntimeValue {
    if (!member.computed || ['SliceExpression', 'StringLiteral'].includes(member.property.type))
      return super.evaluate(member, environment);
    const object = this.evaluate(member.object, environment);
    const property = this.evaluate(member.property, environment);
    if (isText(object) && typeof property.value === 'number')
      return valueOf(Array.from(object.value).at(property.value));
    const known: Member = { ...member, object: evaluated(object), property: evaluated(property) };
    return super.evaluate(known, environment);
  }

  #binary(part: Binary, environment: Environment): RuntimeValue {
    const { operator } = part;
    if (!['==', '!=', '~', '+', 'in', 'not in'].includes(operator.value))
      return super.evaluate(part, environment);
    const left = this.evaluate(part.left, environment);
    const right = this.evaluate(part.right, environment);
    switch (operator.value) {
      case '==':
        return valueOf(areEqual(left, right));
      case '!=':
        return valueOf(!areEqual(left, right));
      case '~':
        return valueOf(printed(left) + printed(right));
      case '+':
        if (isText(left) !== isText(right))
          throw new Error(`+ cannot join a ${left.type} and a ${right.type}`);
        break;
      default:
        if (isItems(right))
          return valueOf(right.value.some((item) => areEqual(item, left)) === (operator.value === 'in'));
    }
    const known: Binary = { ...part, left: evaluated(left), right: evaluated(right) };
    return super.evaluate(known, environment);
  }

  #loop(loop: Loop, environment: Environment): RuntimeValue {
    const { iterable } = loop;
    const scope = new Environment(environment);
    const all = itemsOf(this.evaluate(isSelection(iterable) ? iterable.lhs : iterable, scope));
    const items = isSelection(iterable)
      ? all.filter((item) => {
          const within = new Environment(environment);
          bindItem(loop.loopvar, item, within);
          const test: Statement & { readonly operator: object; readonly argument: Statement } = {
            type: 'UnaryExpression',
            operator: { value: 'not' },
            argument: iterable.test,
          };
          return this.evaluate(test, within).value === false;
        })
      : all;
    if (items.length === 0) return this.evaluateBlock(loop.defaultBlock, scope);
    let text = '';
    for (const [place, item] of items.entries()) {
      clearScope(scope);
      scope.setVariable('loop', loopValue(items, place));
      bindItem(loop.loopvar, item, scope);
      try {
        text += printed(this.evaluateBlock(loop.body, scope));
      } catch (thrown) {
        if (!(thrown instanceof LeaveLoop)) throw thrown;
        text += thrown.text;
        if (thrown.kind === 'Break') break;
      }
    }
    return valueOf(text);
  }
}

/** Forgets what an iteration has set. */
export function clearScope({ variables }: Environment): void {
  for (const name of variables.keys()) if (name !== 'namespace') variables.delete(name);
}

/** Nothing can be taken from what is undefined, so that a loop over it writes nothing. */
function itemsOf(value: RuntimeValue): readonly RuntimeValue[] {
  if (isItems(value)) return value.value;
  if (isText(value)) return Array.from(value.value, valueOf);
  if (isUndefined(value)) return [];
  if (value.value instanceof Map && value.type === 'ObjectValue') return [...value.value.keys()].map(valueOf);
  throw new Error(`a ${value.type} has no items`);
}

function bindItem(loopvar: Statement, item: RuntimeValue, scope: Environment): void {
  if (isIdentifier(loopvar)) {
    scope.setVariable(loopvar.value, item);
    return;
  }
  const names = isTuple(loopvar) ? loopvar.value.filter(isIdentifier) : [];
  const values = itemsOf(item);
  if (names.length !== values.length)
    throw new Error(`a loop wants ${names.length} values of an item that has ${values.length}`);
  for (const [place, value] of values.entries()) scope.setVariable(names[place]?.value ?? '', value);
}

/** What `loop` is at a place. */
export function loopValue(items: readonly RuntimeValue[], place: number): RuntimeValue {
  const loop = valueOf({
    index: place + 1,
    index0: place,
    revindex: items.length - place,
    revindex0: items.length - place - 1,
    first: place === 0,
    last: place === items.length - 1,
    length: items.length,
  });
  if (!(loop.value instanceof Map)) throw new TypeError(`an object is a ${loop.type} without fields`);
  loop.value.set('previtem', items[place - 1] ?? valueOf(undefined));
  loop.value.set('nextitem', items[place + 1] ?? valueOf(undefined));
  return loop;
}
