import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { netRewardOf, type Trajectory, type TrajectoryGroup } from 'cairn-gym/agents';
import { defineCreditEstimator, defineEvidence } from 'cairn-gym/trainers';
import { z } from 'zod';

/** Equal for the same decision in the same task: keys of different tasks are not comparable. */
const keysOf = ({ task, stop, steps }: Trajectory): string[] =>
  stop.kind === 'faulted'
    ? []
    : steps.map(({ anchorKey = '' }) => `${task.panel}/${task.index} ${anchorKey}`);

/** How new each decision is: 1 / sqrt(1 + times that it was met in earlier iterations). */
export const evidence = defineEvidence({
  kind: 'novelty',
  summary: 'how seldom a decision was met before',
  paper: 'Bellemare et al. 2016, arXiv:1606.01868',
  options: z.strictObject({}),
  gives: ['novelty'],
  create: () => {
    const met = new Map<string, number>();
    const noveltyOf = (key: string): number => 1 / Math.sqrt(1 + (met.get(key) ?? 0));
    const file = (folder: string): string => path.join(folder, 'met.json');
    return {
      gather: async (groups: readonly TrajectoryGroup[]) => ({
        novelty: groups.map(({ members }) => members.map((member) => keysOf(member).map(noveltyOf))),
      }),
      learner: {
        bytes: 1_000_000,
        learn: async ({ groups }) => {
          for (const key of groups.flatMap(({ members }) => members.flatMap(keysOf)))
            met.set(key, (met.get(key) ?? 0) + 1);
          return { 'novelty/decisions': met.size };
        },
        save: (folder) => writeFile(file(folder), JSON.stringify([...met])),
        load: async (folder) => {
          const saved = z
            .array(z.tuple([z.string(), z.int()]))
            .parse(JSON.parse(await readFile(file(folder), 'utf8')));
          met.clear();
          for (const [key, times] of saved) met.set(key, times);
        },
      },
    };
  },
});

/** An episode is worth its rewards and a bonus for what was new in it, compared with the mean of its group. */
export const estimator = defineCreditEstimator({
  kind: 'novelty-bonus',
  name: 'novelty bonus',
  summary: 'the return with a bonus for new decisions, above the mean of the group',
  options: z.strictObject({ bonus: z.number().min(0).default(0.1).describe('reward of a new decision') }),
  create: ({ bonus }) => ({
    needs: ['novelty'],
    assign: (groups, { novelty = [] }) => ({
      groups: groups.map(({ members }, group) => {
        const worth = members.map(({ stop, steps }, member) =>
          stop.kind === 'faulted'
            ? undefined
            : steps.reduce(
                (sum, step, at) =>
                  sum + (netRewardOf(step) ?? 0) + bonus * (novelty[group]?.[member]?.[at] ?? 0),
                0,
              ),
        );
        const known = worth.filter((each) => each !== undefined);
        const mean = known.reduce((sum, each) => sum + each, 0) / known.length;
        return members.map(({ steps }, member) => {
          const own = worth[member];
          return { advantage: own === undefined ? [] : steps.map(() => own - mean) };
        });
      }),
    }),
  }),
});
