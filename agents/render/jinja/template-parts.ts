import type { Statement } from '@huggingface/jinja';

/** A variable name. */
export interface Identifier extends Statement {
  readonly type: 'Identifier';
  readonly value: string;
}

/** `object.property`, or `object[property]` if computed. */
export interface Member extends Statement {
  readonly type: 'MemberExpression';
  readonly object: Statement;
  readonly property: Statement;
  readonly computed: boolean;
}

export interface Loop extends Statement {
  readonly type: 'For';
  readonly loopvar: Statement;
  readonly iterable: Statement;
  readonly body: readonly Statement[];
  /** What is written where there is no item. */
  readonly defaultBlock: readonly Statement[];
}

export interface Assignment extends Statement {
  readonly type: 'Set';
  readonly assignee: Statement;
  readonly value: Statement | null;
}

export interface Call extends Statement {
  readonly type: 'CallExpression';
  readonly callee: Statement;
  readonly args: readonly Statement[];
}

/** `operand | filter`, or a block whose text goes through a filter. */
export type Filtered = Statement & { readonly filter: Statement } & (
    | { readonly type: 'FilterExpression'; readonly operand: Statement }
    | { readonly type: 'FilterStatement'; readonly body: readonly Statement[] }
  );

export interface Binary extends Statement {
  readonly type: 'BinaryExpression';
  readonly operator: { readonly value: string };
  readonly left: Statement;
  readonly right: Statement;
}

/** `items if test` behind `in` of a loop. */
export interface Selection extends Statement {
  readonly type: 'SelectExpression';
  readonly lhs: Statement;
  readonly test: Statement;
}

export interface Block extends Statement {
  readonly type: 'Program';
  readonly body: readonly Statement[];
}

export interface List extends Statement {
  readonly type: 'ArrayLiteral' | 'TupleLiteral';
  readonly value: readonly Statement[];
}

export const isIdentifier = (part: Statement): part is Identifier => part.type === 'Identifier';
export const isMember = (part: Statement): part is Member => part.type === 'MemberExpression';
export const isLoop = (part: Statement): part is Loop => part.type === 'For';
export const isAssignment = (part: Statement): part is Assignment => part.type === 'Set';
export const isCall = (part: Statement): part is Call => part.type === 'CallExpression';
export const isBlock = (part: Statement): part is Block => part.type === 'Program';
export const isFiltered = (part: Statement): part is Filtered =>
  part.type === 'FilterExpression' || part.type === 'FilterStatement';
export const isBinary = (part: Statement): part is Binary => part.type === 'BinaryExpression';
export const isSelection = (part: Statement): part is Selection => part.type === 'SelectExpression';
export const isTuple = (part: Statement): part is List => part.type === 'TupleLiteral';
export const isList = (part: Statement): part is List => part.type === 'ArrayLiteral';
export const isMacro = ({ type }: Statement): boolean => type === 'Macro' || type === 'CallStatement';
export const leavesLoop = ({ type }: Statement): boolean => type === 'Break' || type === 'Continue';

/**
 * The child nodes of a node. The property of `object.property` is not included, because it is not a variable,
 * and operators are not either.
 */
export function partsOf(part: Statement): readonly Statement[] {
  const named = Object.entries(part).filter(
    ([field]) => field !== 'operator' && !(field === 'property' && isMember(part) && !part.computed),
  );
  return named.flatMap(([, value]) =>
    (value instanceof Map ? [...value].flat() : [value].flat()).filter(isPart),
  );
}

/** Whether the predicate is true for the node or any of its descendants. */
export const isWithin = (part: Statement, holds: (part: Statement) => boolean): boolean =>
  holds(part) || partsOf(part).some((each) => isWithin(each, holds));

const isPart = (value: unknown): value is Statement =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
