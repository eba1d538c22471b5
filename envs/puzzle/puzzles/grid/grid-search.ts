import type { Rng } from '../../../core/rng.ts';

/** A grid whose cells are decided in reading order. */
export interface GridSearch {
  /** One mark a cell, row by row; `.` is open. */
  readonly cells: readonly string[];
  /** What an open cell can become. `.` stands for a cell that stays open. */
  readonly options: readonly string[];
  /** Whether the cells up to and including `at` can be part of a solution. Later cells are open or fixed. */
  readonly fits: (cells: readonly string[], at: number) => boolean;
  /** Whether a full grid keeps the rules that `fits` does not check. Default: it does. */
  readonly accepts?: (cells: readonly string[]) => boolean;
  /** Solutions after which the search ends. */
  readonly most: number;
  /** Tries the options in random order. */
  readonly rng?: Rng;
}

/** The solutions that a search found, and the cells that it decided. */
export interface GridFound {
  readonly solutions: readonly (readonly string[])[];
  readonly tried: number;
}

/** Finds all ways to fill a grid, at most `most`, by a search that goes back where a cell does not fit. */
export function searchGrid({ cells: given, options, fits, accepts, most, rng }: GridSearch): GridFound {
  const cells = [...given];
  const isOpen = cells.map((mark) => mark === '.');
  const solutions: string[][] = [];
  let tried = 0;
  const search = (at: number): void => {
    if (at === cells.length) {
      if (accepts?.(cells) !== false) solutions.push([...cells]);
      return;
    }
    if (isOpen[at] !== true) {
      if (fits(cells, at)) search(at + 1);
      return;
    }
    for (const option of rng === undefined ? options : rng.shuffle(options)) {
      tried += 1;
      cells[at] = option;
      if (fits(cells, at)) search(at + 1);
      if (solutions.length >= most) break;
    }
    cells[at] = '.';
  };
  search(0);
  return { solutions, tried };
}

/** The cells of a grid, row by row. */
export const flat = (rows: readonly string[]): string[] => rows.join('').split('');

/** The rows of a grid. */
export const rowsOf = (cells: readonly string[], columns: number): string[] =>
  Array.from({ length: cells.length / columns }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns).join(''),
  );

/** The columns of a grid, each as a text from top to bottom. */
export const columnsOf = (rows: readonly string[]): string[] =>
  Array.from({ length: rows[0]?.length ?? 0 }, (_, column) => rows.map((row) => row[column]).join(''));

/** The number of times that a mark is in a text. */
export const countOf = (text: string, mark: string): number => text.split(mark).length - 1;
