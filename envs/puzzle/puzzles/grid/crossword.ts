import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';
import { readGrid, spaced } from '../../grid-text.ts';
import { cipherWords } from '../crypto/words.ts';

const question = z.strictObject({ rows: z.array(z.string()), words: z.array(z.string()) });
interface Given {
  readonly rows: readonly string[];
  readonly words: readonly string[];
}

/** Cells of a place for a word, in reading order. */
type Slot = readonly number[];

/** The places for words: runs of two or more cells across and down. */
function slotsOf(rows: readonly string[]): Slot[] {
  const width = rows[0]?.length ?? 0;
  const isOpen = (row: number, column: number): boolean => (rows[row]?.[column] ?? '#') !== '#';
  const slots: Slot[] = [];
  for (const [down, across] of [
    [0, 1],
    [1, 0],
  ] as const)
    for (let row = 0; row < rows.length; row += 1)
      for (let column = 0; column < width; column += 1) {
        if (!isOpen(row, column) || isOpen(row - down, column - across)) continue;
        const slot: number[] = [];
        for (let at = 0; isOpen(row + at * down, column + at * across); at += 1)
          slot.push((row + at * down) * width + column + at * across);
        if (slot.length > 1) slots.push(slot);
      }
  return slots;
}

/** Ways to put every word into a place, at most `most`. The place with the fewest words that fit is filled first. */
function fill({ rows, words: given }: Given, most: number) {
  const width = rows[0]?.length ?? 0;
  const cells = rows.join('').split('');
  const left = new Set(given);
  const open = new Set(slotsOf(rows));
  const solutions: string[][] = [];
  let tried = 0;
  const fitting = (slot: Slot): string[] =>
    [...left].filter(
      (word) =>
        word.length === slot.length &&
        slot.every((cell, at) => cells[cell] === '.' || cells[cell] === word[at]),
    );
  const search = (): void => {
    let best: { readonly slot: Slot; readonly options: readonly string[] } | undefined;
    for (const slot of open) {
      const options = fitting(slot);
      if (best === undefined || options.length < best.options.length) best = { slot, options };
      if (options.length === 0) return;
    }
    if (best === undefined) {
      solutions.push(rows.map((_row, row) => cells.slice(row * width, (row + 1) * width).join('')));
      return;
    }
    const { slot, options } = best;
    open.delete(slot);
    for (const word of options) {
      tried += 1;
      const before = slot.map((cell) => cells[cell] ?? '.');
      for (const [at, cell] of slot.entries()) cells[cell] = word[at] ?? '.';
      left.delete(word);
      search();
      left.add(word);
      for (const [at, cell] of slot.entries()) cells[cell] = before[at] ?? '.';
      if (solutions.length >= most) break;
    }
    open.add(slot);
  };
  search();
  return { solutions, tried };
}

/** The place of a word on a board, as a corner and a direction. */
interface Placed {
  readonly row: number;
  readonly column: number;
  readonly isDown: boolean;
}

class Layout {
  readonly cells = new Map<string, string>();
  readonly used: string[] = [];

  /** Whether a word can stand here: it crosses at least one other by equal letters, and touches none beside it. */
  fits(word: string, { row, column, isDown }: Placed): boolean {
    const at = (y: number, x: number): string | undefined => this.cells.get(`${y} ${x}`);
    const [dy, dx] = isDown ? [1, 0] : [0, 1];
    if (
      at(row - dy, column - dx) !== undefined ||
      at(row + dy * word.length, column + dx * word.length) !== undefined
    )
      return false;
    let crossings = 0;
    for (let step = 0; step < word.length; step += 1) {
      const [y, x] = [row + dy * step, column + dx * step];
      const there = at(y, x);
      if (there !== undefined && there !== word[step]) return false;
      if (there !== undefined) crossings += 1;
      else if (at(y + dx, x + dy) !== undefined || at(y - dx, x - dy) !== undefined) return false;
    }
    return crossings > 0 || this.used.length === 0;
  }

  put(word: string, { row, column, isDown }: Placed): void {
    for (let step = 0; step < word.length; step += 1)
      this.cells.set(`${row + (isDown ? step : 0)} ${column + (isDown ? 0 : step)}`, word[step] ?? '');
    this.used.push(word);
  }

  rows(): string[] {
    const places = [...this.cells.keys()].map((key) => key.split(' ').map(Number));
    const [ys, xs] = [0, 1].map((axis) => places.map((place) => place[axis] ?? 0));
    const [top, left] = [Math.min(...(ys ?? [])), Math.min(...(xs ?? []))];
    const [bottom, right] = [Math.max(...(ys ?? [])), Math.max(...(xs ?? []))];
    return Array.from({ length: bottom - top + 1 }, (_, y) =>
      Array.from(
        { length: right - left + 1 },
        (_unused, x) => this.cells.get(`${top + y} ${left + x}`) ?? '#',
      ).join(''),
    );
  }
}

/** Longer words hardly cross. */
const usable = cipherWords.filter((word) => word.length <= 8);

/** A criss-cross of words; undefined where they did not fit together. */
function lay(rng: Rng, amount: number): Layout | undefined {
  const layout = new Layout();
  const pool = rng.shuffle(usable).slice(0, 12 * amount);
  const [first = 'word', ...others] = pool;
  layout.put(first, { row: 0, column: 0, isDown: false });
  for (const word of others) {
    if (layout.used.length === amount) return layout;
    const places = [...layout.cells].flatMap(([key, letter]) => {
      const [row = 0, column = 0] = key.split(' ').map(Number);
      return word.split('').flatMap((one, step) =>
        one === letter
          ? [
              { row: row - step, column, isDown: true },
              { row, column: column - step, isDown: false },
            ]
          : [],
      );
    });
    const place = rng.shuffle(places).find((one) => layout.fits(word, one));
    if (place !== undefined) layout.put(word, place);
  }
  return undefined;
}

const hide = (rows: readonly string[]): string[] => rows.map((row) => row.replaceAll(/[^#]/g, '.'));

function isFilled({ rows, words: given }: Given, answer: readonly string[]): boolean {
  const cells = answer.join('');
  const keepsShape =
    rows.every((row, at) => row.length === answer[at]?.length) && rows.length === answer.length;
  const isSame = rows
    .join('')
    .split('')
    .every((mark, at) => (mark === '#') === (cells[at] === '#'));
  const found = slotsOf(rows).map((slot) => slot.map((cell) => cells[cell]).join(''));
  return keepsShape && isSame && found.toSorted().join() === [...given].toSorted().join();
}

export const crossword = definePuzzle({
  name: 'crossword',
  category: 'grid',
  summary: 'Crossword: put all words of a list into a grid',
  question,
  levels: [{ words: 5 }, { words: 8 }, { words: 12 }, { words: 16 }],
  generate: (rng, { words: amount }) => {
    for (;;) {
      const layout = lay(rng, amount);
      if (layout === undefined) continue;
      const solution = layout.rows();
      const given = { rows: hide(solution), words: layout.used.toSorted() };
      if (slotsOf(given.rows).length === amount && fill(given, 2).solutions.length === 1)
        return { question: given, solution };
    }
  },
  rules:
    'Put every word of the list into the grid, across or down, each once. Dots are open cells, # are none. Where words cross, they share a letter.',
  render: ({ rows, words: given }) => `${rows.map(spaced).join('\n')}\nWords: ${given.join(' ')}`,
  answer: {
    format: 'the whole grid, one line a row, with # where there is no cell.',
    write: (rows) => rows.join('\n'),
    read: (text, { rows }) =>
      readGrid(text.toUpperCase(), {
        rows: rows.length,
        columns: rows[0]?.length ?? 0,
        alphabet: '#ABCDEFGHIJKLMNOPQRSTUVWXYZ',
      }),
  },
  verify: (given, rows) => isFilled(given, rows),
  unique: true,
  solve: (given) => {
    const { solutions, tried } = fill(given, 2);
    return { answers: solutions, effort: tried };
  },
  audit: {
    guess: ({ rows, words: given }, rng) => {
      const letters = given.join('').split('');
      return rows.map((row) => row.replaceAll('.', () => rng.pick(letters)));
    },
    chance: 1e-6,
    mutants: (rows, _given, rng) => {
      const open = rows.flatMap((row, y) =>
        row.split('').flatMap((mark, x) => (mark === '#' ? [] : [[y, x] as const])),
      );
      const [y, x] = rng.pick(open);
      const change = (mark: string): string[] =>
        rows.map((row, at) => (at === y ? row.slice(0, x) + mark + row.slice(x + 1) : row));
      return {
        'one letter changed': change(rows[y]?.[x] === 'Q' ? 'X' : 'Q'),
        'one cell closed': change('#'),
      };
    },
    equivalents: (rows) => ({
      'blanks between cells': rows.map(spaced).join('\n'),
      'small letters': rows.join('\n').toLowerCase(),
      'a frame of bars': rows.map((row) => `|${row}|`).join('\n'),
    }),
  },
});
