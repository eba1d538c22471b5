import type { AdamCoefficients } from '../adam-coefficients.ts';
import { Variables, type FunctionCode } from './assemble.ts';
import { f32x4, get, i32, set, v128, whileTrue, type Code, type Variable } from './instructions.ts';

/** The constants of {@link adamFunction}, in the order of its last parameters. */
export const adamParameters = [
  'gradientScale',
  'beta1',
  'rest1',
  'beta2',
  'rest2',
  'keep',
  'stepSize',
  'secondScale',
  'epsilon',
] as const satisfies readonly (keyof AdamCoefficients)[];

/**
 * `adam(value, gradient, first, second, valueOut, firstOut, secondOut, bytes, ...constants)`: one AdamW step in float32 over
 * `bytes` of each array, a multiple of 16.
 */
export function adamFunction(): FunctionCode {
  const variables = new Variables();
  const pointers = Array.from({ length: 7 }, () => variables.parameter('i32'));
  const [value, gradient, first, second, valueOut, firstOut, secondOut] = pointers as [
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const bytes = variables.parameter('i32');
  const scalars = adamParameters.map((name) => [name, variables.parameter('f32')] as const);
  const end = variables.local('i32');
  const vectors = new Map(scalars.map(([name]) => [name, variables.local('v128')]));
  const [slope, firstNow, secondNow] = Array.from({ length: 3 }, () => variables.local('v128')) as [
    Variable,
    Variable,
    Variable,
  ];
  const constant = (name: keyof AdamCoefficients): Code => get(vectors.get(name) as Variable);
  const scaled = (name: keyof AdamCoefficients, operand: Code): Code =>
    f32x4.multiply(constant(name), operand);
  const root = f32x4.add(scaled('secondScale', f32x4.squareRoot(get(secondNow))), constant('epsilon'));
  const body = [
    ...scalars.flatMap(([name, scalar]) => set(vectors.get(name) as Variable, f32x4.splat(get(scalar)))),
    ...set(end, i32.add(get(value), get(bytes))),
    ...whileTrue(
      i32.lessUnsigned(get(value), get(end)),
      set(slope, scaled('gradientScale', v128.load(get(gradient)))),
      set(firstNow, f32x4.add(scaled('beta1', v128.load(get(first))), scaled('rest1', get(slope)))),
      set(
        secondNow,
        f32x4.add(
          scaled('beta2', v128.load(get(second))),
          scaled('rest2', f32x4.multiply(get(slope), get(slope))),
        ),
      ),
      v128.store(get(firstOut), get(firstNow)),
      v128.store(get(secondOut), get(secondNow)),
      v128.store(
        get(valueOut),
        f32x4.subtract(
          scaled('keep', v128.load(get(value))),
          f32x4.divide(scaled('stepSize', get(firstNow)), root),
        ),
      ),
      ...pointers.map((pointer) => set(pointer, i32.add(get(pointer), i32.constant(16)))),
    ),
  ];
  return {
    name: 'adam',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}
