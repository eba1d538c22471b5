import { f32x4, get, i32x4, set, v128, type Code, type Variable } from './instructions.ts';

/** Where e^x is no longer a normal float32: below it is 0, above it stays where it is. */
const lowest = -87.3;
const highest = 88;

/** ln 2 in two parts, of which the first has few bits, so that its multiples are exact. */
const logOfTwo = [0.693359375, -2.12194440e-4] as const;

/** Of (e^r - 1 - r) / r^2 for r within ln 2 / 2 of 0, from the highest power down (Moshier, Cephes, `expf`). */
const polynomial = [1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1];

/**
 * Puts e^x in the place of each of four numbers x: 2^n e^r with n whole. Within two roundings of float32.
 * What is no number stays none.
 * @param whole is used for n
 * @param given is used for x as it was
 */
export function exponential(x: Variable, whole: Variable, given: Variable): Code {
  const minus = (multiple: number): Code => set(x, f32x4.subtract(get(x), f32x4.multiply(get(whole), f32x4.constant(multiple))));
  const series = polynomial.slice(1).reduce<Code>((sum, coefficient) => f32x4.add(f32x4.multiply(sum, get(x)), f32x4.constant(coefficient)), f32x4.constant(polynomial[0] as number));
  const rest = f32x4.add(f32x4.add(f32x4.multiply(f32x4.multiply(series, get(x)), get(x)), get(x)), f32x4.constant(1));
  const power = i32x4.shiftLeft(i32x4.add(i32x4.fromFloats(get(whole)), i32x4.constant(127)), 23); // n as the exponent of a float32
  return [
    ...set(given, get(x)),
    ...set(x, f32x4.larger(f32x4.smaller(get(x), f32x4.constant(highest)), f32x4.constant(lowest))),
    ...set(whole, f32x4.nearest(f32x4.multiply(get(x), f32x4.constant(Math.LOG2E)))),
    ...logOfTwo.flatMap(minus),
    ...set(x, f32x4.multiply(rest, power)),
    ...set(x, v128.without(get(x), f32x4.isAtMost(get(given), f32x4.constant(lowest)))),
  ];
}
