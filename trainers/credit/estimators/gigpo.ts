import { z } from 'zod';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { anchorKinds, keyReader, missingKey, textObservation } from '../parts/anchor-key.ts';
import { findAnchors, type Anchors } from '../parts/anchors.ts';
import { readRows, type BatchRows } from '../parts/batch-rows.ts';
import { episodeTerm, stepTerm } from '../parts/credit-terms.ts';
import { episodeFields, parseCreditConfig } from '../parts/episode-config.ts';
import type { BatchCredit, CreditEstimator } from '../estimator.ts';
import { numberExactly } from '../parts/key-numbering.ts';
import { packCredit } from '../parts/pack-credit.ts';
import { discountReturns } from '../parts/returns.ts';
import { numberBySimilarity } from '../parts/similarity.ts';
import { describeAnchors } from '../parts/statistics.ts';

/** The fields of {@link gigpoConfigSchema}, for schemas that name the estimator beside them. */
export const gigpoFields = {
  ...episodeFields,
  omega: z.number().min(0).max(100).default(1).describe('weight of the step term beside the episode term'),
  gamma: z.number().min(0).max(1).default(0.95).describe('discount of the step return'),
  anchor: z
    .enum(anchorKinds)
    .default('information')
    .describe('by what steps are held to be the same decision'),
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
          .describe("likeness from which two texts are one decision (the ratio of Python's difflib)"),
      }),
    ])
    .default({ kind: 'exact' })
    .describe('whether keys must be equal, or texts alike; similarity needs anchor observation'),
  visits: z
    .enum(['every', 'first'])
    .default('every')
    .describe(
      "whether a trajectory's later visits of an anchor are compared too; with first their step term is 0",
    ),
};

/** Keys are made to be equal or not; only what is on the screen can be more or less alike. */
export function groupsWhatItCan({
  anchor,
  grouping,
}: Pick<z.output<typeof gigpoConfigSchema>, 'anchor' | 'grouping'>): boolean {
  return grouping.kind === 'exact' || anchor === 'observation';
}

/** Says what {@link groupsWhatItCan} asks for. */
export const groupingIssue = {
  path: ['grouping'],
  message: 'similarity compares texts on the screen, so it needs anchor "observation"',
};

/** Configuration of {@link createGigpo}. */
export const gigpoConfigSchema = z.strictObject(gigpoFields);

type GigpoConfig = z.output<typeof gigpoConfigSchema>;

/**
 * Group-in-group policy optimisation (Feng et al., 2025, arXiv:2505.10978): a step's advantage is its episode's over the
 * group (Eq. 3) plus omega times that of its discounted return (Eq. 5) over the steps of the group that faced the same
 * decision (Eqs. 6 to 8). The defaults follow verl-agent but for the anchor, which is there `observation`.
 *
 * `assign` throws a {@link UsageError} when no step of the batch has the key asked for.
 */
export function createGigpo(config: z.input<typeof gigpoConfigSchema> = {}): CreditEstimator<BatchCredit> {
  const rule = parseCreditConfig(gigpoConfigSchema.refine(groupsWhatItCan, groupingIssue), config);
  return {
    name: 'gigpo',
    needs: [],
    assign(groups) {
      const rows = readRows(groups);
      const anchors = anchorsOf(groups, rows, rule);
      const stepReturn = discountReturns(rows, rule.gamma, rule.invalidPenalty);
      return packCredit(
        rows,
        {
          episode: episodeTerm(rows, rule),
          step: stepTerm(rows, anchors, stepReturn, rule),
          omega: rule.omega,
          stepReturn,
          anchor: anchors.ofRow,
          anchorSizes: anchors.sizes,
        },
        describeAnchors(rule.anchor, anchors),
      );
    },
  };
}

function anchorsOf(groups: readonly TrajectoryGroup[], rows: BatchRows, rule: GigpoConfig): Anchors {
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
