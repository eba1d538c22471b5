import { isSolved } from 'cairn-gym/agents';
import { defineCurriculum } from 'cairn-gym/trainers';
import { z } from 'zod';

/** Prefers tasks of which about half of the episodes are solved: where all end alike, no episode is better than another. */
export const curriculum = defineCurriculum({
  kind: 'half-solved',
  summary: 'tasks that are solved in about half of their episodes come first',
  options: z.strictObject({
    explore: z.number().min(0).max(1).default(0.5).describe('share of tasks that are drawn at random'),
  }),
  /** The share of episodes that was solved when a task was last played, by its index. Checkpoints keep it. */
  state: z.strictObject({ solved: z.record(z.string(), z.number().min(0).max(1)) }),
  create: ({ explore }, { panel, groups, rng }) => ({
    initial: { solved: {} },
    next: (iteration, { solved }) => {
      const shuffled = rng.fork(iteration).shuffle(panel.tasks);
      const drawn = shuffled.slice(0, Math.round(explore * groups));
      const offHalf = (index: number): number => Math.abs((solved[index] ?? 0.5) - 0.5); // new tasks come first
      const rest = shuffled.slice(drawn.length).toSorted((a, b) => offHalf(a.index) - offHalf(b.index));
      return [...drawn, ...rest].slice(0, groups);
    },
    learn: ({ solved }, played) => {
      const next: Record<string, number> = { ...solved };
      for (const { task, members } of played)
        next[task.index] = members.filter(isSolved).length / members.length;
      return { solved: next };
    },
  }),
});
