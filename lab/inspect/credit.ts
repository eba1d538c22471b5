import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { CheckedEstimator } from '../../trainers/credit/module/checked-estimator.ts';
import type { AnchorSharer, TrajectoryCreditView } from '../report/render-trajectory.ts';

/**
 * The credit of one member, given anew, and which steps of the group its steps were compared with. Estimators that are told of compare
 * within a group, so the group alone gives the numbers of training, its anchors counted from 0.
 */
export function creditOf(
  group: TrajectoryGroup,
  member: number,
  estimator: CheckedEstimator,
): TrajectoryCreditView | undefined {
  const { groups, anchorSizes } = estimator.assign([group]);
  const [members = []] = groups;
  const credit = members[member];
  if (credit === undefined) return undefined;
  const places = members.flatMap(({ anchor, stepReturn }, of) =>
    Array.from(anchor, (number, step) => ({
      anchor: number,
      member: of,
      step,
      stepReturn: stepReturn[step] ?? Number.NaN,
    })),
  );
  const sharers = Array.from(credit.anchor, (anchor, step): readonly AnchorSharer[] =>
    places.filter(
      (place) => anchor >= 0 && place.anchor === anchor && !(place.member === member && place.step === step),
    ),
  );
  return { credit, anchorSizes, sharers };
}

/** The same as plain JSON, an entry a step. */
export function creditRows({
  credit,
  anchorSizes,
  sharers = [],
}: TrajectoryCreditView): readonly Readonly<Record<string, unknown>>[] {
  return Array.from(credit.advantage, (advantage, index) => {
    const anchor = credit.anchor[index] ?? -1;
    const stepReturn = credit.stepReturn[index];
    return {
      advantage,
      episode: credit.episode[index] ?? 0,
      step: credit.step[index] ?? 0,
      ...(stepReturn === undefined || Number.isNaN(stepReturn) ? {} : { stepReturn }),
      anchor,
      anchorSize: anchorSizes[anchor] ?? 0,
      sharedWith: (sharers[index] ?? []).map(({ member, step }) => ({ member, step })),
    };
  });
}
