import type { ChoiceRows } from '../choice-rows.ts';
import { mix } from '../text.ts';
import type { FieldCodes } from './field-codes.ts';
import type { GridView } from './grid-view.ts';
import { few, salt } from './salts.ts';
import { clippedStep, type PlacedTarget } from './target-codes.ts';

/** The most cells of a grid in which each cell is a feature of its own. Up to `mostCrossed` it is also crossed with the target. */
const mostCells = 36;
const mostCrossed = 25;
const mostPlaces = 144;
const radius = 2;

/** A count in steps that grow: 0 to 8 exactly, then two steps an octave. */
const counted = (count: number): number => (count <= 8 ? count : 2 + Math.round(2 * Math.log2(count)));

export function addStateGrid(view: GridView, rows: ChoiceRows): void {
  let kinds = 0;
  for (const [kind, count] of view.counts) {
    rows.add(mix(salt.count, mix(kind, counted(count))));
    if (++kinds >= 16) break;
  }
  if (view.size <= mostCells)
    for (let at = 0; at < view.size; at += 1) rows.add(mix(salt.cellKind, mix(at, view.kinds[at] as number)));
  if (view.focus < 0) return;
  for (const kind of view.rare)
    rows.add(mix(salt.focusSteps, mix(kind, few(view.stepsTo(kind)[view.focus] as number, 8))));
}

/** Features of the cell that an action is done to, each crossed with the kind of action. */
export function addGrid(
  view: GridView,
  target: PlacedTarget,
  fields: readonly FieldCodes[],
  rows: ChoiceRows,
): void {
  const { place, codes } = target;
  if (place === undefined) return;
  addWindow(view, target, rows);
  addWay(view, target, rows);
  addSteps(view, target, fields, rows);
  addNamed(view, target, fields, rows);
  const at = view.indexOf(...place);
  if (at < 0) return;
  if (view.size <= mostPlaces) rows.add(mix(salt.place, mix(codes.action, at)));
  if (codes.direction !== undefined) return;
  if (view.focus >= 0) {
    const focus = [Math.floor(view.focus / view.columns), view.focus % view.columns] as const;
    rows.add(mix(salt.fromFocus, mix(codes.verb, clippedStep(focus, [place[0], place[1]]))));
  }
  addBoard(view, target, at, rows);
  addAround(view, target, at, rows);
}

/**
 * The kinds of the cells around the place, by offset. For a step up, down, left or right the window is turned, so that what lies ahead is
 * one feature in all four directions.
 */
function addWindow(view: GridView, { codes, place = [0, 0] }: PlacedTarget, rows: ChoiceRows): void {
  const { verb, value, direction, isStraight } = codes;
  const [down, right] = isStraight && direction !== undefined ? direction : [-1, 0];
  const window = mix(salt.window, verb);
  let plus = verb;
  let square = verb;
  for (let ahead = -radius; ahead <= radius; ahead += 1) {
    for (let aside = -radius; aside <= radius; aside += 1) {
      const kind = view.kindAt(
        place[0] + ahead * down + aside * right,
        place[1] + ahead * right - aside * down,
      );
      const offset = (ahead + radius) * (2 * radius + 1) + aside + radius;
      rows.add(mix(window, mix(offset, kind)));
      if (kind === value) rows.add(mix(salt.windowValue, mix(verb, offset)));
      const [far, wide] = [Math.abs(ahead), Math.abs(aside)];
      if (far + wide <= 1) plus = mix(plus, kind);
      if (far <= 1 && wide <= 1) square = mix(square, kind);
    }
  }
  rows.add(mix(salt.plus, plus));
  rows.add(mix(salt.square, square));
}

/** What lies ahead on a straight way: the next two cells, and how far the first kind goes on. */
function addWay(view: GridView, { codes, place = [0, 0] }: PlacedTarget, rows: ChoiceRows): void {
  const { direction, verb } = codes;
  if (direction === undefined || (direction[0] === 0 && direction[1] === 0)) return;
  const kindAhead = (steps: number): number =>
    view.kindAt(place[0] + steps * direction[0], place[1] + steps * direction[1]);
  const first = kindAhead(0);
  rows.add(mix(salt.ahead, mix(verb, mix(first, kindAhead(1)))));
  const longest = Math.max(view.rows, view.columns);
  let run = 1;
  while (run < longest && kindAhead(run) === first) run += 1;
  rows.add(mix(salt.run, mix(verb, mix(mix(first, few(run, 6)), kindAhead(run)))));
}

/** How many steps it is from the place to the nearest cell of each rare kind, and whether the action comes nearer to it. */
function addSteps(
  view: GridView,
  { codes, place = [0, 0] }: PlacedTarget,
  fields: readonly FieldCodes[],
  rows: ChoiceRows,
): void {
  const { verb, direction } = codes;
  const at = view.isWall(...place) ? -1 : view.indexOf(...place);
  const next = direction === undefined ? -1 : view.indexOf(place[0] + direction[0], place[1] + direction[1]);
  const own = view.kindAt(...place);
  for (const kind of view.rare) {
    const steps = view.stepsTo(kind);
    const there = at < 0 ? -1 : (steps[at] as number);
    rows.add(mix(salt.steps, mix(verb, mix(kind, few(there, 6)))));
    if (view.focus < 0) continue;
    const here = steps[view.focus] as number;
    const change = there < 0 ? 2 : here < 0 ? 3 : Math.sign(there - here);
    rows.add(mix(salt.nearer, mix(verb, mix(kind, change))));
    if (fields.length <= 6)
      for (const { key } of fields) rows.add(mix(salt.nearerField, mix(mix(verb, key), mix(kind, change))));
    if (direction === undefined || kind === own || at < 0) continue;
    const beyond = next < 0 ? -1 : (steps[next] as number);
    rows.add(mix(salt.pushed, mix(mix(verb, own), mix(kind, beyond < 0 ? 2 : Math.sign(beyond - there)))));
  }
}

/** The same for the kinds of cells that fields name, such as `{ goal: 'door' }`: the name of the field is what counts, and not the kind. */
function addNamed(
  view: GridView,
  { codes, place = [0, 0] }: PlacedTarget,
  fields: readonly FieldCodes[],
  rows: ChoiceRows,
): void {
  const at = view.isWall(...place) ? -1 : view.indexOf(...place);
  for (const { name, text } of fields) {
    if (text === undefined) continue;
    const named = mix(salt.named, mix(codes.verb, name));
    if (codes.value === text) rows.add(mix(named, 1));
    if (!view.counts.has(text)) continue;
    const steps = view.stepsTo(text);
    const there = at < 0 ? -1 : (steps[at] as number);
    rows.add(mix(named, mix(2, few(there, 6))));
    if (view.focus < 0) continue;
    const here = steps[view.focus] as number;
    rows.add(mix(named, mix(3, there < 0 ? 2 : here < 0 ? 3 : Math.sign(there - here))));
  }
}

/** The place in the order of reading and on the whole board: patterns that have no fixed distance to the target. */
function addBoard(view: GridView, { codes }: PlacedTarget, at: number, rows: ChoiceRows): void {
  const { plain } = codes;
  const { columns, size } = view;
  const place = [Math.floor(at / columns), at % columns] as const;
  for (const [kind, first] of view.firsts)
    rows.add(
      mix(
        salt.fromFirst,
        mix(plain, mix(kind, clippedStep([Math.floor(first / columns), first % columns], place))),
      ),
    );
  if (columns <= 6 && size <= mostCells)
    for (const pattern of view.rowPatterns) rows.add(mix(salt.rowPattern, mix(mix(plain, at), pattern)));
  if (size > mostCrossed) return;
  for (let other = 0; other < size; other += 1)
    rows.add(mix(salt.boardCell, mix(mix(plain, at), mix(other, view.kinds[other] as number))));
}

/**
 * For each neighbour its kind with the number of cells around it that are like the target: what a cell with a number counts. Also how
 * many cells of the row, the column, the block and the neighbourhood are like the target.
 */
function addAround(view: GridView, { codes }: PlacedTarget, at: number, rows: ChoiceRows): void {
  const { verb } = codes;
  const own = view.kinds[at] as number;
  const { row, column, block, near } = view.groupsOf(at);
  const around = view.near(own);
  rows.add(mix(salt.alike, mix(verb, few(view.countAmong(row, own), 8))));
  rows.add(mix(salt.alike, mix(verb, 16 + few(view.countAmong(column, own), 8))));
  if (block.length > 0) rows.add(mix(salt.alike, mix(verb, 32 + few(view.countAmong(block, own), 8))));
  rows.add(mix(salt.alike, mix(verb, 48 + (around[at] as number))));
  const counted = mix(salt.around, verb);
  for (const neighbour of near)
    rows.add(mix(counted, mix(view.kinds[neighbour] as number, around[neighbour] as number)));
}
