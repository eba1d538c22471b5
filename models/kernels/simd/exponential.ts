import type { Variables } from './assemble.ts';
import { f32x4, get, i32x4, set, v128, type Code, type Variable } from './instructions.ts';

/** Where e^x is no longer a normal float32: below it is 0, above it stays where it is. */
const lowest = -87.3;
const highest = 88;

/**
 * Added to a small number, it rounds the number to an integer. The lowest bits then contain the integer plus
 * the bias of exponents, 127.
 */
const wholeOnly = 1.5 * 2 ** 23 + 127;

/** ln 2 in two parts, of which the first has few bits, so that its multiples are exact. */
const logOfTwo = [0.693359375, -2.1219444e-4] as const;

/** Of (e^r - 1 - r) / r^2 for r within ln 2 / 2 of 0, from the highest power down (Moshier, Cephes, `expf`). */
const polynomial = [
  1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1,
];

export type ExponentialRoom = Readonly<Record<'whole' | 'power' | 'given', Variable>>;

export function exponentialRoom(variables: Variables): ExponentialRoom {
  return { whole: variables.local('v128'), power: variables.local('v128'), given: variables.local('v128') };
}

/**
 * Puts e^x in the place of each of four numbers x: 2^n e^r with n whole. Within two roundings of float32.
 * What is no number stays none.
 * @param whole is used for n
 * @param power is used for 2^n
 * @param given is used for x as it was
 */
export function exponential(x: Variable, { whole, power, given }: ExponentialRoom): Code {
  const minus = (multiple: number): Code =>
    set(x, f32x4.subtract(get(x), f32x4.multiply(get(whole), f32x4.constant(multiple))));
  const series = polynomial
    .slice(1)
    .reduce<Code>(
      (sum, coefficient) => f32x4.add(f32x4.multiply(sum, get(x)), f32x4.constant(coefficient)),
      f32x4.constant(polynomial[0] as number),
    );
  const rest = f32x4.add(
    f32x4.add(f32x4.multiply(f32x4.multiply(series, get(x)), get(x)), get(x)),
    f32x4.constant(1),
  );
  return [
    ...set(given, get(x)),
    ...set(x, f32x4.notBelow(f32x4.notAbove(get(x), f32x4.constant(highest)), f32x4.constant(lowest))),
    ...set(whole, f32x4.add(f32x4.multiply(get(x), f32x4.constant(Math.LOG2E)), f32x4.constant(wholeOnly))),
    ...set(power, i32x4.shiftLeft(get(whole), 23)), // n as the exponent of a float32
    ...set(whole, f32x4.subtract(get(whole), f32x4.constant(wholeOnly))),
    ...logOfTwo.flatMap(minus),
    ...set(x, f32x4.multiply(rest, get(power))),
    ...set(x, v128.without(get(x), f32x4.isAtMost(get(given), f32x4.constant(lowest)))),
  ];
}
