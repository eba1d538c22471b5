import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { TrajectoryCredit } from '../../trainers/credit/estimator.ts';
import { anchorKinds, keyReader } from '../../trainers/credit/parts/anchor-key.ts';
import type { ValidatedEstimator } from '../../trainers/credit/validation/validated-estimator.ts';
import type { AnchorSharer, TrajectoryCreditView } from '../report/render-trajectory.ts';

/**
 * Computes the credit of one member again, with the steps of the group that share its anchors. The estimator compares within a group, so the
 * group alone gives the numbers of the training; its anchors are numbered from 0.
 */
export function creditOf(
  group: TrajectoryGroup,
  member: number,
  estimator: ValidatedEstimator,
): TrajectoryCreditView | undefined {
  const { groups, anchorSizes, hasParts } = estimator.assign([group]);
  const [members = []] = groups;
  const credit = members[member];
  if (credit === undefined) return undefined;
  const sharers = Object.fromEntries(
    Object.keys(anchorSizes).map((grouping) => [grouping, sharersOf(members, member, grouping)]),
  );
  return { credit, hasParts, anchorSizes, sharers, keys: keysOf(group, member, Object.keys(anchorSizes)) };
}

/** The keys by which groupings compare the steps of a member. One that is the observation is shown with the step. */
function keysOf(
  { members }: TrajectoryGroup,
  member: number,
  groupings: readonly string[],
): NonNullable<TrajectoryCreditView['keys']> {
  const trajectory = members[member];
  if (trajectory === undefined) return {};
  return Object.fromEntries(
    groupings.flatMap((grouping) => {
      const kind = anchorKinds.find((each) => each === grouping);
      return kind === undefined || kind === 'observation'
        ? []
        : [[grouping, trajectory.steps.map((_, index) => keyReader(kind)(trajectory, index))] as const];
    }),
  );
}

/** For each step of a member, the other steps of the group at its anchor. */
function sharersOf(
  members: readonly TrajectoryCredit[],
  member: number,
  grouping: string,
): readonly (readonly AnchorSharer[])[] {
  const places = members.flatMap(({ anchors, stepReturn }, of) =>
    Array.from(anchors[grouping] ?? [], (number, step) => ({
      anchor: number,
      member: of,
      step,
      stepReturn: stepReturn[step] ?? Number.NaN,
    })),
  );
  return Array.from(members[member]?.anchors[grouping] ?? [], (anchor, step) =>
    places.filter(
      (place) => anchor >= 0 && place.anchor === anchor && !(place.member === member && place.step === step),
    ),
  );
}

/**
 * The same as plain JSON, an entry a step. `anchor`, `anchorSize` and `sharedWith` are those of the first grouping; with several groupings
 * `anchors` has them all, by name. `advantage` of token-level credit is the mean over the tokens of `tokenAdvantage`, unless the estimator
 * gave one for the step.
 */
export function creditRows(view: TrajectoryCreditView): readonly Readonly<Record<string, unknown>>[] {
  const { credit } = view;
  const groupings = Object.keys(view.anchorSizes);
  return Array.from(credit.advantage, (advantage, index) => {
    const stepReturn = credit.stepReturn[index];
    const tokenAdvantage = credit.tokenAdvantage?.[index];
    return {
      advantage,
      ...(tokenAdvantage === undefined ? {} : { tokenAdvantage: [...tokenAdvantage] }),
      episode: credit.episode[index] ?? 0,
      step: credit.step[index] ?? 0,
      ...(stepReturn === undefined || Number.isNaN(stepReturn) ? {} : { stepReturn }),
      ...anchorRow(view, groupings[0], index),
      ...(groupings.length < 2
        ? {}
        : { anchors: Object.fromEntries(groupings.map((name) => [name, anchorRow(view, name, index)])) }),
    };
  });
}

function anchorRow(
  { credit, anchorSizes, sharers, keys }: TrajectoryCreditView,
  grouping: string | undefined,
  index: number,
): Readonly<Record<string, unknown>> {
  if (grouping === undefined) return { anchor: -1, anchorSize: 0, sharedWith: [] };
  const anchor = credit.anchors[grouping]?.[index] ?? -1;
  return {
    anchor,
    anchorSize: anchorSizes[grouping]?.[anchor] ?? 0,
    ...(keys?.[grouping]?.[index] === undefined ? {} : { anchorKey: keys[grouping][index] }),
    sharedWith: (sharers?.[grouping]?.[index] ?? []).map(({ member, step }) => ({ member, step })),
  };
}
