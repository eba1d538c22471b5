import { z } from 'zod';
import type { TaskRef } from '../../envs/core/task.ts';
import { Arms } from './arms.ts';
import { defineCurriculum } from './curriculum.ts';
import { levelOf } from './gate.ts';
import { successAfter, successFigures, unknownSuccess } from './unsolved.ts';

const success = z.array(z.tuple([z.string(), z.number().min(0).max(1)]));
type Success = z.output<typeof success>;

/** Success as it was known when a pass, or a batch of it, was put in order. */
const ordered = z.strictObject({ number: z.int().min(0), success });

/**
 * Adaptive Difficulty Curriculum Learning, ADCL (Zhang et al., 2025, arXiv:2505.08364): from easy to hard, where the
 * difficulty of what comes next is estimated again while the policy improves.
 *
 * A pass over the panel is sorted from easy to hard and divided into `batches` of equal size. Before each batch, its tasks are sorted again
 * by the success of the policy as it is then. The difficulty of a task is 1 − the running success of its category. Tasks of equal difficulty
 * come in the order of their levels, then shuffled.
 *
 * The paper estimates the difficulty of each problem by rollouts that only serve this purpose. Here the episodes of the training give
 * the estimate, by category, so that no further episodes are played. Each task is played once a pass; the last iteration of a pass may
 * have fewer tasks.
 */
export const adcl = defineCurriculum({
  kind: 'adcl',
  summary: 'from easy to hard, with the difficulty of the next batch estimated again (ADCL)',
  options: z.strictObject({
    batches: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(8)
      .describe('number of batches of a pass; before each one its tasks are sorted again'),
    memory: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .default(50)
      .describe('approximate number of episodes over which the success of a category is averaged'),
  }),
  state: z.strictObject({ iteration: z.int().min(0), success, pass: ordered, batch: ordered }),
  create: ({ batches, memory }, { panel, groups, rng }) => {
    const arms = new Arms(panel);
    const each = Math.min(groups, panel.tasks.length);
    const perPass = Math.ceil(panel.tasks.length / each);
    const perBatch = Math.ceil(perPass / batches);
    const placeOf = (iteration: number) => {
      const pass = Math.floor(iteration / perPass);
      const within = iteration % perPass;
      return { pass, within, batch: pass * batches + Math.floor(within / perBatch) };
    };
    const harder = (known: Success) => {
      const shares = new Map(known);
      const difficulty = (task: TaskRef): number =>
        1 - (shares.get(arms.nameOf(task) ?? '') ?? unknownSuccess);
      const level = (task: TaskRef): number => levelOf(arms.nameOf(task) ?? '')?.number ?? 0;
      return (one: TaskRef, other: TaskRef): number =>
        difficulty(one) - difficulty(other) || level(one) - level(other);
    };
    /** Sorting is stable, so equal tasks stay shuffled. */
    const tasksOf = (
      iteration: number,
      known: { readonly pass: Success; readonly batch: Success },
    ): readonly TaskRef[] => {
      const { pass, within } = placeOf(iteration);
      const first = Math.floor(within / perBatch) * perBatch;
      const whole = rng.fork(pass).shuffle(panel.tasks).toSorted(harder(known.pass));
      const batch = whole.slice(first * each, (first + perBatch) * each).toSorted(harder(known.batch));
      return batch.slice((within - first) * each, (within - first + 1) * each);
    };
    return {
      initial: {
        iteration: 0,
        success: [] as Success,
        pass: { number: 0, success: [] as Success },
        batch: { number: 0, success: [] as Success },
      },
      next: (iteration, state) => {
        const { pass, batch } = placeOf(iteration);
        return tasksOf(iteration, {
          pass: state.pass.number === pass ? state.pass.success : state.success,
          batch: state.batch.number === batch ? state.batch.success : state.success,
        });
      },
      learn: (state, played) => {
        const known = successOf(state.success, { arms, memory, played });
        const { pass, batch } = placeOf(state.iteration + 1);
        return {
          iteration: state.iteration + 1,
          success: known,
          pass: state.pass.number === pass ? state.pass : { number: pass, success: known },
          batch: state.batch.number === batch ? state.batch : { number: batch, success: known },
        };
      },
      figures: (played) => ({
        ...successFigures(played.flatMap(({ members }) => members)),
        ...arms.shareFigures(played),
      }),
    };
  },
});

/** The running success of the categories after these groups. */
function successOf(
  before: Success,
  {
    arms,
    memory,
    played,
  }: {
    readonly arms: Arms;
    readonly memory: number;
    readonly played: Parameters<Arms['grouped']>[0];
  },
): Success {
  let after: ReadonlyMap<string, number> = new Map(before);
  for (const [name, groups] of arms.grouped(played)) {
    const members = groups.flatMap((group) => group.members.map((member) => ({ ...member, family: name })));
    after = successAfter(after, members, memory);
  }
  return [...after];
}
