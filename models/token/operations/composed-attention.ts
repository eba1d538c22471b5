import {
  add,
  cast,
  concat,
  div,
  exp,
  greater,
  log,
  matMul,
  max,
  mul,
  reshape,
  slice,
  sub,
  sum,
  tensor2d,
  tidy,
  transpose,
  type Rank,
  type Tensor2D,
  type Tensor3D,
} from '@tensorflow/tfjs-core';
import { countingUp } from '../../kernels/bag.ts';
import type { AttentionGradient, AttentionInput, AttentionOutput, Sight } from './attention.ts';

/** Attention block by block of neighbouring queries that see the same first key. */
export function composedAttention(input: AttentionInput): AttentionOutput {
  const blocks = blocksOf(input).map((block) => tidy(() => attendBlock(input, block)));
  return {
    output: concat(blocks.map(({ output }) => output)),
    logSum: concat(blocks.map(({ logSum }) => logSum)),
  };
}

/** Its gradient; only for blocks that attend to themselves: the first key that they see is of the token that is their first query. */
export function composedAttentionGradient(
  input: AttentionInput,
  forward: AttentionOutput,
  gradient: Tensor2D, // (T, heads d)
): AttentionGradient {
  const blocks = blocksOf(input).map((block) => {
    if (block.firstKey !== block.firstQuery)
      throw new TypeError(
        `query ${block.firstQuery} begins to see at key ${block.firstKey}: no gradient for that`,
      );
    return tidy(() => blockGradient(input, { ...block, keys: block.queries }, forward, gradient));
  });
  return {
    query: concat(blocks.map(({ query }) => query)),
    key: concat(blocks.map(({ key }) => key)),
    value: concat(blocks.map(({ value }) => value)),
  };
}

/** Neighbouring queries and the keys that they see. */
interface Block {
  readonly firstQuery: number;
  readonly queries: number;
  readonly firstKey: number;
  readonly keys: number;
}

function blocksOf({ from, until }: Sight): Block[] {
  const blocks: Block[] = [];
  for (let first = 0, next = 0; first < from.length; first = next) {
    while (next < from.length && from[next] === from[first]) next += 1;
    const firstKey = from[first] as number;
    const lastKey = until.subarray(first, next).reduce((latest, key) => Math.max(latest, key), firstKey);
    blocks.push({ firstQuery: first, queries: next - first, firstKey, keys: lastKey + 1 - firstKey });
  }
  return blocks;
}

function attendBlock(input: AttentionInput, block: Block): AttentionOutput {
  const { heads, keyValueHeads } = input;
  const scores = scoresOf(input, block);
  const largest = max<Tensor3D>(scores, 2, true);
  const shares = exp(sub<Tensor3D>(scores, largest));
  const total = sum<Tensor3D>(shares, 2, true);
  const output = div<Tensor3D>(
    matMul(shares, groupsOf(input.value, keyRowsOf(input, block), keyValueHeads)),
    total,
  );
  const logSum = add<Tensor3D>(largest, log(total));
  return { output: tokensOf(output, heads, block.queries), logSum: tokensOf(logSum, heads, block.queries) };
}

/** With P the probabilities and D the rows' inner products of output and gradient: dS = P (dP - D) (Dao 2023, algorithm 2). */
function blockGradient(
  input: AttentionInput,
  block: Block,
  forward: AttentionOutput,
  gradient: Tensor2D,
): AttentionGradient {
  const { heads, keyValueHeads } = input;
  const queryRows = queryRowsOf(input, block);
  const keyRows = keyRowsOf(input, block);
  const query = groupsOf(input.query, queryRows, keyValueHeads);
  const key = groupsOf(input.key, keyRows, keyValueHeads);
  const value = groupsOf(input.value, keyRows, keyValueHeads);
  const overOutput = groupsOf(gradient, queryRows, keyValueHeads);
  const output = groupsOf(forward.output, queryRows, keyValueHeads);
  const probabilities = exp(
    sub<Tensor3D>(scoresOf(input, block), groupsOf(forward.logSum, queryRows, keyValueHeads)),
  );
  const overProbabilities = matMul(overOutput, transpose(value, [0, 2, 1]));
  const along = sum<Tensor3D>(mul(overOutput, output), 2, true);
  const overScores = mul<Tensor3D>(mul(probabilities, sub(overProbabilities, along)), scaleOf(input));
  return {
    query: tokensOf(matMul(overScores, key), heads, block.queries),
    key: tokensOf(matMul(transpose(overScores, [0, 2, 1]), query), keyValueHeads, block.keys),
    value: tokensOf(matMul(transpose(probabilities, [0, 2, 1]), overOutput), keyValueHeads, block.keys),
  };
}

const queryRowsOf = ({ heads }: AttentionInput, { firstQuery, queries }: Block): Rows => ({
  first: firstQuery,
  count: queries,
  heads,
});
const keyRowsOf = ({ keyValueHeads }: AttentionInput, { firstKey, keys }: Block): Rows => ({
  first: firstKey,
  count: keys,
  heads: keyValueHeads,
});

const scaleOf = ({ query, heads }: AttentionInput): number => 1 / Math.sqrt(query.shape[1] / heads);

/** Scaled scores, -1e30 where a query does not see a key: (keyValueHeads, group queries, keys). */
function scoresOf(input: AttentionInput, block: Block): Tensor3D {
  const { query, key, heads, keyValueHeads } = input;
  const queries = mul<Tensor3D>(groupsOf(query, queryRowsOf(input, block), keyValueHeads), scaleOf(input));
  const keys = groupsOf(key, keyRowsOf(input, block), keyValueHeads);
  const scores = matMul(queries, transpose(keys, [0, 2, 1]));
  const byHead = reshape<Rank.R4>(scores, [keyValueHeads, heads / keyValueHeads, block.queries, block.keys]);
  return reshape(add(byHead, maskOf(input, block)), [
    keyValueHeads,
    (heads / keyValueHeads) * block.queries,
    block.keys,
  ]);
}

/** (queries, keys), made where the scores are: it is as large as they. */
function maskOf({ until }: Sight, { firstQuery, queries, firstKey, keys }: Block): Tensor2D {
  const last = Float32Array.from(until.subarray(firstQuery, firstQuery + queries), (key) => key - firstKey);
  const unseen = greater<Tensor2D>(
    tensor2d(Float32Array.from(countingUp(keys)), [1, keys]),
    tensor2d(last, [queries, 1]),
  );
  return mul(cast<Tensor2D>(unseen, 'float32'), -1e30);
}

/** Rows of a packed matrix by group of heads: (all, heads d) to (groups, heads / groups count, d). */
function groupsOf(packed: Tensor2D, { first, count, heads }: Rows, groups: number): Tensor3D {
  const size = packed.shape[1] / heads;
  const byToken = reshape<Rank.R3>(slice(packed, [first, 0], [count, -1]), [count, heads, size]);
  return reshape(transpose(byToken, [1, 0, 2]), [groups, (heads / groups) * count, size]);
}

interface Rows {
  readonly first: number;
  readonly count: number;
  /** Parts of each row. */
  readonly heads: number;
}

/** The reverse for one block. */
function tokensOf(grouped: Tensor3D, heads: number, tokens: number): Tensor2D {
  const size = grouped.shape[2];
  const byHead = reshape<Rank.R3>(grouped, [heads, tokens, size]);
  return reshape(transpose(byHead, [1, 0, 2]), [tokens, heads * size]);
}
