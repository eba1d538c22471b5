/*
 * The few distribution functions that intervals need, to about 12 digits. Checked against scipy.
 */

/** Natural logarithm of the gamma function for x > 0: Stirling's series after shifting x above 10. */
function logGamma(x: number): number {
  let shifted = x;
  let product = 1;
  while (shifted < 10) {
    product *= shifted;
    shifted += 1;
  }
  const inverse = 1 / shifted;
  const square = inverse * inverse;
  const series =
    inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188))));
  return (
    (shifted - 0.5) * Math.log(shifted) - shifted + 0.5 * Math.log(2 * Math.PI) + series - Math.log(product)
  );
}

/** Regularised incomplete beta function I_x(a, b), for a, b > 0 and x in [0, 1] (DLMF 8.17.22). */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast only on this side of the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b));
  return Math.min(1, front / (a * betaFraction(x, a, b)));
}

/** The continued fraction of the incomplete beta function, from the front (Lentz's method, modified by Thompson and Barnett). */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let value = 1;
  let forward = 1;
  let backward = 0;
  for (let n = 1; n < 10_000; n += 1) {
    const half = Math.floor(n / 2);
    const term =
      n % 2 === 0
        ? (half * (b - half) * x) / ((a + n - 1) * (a + n))
        : (-(a + half) * (a + b + half) * x) / ((a + n - 1) * (a + n));
    backward = 1 / nonZero(1 + term * backward, tiny);
    forward = nonZero(1 + term / forward, tiny);
    const change = forward * backward;
    value *= change;
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return value;
}

const nonZero = (value: number, tiny: number): number => (Math.abs(value) < tiny ? tiny : value);

/** Probability of at most `count` heads in `trials` fair tosses. */
export function fairCoinAtMost(count: number, trials: number): number {
  if (count < 0) return 0;
  if (count >= trials) return 1;
  return incompleteBeta(0.5, trials - count, count + 1);
}

/** The z below which a standard normal variable falls with probability p, for p from 1e-9 to 1 - 1e-9. */
export function normalQuantile(p: number): number {
  if (!(p >= 1e-9 && p <= 1 - 1e-9))
    throw new RangeError(`normalQuantile takes a probability inside (0, 1), not ${p}`);
  if (p < 0.5) return -normalQuantile(1 - p);
  let z = 0;
  // Newton's steps rise towards the root, because the distribution function is concave above 0.
  for (let round = 0; round < 100; round += 1) {
    const step = (p - 0.5 - normalAboveMean(z)) / normalDensity(z);
    z += step;
    if (Math.abs(step) < 1e-14) break;
  }
  return z;
}

const normalDensity = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** Probability between 0 and z: Taylor's series of Marsaglia, "Evaluating the normal distribution" (2004). */
function normalAboveMean(z: number): number {
  let term = z;
  let sum = z;
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return sum * normalDensity(z);
}

/** The t above which Student's t with that many degrees of freedom falls with probability `tail`, for `tail` in (0, 0.5]. */
export function studentUpperQuantile(tail: number, degrees: number): number {
  if (!(tail > 0 && tail <= 0.5))
    throw new RangeError(`studentUpperQuantile takes a tail in (0, 0.5], not ${tail}`);
  if (!(degrees >= 1))
    throw new RangeError(`studentUpperQuantile takes at least 1 degree of freedom, not ${degrees}`);
  const above = (t: number): number => 0.5 * incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
  let high = 1;
  while (above(high) > tail) high *= 2;
  let low = 0;
  for (let round = 0; round < 200 && high - low > 1e-13 * high; round += 1) {
    const middle = (low + high) / 2;
    if (above(middle) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
