/**
 * Log-softmax within each decision, of logits / temperature. Each decision is worked out by itself in float64, so no result
 * depends on what else is in the batch.
 */
export function rowLogSoftmax(logits: Float32Array, rowStart: Int32Array, temperature: number): Float32Array {
  const logprobs = new Float32Array(logits.length);
  for (let decision = 0; decision + 1 < rowStart.length; decision += 1) {
    const from = rowStart[decision] as number;
    const to = rowStart[decision + 1] as number;
    let largest = Number.NEGATIVE_INFINITY;
    for (let row = from; row < to; row += 1)
      largest = Math.max(largest, (logits[row] as number) / temperature);
    let sum = 0;
    for (let row = from; row < to; row += 1) sum += Math.exp((logits[row] as number) / temperature - largest);
    const logSum = Math.log(sum);
    for (let row = from; row < to; row += 1)
      logprobs[row] = (logits[row] as number) / temperature - largest - logSum;
  }
  return logprobs;
}
