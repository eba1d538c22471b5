import type { AttentionArrays, AttentionLoops, HeadShape, SightArrays } from './attention-arrays.ts';

/** Attention in plain JavaScript, with sums in float64. */
export const plainAttention: AttentionLoops = { attend, attendBackwards };

/** Equally long rows within an array, which need not lie side by side. */
interface Rows {
  /** Where the first begins. */
  readonly at: number;
  /** From the beginning of one to that of the next. */
  readonly stride: number;
  readonly count: number;
  /** Numbers of each that count. */
  readonly width: number;
}

/** One query of one head, and the rows of the keys and values that it sees. */
interface Look {
  /** Among the queries of all heads. */
  readonly place: number;
  /** Where the query begins, and so its output. */
  readonly at: number;
  readonly rows: Rows;
}

function attend(
  given: AttentionArrays,
  { output, logSum, scores }: Parameters<AttentionLoops['attend']>[1],
): void {
  const scale = 1 / Math.sqrt(given.size);
  for (const { place, at, rows } of looks(given)) {
    dots({ values: given.query, at }, given.key, rows, scores);
    let most = Number.NEGATIVE_INFINITY;
    for (let seen = 0; seen < rows.count; seen += 1) most = Math.max(most, scale * (scores[seen] as number));
    let sum = 0;
    for (let seen = 0; seen < rows.count; seen += 1)
      sum += scores[seen] = Math.exp(scale * (scores[seen] as number) - most);
    for (let seen = 0; seen < rows.count; seen += 1) scores[seen]! /= sum;
    weightedSum(scores, given.value, rows, { values: output, at });
    logSum[place] = most + Math.log(sum);
  }
}

function attendBackwards(
  given: Parameters<AttentionLoops['attendBackwards']>[0],
  made: Parameters<AttentionLoops['attendBackwards']>[1],
): void {
  const scale = 1 / Math.sqrt(given.size);
  const { scores, overScores } = made;
  for (const { place, at, rows } of looks(given)) {
    const [query, overOutput] = [
      { values: given.query, at },
      { values: given.overOutput, at },
    ];
    dots(overOutput, given.output, { at, stride: 0, count: 1, width: given.size }, overScores);
    const along = overScores[0] as number;
    dots(query, given.key, rows, scores);
    dots(overOutput, given.value, rows, overScores);
    for (let seen = 0; seen < rows.count; seen += 1) {
      const probability = Math.exp(scale * (scores[seen] as number) - (given.logSum[place] as number));
      scores[seen] = probability;
      overScores[seen] = scale * probability * ((overScores[seen] as number) - along);
    }
    weightedSum(overScores, given.key, rows, { values: made.query, at });
    addScaled(overScores, query, made.key, rows);
    addScaled(scores, overOutput, made.value, rows);
  }
}

/** Numbers side by side within an array, as many as the rows beside them are wide. */
interface Vector {
  readonly values: Float32Array;
  /** Where the first is. */
  readonly at: number;
}

/** out[j] = the inner product of the vector with row j. */
function dots(
  { values: vector, at }: Vector,
  values: Float32Array,
  { at: first, stride, count, width }: Rows,
  out: Float32Array,
): void {
  for (let row = 0; row < count; row += 1) {
    const place = first + row * stride;
    let sum = 0;
    for (let column = 0; column < width; column += 1)
      sum += (vector[at + column] as number) * (values[place + column] as number);
    out[row] = sum;
  }
}

/** The vector becomes the sum of weight j * row j. */
function weightedSum(
  weights: Float32Array,
  values: Float32Array,
  { at: first, stride, count, width }: Rows,
  { values: vector, at }: Vector,
): void {
  for (let column = 0; column < width; column += 1) {
    let sum = 0;
    for (let row = 0; row < count; row += 1)
      sum += (weights[row] as number) * (values[first + row * stride + column] as number);
    vector[at + column] = sum;
  }
}

/** Adds weight j * the vector to row j. */
function addScaled(
  weights: Float32Array,
  { values: vector, at }: Vector,
  values: Float32Array,
  { at: first, stride, count, width }: Rows,
): void {
  for (let row = 0; row < count; row += 1) {
    const place = first + row * stride;
    const weight = weights[row] as number;
    for (let column = 0; column < width; column += 1)
      values[place + column]! += weight * (vector[at + column] as number);
  }
}

function* looks({ heads, keyValueHeads, size, from, until }: HeadShape & SightArrays): Generator<Look> {
  const stride = keyValueHeads * size;
  for (let token = 0; token < from.length; token += 1) {
    const first = from[token] as number;
    const count = (until[token] as number) + 1 - first;
    for (let head = 0; head < heads; head += 1) {
      const group = Math.floor((head * keyValueHeads) / heads);
      const place = token * heads + head;
      yield {
        place,
        at: place * size,
        rows: { at: first * stride + group * size, stride, count, width: size },
      };
    }
  }
}
