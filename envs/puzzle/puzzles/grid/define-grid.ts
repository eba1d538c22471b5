import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import type { Grid } from '../../../core/features.ts';
import { definePuzzle } from '../../define-puzzle.ts';
import { cellName, readGrid, spaced, targetOfCell, withCell } from '../../grid-text.ts';
import { rememberLast } from '../../remember.ts';
import type { Frozen } from '../../../kit/snapshot.ts';
import type { PuzzleCategory } from '../../rules.ts';
import { flat, rowsOf, searchGrid, type GridFound } from './grid-search.ts';

/** The rules of a puzzle whose answer is a grid of marks, with one solution. */
export interface GridRules<Name extends string, Question, Level> {
  readonly name: Name;
  readonly category: PuzzleCategory;
  readonly summary: string;
  readonly rules: string;
  readonly question: z.ZodType<Question>;
  readonly levels: readonly Level[];
  /** The marks that a player writes. */
  readonly marks: string;
  /** Whether cells of the solution stay open, as where stars are placed. */
  readonly staysOpen: boolean;
  /** The number of cells of a level. */
  readonly cells: (level: Level) => number;
  /** The least number of open cells of a level. */
  readonly open: (level: Level) => number;
  /** Draws a question; undefined where the try failed. The question must have one solution, which `solutions` counts. */
  readonly draw: (
    rng: Rng,
    level: NoInfer<Level>,
    solutions: (question: NoInfer<Question>) => number,
  ) => { readonly question: NoInfer<Question>; readonly solution: readonly string[] } | undefined;
  /** The grid at the start; `.` is open, and other characters are fixed. */
  readonly start: (question: Frozen<NoInfer<Question>>) => readonly string[];
  /** A grid with what is known about it. */
  readonly render: (question: Frozen<NoInfer<Question>>, rows: readonly string[]) => string;
  /** Whether a grid whose fixed cells are as at the start keeps all rules. */
  readonly isRight: (question: Frozen<NoInfer<Question>>, rows: readonly string[]) => boolean;
  /** Whether the cells up to `at`, in reading order, can be part of a solution. It makes the solver quick. */
  readonly fits: (question: Frozen<NoInfer<Question>>, cells: readonly string[], at: number) => boolean;
  /** A quicker solver than the search by `fits`, which tests then compare with it. */
  readonly solver?: (question: Frozen<NoInfer<Question>>, most: number) => GridFound;
  /** Whether a mark can go into an open cell of any grid, as far as one sees at once. */
  readonly allows: (
    question: Frozen<NoInfer<Question>>,
    rows: readonly string[],
    cell: { readonly row: number; readonly column: number; readonly mark: string },
  ) => boolean;
  readonly variety?: (level: number) => number;
  /** The grid as a choice policy sees it, with a cell for each cell of the grid. Default: the rows. */
  readonly board?: (question: Frozen<NoInfer<Question>>, rows: readonly string[]) => Grid;
  /** Rows and columns that `board` has before the first cell of the grid, such as for clues. Default: 0. */
  readonly margin?: number;
}

/** Tries of the generator for one question. */
const mostTries = 100_000;

/** Defines a puzzle whose answer is a grid: reader, solver, mutations and the step-wise form follow from its rules. */
export function defineGrid<const Name extends string, Question, const Level>(
  grid: GridRules<Name, Question, Level>,
) {
  const marks = grid.marks.split('');
  const options = grid.staysOpen ? ['.', ...marks] : marks;
  const find = (question: Frozen<Question>, most: number): GridFound => {
    if (grid.solver !== undefined) return grid.solver(question, most);
    const start = grid.start(question);
    return searchGrid({
      cells: flat(start),
      options,
      fits: (cells, at) => grid.fits(question, cells, at),
      accepts: (cells) => grid.isRight(question, rowsOf(cells, columnsIn(start))),
      most,
    });
  };
  const solutionOf = rememberLast((question: Frozen<Question>) => {
    const [cells] = find(question, 1).solutions;
    return cells === undefined ? undefined : rowsOf(cells, columnsIn(grid.start(question)));
  });
  return definePuzzle({
    name: grid.name,
    category: grid.category,
    summary: grid.summary,
    question: grid.question,
    levels: grid.levels,
    generate: (rng, level) => {
      for (let attempt = 0; attempt < mostTries; attempt += 1) {
        const drawn = grid.draw(
          rng,
          level,
          (question) => find(question as Frozen<Question>, 2).solutions.length,
        );
        if (drawn !== undefined) return drawn;
      }
      throw new Error(`${grid.name}: no question in ${mostTries} tries`);
    },
    rules: grid.rules,
    render: (question) => grid.render(question, grid.start(question)),
    answer: {
      format: `the whole grid, one line a row, with ${grid.staysOpen ? '. where nothing is placed' : 'every cell filled'}.`,
      write: (rows) => rows.join('\n'),
      read: (text, question) => {
        const start = grid.start(question);
        const fixed = start.join('').replaceAll('.', '');
        return readGrid(text, {
          rows: start.length,
          columns: columnsIn(start),
          alphabet: options.join('') + fixed,
        });
      },
    },
    verify: (question, rows) => keeps(grid.start(question), rows, options) && grid.isRight(question, rows),
    unique: true,
    solve: (question) => {
      const { solutions, tried } = find(question, 2);
      const columns = columnsIn(grid.start(question));
      return { answers: solutions.map((cells) => rowsOf(cells, columns)), effort: tried };
    },
    audit: {
      guess: (question, rng) =>
        grid.start(question).map((row) => row.replaceAll('.', () => rng.pick(options))),
      chance: (level) => 4 * options.length ** -grid.open(grid.levels[level - 1] as Level),
      mutants: (rows, question, rng) => mutantsOf(rows, { start: grid.start(question), options, rng }),
      equivalents: (rows) => ({
        'blanks between cells': rows.map(spaced).join('\n'),
        'commas between cells': rows.map((row) => row.split('').join(', ')).join('\n'),
        'a frame of bars': rows.map((row) => `|${row}|`).join('\n'),
      }),
      ...(grid.variety === undefined ? {} : { variety: grid.variety }),
    },
    moves: {
      rules: `A move writes one mark into one open cell. The marks are ${marks.join(' and ')}. No cell can be changed later.`,
      state: z.strictObject({ question: grid.question, rows: z.array(z.string()) }),
      start: (question) => ({ question, rows: grid.start(question) }),
      render: ({ question, rows }) => grid.render(question, rows),
      list: ({ question, rows }) => {
        const moves: string[] = [];
        for (const [row, line] of rows.entries()) {
          for (let column = 0; column < line.length; column += 1) {
            if (line[column] !== '.') continue;
            for (const mark of marks)
              if (grid.allows(question, rows, { row, column, mark })) moves.push(moveName(row, column, mark));
          }
        }
        return moves;
      },
      play: ({ question, rows }, move) => {
        const [, row = '', column = '', mark = ''] = /^row (\d+) column (\d+) is (.)$/.exec(move) ?? [];
        return { question, rows: withCell(rows, Number(row) - 1, Number(column) - 1, mark) };
      },
      isSolved: ({ question, rows }) =>
        keeps(grid.start(question), rows, options) && grid.isRight(question, rows),
      plan: (question, solution) => missing(grid.start(question), solution),
      next: ({ question, rows }) => {
        const solution = solutionOf(question);
        return solution === undefined ? undefined : missing(rows, solution)[0];
      },
      turnLimit: (level) => grid.cells(level),
      features: ({ question, rows }) => ({ grid: grid.board?.(question, rows) ?? { rows } }),
      target: (move) => {
        const { cell: [row, column] = [0, 0], ...target } = targetOfCell(move);
        const { margin = 0 } = grid;
        return { ...target, cell: [row + margin, column + margin] };
      },
    },
  });
}

const columnsIn = (rows: readonly string[]): number => rows[0]?.length ?? 0;

/** Whether a grid fills only the cells that were open, with marks. */
const keeps = (start: readonly string[], rows: readonly string[], options: readonly string[]): boolean =>
  start.every((line, row) => {
    for (let column = 0; column < line.length; column += 1) {
      const [before, now] = [line[column], rows[row]?.[column] ?? ''];
      if (before === '.' ? !options.includes(now) : before !== now) return false;
    }
    return true;
  });

const names = new Map<string, string>();

/** Names of moves are made once, because lists have many of them. */
function moveName(row: number, column: number, mark: string): string {
  const key = `${row} ${column} ${mark}`;
  const known = names.get(key);
  if (known !== undefined) return known;
  const name = `${cellName(row, column)} is ${mark}`;
  names.set(key, name);
  return name;
}

/** The moves from a grid to the solution. */
const missing = (rows: readonly string[], solution: readonly string[]): string[] =>
  solution.flatMap((line, row) =>
    line
      .split('')
      .flatMap((mark, column) =>
        mark !== '.' && rows[row]?.[column] === '.' ? [moveName(row, column, mark)] : [],
      ),
  );

interface Mutation {
  readonly start: readonly string[];
  readonly options: readonly string[];
  readonly rng: Rng;
}

/** Grids near the solution. They are wrong, because the solution is the only one. */
function mutantsOf(rows: readonly string[], { start, options, rng }: Mutation) {
  const open = flat(start).flatMap((mark, cell) => (mark === '.' ? [cell] : []));
  const cells = flat(rows);
  const columns = columnsIn(rows);
  const at = rng.pick(open);
  const changed = cells.with(at, rng.pick(options.filter((mark) => mark !== cells[at])));
  const other = rng.shuffle(open).find((cell) => cells[cell] !== cells[at]);
  const exchanged =
    other === undefined ? undefined : cells.with(at, cells[other] ?? '').with(other, cells[at] ?? '');
  const differs = (mutant: readonly string[]) => (mutant.join('\n') === rows.join('\n') ? undefined : mutant);
  return {
    'one cell changed': rowsOf(changed, columns),
    'two cells exchanged': exchanged === undefined ? undefined : rowsOf(exchanged, columns),
    'rows in another order': differs(rows.toReversed()),
    'the grid of the question': differs(start),
  };
}
