import {
  add,
  div,
  engine,
  exp,
  log,
  max,
  mul,
  neg,
  oneHot,
  reshape,
  sub,
  sum,
  tensor1d,
  type Tensor2D,
} from '@tensorflow/tfjs-core';
import { countingUp } from '../../kernels/bag.ts';
import { bagSum, hasKernel, kernelNames } from '../../kernels/operations.ts';

/** What a distribution over the vocabulary says of one token, place by place; logits are divided by the temperature first. */
export type TokenScores = {
  /** Log-probability of the target. */
  readonly logprob: Tensor2D; // (R, 1)
  /** Log of the sum of the exponentials of all logits. */
  readonly logSum: Tensor2D; // (R, 1)
  /** In nats. */
  readonly entropy: Tensor2D; // (R, 1)
};

/** Derivatives of a loss by what was scored. */
export interface ScoreSlopes {
  readonly logprob: Tensor2D; // (R, 1)
  readonly entropy: Tensor2D; // (R, 1)
}

export interface LogitRows {
  readonly logits: Tensor2D; // (R, V)
  readonly targets: Int32Array; // (R)
  readonly temperature: number;
}

export function scoreRows(rows: LogitRows): TokenScores {
  if (!hasKernel(kernelNames.scoreRows)) return composedScoreRows(rows);
  const { logits, targets, temperature } = rows;
  const [logprob, logSum, entropy] = engine().runKernel<Tensor2D[]>(
    kernelNames.scoreRows,
    { logits, targets: tensor1d(targets, 'int32') },
    { factor: 1 / temperature },
  );
  if (logprob === undefined || logSum === undefined || entropy === undefined)
    throw new TypeError('the kernel of scores returns three tensors');
  return { logprob, logSum, entropy };
}

/**
 * The gradient of {@link scoreRows} by the logits, (R, V). With p the probabilities and H their entropy it is (slope ([is target] - p) -
 * entropySlope p (log p + H)) / temperature.
 */
export function scoreRowsGradient(
  rows: LogitRows,
  scores: Omit<TokenScores, 'logprob'>,
  slopes: ScoreSlopes,
): Tensor2D {
  if (!hasKernel(kernelNames.scoreRowsGradient)) return composedScoreRowsGradient(rows, scores, slopes);
  const { logits, targets, temperature } = rows;
  const inputs = {
    logits,
    targets: tensor1d(targets, 'int32'),
    logSum: scores.logSum,
    entropy: scores.entropy,
    overLogprob: slopes.logprob,
    overEntropy: slopes.entropy,
  };
  return engine().runKernel<Tensor2D>(kernelNames.scoreRowsGradient, inputs, { factor: 1 / temperature });
}

/** {@link scoreRows} made of other operations, for backends without a kernel. */
export function composedScoreRows({ logits, targets, temperature }: LogitRows): TokenScores {
  const divided = div<Tensor2D>(logits, temperature);
  const largest = max<Tensor2D>(divided, 1, true);
  const beyond = sub<Tensor2D>(divided, largest);
  const shares = exp(beyond);
  const total = sum<Tensor2D>(shares, 1, true);
  const logTotal = log(total);
  return {
    logprob: sub(sub<Tensor2D>(targetLogits(divided, targets), largest), logTotal),
    logSum: add(largest, logTotal),
    entropy: sub(logTotal, div(sum<Tensor2D>(mul(shares, beyond), 1, true), total)),
  };
}

export function composedScoreRowsGradient(
  { logits, targets, temperature }: LogitRows,
  { logSum, entropy }: Omit<TokenScores, 'logprob'>,
  slopes: ScoreSlopes,
): Tensor2D {
  const logprobs = sub<Tensor2D>(div<Tensor2D>(logits, temperature), logSum); // (R, V)
  const ofEntropy = mul<Tensor2D>(slopes.entropy, add(logprobs, entropy));
  const ofAll = mul<Tensor2D>(exp(logprobs), neg(add(slopes.logprob, ofEntropy)));
  // As integers, which the product makes floats: asked for floats, `wasm` writes the integers' bits.
  const ofTarget = mul<Tensor2D>(oneHot(tensor1d(targets, 'int32'), logits.shape[1]), slopes.logprob);
  return div(add(ofAll, ofTarget), temperature);
}

/** (R, V) and (R) to (R, 1). */
function targetLogits(logits: Tensor2D, targets: Int32Array): Tensor2D {
  const [rows, vocabulary] = logits.shape;
  const members = targets.map((target, row) => row * vocabulary + target);
  return bagSum(reshape(logits, [rows * vocabulary, 1]), { members, start: countingUp(rows + 1) });
}
