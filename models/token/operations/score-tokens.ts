import { add, concat, getBackend, slice, tensor2d, tidy, type Tensor2D } from '@tensorflow/tfjs-core';
import { selectBags, type Bags } from '../../kernels/bag.ts';
import { product, productGradientByInput, productGradientByWeight } from './product.ts';
import {
  scoreRows,
  scoreRowsGradient,
  type LogitRows,
  type ScoreSlopes,
  type TokenScores,
} from './score-rows.ts';

export interface ScoredPlaces {
  readonly hidden: Tensor2D; // (R, width)
  readonly table: Tensor2D; // (V, width)
  readonly targets: Int32Array; // (R)
  readonly temperature: number;
  /** For each place the tokens that alone may stand there, its target among them; none where any may. */
  readonly allowed?: Bags; // (R) bags of token ids
}

/** Logits held at once: 64 MiB, a few times over. */
const chunkEntries = 1 << 24;
/** Rows at once on a GPU, however large the vocabulary: products of fewer leave it idle. */
const fewestRows = 256;

/** Added to logits of tokens that may not stand there: their probability is 0, and 0 times it is no NaN. */
const forbidden = -1e30;

/**
 * Scores the targets, some rows at a time, so that the logits of all places are never held together.
 * @param entries logits held at once
 */
export function scoreTokens(places: ScoredPlaces, entries = entriesAtOnce(places)): TokenScores {
  return tidy(() => {
    const chunks = chunksOf(places, entries).map((chunk) => tidy(() => scoreRows(logitsOf(chunk))));
    return {
      logprob: concat(chunks.map(({ logprob }) => logprob)),
      logSum: concat(chunks.map(({ logSum }) => logSum)),
      entropy: concat(chunks.map(({ entropy }) => entropy)),
    };
  });
}

/** The gradient of {@link scoreTokens} by the hidden states and, where wanted, by the table. */
export function scoreTokensGradient(
  places: ScoredPlaces,
  scores: TokenScores,
  slopes: ScoreSlopes,
  options: { readonly byTable: boolean; readonly entries?: number },
): { readonly hidden: Tensor2D; readonly table: Tensor2D | undefined } {
  return tidy(() => {
    const hidden: Tensor2D[] = [];
    let table: Tensor2D | undefined;
    for (const chunk of chunksOf(places, options.entries ?? entriesAtOnce(places))) {
      const before = table;
      const made = tidy(() => {
        const part = (values: Tensor2D): Tensor2D => rowsOf(values, chunk.first, chunk.targets.length);
        const ofChunk = { logSum: part(scores.logSum), entropy: part(scores.entropy) };
        const overLogits = scoreRowsGradient(logitsOf(chunk), ofChunk, {
          logprob: part(slopes.logprob),
          entropy: part(slopes.entropy),
        });
        const overTable = options.byTable ? productGradientByWeight(overLogits, chunk.hidden) : undefined;
        return {
          hidden: productGradientByInput(overLogits, chunk.table),
          table:
            overTable === undefined || before === undefined ? overTable : add<Tensor2D>(before, overTable),
        };
      });
      before?.dispose(); // at once: it is as large as the table
      hidden.push(made.hidden);
      table = made.table;
    }
    return { hidden: concat(hidden), table };
  });
}

const entriesAtOnce = ({ table }: ScoredPlaces): number =>
  getBackend() === 'webgpu' ? Math.max(chunkEntries, fewestRows * table.shape[0]) : chunkEntries;

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
    const bags =
      allowed === undefined
        ? {}
        : {
            allowed: selectBags(
              allowed,
              inside.map((_, place) => first + place),
            ),
          };
    return { ...places, ...bags, first, targets: inside, hidden: rowsOf(hidden, first, inside.length) };
  });
}

const rowsOf = (values: Tensor2D, first: number, count: number): Tensor2D =>
  slice(values, [first, 0], [count, -1]);

function logitsOf({ hidden, table, targets, temperature, allowed }: Chunk): LogitRows {
  const logits = product(hidden, table);
  const restricted =
    allowed === undefined || allowed.members.length === 0
      ? logits
      : add<Tensor2D>(logits, restriction(allowed, table.shape[0]));
  return { logits: restricted, targets, temperature };
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
