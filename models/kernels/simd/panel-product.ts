import { Variables, type FunctionCode } from './assemble.ts';
import { advance, below, integers, vectorBytes } from './counting.ts';
import {
  f32,
  f32x4,
  get,
  i32,
  i32x4,
  set,
  v128,
  whileTrue,
  type Code,
  type Variable,
} from './instructions.ts';

const vectorsInPanel = 4;
/** Columns of a panel: as many as fill a line of the cache. With two rows at a time all sums stay in the processor's registers. */
export const panelWidth = 4 * vectorsInPanel;
export const panelRowBytes = 4 * panelWidth;
const rowsAtATime = 2;

/**
 * `multiplyPanel(left, leftRow, leftStep, rows, panel, depth, out, outRow, held)` writes to out[i, j] the sum
 * over k, in order, of left[i, k] * panel[k, j], for the panel's columns. The sum starts at the value of out
 * if `held` is -1, and at 0 if it is 0. Rows of the left matrix are `leftRow` bytes apart, and the numbers of
 * a row `leftStep`. Rows of out are `outRow` bytes apart.
 */
export function multiplyPanelFunction(): FunctionCode {
  const variables = new Variables();
  const [left, leftRow, leftStep, rows, panel, depth, out, outRow, held] = integers(
    variables,
    'parameter',
    9,
  ) as [Variable, Variable, Variable, Variable, Variable, Variable, Variable, Variable, Variable];
  const [panelEnd, panelAt] = integers(variables, 'local', 2) as [Variable, Variable];
  const places = integers(variables, 'local', rowsAtATime);
  const outs = integers(variables, 'local', rowsAtATime);
  const sums = Array.from({ length: rowsAtATime }, () =>
    Array.from({ length: vectorsInPanel }, () => variables.local('v128')),
  );
  const parts = Array.from({ length: vectorsInPanel }, () => variables.local('v128'));
  const factor = variables.local('v128');
  const before = variables.local('v128');

  /** Takes so many rows, and moves on to the next ones. */
  const multiplyRows = (count: number): Code => {
    const eachSum = (write: (sum: Variable, row: number, column: number) => Code): Code =>
      sums.slice(0, count).flatMap((row, number) => row.flatMap((sum, column) => write(sum, number, column)));
    return [
      ...Array.from({ length: count }, (_, row) => [
        ...set(
          places[row] as Variable,
          row === 0 ? get(left) : i32.add(get(places[row - 1] as Variable), get(leftRow)),
        ),
        ...set(
          outs[row] as Variable,
          row === 0 ? get(out) : i32.add(get(outs[row - 1] as Variable), get(outRow)),
        ),
      ]).flat(),
      ...eachSum((sum, row, column) =>
        set(sum, v128.and(v128.load(get(outs[row] as Variable), column * vectorBytes), get(before))),
      ),
      ...set(panelAt, get(panel)),
      ...whileTrue(
        below(panelAt, panelEnd),
        ...parts.map((part, column) => set(part, v128.load(get(panelAt), column * vectorBytes))),
        ...sums
          .slice(0, count)
          .map((row, number) => [
            ...set(factor, v128.loadSplat(get(places[number] as Variable))),
            ...row.flatMap((sum, column) =>
              set(sum, f32x4.add(get(sum), f32x4.multiply(get(factor), get(parts[column] as Variable)))),
            ),
            ...advance(places[number] as Variable, get(leftStep)),
          ]),
        advance(panelAt, i32.constant(panelRowBytes)),
      ),
      ...eachSum((sum, row, column) =>
        v128.store(get(outs[row] as Variable), get(sum), column * vectorBytes),
      ),
      ...advance(left, i32.multiply(get(leftRow), i32.constant(count))),
      ...advance(out, i32.multiply(get(outRow), i32.constant(count))),
      ...set(rows, i32.subtract(get(rows), i32.constant(count))),
    ];
  };

  const body = [
    ...set(panelEnd, i32.add(get(panel), i32.multiply(get(depth), i32.constant(panelRowBytes)))),
    ...set(before, i32x4.splat(get(held))),
    ...whileTrue(i32.atMostUnsigned(i32.constant(rowsAtATime), get(rows)), multiplyRows(rowsAtATime)),
    ...whileTrue(i32.lessUnsigned(i32.constant(0), get(rows)), multiplyRows(1)),
  ];
  return {
    name: 'multiplyPanel',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}

/** `packRows(from, fromRow, depth, panel)`: copies as many numbers as a panel is wide out of each of `depth` rows, which lie `fromRow` bytes apart. */
export const packRowsFunction = (): FunctionCode =>
  packFunction('packRows', (from, panel) =>
    Array.from({ length: vectorsInPanel }, (_, column) =>
      v128.store(panel, v128.load(from, column * vectorBytes), column * vectorBytes),
    ),
  );

/**
 * `NAME(from, fromRow, depth, panel)`: fills `depth` rows of a panel from rows that lie `fromRow` bytes apart.
 *
 * @param fill the code that fills one row of the panel from the row at `from`
 */
export function packFunction(
  name: string,
  fill: (from: Code, panel: Code, variables: Variables) => readonly Code[],
): FunctionCode {
  const variables = new Variables();
  const [from, fromRow, depth, panel] = integers(variables, 'parameter', 4) as [
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const end = variables.local('i32');
  const body = [
    ...set(end, i32.add(get(panel), i32.multiply(get(depth), i32.constant(panelRowBytes)))),
    ...whileTrue(
      below(panel, end),
      ...fill(get(from), get(panel), variables),
      advance(from, get(fromRow)),
      advance(panel, i32.constant(panelRowBytes)),
    ),
  ];
  return {
    name,
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}

/** `packColumn(from, fromStep, depth, panel)`: copies `depth` numbers that lie `fromStep` bytes apart into one column of a panel. */
export function packColumnFunction(): FunctionCode {
  const variables = new Variables();
  const [from, fromStep, depth, panel] = integers(variables, 'parameter', 4) as [
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const end = variables.local('i32');
  const body = [
    ...set(end, i32.add(get(panel), i32.multiply(get(depth), i32.constant(panelRowBytes)))),
    ...whileTrue(
      below(panel, end),
      f32.store(get(panel), f32.load(get(from))),
      advance(from, get(fromStep)),
      advance(panel, i32.constant(panelRowBytes)),
    ),
  ];
  return {
    name: 'packColumn',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}
