import type { KernelLoops } from '../kernel-loops.ts';
import { panelRowBytes, panelWidth } from './panel-product.ts';

/** Rows of a panel: it then stays in the nearest cache. */
export const depthAtATime = 128;

/** The functions of `panel-product.ts`, once they are instantiated. */
export type ProductFunctions = Readonly<
  Record<'multiplyPanel' | 'packRows' | 'packColumn', (...values: number[]) => number>
>;

/**
 * Products panel by panel of the right matrix, which is copied out so that its rows lie side by side. The sum of an entry runs in
 * order, in float32, whatever is beside it: rows are the same bit by bit at every number of rows.
 */
export function simdProduct(
  { multiplyPanel, packRows, packColumn }: ProductFunctions,
  addressOf: (array: Float32Array) => number,
): Pick<KernelLoops, 'product' | 'productRoom'> {
  return {
    productRoom: ({ rows, columns }) => panelWidth * (depthAtATime + (columns % panelWidth === 0 ? 0 : rows)),
    product: ({ left, right, out, room }, { rows, depth, columns, turnsLeft, turnsRight }) => {
      const [leftRow, leftStep] = turnsLeft ? [4, 4 * rows] : [4 * depth, 4];
      const [rightStep, rightColumn] = turnsRight ? [4, 4 * depth] : [4 * columns, 4];
      const [leftAt, rightAt, outAt, panel] = [left, right, out, room].map(addressOf) as [
        number,
        number,
        number,
        number,
      ];
      const whole = columns - (columns % panelWidth);
      const rest = room.subarray(panelWidth * depthAtATime); // of the last panel, where it is not full
      if (depth === 0) out.fill(0);
      for (let from = 0; from < depth; from += depthAtATime) {
        const deep = Math.min(depthAtATime, depth - from);
        const begin = rightAt + from * rightStep;
        for (let column = 0; column < columns; column += panelWidth) {
          const width = Math.min(panelWidth, columns - column);
          if (width === panelWidth && !turnsRight)
            packRows(begin + column * rightColumn, rightStep, deep, panel);
          else
            for (let one = 0; one < width; one += 1)
              packColumn(begin + (column + one) * rightColumn, rightStep, deep, panel + 4 * one);
          const [to, toRow] =
            column < whole ? [outAt + 4 * column, 4 * columns] : [addressOf(rest), panelRowBytes];
          multiplyPanel(
            leftAt + from * leftStep,
            leftRow,
            leftStep,
            rows,
            panel,
            deep,
            to,
            toRow,
            from === 0 ? 0 : -1,
          );
        }
      }
      for (let row = 0; whole < columns && row < rows; row += 1)
        out.set(rest.subarray(row * panelWidth, row * panelWidth + columns - whole), row * columns + whole);
    },
  };
}
