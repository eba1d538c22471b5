import { z } from 'zod';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { defineCreditEstimator } from '../define-credit-estimator.ts';
import { anchorKinds, keyReader, missingKey, textObservation, type AnchorKind } from '../parts/anchor-key.ts';
import { anchorStatistics, describeAnchors } from '../parts/anchor-statistics.ts';
import { findAnchors, type Anchors } from '../parts/anchors.ts';
import { readRows, type BatchRows } from '../parts/batch-rows.ts';
import { episodeTerm, stepTerm } from '../parts/credit-terms.ts';
import { episodeFields } from '../parts/episode-fields.ts';
import { numberExactly } from '../parts/key-numbering.ts';
import { discountReturns } from '../parts/returns.ts';
import { numberBySimilarity } from '../parts/similarity.ts';
import { splitColumns, sumOfTerms } from '../parts/trajectory-columns.ts';

const gigpoFields = {
  ...episodeFields,
  omega: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .describe('weight of the step term relative to the episode term'),
  gamma: z.number().min(0).max(1).default(0.95).describe('discount of the step return'),
  anchor: z
    .enum(anchorKinds)
    .default('information')
    .describe('the key by which steps count as the same decision'),
  grouping: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('exact') }),
      z.strictObject({
        kind: z.literal('similarity'),
        threshold: z
          .number()
          .gt(0)
          .lt(1)
          .default(0.95)
          .describe("similarity from which two texts are one decision (the ratio of Python's difflib)"),
      }),
    ])
    .default({ kind: 'exact' })
    .describe('whether keys must be equal, or texts similar; similarity needs anchor observation'),
  visits: z
    .enum(['every', 'first'])
    .default('every')
    .describe(
      'whether later visits of an anchor in a trajectory are compared; with first, their step term is 0',
    ),
};

/** Similarity is defined only for observation texts. */
function canGroup({
  anchor,
  grouping,
}: {
  readonly anchor: AnchorKind;
  readonly grouping: { readonly kind: string };
}): boolean {
  return grouping.kind === 'exact' || anchor === 'observation';
}

const options = z.strictObject(gigpoFields).refine(canGroup, {
  path: ['grouping'],
  message: 'similarity compares observation texts, so it needs anchor "observation"',
});

type GigpoOptions = z.output<typeof options>;

/**
 * Group-in-group policy optimisation. A step's advantage has two terms. The first is its episode's advantage
 * within the group (Eq. 3). The second compares its discounted return (Eq. 5) with those of the steps of the
 * group with the same decision (Eqs. 6 to 8). Omega weights this term. The defaults follow verl-agent except
 * for the anchor, which is `observation` there.
 *
 * `assign` throws a {@link UsageError} if no step of the batch has the chosen key.
 */
export const gigpo = defineCreditEstimator({
  kind: 'gigpo',
  name: 'GiGPO',
  summary: 'compares episodes within the group, and steps with those that faced the same decision',
  paper: 'Feng et al., 2025, arXiv:2505.10978',
  options,
  create: (rule) => ({
    assign(groups) {
      const rows = readRows(groups);
      const anchors = anchorsOf(groups, rows, rule);
      const stepReturn = discountReturns(rows, rule.gamma, rule.invalidPenalty);
      const episode = episodeTerm(rows, rule);
      const step = stepTerm(rows, anchors, stepReturn, rule);
      const advantage = sumOfTerms(episode, step, rule.omega);
      return {
        groups: splitColumns(rows, {
          advantage,
          episode,
          step,
          stepReturn,
          anchors: { [rule.anchor]: anchors.ofRow },
        }),
        stepWeight: rule.omega,
        statistics: describeAnchors(rule.anchor, anchors),
      };
    },
    statistics: (groups) => anchorStatistics(groups, { rule }),
  }),
});

function anchorsOf(groups: readonly TrajectoryGroup[], rows: BatchRows, rule: GigpoOptions): Anchors {
  const { grouping } = rule;
  const anchors =
    grouping.kind === 'exact'
      ? findAnchors(groups, rows, { keyOf: keyReader(rule.anchor), numbering: numberExactly })
      : findAnchors(groups, rows, {
          keyOf: textObservation,
          numbering: () => numberBySimilarity(grouping.threshold),
        });
  if (rows.count > 0 && anchors.sizes.length === 0) throw missingKey(rule.anchor, groups);
  return anchors;
}
