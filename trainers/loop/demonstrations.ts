import { createExpertAgent } from '../../agents/policy/expert.ts';
import { isSolved, type TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { Context } from '../../envs/core/context.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { TaskPanel, TaskRef } from '../../envs/core/task.ts';
import { playGroups, type Workbench } from '../workbench.ts';
import { tasksByFamily } from './task-families.ts';

/**
 * Episodes of the env's own searcher, which sees what an agent sees, one a group. Their tasks are spread evenly over the
 * families: what is never shown must be found by chance, and reward alone may never lead there.
 */
export async function demonstrate(
  bench: Workbench,
  plan: { readonly panel: TaskPanel; readonly episodes: number },
  context: Context,
): Promise<readonly TrajectoryGroup[]> {
  if (plan.episodes === 0) return [];
  const agent = createExpertAgent({ kind: 'searcher', experts: bench.host.experts, text: bench.definition.text });
  const tasks = spreadOverFamilies(plan.panel, plan.episodes, context.rng.fork('demonstration-tasks'));
  const played = await playGroups(bench, { agent, tasks, label: 'demonstration', members: 1 }, context);
  return played.map(({ group }) => group);
}

/** The solved ones, which are worth imitating. None at all is a `UsageError`. */
export function solvedOnly(demonstrations: readonly TrajectoryGroup[], env: string): readonly TrajectoryGroup[] {
  const solved = demonstrations.filter(({ members }) => members.every(isSolved));
  if (solved.length > 0) return solved;
  throw new UsageError({
    where: `warm start on ${env}`,
    what: `the env's searcher solved none of ${demonstrations.length} tasks, so there is nothing to clone.`,
    mend: 'Set warmStart.episodes to 0, or mend the searcher.',
  });
}

/** So many tasks of the panel in a shuffled order, one of each family in turn. */
function spreadOverFamilies(panel: TaskPanel, count: number, rng: Rng): readonly TaskRef[] {
  const families = [...tasksByFamily(panel, rng.shuffle([...panel.tasks.keys()])).values()];
  const rounds = Array.from({ length: count }, (_, round) => families.flatMap((tasks) => tasks[round] ?? []));
  return rounds.flat().slice(0, count);
}
