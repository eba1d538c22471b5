import { Variables, type FunctionCode } from './assemble.ts';
import { f32x4, f64, f64x2, get, i32, set, v128, whileTrue } from './instructions.ts';

/** `sumOfSquares(values, bytes)`: in float64, over `bytes` of float32, a multiple of 16. */
export function sumOfSquaresFunction(): FunctionCode {
  const variables = new Variables();
  const values = variables.parameter('i32');
  const bytes = variables.parameter('i32');
  const end = variables.local('i32');
  const four = variables.local('v128');
  const low = variables.local('v128');
  const high = variables.local('v128');
  const lowSum = variables.local('v128');
  const highSum = variables.local('v128');
  const body = [
    ...set(end, i32.add(get(values), get(bytes))),
    ...whileTrue(
      i32.lessUnsigned(get(values), get(end)),
      set(four, v128.load(get(values))),
      set(low, f64x2.promoteLow(get(four))),
      set(high, f64x2.promoteLow(f32x4.highHalf(get(four)))),
      set(lowSum, f64x2.add(get(lowSum), f64x2.multiply(get(low), get(low)))),
      set(highSum, f64x2.add(get(highSum), f64x2.multiply(get(high), get(high)))),
      set(values, i32.add(get(values), i32.constant(16))),
    ),
    ...set(lowSum, f64x2.add(get(lowSum), get(highSum))),
    ...f64.add(f64x2.lane(get(lowSum), 0), f64x2.lane(get(lowSum), 1)),
  ];
  return {
    name: 'sumOfSquares',
    parameters: variables.parameters,
    locals: variables.locals,
    result: 'f64',
    body,
  };
}
