import type { ChoiceRows } from '../choice-rows.ts';
import { mix } from '../text.ts';
import type { GridView } from './grid-view.ts';
import { few, salt } from './salts.ts';
import type { PlacedTarget } from './target-codes.ts';

/** An action that puts a value into a cell of the grid. */
interface Placement {
  /** How many other cells have the value: of the row, the column, the block and the neighbourhood. */
  readonly counts: readonly [row: number, column: number, block: number, near: number];
  /** Whether row, column or block have it already. */
  readonly hasConflict: boolean;
  /** The cell, then the value in the row, in the column and, where there are blocks, in the block. */
  readonly slots: readonly number[];
}

/**
 * Features of values that actions put into cells. They say where a value stands already, and how many other actions could still place it:
 * in the same cell, and in the same row, column and block. So the policy sees a value that fits into one cell only.
 */
export class PlacedValues {
  readonly #placements = new Map<PlacedTarget, Placement>();
  /** The number of actions without conflict for each slot. */
  readonly #fitting = new Map<number, number>();

  constructor(view: GridView, targets: readonly (PlacedTarget | undefined)[]) {
    for (const target of targets) {
      const value = target?.codes.value;
      if (target?.place === undefined || value === undefined) continue;
      const at = view.indexOf(...target.place);
      if (at < 0) continue;
      const placement = placementOf(view, at, value);
      this.#placements.set(target, placement);
      if (placement.hasConflict) continue;
      for (const slot of placement.slots) this.#fitting.set(slot, (this.#fitting.get(slot) ?? 0) + 1);
    }
  }

  add(target: PlacedTarget, rows: ChoiceRows): void {
    const placement = this.#placements.get(target);
    if (placement === undefined) return;
    const { verb } = target.codes;
    const { counts, hasConflict, slots } = placement;
    for (let group = 0; group < counts.length; group += 1)
      rows.add(mix(salt.inGroup, mix(verb, group * 8 + few(counts[group] as number))));
    rows.add(mix(salt.conflict, mix(verb, hasConflict ? 1 : 0)));
    if (hasConflict) return;
    let fewest = 4;
    for (let slot = 0; slot < slots.length; slot += 1) {
      const fitting = few(this.#fitting.get(slots[slot] as number) ?? 0, 4);
      fewest = Math.min(fewest, fitting);
      rows.add(mix(salt.fittingInSlot, mix(verb, slot * 8 + fitting)));
    }
    rows.add(mix(salt.fewestFitting, mix(verb, fewest)));
  }
}

function placementOf(view: GridView, at: number, value: number): Placement {
  const { row, column, block, near } = view.groupsOf(at);
  const counts = [
    view.countAmong(row, value),
    view.countAmong(column, value),
    view.countAmong(block, value),
    view.countAmong(near, value),
  ] as const;
  const [down, across] = [Math.floor(at / view.columns), at % view.columns];
  const slots = [mix(1, at), mix(mix(2, down), value), mix(mix(3, across), value)];
  if (view.block !== undefined) {
    const [height, width] = view.block;
    slots.push(mix(mix(4, Math.floor(down / height) * 4096 + Math.floor(across / width)), value));
  }
  return { counts, hasConflict: counts[0] + counts[1] + counts[2] > 0, slots };
}
