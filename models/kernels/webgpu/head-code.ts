/** How heads lie in rows: the same for all shaders of a call, written into their code. */
export interface Heads {
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly size: number;
}

export const shaderName = (what: string, { heads, keyValueHeads, size }: Heads): string =>
  `attention_${what}_${heads}_${keyValueHeads}_${size}`;

/** A function of two places: the inner product of the heads' numbers that begin there. */
export const innerProduct = (
  name: string,
  [left, right]: readonly [string, string],
  { size }: Heads,
): string => `
  fn ${name}(left : i32, right : i32) -> f32 {
    var sum = 0.0;
    for (var at = 0; at < ${size}; at = at + 1) { sum = sum + ${left}[left + at] * ${right}[right + at]; }
    return sum;
  }`;

/** What scores are multiplied by. */
export const scaleOf = ({ size }: Heads): string => (1 / Math.sqrt(size)).toExponential(9);
