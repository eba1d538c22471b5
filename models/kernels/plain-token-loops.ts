import type {
  GateArrays,
  LogitArrays,
  NormArrays,
  RotateArrays,
  ScoreArrays,
  ScoreSlopeArrays,
  TokenLoops,
} from './token-loops.ts';

/** The loops in plain JavaScript, with sums in float64. */
export const plainTokenLoops: TokenLoops = {
  rmsNorm,
  rmsNormGradient,
  gate,
  gateGradient,
  rotate,
  scoreRows,
  scoreRowsGradient,
};

function rmsNorm({ x, scale, epsilon }: NormArrays, out: Float32Array): void {
  const width = scale.length;
  for (let first = 0; first < x.length; first += width) {
    const inverse = inverseRoot(x, first, width, epsilon);
    for (let column = 0; column < width; column += 1)
      out[first + column] = (x[first + column] as number) * inverse * (scale[column] as number);
  }
}

/** With n a row over its root mean square and g its slope: (g scale - n mean(g scale n)) over that root, and the sums of g n. */
function rmsNormGradient(
  { x, scale, epsilon }: NormArrays,
  gradient: Float32Array,
  over: Pick<NormArrays, 'x' | 'scale'>,
): void {
  const width = scale.length;
  const sums = new Float64Array(width);
  for (let first = 0; first < x.length; first += width) {
    const inverse = inverseRoot(x, first, width, epsilon);
    let along = 0;
    for (let column = 0; column < width; column += 1)
      along +=
        (gradient[first + column] as number) * (scale[column] as number) * (x[first + column] as number);
    along *= inverse / width;
    for (let column = 0; column < width; column += 1) {
      const normed = (x[first + column] as number) * inverse;
      const slope = gradient[first + column] as number;
      over.x[first + column] = inverse * (slope * (scale[column] as number) - normed * along);
      sums[column]! += slope * normed;
    }
  }
  over.scale.set(sums);
}

function inverseRoot(x: Float32Array, first: number, width: number, epsilon: number): number {
  let sum = 0;
  for (let at = first; at < first + width; at += 1) sum += (x[at] as number) * (x[at] as number);
  return 1 / Math.sqrt(sum / width + epsilon);
}

function gate({ gating, up }: GateArrays, out: Float32Array): void {
  for (let at = 0; at < out.length; at += 1)
    out[at] = ((gating[at] as number) / (1 + Math.exp(-(gating[at] as number)))) * (up[at] as number);
}

/** silu'(g) = s (1 + g (1 - s)) with s = sigmoid(g). */
function gateGradient({ gating, up }: GateArrays, gradient: Float32Array, over: GateArrays): void {
  for (let at = 0; at < gradient.length; at += 1) {
    const [value, slope] = [gating[at] as number, gradient[at] as number];
    const open = 1 / (1 + Math.exp(-value));
    over.gating[at] = slope * (up[at] as number) * open * (1 + value * (1 - open));
    over.up[at] = slope * value * open;
  }
}

function rotate({ x, cos, sin, heads, pairs }: RotateArrays, out: Float32Array): void {
  for (let first = 0, head = 0; first < x.length; first += 2 * pairs, head += 1) {
    const angles = Math.floor(head / heads) * pairs;
    for (let pair = 0; pair < pairs; pair += 1) {
      const across = cos[angles + pair] as number;
      const aside = sin[angles + pair] as number;
      const left = x[first + pair] as number;
      const right = x[first + pairs + pair] as number;
      out[first + pair] = left * across - right * aside;
      out[first + pairs + pair] = right * across + left * aside;
    }
  }
}

function scoreRows(
  { logits, targets, factor }: LogitArrays,
  { logprob, logSum, entropy }: ScoreArrays,
): void {
  const width = logits.length / targets.length;
  for (let row = 0; row < targets.length; row += 1) {
    const first = row * width;
    let most = Number.NEGATIVE_INFINITY;
    for (let at = first; at < first + width; at += 1) most = Math.max(most, factor * (logits[at] as number));
    let total = 0;
    let weighted = 0;
    for (let at = first; at < first + width; at += 1) {
      const beyond = factor * (logits[at] as number) - most;
      const share = Math.exp(beyond);
      total += share;
      weighted += share * beyond;
    }
    const logTotal = Math.log(total);
    logprob[row] = factor * (logits[first + (targets[row] as number)] as number) - most - logTotal;
    logSum[row] = most + logTotal;
    entropy[row] = logTotal - weighted / total;
  }
}

/** With p the probabilities and H their entropy: factor (slope ([is target] - p) - entropySlope p (log p + H)). */
function scoreRowsGradient(
  { logits, targets, factor }: LogitArrays,
  { logSum, entropy, overLogprob, overEntropy }: ScoreSlopeArrays,
  overLogits: Float32Array,
): void {
  const width = logits.length / targets.length;
  for (let row = 0; row < targets.length; row += 1) {
    const first = row * width;
    const [slope, entropySlope] = [overLogprob[row] as number, overEntropy[row] as number];
    for (let at = first; at < first + width; at += 1) {
      const logShare = factor * (logits[at] as number) - (logSum[row] as number);
      overLogits[at] =
        -factor * Math.exp(logShare) * (slope + entropySlope * (logShare + (entropy[row] as number)));
    }
    overLogits[first + (targets[row] as number)]! += factor * slope;
  }
}
