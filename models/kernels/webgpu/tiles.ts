/**
 * Parts of shaders that multiply matrices by square tiles. A group of threads keeps a few rows of each matrix
 * in shared memory, transposed so that both lie along the summed dimension. Each thread holds 8 x 8 sums in
 * registers and takes four rows from each half of a tile, so that neighbours read neighbouring memory. The
 * parts take `lane`, the thread's number in its group, and `across` and `down`, its column and row among 8 x
 * 8.
 */

/** Rows and columns of a tile of sums. */
export const tile = 64;
/** How much of what is summed over is in shared memory at a time. */
export const step = 16;
/** Of a group: each has 8 x 8 sums of a tile, and brings one block of 4 x 4 of either matrix. */
export const threads = 64;
/** From one row of shared memory to the next, in vectors of four; one more than there are, so that threads which write do not wait for one another's bank. */
export const stride = tile / 4 + 1;
/** Products that are written out one behind the other. */
const unrolled = 4;

/** Shared memory of that name for some rows of a tile. */
export function declareTile(name: string, rows = step): string {
  return `var<workgroup> ${name} : array<vec4<f32>, ${rows * stride}>;`;
}

const parts = ['x', 'y', 'z', 'w'] as const;
const halves = [0, 1] as const;
const eight = Array.from({ length: 8 }, (_, row) => row);

/** The names of a thread's sums, four neighbours of a row together. */
export class Sums {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  of(row: number, half: number): string {
    return `${this.#name}${row}_${half}`;
  }

  /** Declares them, or with `again` takes those that are declared, all 0. */
  begin({ again = false } = {}): string {
    return eight
      .flatMap((row) => halves.map((half) => `${again ? '' : 'var '}${this.of(row, half)} = vec4<f32>();`))
      .join(' ');
  }
}

/**
 * Adds the product of two tiles to the sums, of the left one that of the rows from `first` on.
 */
export function multiplyTiles(sums: Sums, [left, right]: readonly [string, string], first = '0'): string {
  const products = eight.flatMap((row) => {
    const factor = `vec4<f32>(above${Math.floor(row / 4)}.${parts[row % 4]})`;
    return halves.map(
      (side) => `${sums.of(row, side)} = fma(${factor}, beside${side}, ${sums.of(row, side)});`,
    );
  });
  const multiply = (at: number): string => `{
      let above0 = ${left}[(${first} + inner + ${at}) * ${stride} + down];
      let above1 = ${left}[(${first} + inner + ${at}) * ${stride} + down + ${tile / 8}];
      let beside0 = ${right}[(inner + ${at}) * ${stride} + across];
      let beside1 = ${right}[(inner + ${at}) * ${stride} + across + ${tile / 8}];
      ${products.join('\n')}
    }`;
  return `
    for (var inner = 0; inner < ${step}; inner = inner + ${unrolled}) {
      ${Array.from({ length: unrolled }, (_, at) => multiply(at)).join('\n')}
    }`;
}

/**
 * For each four neighbouring sums in a row of the tile what is written: of their row in the tile, the first of their columns, and their name.
 * Rows and columns are expressions.
 */
export function eachSum(sums: Sums, write: (row: string, column: string, sum: string) => string): string {
  return eight
    .flatMap((row) =>
      halves.map((half) =>
        write(
          `(down * 4 + ${(row >> 2) * (tile / 2) + (row % 4)})`,
          `(across * 4 + ${half * (tile / 2)})`,
          sums.of(row, half),
        ),
      ),
    )
    .join('\n');
}

/**
 * Writes what becomes of the sums into a tile, rows and columns changing places.
 * @param value of four sums of a column, from an expression for them; `rows` is the first of their rows in fours, and `before` what stands at their place
 */
export function turnSumsInto(
  name: string,
  sums: Sums,
  value: (of: {
    readonly four: string;
    readonly rows: string;
    readonly column: string;
    readonly before: string;
  }) => string,
): string {
  const half = tile / 8;
  const write = (side: number, at: number, upper: number): string => {
    const column = `(across * 4 + ${side * (tile / 2) + at})`;
    const rows = `(down + ${upper * half})`;
    const place = `${name}[${column} * ${stride} + ${rows}]`;
    const four = `vec4<f32>(${[0, 1, 2, 3].map((row) => `${sums.of(upper * 4 + row, side)}.${parts[at]}`).join(', ')})`;
    return `${place} = ${value({ four, rows, column, before: place })};`;
  };
  return halves
    .flatMap((side) => parts.flatMap((_, at) => halves.map((upper) => write(side, at, upper))))
    .join('\n');
}

/** Where a tile's numbers come from: a matrix of the call, in vectors of four. */
export interface TileSource {
  /** Distinguishes the variables of several. */
  readonly name: string;
  /** Whether four neighbouring numbers of the matrix are four that are summed over; else they are of four rows of the tile. */
  readonly alongDepth: boolean;
  /** The vector at a place: `depth` counts what is summed over and `row` those of the tile, and the one that lies along the vectors is in fours. */
  readonly vector: (row: string, depth: string) => string;
  /** How many rows there are, counted like `row`: those beyond the last are read as if they were the last. */
  readonly rows: string;
  /** How much is summed over, counted like `depth`: beyond it all is 0. */
  readonly depth: string;
}

/** Variables for one block, and where the thread's block stands. */
export function declareBlock({ name, alongDepth }: TileSource): string {
  const [inDepth, inRows] = alongDepth
    ? [`lane % ${step / 4}`, `lane / ${step / 4}`]
    : [`lane / ${tile / 4}`, `lane % ${tile / 4}`];
  return `
    let ${name}Depth = ${inDepth};
    let ${name}Row = ${inRows};
    var ${name}Block = mat4x4<f32>();`;
}

/**
 * Loads the block whose tile starts at a row and at a multiple of four of the summed dimension. The row is
 * counted in fours if vectors lie along rows.
 */
export function loadBlock(
  { name, alongDepth, vector, rows, depth }: TileSource,
  firstRow: string,
  firstDepth: string,
): string {
  const columns = [0, 1, 2, 3].map((at) => {
    const row = alongDepth ? `${firstRow} + ${name}Row * 4 + ${at}` : `${firstRow} + ${name}Row`;
    const inner = alongDepth
      ? `(${firstDepth}) / 4 + ${name}Depth`
      : `${firstDepth} + ${name}Depth * 4 + ${at}`;
    return `{
      let row = min(${row}, ${rows} - 1);
      let inner = ${inner};
      ${name}Block[${at}] = select(vec4<f32>(), ${vector('row', `min(inner, ${depth} - 1)`)}, inner < ${depth});
    }`;
  });
  return `${columns.join('\n')} ${alongDepth ? `${name}Block = transpose(${name}Block);` : ''}`;
}

/** Puts the block into its tile. */
export function storeBlock({ name }: TileSource, tileName: string): string {
  return [0, 1, 2, 3]
    .map((at) => `${tileName}[(${name}Depth * 4 + ${at}) * ${stride} + ${name}Row] = ${name}Block[${at}];`)
    .join('\n');
}
