import type { AttentionLoops } from '../attention-arrays.ts';
import { plainAttention } from '../plain-attention.ts';

const lanes = 4;

/** The functions of `attention.ts`, once they are instantiated. */
export type AttentionFunctions = Readonly<
  Record<'attend' | 'attendBackwards', (...values: number[]) => number>
>;

/** Attention by SIMD functions, in float32. Heads that do not fill vectors are left to the plain loops. */
export function simdAttention(
  functions: AttentionFunctions,
  addressOf: (array: Float32Array | Int32Array) => number,
): AttentionLoops {
  const looks = ({
    query,
    key,
    value,
    from,
    until,
    heads,
    keyValueHeads,
    size,
  }: Parameters<AttentionLoops['attend']>[0]): readonly number[] => [
    ...[query, key, value, from, until].map(addressOf),
    from.length,
    keyValueHeads,
    heads / keyValueHeads,
    4 * size,
    1 / Math.sqrt(size),
  ];
  return {
    attend: (given, made) => {
      if (given.size % lanes !== 0) return plainAttention.attend(given, made);
      const { output, logSum, scores, shifts } = made;
      functions.attend(...looks(given), ...[output, logSum, shifts, scores].map(addressOf));
      for (let at = 0; at < logSum.length; at += 1)
        logSum[at] = (shifts[at] as number) + Math.log(logSum[at] as number);
    },
    attendBackwards: (given, made) => {
      if (given.size % lanes !== 0) return plainAttention.attendBackwards(given, made);
      const { output, logSum, overOutput } = given;
      functions.attendBackwards(
        ...looks(given),
        ...[output, logSum, overOutput, made.query, made.key, made.value, made.scores, made.overScores].map(
          addressOf,
        ),
      );
    },
  };
}
