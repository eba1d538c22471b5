import { Variables, type FunctionCode } from './assemble.ts';
import { advance, below, integers, vectorBytes } from './counting.ts';
import {
  call,
  drop,
  f32,
  f32x4,
  get,
  i32,
  set,
  v128,
  whileTrue,
  type Code,
  type Variable,
} from './instructions.ts';

/** Numbers of the functions of `rows.ts` in the module. */
export type RowFunctionNumbers = Readonly<
  Record<'dots' | 'largest' | 'exponentials' | 'weightedSum' | 'addScaled', number>
>;

/** The parameters that both functions begin with, and where their loops over tokens and heads are. */
function lookVariables(variables: Variables) {
  const [query, key, value, from, until, tokens, groups, share, bytes] = integers(
    variables,
    'parameter',
    9,
  ) as [Variable, Variable, Variable, Variable, Variable, Variable, Variable, Variable, Variable];
  return { query, key, value, from, until, tokens, groups, share, bytes, scale: variables.parameter('f32') };
}

/** Where a query looks: byte distances of the first row that it sees, and of the next head's part of a row. */
function placeVariables(variables: Variables) {
  const [untilEnd, stride, count, whole, row, group, member] = integers(variables, 'local', 7) as [
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  return { untilEnd, stride, count, whole, row, group, member };
}

type Looks = ReturnType<typeof lookVariables> & ReturnType<typeof placeVariables>;

/**
 * Loops over every token and head. `row` is the start of the keys and values that it sees, `count` is their
 * number. `whole` is the bytes of that many scores in full vectors.
 */
function eachLook(looks: Looks, body: Code): Code {
  const { from, until, tokens, groups, share, bytes, untilEnd, stride, count, whole, row, group, member } =
    looks;
  return [
    ...set(stride, i32.multiply(get(groups), get(bytes))),
    ...set(untilEnd, i32.add(get(until), i32.multiply(get(tokens), i32.constant(4)))),
    ...whileTrue(
      below(until, untilEnd),
      set(count, i32.subtract(i32.add(i32.load(get(until)), i32.constant(1)), i32.load(get(from)))),
      set(
        whole,
        i32.multiply(i32.shiftRight(i32.add(get(count), i32.constant(3)), 2), i32.constant(vectorBytes)),
      ),
      set(row, i32.multiply(i32.load(get(from)), get(stride))),
      set(group, i32.constant(0)),
      whileTrue(
        below(group, groups),
        set(member, i32.constant(0)),
        whileTrue(below(member, share), body, advance(member, i32.constant(1))),
        advance(row, get(bytes)),
        advance(group, i32.constant(1)),
      ),
      advance(from, i32.constant(4)),
      advance(until, i32.constant(4)),
    ),
  ];
}

/** Minus infinity behind the scores, up to a full vector: of which the exponentials add nothing. */
function fillUp(scores: Variable, count: Variable): Code {
  const end = i32.add(get(scores), i32.multiply(get(count), i32.constant(4)));
  return [0, 4, 8].flatMap((offset) => f32.store(end, f32.constant(Number.NEGATIVE_INFINITY), offset));
}

/**
 * `attend(query, key, value, from, until, tokens, groups, share, bytes, scale, output, sums, shifts, scores)`: attention of `groups` times
 * `share` heads of `bytes` each, a multiple of 16. Where the logarithm of a sum of exponentials is to be, the sum and what was
 * subtracted from the exponents are left.
 */
export function attendFunction(rows: RowFunctionNumbers): FunctionCode {
  const variables = new Variables();
  const parameters = lookVariables(variables);
  const [output, sums, shifts, scores] = integers(variables, 'parameter', 4) as [
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const looks = { ...parameters, ...placeVariables(variables) };
  const { query, key, value, bytes, scale, stride, count, whole, row } = looks;
  const body = eachLook(looks, [
    ...call(
      rows.dots,
      get(query),
      i32.add(get(key), get(row)),
      get(stride),
      get(count),
      get(bytes),
      get(scale),
      get(scores),
    ),
    ...fillUp(scores, count),
    ...f32.store(get(shifts), call(rows.largest, get(scores), get(whole))),
    ...f32.store(get(sums), call(rows.exponentials, get(scores), get(whole), f32.load(get(shifts)))),
    ...call(
      rows.weightedSum,
      get(scores),
      i32.add(get(value), get(row)),
      get(stride),
      get(count),
      get(bytes),
      f32.divide(f32.constant(1), f32.load(get(sums))),
      get(output),
    ),
    ...[query, output].flatMap((pointer) => advance(pointer, get(bytes))),
    ...[sums, shifts].flatMap((pointer) => advance(pointer, i32.constant(4))),
  ]);
  return {
    name: 'attend',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}

/**
 * `attendBackwards(query, key, value, from, until, tokens, groups, share, bytes, scale, output, logSum, overOutput, overQuery, overKey,
 * overValue, scores, overScores)`: its gradient, added to what overKey and overValue hold.
 */
export function attendBackwardsFunction(rows: RowFunctionNumbers): FunctionCode {
  const variables = new Variables();
  const parameters = lookVariables(variables);
  const [output, logSum, overOutput, overQuery, overKey, overValue, scores, overScores] = integers(
    variables,
    'parameter',
    8,
  ) as [Variable, Variable, Variable, Variable, Variable, Variable, Variable, Variable];
  const looks = { ...parameters, ...placeVariables(variables) };
  const { query, key, value, bytes, scale, stride, count, whole, row } = looks;
  const at = variables.local('i32');
  const [along, factor] = [variables.local('v128'), variables.local('v128')];
  const body = eachLook(looks, [
    ...call(
      rows.dots,
      get(overOutput),
      get(output),
      i32.constant(0),
      i32.constant(1),
      get(bytes),
      f32.constant(1),
      get(overScores),
    ),
    ...set(along, v128.loadSplat(get(overScores))),
    ...set(factor, f32x4.splat(get(scale))),
    ...call(
      rows.dots,
      get(query),
      i32.add(get(key), get(row)),
      get(stride),
      get(count),
      get(bytes),
      get(scale),
      get(scores),
    ),
    ...fillUp(scores, count),
    ...drop(call(rows.exponentials, get(scores), get(whole), f32.load(get(logSum)))),
    ...call(
      rows.dots,
      get(overOutput),
      i32.add(get(value), get(row)),
      get(stride),
      get(count),
      get(bytes),
      f32.constant(1),
      get(overScores),
    ),
    ...set(at, i32.constant(0)),
    ...whileTrue(
      below(at, whole),
      v128.store(
        i32.add(get(overScores), get(at)),
        f32x4.multiply(
          f32x4.multiply(get(factor), v128.load(i32.add(get(scores), get(at)))),
          f32x4.subtract(v128.load(i32.add(get(overScores), get(at))), get(along)),
        ),
      ),
      advance(at, i32.constant(vectorBytes)),
    ),
    ...call(
      rows.weightedSum,
      get(overScores),
      i32.add(get(key), get(row)),
      get(stride),
      get(count),
      get(bytes),
      f32.constant(1),
      get(overQuery),
    ),
    ...call(
      rows.addScaled,
      get(overScores),
      get(query),
      i32.add(get(overKey), get(row)),
      get(stride),
      get(count),
      get(bytes),
    ),
    ...call(
      rows.addScaled,
      get(scores),
      get(overOutput),
      i32.add(get(overValue), get(row)),
      get(stride),
      get(count),
      get(bytes),
    ),
    ...[query, output, overOutput, overQuery].flatMap((pointer) => advance(pointer, get(bytes))),
    ...advance(logSum, i32.constant(4)),
  ]);
  return {
    name: 'attendBackwards',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}
