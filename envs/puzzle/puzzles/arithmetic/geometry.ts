import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';

const coordinate = z.int().min(-100).max(100);
const points = z
  .array(z.tuple([coordinate, coordinate]))
  .min(3)
  .max(8);
const figure = z.discriminatedUnion('kind', [
  /** The angles of a convex polygon in degrees, all but one. */
  z.strictObject({ kind: z.literal('angle'), angles: z.array(z.int().min(1).max(179)).min(2).max(11) }),
  /** The corners of a polygon in order. */
  z.strictObject({ kind: z.literal('area'), points }),
  z.strictObject({ kind: z.enum(['centroid', 'circumcentre', 'orthocentre']), points }),
]);
const question = z.strictObject({ figure });
type Point = readonly [x: number, y: number];
type Given =
  | { readonly kind: 'angle'; readonly angles: readonly number[] }
  | {
      readonly kind: 'area' | 'centroid' | 'circumcentre' | 'orthocentre';
      readonly points: readonly Point[];
    };
/** Reduced fractions with positive denominators. */
type Fractions = readonly (readonly [numerator: number, denominator: number])[];

function reduce(numerator: number, denominator: number): readonly [number, number] {
  let [a, b] = [Math.abs(numerator), Math.abs(denominator)];
  while (b !== 0) [a, b] = [b, a % b];
  const sign = denominator < 0 ? -1 : 1;
  return [(sign * numerator) / a + 0, (sign * denominator) / a];
}

/** Twice the area, positive for corners against the clock (the shoelace formula). */
const twiceArea = (corners: readonly Point[]): number =>
  corners.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = corners[(at + 1) % corners.length] as Point;
    return sum + x * nextY - nextX * y;
  }, 0);

/** Equations `a x + b y = c` that make a point certain. */
function equationsOf(
  kind: 'centroid' | 'circumcentre' | 'orthocentre',
  [p, q, r]: readonly [Point, Point, Point],
): readonly (readonly [a: number, b: number, c: number])[] {
  const square = ([x, y]: Point): number => x * x + y * y;
  switch (kind) {
    case 'centroid':
      return [
        [3, 0, p[0] + q[0] + r[0]],
        [0, 3, p[1] + q[1] + r[1]],
      ];
    case 'circumcentre': // as far from p as from q and from r
      return [q, r].map(
        (other) => [2 * (other[0] - p[0]), 2 * (other[1] - p[1]), square(other) - square(p)] as const,
      );
    case 'orthocentre': // on the height of p and on the height of q
      return (
        [
          [p, q, r],
          [q, r, p],
        ] as const
      ).map(([corner, a, b]) => {
        const [x, y] = [a[0] - b[0], a[1] - b[1]];
        return [x, y, x * corner[0] + y * corner[1]] as const;
      });
  }
}

/** The equations of a question: of one unknown or of two. */
function equations(given: Given): readonly (readonly [a: number, b: number, c: number])[] {
  if (given.kind === 'angle') {
    const sum = given.angles.reduce((total, each) => total + each, 0);
    return [[1, 0, 180 * (given.angles.length - 1) - sum]];
  }
  if (given.kind === 'area') return [[2, 0, Math.abs(twiceArea(given.points))]];
  return equationsOf(given.kind, given.points.slice(0, 3) as unknown as [Point, Point, Point]);
}

/** The solution by Cramer's rule. */
function solve(given: Given): Fractions | undefined {
  const [[a, b, c] = [0, 0, 0], second] = equations(given);
  if (second === undefined) return [reduce(c, a)];
  const [d, e, f] = second;
  const divisor = a * e - b * d;
  return divisor === 0 ? undefined : [reduce(c * e - b * f, divisor), reduce(a * f - c * d, divisor)];
}

/** A convex polygon has only left turns; its corners are drawn until that holds. */
function drawPolygon(rng: Rng, corners: number, most: number): Point[] {
  for (;;) {
    const drawn = Array.from({ length: corners }, (): [number, number] => [
      rng.int(2 * most + 1) - most,
      rng.int(2 * most + 1) - most,
    ]);
    const isConvex = drawn.every(
      (point, at) =>
        twiceArea([point, drawn[(at + 1) % corners] as Point, drawn[(at + 2) % corners] as Point]) > 0,
    );
    if (isConvex) return drawn;
  }
}

function drawAngles(rng: Rng, corners: number): number[] {
  for (;;) {
    const angles = Array.from({ length: corners - 1 }, () => 20 + rng.int(155));
    const last = 180 * (corners - 2) - angles.reduce((sum, each) => sum + each, 0);
    if (last >= 10 && last < 180) return angles;
  }
}

const write = (values: Fractions): string =>
  values
    .map(([numerator, denominator]) =>
      denominator === 1 ? String(numerator) : `${numerator}/${denominator}`,
    )
    .join(' ');
const wanted = {
  centroid: 'centroid, where the lines from the corners to the middles of the opposite sides meet',
  circumcentre: 'circumcentre, which is equally far from all corners',
  orthocentre: 'orthocentre, where the heights meet',
} as const;

export const geometry = definePuzzle({
  name: 'geometry',
  category: 'arithmetic',
  summary: 'Plane geometry with exact answers: angles, areas and the centres of triangles',
  question,
  levels: ['angle', 'area', 'centroid', 'circumcentre', 'orthocentre'],
  generate: (rng, kind) => {
    const drawn: Given =
      kind === 'angle'
        ? { kind, angles: drawAngles(rng, 4 + rng.int(3)) }
        : { kind, points: drawPolygon(rng, kind === 'area' ? 3 + rng.int(2) : 3, 20) };
    return { question: { figure: drawn }, solution: solve(drawn) ?? [] };
  },
  rules: 'Answer the question about a figure of the plane. Give exact values.',
  render: ({ figure: given }) => {
    if (given.kind === 'angle')
      return `A convex polygon has ${given.angles.length + 1} corners. Its angles are ${given.angles.join(', ')} and one more, in degrees. What is the missing angle?`;
    const corners = given.points.map(([x, y]) => `(${x}, ${y})`).join(', ');
    return given.kind === 'area'
      ? `A polygon has the corners ${corners}, in this order. What is its area?`
      : `A triangle has the corners ${corners}. What is its ${wanted[given.kind]}?`;
  },
  answer: {
    format: 'a number, or for a point x and y with a blank between them. Write fractions such as 7/3.',
    write,
    read: (text, { figure: given }): Fractions | undefined => {
      const parts = text
        .replace(/^\(\s*(.*?)\s*\)$/, '$1')
        .replace(/\s*(?:degrees|°)$/, '')
        .split(/\s*,\s*|\s+/);
      if (parts.length !== (given.kind === 'angle' || given.kind === 'area' ? 1 : 2)) return undefined;
      const values: (readonly [number, number])[] = [];
      for (const part of parts) {
        const [, whole = '', digits, divisor] =
          /^(-?\d{1,7})(?:\.(\d{1,3})|\/([1-9]\d{0,6}))?$/.exec(part) ?? [];
        if (whole === '') return undefined;
        values.push(
          digits === undefined
            ? reduce(Number(whole), Number(divisor ?? 1))
            : reduce(Number(whole + digits), 10 ** digits.length),
        );
      }
      return values;
    },
    symbols: '°',
  },
  verify: ({ figure: given }, [[x, xDivisor] = [0, 1], [y, yDivisor] = [0, 1]]) =>
    // (a x/p + b y/q = c) times p q
    equations(given).every(([a, b, c]) => a * x * yDivisor + b * y * xDivisor === c * xDivisor * yDivisor),
  unique: true,
  solve: ({ figure: given }) => {
    const solution = solve(given);
    return { answers: solution === undefined ? [] : [solution], effort: equations(given).length };
  },
  audit: {
    guess: ({ figure: given }, rng) =>
      equations(given).map(
        (_equation, at) =>
          [given.kind === 'angle' && at === 0 ? 10 + rng.int(170) : rng.int(41) - 20, 1] as const,
      ),
    chance: (level) => (level === 1 ? 0.02 : 0.01),
    mutants: (values) => ({
      'one too many': values.map(([a, b], at) => (at === 0 ? ([a + b, b] as const) : ([a, b] as const))),
      'x and y swapped':
        values.length === 2 && write(values) !== write(values.toReversed()) ? values.toReversed() : undefined,
      'the wrong sign':
        values[0]?.[0] === 0
          ? undefined
          : values.map(([a, b], at) => (at === 0 ? ([-a, b] as const) : ([a, b] as const))),
    }),
    equivalents: (values) => ({
      'not reduced': values.map(([a, b]) => `${2 * a}/${2 * b}`).join(' '),
      'in brackets': `(${write(values).replaceAll(' ', ', ')})`,
    }),
    variety: (level) => (level === 2 ? 1e8 : 1e7),
  },
});
