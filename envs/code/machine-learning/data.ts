import { createRng, type Rng } from '../../core/rng.ts';

/** The functions that generate targets. */
export const shapes = ['plane', 'bowl', 'product', 'season', 'ring', 'checkers'] as const;
export type Shape = (typeof shapes)[number];

/** A small data set in three parts. */
export interface DataSet {
  readonly shape: Shape;
  /** Whether targets are classes, 0 or 1, or else numbers. */
  readonly classes: boolean;
  readonly features: number;
  readonly train: Rows;
  readonly validation: Rows;
  readonly test: Rows;
}

export interface Rows {
  readonly rows: readonly (readonly number[])[]; // (examples, features)
  readonly targets: readonly number[]; // (examples)
}

const sizes = { train: 160, validation: 60, test: 120 } as const;

/** The data set of that number. It is a pure function. */
export function dataSet(shape: Shape, number: number): DataSet {
  const rng = createRng(20_261_122).fork('ml-engineering-v1').fork(shape).fork(number);
  const features = shape === 'season' ? 1 : 2 + rng.fork('features').int(2);
  const law = lawOf(shape, features, rng.fork('law'));
  const part = (name: keyof typeof sizes): Rows => {
    const stream = rng.fork(name);
    const rows = Array.from({ length: sizes[name] }, () =>
      Array.from({ length: features }, () => rounded(4 * stream.uniform() - 2)),
    );
    return { rows, targets: rows.map((row) => law(row, stream)) };
  };
  return {
    shape,
    classes: shape === 'ring' || shape === 'checkers',
    features,
    train: part('train'),
    validation: part('validation'),
    test: part('test'),
  };
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
/** Approximately normal with mean 0 and deviation 1: the sum of twelve uniform numbers. */
const noise = (rng: Rng): number =>
  Array.from({ length: 12 }, () => rng.uniform()).reduce((sum, each) => sum + each, -6);

type Law = (row: readonly number[], rng: Rng) => number;

function lawOf(shape: Shape, features: number, rng: Rng): Law {
  const weights = Array.from(
    { length: features },
    () => (rng.int(2) === 0 ? -1 : 1) * (0.5 + 1.5 * rng.uniform()),
  );
  const linear = (row: readonly number[]): number =>
    row.reduce((sum, value, at) => sum + value * (weights[at] as number), 0);
  const first = (row: readonly number[]): number => row[0] as number;
  const second = (row: readonly number[]): number => row[1] as number;
  const radius = 1.2 + 0.4 * rng.uniform();
  const flip = (rare: Rng, value: boolean): number => Number(rare.uniform() < 0.04 ? !value : value);
  switch (shape) {
    case 'plane':
      return (row, stream) => rounded(linear(row) + 1 + 0.3 * noise(stream));
    case 'bowl':
      return (row, stream) =>
        rounded(
          row.reduce((sum, value, at) => sum + (weights[at] as number) * value * value, 0) +
            0.3 * noise(stream),
        );
    case 'product':
      return (row, stream) =>
        rounded(
          (weights[0] as number) * 2 * first(row) * second(row) + 0.4 * linear(row) + 0.3 * noise(stream),
        );
    case 'season':
      return (row, stream) =>
        rounded(3 * Math.sin(3 * first(row)) * (weights[0] as number) + 0.3 * noise(stream));
    case 'ring':
      return (row, stream) => flip(stream, first(row) ** 2 + second(row) ** 2 < radius ** 2);
    case 'checkers':
      return (row, stream) => flip(stream, first(row) > 0 === second(row) > 0);
    default:
      return shape satisfies never;
  }
}
