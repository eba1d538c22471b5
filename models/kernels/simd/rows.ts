import { Variables, type FunctionCode } from './assemble.ts';
import { advance, below, integers, sumOfLanes, vectorBytes } from './counting.ts';
import { exponential, exponentialRoom } from './exponential.ts';
import { f32, f32x4, get, i32, set, v128, whileTrue, type Code, type Variable } from './instructions.ts';

/** Vectors that are worked on at a time: as many as leave the processor registers to work with. */
const vectorsAtATime = 8;

/**
 * `dots(vector, rows, rowBytes, count, bytes, scale, out)`: out[j] = scale times the inner product of the vector with row j, of
 * `bytes` each, a multiple of 16; rows lie `rowBytes` apart.
 */
export function dotsFunction(): FunctionCode {
  const variables = new Variables();
  const [vector, rows, rowBytes, count, bytes] = integers(variables, 'parameter', 5) as [
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const scale = variables.parameter('f32');
  const out = variables.parameter('i32');
  const [end, whole, at, vectorAt, vectorEnd, second, third, fourth] = integers(variables, 'local', 8) as [
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const part = variables.local('v128');
  const sums = Array.from({ length: 4 }, () => variables.local('v128')) as [
    Variable,
    Variable,
    Variable,
    Variable,
  ];

  /** Inner products with the rows that begin at `places`, in as many sums of four parts each. */
  const accumulate = (places: readonly Variable[]): Code => [
    ...places.flatMap((_, number) => set(sums[number] as Variable, v128.zero)),
    ...set(vectorAt, get(vector)),
    ...whileTrue(
      below(vectorAt, vectorEnd),
      set(part, v128.load(get(vectorAt))),
      ...places.map((place, number) =>
        set(
          sums[number] as Variable,
          f32x4.add(get(sums[number] as Variable), f32x4.multiply(get(part), v128.load(get(place)))),
        ),
      ),
      advance(vectorAt, i32.constant(vectorBytes)),
      ...places.map((place) => advance(place, i32.constant(vectorBytes))),
    ),
  ];

  const body = [
    ...set(end, i32.add(get(out), i32.multiply(get(count), i32.constant(4)))),
    ...set(whole, i32.subtract(get(end), i32.constant(12))), // from here on there are fewer than four
    ...set(vectorEnd, i32.add(get(vector), get(bytes))),
    ...whileTrue(
      below(out, whole),
      set(at, get(rows)),
      set(second, i32.add(get(rows), get(rowBytes))),
      set(third, i32.add(get(second), get(rowBytes))),
      set(fourth, i32.add(get(third), get(rowBytes))),
      set(rows, i32.add(get(fourth), get(rowBytes))),
      accumulate([at, second, third, fourth]),
      v128.store(get(out), f32x4.multiply(transposedSum(sums), f32x4.splat(get(scale)))),
      advance(out, i32.constant(vectorBytes)),
    ),
    ...whileTrue(
      below(out, end),
      set(at, get(rows)),
      accumulate([at]),
      f32.store(get(out), f32.multiply(sumOfLanes(sums[0]), get(scale))),
      advance(rows, get(rowBytes)),
      advance(out, i32.constant(4)),
    ),
  ];
  return {
    name: 'dots',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}

/** `largest(values, bytes)`: of `bytes` of float32, a multiple of 16 and not 0. */
export function largestFunction(): FunctionCode {
  const variables = new Variables();
  const [values, bytes] = integers(variables, 'parameter', 2) as [Variable, Variable];
  const end = variables.local('i32');
  const most = variables.local('v128');
  const body = [
    ...set(end, i32.add(get(values), get(bytes))),
    ...set(most, v128.load(get(values))),
    ...whileTrue(
      below(values, end),
      set(most, f32x4.larger(get(most), v128.load(get(values)))),
      advance(values, i32.constant(vectorBytes)),
    ),
    ...f32.larger(
      f32.larger(f32x4.lane(get(most), 0), f32x4.lane(get(most), 1)),
      f32.larger(f32x4.lane(get(most), 2), f32x4.lane(get(most), 3)),
    ),
  ];
  return { name: 'largest', parameters: variables.parameters, locals: variables.locals, result: 'f32', body };
}

/** `exponentials(values, bytes, shift)`: puts e^(value - shift) in each value's place and gives their sum; `bytes` is a multiple of 16. */
export function exponentialsFunction(): FunctionCode {
  const variables = new Variables();
  const [values, bytes] = integers(variables, 'parameter', 2) as [Variable, Variable];
  const shift = variables.parameter('f32');
  const end = variables.local('i32');
  const [four, sum] = [variables.local('v128'), variables.local('v128')];
  const room = exponentialRoom(variables);
  const body = [
    ...set(end, i32.add(get(values), get(bytes))),
    ...whileTrue(
      below(values, end),
      set(four, f32x4.subtract(v128.load(get(values)), f32x4.splat(get(shift)))),
      exponential(four, room),
      v128.store(get(values), get(four)),
      set(sum, f32x4.add(get(sum), get(four))),
      advance(values, i32.constant(vectorBytes)),
    ),
    ...sumOfLanes(sum),
  ];
  return {
    name: 'exponentials',
    parameters: variables.parameters,
    locals: variables.locals,
    result: 'f32',
    body,
  };
}

/**
 * `weightedSum(weights, rows, rowBytes, count, bytes, factor, out)`: `factor` times the sum over rows of weight j times row j,
 * of `bytes` each, a multiple of 16.
 */
export function weightedSumFunction(): FunctionCode {
  const variables = new Variables();
  const [weights, rows, rowBytes, count, bytes] = integers(variables, 'parameter', 5) as [
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const factor = variables.parameter('f32');
  const out = variables.parameter('i32');
  const [weightAt, weightEnd, rowAt, outEnd] = integers(variables, 'local', 4) as [
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const weight = variables.local('v128');
  const sums = Array.from({ length: vectorsAtATime }, () => variables.local('v128'));

  const sumColumns = (vectors: readonly Variable[]): Code => [
    ...vectors.flatMap((sum) => set(sum, v128.zero)),
    ...set(weightAt, get(weights)),
    ...set(rowAt, get(rows)),
    ...whileTrue(
      below(weightAt, weightEnd),
      set(weight, v128.loadSplat(get(weightAt))),
      ...vectors.map((sum, number) =>
        set(
          sum,
          f32x4.add(get(sum), f32x4.multiply(get(weight), v128.load(get(rowAt), number * vectorBytes))),
        ),
      ),
      advance(weightAt, i32.constant(4)),
      advance(rowAt, get(rowBytes)),
    ),
    ...vectors.flatMap((sum, number) =>
      v128.store(get(out), f32x4.multiply(get(sum), f32x4.splat(get(factor))), number * vectorBytes),
    ),
    ...advance(out, i32.constant(vectors.length * vectorBytes)),
    ...advance(rows, i32.constant(vectors.length * vectorBytes)),
  ];

  const blockEnd = i32.add(get(out), i32.constant(vectorsAtATime * vectorBytes));
  const body = [
    ...set(outEnd, i32.add(get(out), get(bytes))),
    ...set(weightEnd, i32.add(get(weights), i32.multiply(get(count), i32.constant(4)))),
    ...whileTrue(i32.atMostUnsigned(blockEnd, get(outEnd)), sumColumns(sums)),
    ...whileTrue(below(out, outEnd), sumColumns(sums.slice(0, 1))),
  ];
  return {
    name: 'weightedSum',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}

/** `addScaled(weights, vector, rows, rowBytes, count, bytes)`: adds weight j times the vector to row j, of `bytes` each, a multiple of 16. */
export function addScaledFunction(): FunctionCode {
  const variables = new Variables();
  const [weights, vector, rows, rowBytes, count, bytes] = integers(variables, 'parameter', 6) as [
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const [weightAt, weightEnd, rowAt, vectorEnd] = integers(variables, 'local', 4) as [
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const weight = variables.local('v128');
  const parts = Array.from({ length: vectorsAtATime }, () => variables.local('v128'));

  const addColumns = (vectors: readonly Variable[]): Code => [
    ...vectors.flatMap((part, number) => set(part, v128.load(get(vector), number * vectorBytes))),
    ...set(weightAt, get(weights)),
    ...set(rowAt, get(rows)),
    ...whileTrue(
      below(weightAt, weightEnd),
      set(weight, v128.loadSplat(get(weightAt))),
      ...vectors.map((part, number) =>
        v128.store(
          get(rowAt),
          f32x4.add(v128.load(get(rowAt), number * vectorBytes), f32x4.multiply(get(weight), get(part))),
          number * vectorBytes,
        ),
      ),
      advance(weightAt, i32.constant(4)),
      advance(rowAt, get(rowBytes)),
    ),
    ...advance(vector, i32.constant(vectors.length * vectorBytes)),
    ...advance(rows, i32.constant(vectors.length * vectorBytes)),
  ];

  const blockEnd = i32.add(get(vector), i32.constant(vectorsAtATime * vectorBytes));
  const body = [
    ...set(vectorEnd, i32.add(get(vector), get(bytes))),
    ...set(weightEnd, i32.add(get(weights), i32.multiply(get(count), i32.constant(4)))),
    ...whileTrue(i32.atMostUnsigned(blockEnd, get(vectorEnd)), addColumns(parts)),
    ...whileTrue(below(vector, vectorEnd), addColumns(parts.slice(0, 1))),
  ];
  return {
    name: 'addScaled',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}

/** Four sums of four parts each as a vector of the four sums. */
function transposedSum([first, second, third, fourth]: readonly [
  Variable,
  Variable,
  Variable,
  Variable,
]): Code {
  const even = (left: Code, right: Code): Code => f32x4.pick(left, right, [0, 2, 4, 6]);
  const odd = (left: Code, right: Code): Code => f32x4.pick(left, right, [1, 3, 5, 7]);
  const pairs = (left: Variable, right: Variable): Code =>
    f32x4.add(even(get(left), get(right)), odd(get(left), get(right)));
  const [upper, lower] = [pairs(first, second), pairs(third, fourth)];
  return f32x4.add(even(upper, lower), odd(upper, lower));
}
