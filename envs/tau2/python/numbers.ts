/**
 * `str` of a Python float: integers have `.0`, and exponents start at 1e16 and below 1e-4.
 *
 * @param number a finite number
 */
export function floatText(number: number): string {
  const size = Math.abs(number);
  const sign = number < 0 || Object.is(number, -0) ? '-' : '';
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits = '', exponent = ''] = size.toExponential().split('e');
    return `${sign}${digits}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, '0')}`;
  }
  return `${sign}${size}${Number.isInteger(size) ? '.0' : ''}`;
}

/**
 * `round(number, 2)` of a Python float: the nearest number of two decimals to the exact value of the double. A tie
 * goes to the even digit.
 */
export function roundToCents(number: number): number {
  const size = Math.abs(number);
  const sign = number < 0 || Object.is(number, -0) ? -1 : 1;
  // a double is halfway between two cents only where it is an odd number of eighths
  const eighths = size * 8;
  if (!Number.isInteger(eighths) || eighths % 2 === 0) return sign * Number(size.toFixed(2));
  const below = Math.floor(size * 100);
  return (sign * (below % 2 === 0 ? below : below + 1)) / 100;
}
