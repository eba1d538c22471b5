import { Variables, type FunctionCode } from './assemble.ts';
import { f32x4, get, i32, set, v128, whileTrue, type Code, type Variable } from './instructions.ts';

const vectorBytes = 16;
/** Vectors that are summed at a time: as many as leave the processor registers to work with. */
const vectorsAtATime = 8;

/**
 * `bagSum(table, members, start, bags, rowBytes, out)`, all but the counts addresses: for each bag the sum in float32, in the
 * bag's order, of the table rows that it names. `rowBytes` is a multiple of 16.
 */
export function bagSumFunction(): FunctionCode {
  const variables = new Variables();
  const [table, members, start, bags, rowBytes, out] = Array.from({ length: 6 }, () =>
    variables.parameter('i32'),
  ) as [Variable, Variable, Variable, Variable, Variable, Variable];
  const [lastStart, from, to, column, at, place] = Array.from({ length: 6 }, () =>
    variables.local('i32'),
  ) as [Variable, Variable, Variable, Variable, Variable, Variable];
  const sums = Array.from({ length: vectorsAtATime }, () => variables.local('v128'));
  const memberAddress = (number: Code): Code => i32.add(get(members), i32.multiply(number, i32.constant(4)));
  const rowAddress = i32.add(
    i32.add(get(table), get(column)),
    i32.multiply(i32.load(get(at)), get(rowBytes)),
  );

  /** Sums so many vectors of every member's row, from `column` on, and moves on to the next columns. */
  const sumColumns = (vectors: readonly Variable[]): Code => [
    ...vectors.flatMap((sum) => set(sum, v128.zero)),
    ...set(at, get(from)),
    ...whileTrue(
      i32.lessUnsigned(get(at), get(to)),
      set(place, rowAddress),
      ...vectors.map((sum, number) =>
        set(sum, f32x4.add(get(sum), v128.load(get(place), number * vectorBytes))),
      ),
      set(at, i32.add(get(at), i32.constant(4))),
    ),
    ...vectors.flatMap((sum, number) =>
      v128.store(i32.add(get(out), get(column)), get(sum), number * vectorBytes),
    ),
    ...set(column, i32.add(get(column), i32.constant(vectors.length * vectorBytes))),
  ];

  const blockEnd = i32.add(get(column), i32.constant(vectorsAtATime * vectorBytes));
  const body = [
    ...set(lastStart, i32.add(get(start), i32.multiply(get(bags), i32.constant(4)))),
    ...whileTrue(
      i32.lessUnsigned(get(start), get(lastStart)),
      set(from, memberAddress(i32.load(get(start)))),
      set(to, memberAddress(i32.load(get(start), 4))),
      set(column, i32.constant(0)),
      whileTrue(i32.atMostUnsigned(blockEnd, get(rowBytes)), sumColumns(sums)),
      whileTrue(i32.lessUnsigned(get(column), get(rowBytes)), sumColumns(sums.slice(0, 1))),
      set(out, i32.add(get(out), get(rowBytes))),
      set(start, i32.add(get(start), i32.constant(4))),
    ),
  ];
  return {
    name: 'bagSum',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}
