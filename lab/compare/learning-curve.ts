import { UsageError } from '../../envs/core/errors.ts';
import { medianToThreshold, studentInterval, type MedianEstimate } from '../../trainers/results/intervals.ts';
import type { EvaluationLine } from '../../trainers/run/metrics-schema.ts';
import type { Side } from './side.ts';

/** A value at a place on the x axis, and its interval where it has one. */
export interface CurvePoint {
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
}

/** Environment steps at the first evaluation on `dev` that showed the threshold; undefined when none did. */
export function stepsToThreshold(
  evaluations: readonly EvaluationLine[],
  threshold: number,
): number | undefined {
  return evaluations.find(({ success }) => success.rate >= threshold)?.environmentSteps;
}

/** How fast a side reached the threshold. */
export interface ThresholdSteps extends MedianEstimate {
  readonly name: string;
  /** Undefined for a seed that never did. */
  readonly bySeed: readonly { readonly seed: number; readonly steps: number | undefined }[];
}

/** Of each side that has runs, in their order. */
export function thresholdSteps(sides: readonly Side[], threshold: number): readonly ThresholdSteps[] {
  return sides.flatMap(({ name, members }) => {
    const bySeed = members.flatMap(({ settings, evaluations }) =>
      settings === undefined || evaluations === undefined
        ? []
        : [{ seed: settings.seed, steps: stepsToThreshold(evaluations, threshold) }],
    );
    return bySeed.length === 0
      ? []
      : [{ name, bySeed, ...medianToThreshold(bySeed.map(({ steps }) => steps)) }];
  });
}

/** The panel on which all runs of all sides were evaluated in the course of training; undefined where none was. Refuses runs that chose on different ones. */
export function panelOfCurves(sides: readonly Side[]): string | undefined {
  const lines = sides.flatMap(({ members }) =>
    members.flatMap(({ where, evaluations = [] }) =>
      evaluations.slice(0, 1).map((line) => ({ where, line })),
    ),
  );
  const [first] = lines;
  const other = lines.find(({ line }) => line.fingerprint !== first?.line.fingerprint);
  if (first === undefined || other === undefined) return first?.line.panel;
  throw new UsageError({
    where: `${first.where} and ${other.where}`,
    what: `they were evaluated on different panels in the course of training: ${first.line.panel} (${first.line.fingerprint}) and ${other.line.panel} (${other.line.fingerprint}).`,
    fix: 'Leave --threshold and --page out: their curves say nothing of each other.',
  });
}

/**
 * The mean of several curves where all of them go, linear between their points, with Student's 95 % interval over the curves. Of one curve
 * it is that curve, of which no interval is known.
 */
export function meanCurve(
  curves: readonly (readonly CurvePoint[])[],
  within: { readonly low: number; readonly high: number },
): readonly CurvePoint[] {
  const whole = curves.filter((curve) => curve.length > 0);
  if (whole.length < 2) return whole[0] ?? [];
  const from = Math.max(...whole.map((curve) => curve[0]?.x ?? 0));
  const to = Math.min(...whole.map((curve) => curve.at(-1)?.x ?? 0));
  const places = [...new Set(whole.flatMap((curve) => curve.map(({ x }) => x)))]
    .filter((x) => x >= from && x <= to)
    .toSorted((a, b) => a - b);
  return places.map((x) => {
    const { mean, low, high } = studentInterval(whole.map((curve) => valueAt(curve, x)));
    return { x, y: mean, low: Math.max(within.low, low), high: Math.min(within.high, high) };
  });
}

/** @param x within the curve */
function valueAt(curve: readonly CurvePoint[], x: number): number {
  const after = curve.findIndex((point) => point.x >= x);
  const [before, next] = [curve[after - 1], curve[after]];
  if (next === undefined) return curve.at(-1)?.y ?? 0;
  if (before === undefined || next.x === x) return next.y;
  return before.y + ((x - before.x) / (next.x - before.x)) * (next.y - before.y);
}
