import { netRewardOf } from 'cairn-gym/agents';
import { defineCreditEstimator } from 'cairn-gym/trainers';
import { z } from 'zod';

export const estimator = defineCreditEstimator({
  kind: 'time-baseline',
  name: 'time baseline',
  summary: 'what followed a step, above the mean of the group at that step',
  options: z.strictObject({
    lambda: z.number().min(0).max(1).default(0.95).describe('discount of what comes later'),
  }),
  create: ({ lambda }) => ({
    assign: (groups) => ({
      groups: groups.map(({ members }) => {
        const returns = members.map(({ steps, stop }) =>
          stop.kind === 'faulted'
            ? []
            : steps.reduceRight<number[]>(
                (later, step) => [(netRewardOf(step) ?? 0) + lambda * (later[0] ?? 0), ...later],
                [],
              ),
        );
        const at = (step: number): number[] => returns.flatMap((row) => row.slice(step, step + 1)); // of all members that got so far
        const mean = (values: readonly number[]): number =>
          values.reduce((sum, value) => sum + value, 0) / values.length;
        return returns.map((row) => ({
          advantage: row.map((value, step) => value - mean(at(step))),
          stepReturn: row,
        }));
      }),
    }),
  }),
});
