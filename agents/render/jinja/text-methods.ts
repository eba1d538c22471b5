import type { RuntimeValue } from '@huggingface/jinja';
import { isItems, isText, printed, valueOf } from './python-values.ts';
import {
  capitalize,
  indentLines,
  split,
  splitFromEnd,
  splitLines,
  strip,
  titleAfterBreaks,
  titleWords,
  type Side,
} from './python-text.ts';

/** The arguments of a call, as the library evaluates them. */
export interface Arguments {
  readonly byPlace: readonly RuntimeValue[];
  readonly byName: ReadonlyMap<string, RuntimeValue>;
}

/** Makes a value of a text and the arguments, which were bound to the parameters' names. */
interface Operation {
  /** The names of the parameters, in order. */
  readonly parameters: readonly string[];
  readonly run: (text: string, given: Readonly<Record<string, RuntimeValue>>) => unknown;
}

/** Characters that a text may have which an operation makes longer. */
const longestMade = 16_000_000;

const strips = (side: Side): Operation => ({
  parameters: ['chars'],
  run: (text, { chars }) => strip(text, side, textOrNone(chars)),
});

const splits = (cut: typeof split): Operation => ({
  parameters: ['sep', 'maxsplit'],
  run: (text, { sep, maxsplit }) => cut(text, textOrNone(sep), wholeOr(maxsplit, -1)),
});

/** Methods of Python's `str` that the library lacks or does otherwise. */
const methods: Readonly<Record<string, Operation>> = {
  strip: strips('both'),
  lstrip: strips('start'),
  rstrip: strips('end'),
  split: splits(split),
  rsplit: splits(splitFromEnd),
  splitlines: { parameters: [], run: splitLines },
  capitalize: { parameters: [], run: capitalize },
  title: { parameters: [], run: titleWords },
  removeprefix: {
    parameters: ['prefix'],
    run: (text, { prefix }) => {
      const removed = requiredText(prefix);
      return text.startsWith(removed) ? text.slice(removed.length) : text;
    },
  },
  removesuffix: {
    parameters: ['suffix'],
    run: (text, { suffix }) => {
      const removed = requiredText(suffix);
      return removed !== '' && text.endsWith(removed) ? text.slice(0, -removed.length) : text;
    },
  },
  find: {
    parameters: ['sub'],
    run: (text, { sub }) => {
      const at = text.indexOf(requiredText(sub));
      return at < 0 ? -1 : Array.from(text.slice(0, at)).length;
    },
  },
  count: {
    parameters: ['sub'],
    run: (text, { sub }) => {
      const counted = requiredText(sub);
      return counted === '' ? Array.from(text).length + 1 : text.split(counted).length - 1;
    },
  },
  join: {
    parameters: ['iterable'],
    run: (text, { iterable }) => {
      if (iterable === undefined || !isItems(iterable)) throw new Error('join() wants a list');
      const parts = iterable.value.map(requiredText);
      assertLength(parts.length * text.length);
      return parts.join(text);
    },
  },
};

/** Filters that the library lacks for texts or does otherwise. */
const filters: Readonly<Record<string, Operation>> = {
  trim: strips('both'),
  capitalize: { parameters: [], run: capitalize },
  title: { parameters: [], run: titleAfterBreaks },
  length: { parameters: [], run: (text) => Array.from(text).length },
  count: { parameters: [], run: (text) => Array.from(text).length },
  list: { parameters: [], run: (text) => Array.from(text) },
  first: { parameters: [], run: (text) => Array.from(text)[0] },
  last: { parameters: [], run: (text) => Array.from(text).at(-1) },
  reverse: { parameters: [], run: (text) => Array.from(text).toReversed().join('') },
  indent: {
    parameters: ['width', 'first', 'blank'],
    run: (text, { width, first, blank }) => {
      const indent = width !== undefined && isText(width) ? width.value : spacesOf(wholeOr(width, 4));
      assertLength(indent.length * (splitLines(text).length + 1));
      return indentLines(text, indent, { first: isTrue(first), blank: isTrue(blank) });
    },
  },
};

/** Calls a method of {@link isTextMethod}. */
export const callTextMethod = (text: string, name: string, given: Arguments): RuntimeValue =>
  runOperation(methods, text, name, given);

/** Applies a filter of {@link isTextFilter}. */
export const applyTextFilter = (text: string, name: string, given: Arguments): RuntimeValue =>
  runOperation(filters, text, name, given);

export const isTextMethod = (name: string): boolean => Object.hasOwn(methods, name);
export const isTextFilter = (name: string): boolean => Object.hasOwn(filters, name);

function runOperation(
  operations: Readonly<Record<string, Operation>>,
  text: string,
  name: string,
  given: Arguments,
): RuntimeValue {
  const operation = operations[name];
  if (operation === undefined) throw new TypeError(`texts have no ${name}`);
  return valueOf(operation.run(text, bind(name, operation, given)));
}

function bind(
  name: string,
  { parameters }: Operation,
  { byPlace, byName }: Arguments,
): Readonly<Record<string, RuntimeValue>> {
  if (byPlace.length > parameters.length)
    throw new Error(`${name}() takes ${parameters.length} arguments, and ${byPlace.length} were given`);
  const bound = new Map(byPlace.map((value, place) => [parameters[place] ?? '', value]));
  for (const [key, value] of byName) {
    if (!parameters.includes(key) || bound.has(key)) throw new Error(`${name}() does not take ${key} here`);
    bound.set(key, value);
  }
  return Object.fromEntries(bound);
}

const textOrNone = (value: RuntimeValue | undefined): string | undefined =>
  value === undefined || value.type === 'NullValue' ? undefined : requiredText(value);

function requiredText(value: RuntimeValue | undefined): string {
  if (value === undefined || !isText(value))
    throw new Error(`a text is wanted, and ${value === undefined ? 'nothing' : `a ${value.type}`} was given`);
  return value.value;
}

function wholeOr(value: RuntimeValue | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (typeof value.value !== 'number' || !Number.isInteger(value.value))
    throw new Error(`a whole number is wanted, and a ${value.type} was given`);
  return value.value;
}

const isTrue = (value: RuntimeValue | undefined): boolean =>
  value !== undefined && printed(value) !== 'False' && printed(value) !== '0' && printed(value) !== '';

function spacesOf(width: number): string {
  assertLength(width);
  return ' '.repeat(Math.max(0, width));
}

function assertLength(length: number): void {
  if (length > longestMade) throw new Error(`it makes a text longer than ${longestMade}`);
}
