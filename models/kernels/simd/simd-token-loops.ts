import { plainTokenLoops } from '../plain-token-loops.ts';
import type { GateArrays, LogitArrays, ScoreArrays, ScoreSlopeArrays, TokenLoops } from '../token-loops.ts';

const lanes = 4;
const wholePart = (length: number): number => length - (length % lanes);

/** The functions of `token-rows.ts` and `logits.ts`, and `largest` of `rows.ts`, once they are instantiated. */
export type TokenFunctions = Readonly<
  Record<
    | 'rmsNorm'
    | 'rmsNormGradient'
    | 'gate'
    | 'gateGradient'
    | 'rotate'
    | 'largest'
    | 'shareSums'
    | 'logitSlopes',
    (...values: number[]) => number
  >
>;

/** The loops by SIMD functions, in float32. What does not fill a vector is left to the plain loops. */
export function simdTokenLoops(
  functions: TokenFunctions,
  addressOf: (array: Float32Array) => number,
): TokenLoops {
  const span = (values: Float32Array): readonly [number, number] => [
    addressOf(values),
    addressOf(values) + 4 * values.length,
  ];
  return {
    ...simdScores(functions, addressOf),
    rmsNorm: (given, out) => {
      const { x, scale, epsilon } = given;
      if (scale.length % lanes !== 0) return plainTokenLoops.rmsNorm(given, out);
      functions.rmsNorm(
        ...span(x),
        addressOf(scale),
        4 * scale.length,
        epsilon,
        1 / scale.length,
        addressOf(out),
      );
    },
    rmsNormGradient: (given, gradient, over) => {
      const { x, scale, epsilon } = given;
      if (scale.length % lanes !== 0) return plainTokenLoops.rmsNormGradient(given, gradient, over);
      over.scale.fill(0);
      functions.rmsNormGradient(
        ...span(x),
        addressOf(scale),
        4 * scale.length,
        epsilon,
        1 / scale.length,
        ...[gradient, over.x, over.scale].map(addressOf),
      );
    },
    gate: ({ gating, up }, out) => {
      const whole = wholePart(out.length);
      functions.gate(...span(gating.subarray(0, whole)), addressOf(up), addressOf(out));
      plainTokenLoops.gate({ gating: gating.subarray(whole), up: up.subarray(whole) }, out.subarray(whole));
    },
    gateGradient: ({ gating, up }, gradient, over) => {
      const whole = wholePart(gradient.length);
      const rest = (arrays: GateArrays): GateArrays => ({
        gating: arrays.gating.subarray(whole),
        up: arrays.up.subarray(whole),
      });
      functions.gateGradient(
        ...span(gating.subarray(0, whole)),
        ...[up, gradient, over.gating, over.up].map(addressOf),
      );
      plainTokenLoops.gateGradient(rest({ gating, up }), gradient.subarray(whole), rest(over));
    },
    rotate: (given, out) => {
      const { x, cos, sin, heads, pairs } = given;
      if (pairs % lanes !== 0) return plainTokenLoops.rotate(given, out);
      functions.rotate(...span(x), addressOf(cos), addressOf(sin), heads, 4 * pairs, addressOf(out));
    },
  };
}

/** Row by row, the numbers behind the last full vector of each one after the other. */
function simdScores(
  { largest, shareSums, logitSlopes }: TokenFunctions,
  addressOf: (array: Float32Array) => number,
): Pick<TokenLoops, 'scoreRows' | 'scoreRowsGradient'> {
  return {
    scoreRows: (
      { logits, targets, factor: asked }: LogitArrays,
      { logprob, logSum, entropy }: ScoreArrays,
    ): void => {
      const width = logits.length / targets.length;
      const whole = wholePart(width);
      const factor = Math.fround(asked);
      const [logitsAt, entropyAt] = [addressOf(logits), addressOf(entropy)];
      for (let row = 0; row < targets.length; row += 1) {
        const first = row * width;
        let most = whole === 0 ? Number.NEGATIVE_INFINITY : largest(logitsAt + 4 * first, 4 * whole);
        for (let at = first + whole; at < first + width; at += 1) most = Math.max(most, logits[at] as number);
        const shift = Math.fround(factor * most); // as the vectors round it, so that the largest is 0 beyond it
        let total = shareSums(logitsAt + 4 * first, 4 * whole, factor, shift, entropyAt + 4 * row);
        let weighted = entropy[row] as number;
        for (let at = first + whole; at < first + width; at += 1) {
          const beyond = Math.fround(factor * (logits[at] as number)) - shift;
          const share = Math.exp(beyond);
          total += share;
          weighted += share * beyond;
        }
        const logTotal = Math.log(total);
        logprob[row] =
          Math.fround(factor * (logits[first + (targets[row] as number)] as number)) - shift - logTotal;
        logSum[row] = shift + logTotal;
        entropy[row] = logTotal - weighted / total;
      }
    },
    scoreRowsGradient: (
      { logits, targets, factor }: LogitArrays,
      { logSum, entropy, overLogprob, overEntropy }: ScoreSlopeArrays,
      overLogits: Float32Array,
    ): void => {
      const width = logits.length / targets.length;
      const whole = wholePart(width);
      const [logitsAt, outAt] = [addressOf(logits), addressOf(overLogits)];
      for (let row = 0; row < targets.length; row += 1) {
        const first = row * width;
        const [slope, entropySlope] = [overLogprob[row] as number, overEntropy[row] as number];
        logitSlopes(
          logitsAt + 4 * first,
          4 * whole,
          factor,
          logSum[row] as number,
          slope,
          entropySlope,
          entropy[row] as number,
          outAt + 4 * first,
        );
        for (let at = first + whole; at < first + width; at += 1) {
          const logShare = factor * (logits[at] as number) - (logSum[row] as number);
          overLogits[at] =
            -factor * Math.exp(logShare) * (slope + entropySlope * (logShare + (entropy[row] as number)));
        }
        overLogits[first + (targets[row] as number)]! += factor * slope;
      }
    },
  };
}
