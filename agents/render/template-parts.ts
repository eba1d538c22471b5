import type { Statement } from '@huggingface/jinja';

/** A name that stands for a variable. */
export interface Identifier extends Statement {
  readonly type: 'Identifier';
  readonly value: string;
}

/** `object.property`, or `object[property]` where it is computed. */
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
}

export interface Assignment extends Statement {
  readonly type: 'Set';
  readonly assignee: Statement;
}

export interface Call extends Statement {
  readonly type: 'CallExpression';
  readonly callee: Statement;
}

export const isIdentifier = (part: Statement): part is Identifier => part.type === 'Identifier';
export const isMember = (part: Statement): part is Member => part.type === 'MemberExpression';
export const isLoop = (part: Statement): part is Loop => part.type === 'For';
export const isAssignment = (part: Statement): part is Assignment => part.type === 'Set';
export const isCall = (part: Statement): part is Call => part.type === 'CallExpression';

/** The parts that a part of a template consists of; of `object.property` the property is none, since it names no variable. */
export function partsOf(part: Statement): readonly Statement[] {
  const fields = Object.entries(part).filter(([field]) => !(field === 'property' && isMember(part) && !part.computed));
  return fields.flatMap(([, value]) => (value instanceof Map ? [...value].flat() : [value].flat()).filter(isPart));
}

const isPart = (value: unknown): value is Statement => typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
