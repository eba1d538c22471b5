import { add, concat, div, exp, log, max, mul, neg, oneHot, reshape, slice, sub, sum, tensor1d, tensor2d, tidy, type Tensor2D } from '@tensorflow/tfjs-core';
import { countingUp, selectBags, type Bags } from '../../kernels/bag.ts';
import { bagSum } from '../../kernels/operations.ts';
import { product, productGradientByInput, productGradientByWeight } from './product.ts';

/** What a distribution over the vocabulary says of one token, place by place; logits are divided by the temperature first. */
export type TokenScores = {
  /** Log-probability of the target. */
  readonly logprob: Tensor2D; // (R, 1)
  /** Log of the sum of the exponentials of all logits. */
  readonly logSum: Tensor2D; // (R, 1)
  /** In nats. */
  readonly entropy: Tensor2D; // (R, 1)
};

export interface ScoredPlaces {
  readonly hidden: Tensor2D; // (R, width)
  readonly table: Tensor2D; // (V, width)
  readonly targets: Int32Array; // (R)
  readonly temperature: number;
  /** For each place the tokens that alone may stand there, its target among them; none where any may. */
  readonly allowed?: Bags; // (R) bags of token ids
}

/** Derivatives of a loss by what was scored. */
export interface ScoreSlopes {
  readonly logprob: Tensor2D; // (R, 1)
  readonly entropy: Tensor2D; // (R, 1)
}

/** Logits held at once: 64 MiB, a few times over. */
const chunkEntries = 1 << 24;

/** Added to logits of tokens that may not stand there: their probability is 0, and 0 times it is no NaN. */
const forbidden = -1e30;

/**
 * Scores the targets, some rows at a time, so that the logits of all places are never held together.
 * @param entries logits held at once
 */
export function scoreTokens(places: ScoredPlaces, entries = chunkEntries): TokenScores {
  return tidy(() => {
    const chunks = chunksOf(places, entries).map((chunk) => tidy(() => scoreChunk(chunk)));
    return {
      logprob: concat(chunks.map(({ logprob }) => logprob)),
      logSum: concat(chunks.map(({ logSum }) => logSum)),
      entropy: concat(chunks.map(({ entropy }) => entropy)),
    };
  });
}

/**
 * The gradient of {@link scoreTokens} by the hidden states and, where wanted, by the table. With p the probabilities and H
 * their entropy, a logit's share is (slope ([is target] - p) - entropySlope p (log p + H)) / temperature.
 */
export function scoreTokensGradient(
  places: ScoredPlaces,
  scores: TokenScores,
  slopes: ScoreSlopes,
  options: { readonly byTable: boolean; readonly entries?: number },
): { readonly hidden: Tensor2D; readonly table: Tensor2D | undefined } {
  return tidy(() => {
    const hidden: Tensor2D[] = [];
    let table: Tensor2D | undefined;
    for (const chunk of chunksOf(places, options.entries ?? chunkEntries)) {
      const before = table;
      const made = tidy(() => {
        const overLogits = logitGradient(chunk, scores, slopes);
        const overTable = options.byTable ? productGradientByWeight(overLogits, chunk.hidden) : undefined;
        return {
          hidden: productGradientByInput(overLogits, chunk.table),
          table: overTable === undefined || before === undefined ? overTable : add<Tensor2D>(before, overTable),
        };
      });
      before?.dispose(); // at once: it is as large as the table
      hidden.push(made.hidden);
      table = made.table;
    }
    return { hidden: concat(hidden), table };
  });
}

/** Some of the places. */
interface Chunk extends ScoredPlaces {
  /** The first of them. */
  readonly first: number;
}

function chunksOf(places: ScoredPlaces, entries: number): Chunk[] {
  const { hidden, table, targets, allowed } = places;
  const size = Math.max(1, Math.floor(entries / table.shape[0]));
  return Array.from({ length: Math.ceil(targets.length / size) }, (_, index) => {
    const first = index * size;
    const inside = targets.subarray(first, first + size);
    const bags = allowed === undefined ? {} : { allowed: selectBags(allowed, inside.map((_, place) => first + place)) };
    return { ...places, ...bags, first, targets: inside, hidden: rowsOf(hidden, first, inside.length) };
  });
}

const rowsOf = (values: Tensor2D, first: number, count: number): Tensor2D => slice(values, [first, 0], [count, -1]);

function logitsOf({ hidden, table, temperature, allowed }: Chunk): Tensor2D {
  const logits = div<Tensor2D>(product(hidden, table), temperature);
  return allowed === undefined || allowed.members.length === 0 ? logits : add(logits, restriction(allowed, table.shape[0]));
}

/** What is added to the logits of each place: (R, V). */
function restriction({ members, start }: Bags, vocabulary: number): Tensor2D {
  const rows = start.length - 1;
  const values = new Float32Array(rows * vocabulary);
  for (let row = 0; row < rows; row += 1) {
    const among = members.subarray(start[row], start[row + 1]);
    if (among.length === 0) continue;
    values.fill(forbidden, row * vocabulary, (row + 1) * vocabulary);
    for (const token of among) values[row * vocabulary + token] = 0;
  }
  return tensor2d(values, [rows, vocabulary]);
}

function scoreChunk(chunk: Chunk): TokenScores {
  const logits = logitsOf(chunk);
  const largest = max<Tensor2D>(logits, 1, true);
  const beyond = sub<Tensor2D>(logits, largest);
  const shares = exp(beyond);
  const total = sum<Tensor2D>(shares, 1, true);
  const logTotal = log(total);
  return {
    logprob: sub(sub<Tensor2D>(targetLogits(logits, chunk.targets), largest), logTotal),
    logSum: add(largest, logTotal),
    entropy: sub(logTotal, div(sum<Tensor2D>(mul(shares, beyond), 1, true), total)),
  };
}

/** (R, V) and (R) to (R, 1). */
function targetLogits(logits: Tensor2D, targets: Int32Array): Tensor2D {
  const [rows, vocabulary] = logits.shape;
  const members = targets.map((target, row) => row * vocabulary + target);
  return bagSum(reshape(logits, [rows * vocabulary, 1]), { members, start: countingUp(rows + 1) });
}

function logitGradient(chunk: Chunk, scores: TokenScores, slopes: ScoreSlopes): Tensor2D {
  const { first, targets, temperature } = chunk;
  const part = (values: Tensor2D): Tensor2D => rowsOf(values, first, targets.length);
  const slope = part(slopes.logprob);
  const logprobs = sub<Tensor2D>(logitsOf(chunk), part(scores.logSum)); // (R, V)
  const ofEntropy = mul<Tensor2D>(part(slopes.entropy), add(logprobs, part(scores.entropy)));
  const ofAll = mul<Tensor2D>(exp(logprobs), neg(add(slope, ofEntropy)));
  // As integers, which the product makes floats: asked for floats, `wasm` writes the integers' bits.
  const ofTarget = mul<Tensor2D>(oneHot(tensor1d(targets, 'int32'), chunk.table.shape[0]), slope);
  return div(add(ofAll, ofTarget), temperature);
}
