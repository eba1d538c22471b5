import type { CurvePoint } from '../compare/learning-curve.ts';
import { terminalLine } from '../../envs/core/terminal-text.ts';

/** How a line looks where its place in the chart does not say. */
export interface Look {
  /** The number of its colour: lines that belong together share one. */
  readonly colour: number;
  /** Thin and pale, without points and without a place in the legend. */
  readonly faint?: true;
}

/** One line of a chart. */
export interface Series extends Partial<Look> {
  readonly label: string;
  /** Undefined where it was not measured. */
  readonly values: readonly (number | undefined)[]; // (points)
  /** The interval around each value. */
  readonly band?: {
    readonly low: readonly (number | undefined)[];
    readonly high: readonly (number | undefined)[];
  }; // (points)
}

/** A chart as plain data. */
export interface Chart {
  readonly title: string;
  /** What the reader must know to read it. */
  readonly note: string;
  readonly unit: 'share' | 'number';
  readonly xLabel: string;
  readonly x: readonly number[]; // (points), rising
  readonly series: readonly Series[];
}

/** More points than this are indistinguishable in a chart, and would only make the page large. */
const maxPoints = 160;

/** Lines of points, each with its own places, on one axis; undefined when no line has a point. Long lines are thinned. */
export function chartOf(
  head: Pick<Chart, 'title' | 'note' | 'unit' | 'xLabel'>,
  lines: readonly (readonly [label: string, points: readonly CurvePoint[], look?: Look])[],
): Chart | undefined {
  const present = lines
    .filter(([, points]) => points.length > 0)
    .map(([label, points, look]) => [terminalLine(label), thin(points), look] as const);
  if (present.length === 0) return undefined;
  const x = [...new Set(present.flatMap(([, points]) => points.map((point) => point.x)))].toSorted(
    (a, b) => a - b,
  );
  const place = new Map(x.map((value, index) => [value, index]));
  return {
    ...head,
    x: x.map(short),
    series: present.map(([label, points, look]) => ({ ...seriesOf(label, points, place), ...look })),
  };
}

function seriesOf(label: string, points: readonly CurvePoint[], place: ReadonlyMap<number, number>): Series {
  const spread = (valueOf: (point: CurvePoint) => number | undefined): (number | undefined)[] => {
    const values = Array.from<number | undefined>({ length: place.size });
    for (const point of points) {
      const value = valueOf(point);
      values[place.get(point.x) as number] = value === undefined ? undefined : short(value);
    }
    return values;
  };
  const values = spread((point) => point.y);
  if (points.every((point) => point.low === undefined)) return { label, values };
  return { label, values, band: { low: spread((point) => point.low), high: spread((point) => point.high) } };
}

/** Neighbours are averaged until few enough are left; where a point stands is where the last of its neighbours stood. */
function thin(points: readonly CurvePoint[]): readonly CurvePoint[] {
  const byPlace = [...new Map(points.map((point) => [point.x, point])).values()].toSorted(
    (a, b) => a.x - b.x,
  );
  const size = Math.ceil(byPlace.length / maxPoints);
  if (size <= 1) return byPlace;
  const thinned: CurvePoint[] = [];
  for (let start = 0; start < byPlace.length; start += size)
    thinned.push(averageOf(byPlace.slice(start, start + size)));
  return thinned;
}

function averageOf(points: readonly CurvePoint[]): CurvePoint {
  const mean = (valueOf: (point: CurvePoint) => number): number =>
    points.reduce((sum, point) => sum + valueOf(point), 0) / points.length;
  const last = points.at(-1) as CurvePoint;
  if (last.low === undefined) return { x: last.x, y: mean((point) => point.y) };
  return {
    x: last.x,
    y: mean((point) => point.y),
    low: mean((point) => point.low ?? point.y),
    high: mean((point) => point.high ?? point.y),
  };
}

/** Four digits are more than a chart shows. */
const short = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(4)));
