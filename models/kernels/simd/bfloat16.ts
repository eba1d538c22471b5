import { Variables, type FunctionCode } from './assemble.ts';
import { advance, below, integers, vectorBytes } from './counting.ts';
import {
  call,
  f32,
  get,
  i32,
  i32x4,
  set,
  v128,
  whileTrue,
  type Code,
  type Variable,
} from './instructions.ts';
import { packFunction, panelRowBytes } from './panel-product.ts';

/** Rows of a bfloat16 matrix that are widened at a time: their float32 stay in the nearest cache. */
export const widenedRows = 8;

/** Two vectors of float32 of the eight bfloat16 at the address, stored side by side. */
const widenEight = (from: Code, eight: Variable, to: Code, offset = 0): Code => [
  ...set(eight, v128.load(from, offset)),
  ...v128.store(to, i32x4.shiftLeft(i32x4.extendLow(get(eight)), 16), 2 * offset),
  ...v128.store(to, i32x4.shiftLeft(i32x4.extendHigh(get(eight)), 16), 2 * offset + vectorBytes),
];

/** `widen(from, end, to)`: the bfloat16 between two addresses, a multiple of 8 numbers, as float32. */
export function widenFunction(): FunctionCode {
  const variables = new Variables();
  const [from, end, to] = integers(variables, 'parameter', 3) as [Variable, Variable, Variable];
  const eight = variables.local('v128');
  const body = whileTrue(
    below(from, end),
    widenEight(get(from), eight, get(to)),
    advance(from, i32.constant(vectorBytes)),
    advance(to, i32.constant(2 * vectorBytes)),
  );
  return {
    name: 'widen',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}

/** `packWidened(from, fromRow, depth, panel)`: `packRows` of `panel-product.ts` for rows of bfloat16. */
export const packWidenedFunction = (): FunctionCode =>
  packFunction('packWidened', (from, panel, variables) => {
    const eight = variables.local('v128');
    return Array.from({ length: panelRowBytes / vectorBytes / 2 }, (_, number) =>
      widenEight(from, eight, panel, number * vectorBytes),
    );
  });

/**
 * `multiplyByRows(left, leftEnd, bytes, right, columns, out, outRow, room)`: out[i, j] = the inner product of row i of the left matrix, of `bytes`
 * each, with row j of the right one, of bfloat16. The order of a sum depends on nothing but its length. `bytes` is a multiple of 32; `room` has that
 * of {@link widenedRows} rows.
 */
export function multiplyByRowsFunction(numbers: Readonly<Record<'dots' | 'widen', number>>): FunctionCode {
  const variables = new Variables();
  const [left, leftEnd, bytes, right, columns, out, outRow, room] = integers(variables, 'parameter', 8) as [
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const [count, next, at, place] = integers(variables, 'local', 4) as [
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const body = whileTrue(
    i32.lessUnsigned(i32.constant(0), get(columns)),
    set(count, i32.smallerUnsigned(get(columns), i32.constant(widenedRows))),
    set(next, i32.add(get(right), i32.multiply(get(count), i32.shiftRight(get(bytes), 1)))),
    call(numbers.widen, get(right), get(next), get(room)),
    set(at, get(left)),
    set(place, get(out)),
    whileTrue(
      below(at, leftEnd),
      call(numbers.dots, get(at), get(room), get(bytes), get(count), get(bytes), f32.constant(1), get(place)),
      advance(at, get(bytes)),
      advance(place, get(outRow)),
    ),
    set(right, get(next)),
    advance(out, i32.multiply(get(count), i32.constant(4))),
    set(columns, i32.subtract(get(columns), get(count))),
  );
  return {
    name: 'multiplyByRows',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}
