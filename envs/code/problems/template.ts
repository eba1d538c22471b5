import type { Value } from '../language/interpret.ts';
import type { Form, Input } from './inputs.ts';

/** The subjects of our problems. */
export const categories = [
  'lists',
  'strings',
  'numbers',
  'dates',
  'graphs',
  'grids',
  'simulation',
  'parsing',
  'bits',
  'dynamic',
] as const;
export type Category = (typeof categories)[number];

/** The parameters that distinguish the problems of a template. */
export type Variant = Readonly<Record<string, string | number>>;

/** Problems that differ in numbers and words. */
export interface Template<V extends Variant = Variant> {
  /** Also the name of the required function. */
  readonly name: string;
  readonly category: Category;
  /**
   * 1: a loop; 2: a loop with cases; 3: two ideas; 4: a known algorithm; 5: a known algorithm with a
   * variation.
   */
  readonly difficulty: 1 | 2 | 3 | 4 | 5;
  /** Never in `train` or `dev`. */
  readonly heldOut?: true;
  readonly variants: readonly V[];
  readonly parameters: (variant: V) => Readonly<Record<string, Input>>;
  readonly result: Form;
  readonly statement: (variant: V) => string;
  /** The solution in the little language. Its last function has the template's name. */
  readonly program: (variant: V) => string;
  /** A right solution that is too slow for `heavy`. */
  readonly slow?: (variant: V) => string;
  /** The input of a speed test. */
  readonly heavy?: (variant: V) => readonly Value[];
}

/** Checks the types of a template's variants and erases them. Does nothing at run time. */
export function template<V extends Variant>(of: Template<V>): Template {
  const { parameters, statement, program, slow, heavy, ...rest } = of;
  return {
    ...rest,
    parameters: (variant) => parameters(variant as V),
    statement: (variant) => statement(variant as V),
    program: (variant) => program(variant as V),
    ...(slow === undefined ? {} : { slow: (variant: Variant) => slow(variant as V) }),
    ...(heavy === undefined ? {} : { heavy: (variant: Variant) => heavy(variant as V) }),
  };
}

/** Every combination; the last choice changes fastest. */
export function every<A extends Variant, B extends Variant>(
  first: readonly A[],
  second: readonly B[],
): readonly (A & B)[] {
  return first.flatMap((a) => second.map((b) => ({ ...a, ...b })));
}

/** One variant for each value of one key. */
export const each = <K extends string, T extends string | number>(
  key: K,
  values: readonly T[],
): readonly Record<K, T>[] => values.map((value) => ({ [key]: value }) as Record<K, T>);

/** Comparisons of two numbers, in words and in signs. */
export const orders = [
  { order: 'greater than', sign: '>' },
  { order: 'at least', sign: '>=' },
  { order: 'less than', sign: '<' },
  { order: 'at most', sign: '<=' },
] as const;

/** Greatest and least. */
export const ends = [
  { end: 'greatest', beats: '>' },
  { end: 'smallest', beats: '<' },
] as const;
