import type { ChoiceRows } from '../choice-rows.ts';
import { mix } from '../text.ts';
import type { GridView, GroupTable } from './grid-view.ts';
import { few, salt } from './salts.ts';
import type { PlacedTarget } from './target-codes.ts';

/** An action that puts a value into a cell of the grid. */
interface Placement {
  readonly at: number;
  readonly value: number;
  /** How many other cells of the row, the column, the block and the neighbourhood have the value. */
  readonly counts: readonly number[];
  /** Whether row, column or block have it already. */
  readonly hasConflict: boolean;
}

const none: readonly number[] = [];
/** Row, column and block: the groups that are counted for conflicts and for what is left. */
const strictGroups = 3;

/**
 * Features of values that actions put into cells. They say where a value stands already, and how many other actions could still place it:
 * in the same cell, and in the same row, column and block. So the policy sees a value that fits into one cell only.
 */
export class PlacedValues {
  readonly #view: GridView;
  readonly #placements = new Map<PlacedTarget, Placement>();
  /** Actions without conflict for each cell, and for each value and group. */
  readonly #fitting = new Map<number, number>();

  constructor(view: GridView, groups: GroupTable, targets: readonly (PlacedTarget | undefined)[]) {
    this.#view = view;
    for (const target of targets) {
      const value = target?.codes.value;
      if (target?.place === undefined || value === undefined) continue;
      const at = view.indexOf(...target.place);
      if (at < 0) continue;
      const counts = groups.of(view, at).map((cells) => (cells === none ? 0 : view.countAmong(cells, value)));
      const hasConflict = counts.slice(0, strictGroups).some((count) => count > 0);
      const placement = { at, value, counts, hasConflict };
      this.#placements.set(target, placement);
      if (hasConflict) continue;
      for (const key of this.#keysOf(placement)) this.#fitting.set(key, (this.#fitting.get(key) ?? 0) + 1);
    }
  }

  add(target: PlacedTarget, rows: ChoiceRows): void {
    const placement = this.#placements.get(target);
    if (placement === undefined) return;
    const { verb } = target.codes;
    for (const [group, count] of placement.counts.entries())
      rows.add(mix(salt.inGroup, mix(verb, group * 8 + few(count))));
    rows.add(mix(salt.conflict, mix(verb, placement.hasConflict ? 1 : 0)));
    if (placement.hasConflict) return;
    const left = this.#keysOf(placement).map((key) => few(this.#fitting.get(key) ?? 0, 4));
    for (const [group, count] of left.entries())
      rows.add(mix(salt.onlyInGroup, mix(verb, group * 8 + count)));
    rows.add(mix(salt.onlyInCell, mix(verb, Math.min(...left))));
  }

  /** The cell, then the value in the row, in the column and, where there are blocks, in the block. */
  #keysOf({ at, value }: Placement): readonly number[] {
    const { columns, block } = this.#view;
    const [row, column] = [Math.floor(at / columns), at % columns];
    const keys = [mix(1, at), mix(mix(2, row), value), mix(mix(3, column), value)];
    if (block !== undefined) {
      const [height, width] = block;
      keys.push(mix(mix(4, Math.floor(row / height) * 4096 + Math.floor(column / width)), value));
    }
    return keys;
  }
}
