/**
 * Features of the grid and the fields that an env declares, and of the cells, directions and values that its actions refer to. They are
 * independent of the env: kinds of cells are compared by equality, and places by their relative offset, so that what
 * is learned at one place holds at others.
 */
import type { ActionTarget, TurnFeatures } from '../../../envs/core/features.ts';
import type { ChoiceRows } from '../choice-rows.ts';
import { mix } from '../text.ts';
import { addFields, addStateFields, FieldRanks } from './field-features.ts';
import { readFields, type FieldCodes } from './field-codes.ts';
import { addGrid, addStateGrid } from './grid-features.ts';
import { GridView, ShapeTable } from './grid-view.ts';
import { few, salt } from './salts.ts';
import { clippedStep, readTarget, stepCode, type PlacedTarget, type TargetCodes } from './target-codes.ts';
import { PlacedValues } from './value-features.ts';

/** What the episodes of one encoder share. */
export class DeclaredTables {
  readonly shapes = new ShapeTable();
  readonly #targets = new WeakMap<ActionTarget, TargetCodes>();

  codesOf(target: ActionTarget): TargetCodes {
    let codes = this.#targets.get(target);
    if (codes === undefined) this.#targets.set(target, (codes = readTarget(target)));
    return codes;
  }
}

/** One episode. Call `look`, `addState`, `addCandidate` for each candidate, and `took`, in turn. */
export class DeclaredFeatures {
  readonly #tables: DeclaredTables;
  readonly #visits = new Map<number, number>(); // cell of the focus to the number of turns there
  readonly #done = new Map<number, number>(); // key of a target to how often it was taken
  #view: GridView | undefined;
  #fields: readonly FieldCodes[] = [];
  #targets: readonly (PlacedTarget | undefined)[] = [];
  #values: PlacedValues | undefined;
  #ranks: FieldRanks | undefined;
  #leastVisits = 0;
  #last: PlacedTarget | undefined;
  #lastHash: number | undefined;
  #hash = 0;

  constructor(tables: DeclaredTables) {
    this.#tables = tables;
  }

  /** Takes in one decision. */
  look({ features, targets }: TurnFeatures): void {
    const view = features?.grid === undefined ? undefined : new GridView(features.grid, this.#tables.shapes);
    this.#view = view;
    this.#fields = readFields(features?.fields);
    this.#lastHash = this.#last === undefined ? undefined : this.#hash;
    this.#hash = this.#fields.reduce((hash, { key }) => mix(hash, key), view?.hash ?? 0);
    if (view !== undefined && view.focus >= 0)
      this.#visits.set(view.focus, (this.#visits.get(view.focus) ?? 0) + 1);
    this.#targets = targets.map((target) => (target === undefined ? undefined : this.#place(target)));
    this.#values = view === undefined ? undefined : new PlacedValues(view, this.#targets);
    this.#ranks = new FieldRanks(this.#targets);
    this.#leastVisits = Math.min(...this.#targets.map((target) => this.#visitsOf(target)));
  }

  /** Whether the candidate has a declared target. */
  hasTarget(index: number): boolean {
    return this.#targets[index] !== undefined;
  }

  addState(rows: ChoiceRows): void {
    addStateFields(this.#fields, rows);
    if (this.#view !== undefined) addStateGrid(this.#view, rows);
  }

  addCandidate(index: number, rows: ChoiceRows): void {
    const target = this.#targets[index];
    if (target === undefined) return;
    const { codes } = target;
    rows.add(mix(salt.plain, codes.plain));
    if (codes.action !== codes.plain) rows.add(mix(salt.action, codes.action));
    this.#addMemory(target, rows);
    addFields(this.#fields, codes, this.#ranks, rows);
    if (this.#view === undefined) return;
    addGrid(this.#view, target, this.#fields, rows);
    this.#values?.add(target, rows);
  }

  took(index: number): void {
    this.#last = this.#targets[index];
    if (this.#last === undefined) return;
    const { key } = this.#last.codes;
    this.#done.set(key, (this.#done.get(key) ?? 0) + 1);
  }

  #place(target: ActionTarget): PlacedTarget {
    const codes = this.#tables.codesOf(target);
    const { cell, direction } = codes;
    const view = this.#view;
    if (cell !== undefined || direction === undefined || view === undefined || view.focus < 0)
      return { codes, place: cell };
    const row = Math.floor(view.focus / view.columns) + direction[0];
    return { codes, place: [row, (view.focus % view.columns) + direction[1]] };
  }

  #visitsOf(target: PlacedTarget | undefined): number {
    if (target?.place === undefined) return 0;
    const at = this.#view?.indexOf(...target.place) ?? -1;
    return at < 0 ? 0 : (this.#visits.get(at) ?? 0);
  }

  /** How often this was done and this cell was entered, and how it relates to the last action. */
  #addMemory(target: PlacedTarget, rows: ChoiceRows): void {
    const { codes, place } = target;
    const { verb } = codes;
    rows.add(mix(salt.done, mix(verb, few(this.#done.get(codes.key) ?? 0))));
    if (this.#view !== undefined && this.#view.focus >= 0 && place !== undefined) {
      const visits = this.#visitsOf(target);
      rows.add(mix(salt.visits, mix(verb, few(visits, 4))));
      rows.add(mix(salt.leastVisits, mix(verb, visits === this.#leastVisits ? 1 : 0)));
    }
    const last = this.#last;
    if (last === undefined) return;
    const hasChanged = this.#hash === this.#lastHash ? 0 : 1;
    rows.add(mix(salt.lastAction, mix(codes.action, last.codes.plain)));
    rows.add(mix(salt.again, mix(verb, (last.codes.key === codes.key ? 2 : 0) + hasChanged)));
    const way = codes.direction;
    const lastWay = last.codes.direction;
    if (way !== undefined && lastWay !== undefined) {
      const along = Math.sign(way[0] * lastWay[0] + way[1] * lastWay[1]);
      const across = Math.sign(way[1] * lastWay[0] - way[0] * lastWay[1]);
      rows.add(mix(salt.turn, mix(verb, stepCode(along, across) + hasChanged)));
    }
    if (codes.cell !== undefined && last.codes.cell !== undefined)
      rows.add(mix(salt.fromLast, mix(verb, clippedStep(last.codes.cell, codes.cell))));
  }
}
