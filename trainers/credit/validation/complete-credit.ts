import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import type {
  BatchCredit,
  CreditEstimator,
  EstimatorOutput,
  Numbers,
  TrajectoryCredit,
  TrajectoryOutput,
} from '../estimator.ts';
import { scanBatch, type BatchScan } from '../parts/batch-rows.ts';
import { creditStatistics } from '../parts/credit-statistics.ts';

/**
 * Completes validated output: missing columns, verdicts, sizes of anchors, and the statistics of every run.
 * Typed arrays of the estimator are used without copying.
 */
export function completeCredit(
  groups: readonly TrajectoryGroup[],
  output: EstimatorOutput,
  compares: NonNullable<CreditEstimator['compares']>,
): BatchCredit {
  const scan = withVerdicts(scanBatch(groups), compares);
  const groupings = groupingsOf(output);
  const steps = groups.reduce(
    (sum, { members }) => members.reduce((all, member) => all + member.steps.length, sum),
    0,
  );
  const credits = output.groups.map((members) =>
    members.map((member) => completeTrajectory(member, groupings)),
  );
  const hasParts = output.groups.some((members) =>
    members.some(({ episode, step }) => episode !== undefined || step !== undefined),
  );
  const figures = creditStatistics(scan, credits, output.stepWeight ?? 1);
  return {
    groups: credits,
    verdicts: scan.verdicts,
    anchorSizes: Object.fromEntries(groupings.map((name) => [name, sizesOf(credits, name, steps)])),
    hasParts,
    // The trainer's own statistics win: an estimator that wraps another may pass on the inner one's.
    statistics: { ...output.statistics, ...(hasParts ? figures : withoutParts(figures)) },
    ...(output.state === undefined ? {} : { state: output.state }),
  };
}

/** Names of all groupings, in the order of their first appearance. */
function groupingsOf({ groups }: EstimatorOutput): readonly string[] {
  const names = new Set<string>();
  for (const members of groups)
    for (const { anchors } of members) for (const name in anchors) names.add(name);
  return [...names];
}

/** Fast path for built-in estimators: nothing to convert or fill in. */
function isComplete(output: TrajectoryOutput, groupings: readonly string[]): output is TrajectoryCredit {
  const { advantage, tokenAdvantage, episode, step, stepReturn, anchors } = output;
  return (
    tokenAdvantage === undefined &&
    advantage instanceof Float64Array &&
    episode instanceof Float64Array &&
    step instanceof Float64Array &&
    stepReturn instanceof Float64Array &&
    anchors !== undefined &&
    groupings.every((name) => anchors[name] instanceof Int32Array)
  );
}

function completeTrajectory(output: TrajectoryOutput, groupings: readonly string[]): TrajectoryCredit {
  if (isComplete(output, groupings)) return output;
  const tokenAdvantage = output.tokenAdvantage?.map(toFloats);
  const advantage =
    output.advantage === undefined
      ? Float64Array.from(tokenAdvantage ?? [], meanOf)
      : toFloats(output.advantage);
  const steps = advantage.length;
  const episode = output.episode === undefined ? new Float64Array(steps) : toFloats(output.episode);
  const anchors: Record<string, Int32Array> = {};
  for (const name of groupings) {
    const given = output.anchors?.[name];
    anchors[name] = given === undefined ? new Int32Array(steps).fill(-1) : toIntegers(given);
  }
  return {
    advantage,
    ...(tokenAdvantage === undefined ? {} : { tokenAdvantage }),
    episode,
    step:
      output.step === undefined
        ? advantage.map((value, at) => value - (episode[at] as number))
        : toFloats(output.step),
    anchors,
    stepReturn:
      output.stepReturn === undefined
        ? new Float64Array(steps).fill(Number.NaN)
        : toFloats(output.stepReturn),
  };
}

const toFloats = (values: Numbers): Float64Array =>
  values instanceof Float64Array ? values : Float64Array.from(values);
const toIntegers = (values: Numbers): Int32Array =>
  values instanceof Int32Array ? values : Int32Array.from(values);

/** 0 for a step without sampled tokens. */
const meanOf = (values: Float64Array): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Statistics of the two terms are meaningful only if the estimator returns them. */
function withoutParts({
  'credit/groups-zero-episode': _zero,
  'credit/step-share': _share,
  ...others
}: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return others;
}

/** A lone episode of a group can still be compared with the rest of the batch. */
function withVerdicts(scan: BatchScan, compares: NonNullable<CreditEstimator['compares']>): BatchScan {
  if (compares === 'group') return scan;
  return {
    ...scan,
    verdicts: scan.verdicts.map((verdict) => (verdict === 'single-survivor' ? 'credited' : verdict)),
  };
}

/** @param steps of the whole batch, at least as many as there are anchors */
function sizesOf(groups: readonly (readonly TrajectoryCredit[])[], name: string, steps: number): Int32Array {
  const sizes = new Int32Array(steps);
  let anchors = 0;
  for (const members of groups) {
    for (const { anchors: ofMember } of members) {
      const numbers = ofMember[name] as Int32Array;
      for (let step = 0; step < numbers.length; step += 1) {
        const number = numbers[step] as number;
        if (number < 0) continue;
        sizes[number] = (sizes[number] as number) + 1;
        if (number >= anchors) anchors = number + 1;
      }
    }
  }
  return sizes.slice(0, anchors);
}
