import { createExpertAgent } from '../../../agents/policy/expert.ts';
import { isSolved, type TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { deriveContext, type Context } from '../../../envs/core/context.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { Rng } from '../../../envs/core/rng.ts';
import type { TaskPanel, TaskRef } from '../../../envs/core/task.ts';
import { playGroups, type EnvSession } from '../../env-session.ts';
import { tasksByFamily } from '../../curriculum/task-families.ts';

/**
 * Episodes of the env's own searcher, which sees what an agent sees, one in each group. Their tasks are
 * spread evenly over the families: what is never demonstrated must be found by chance, and reward alone may
 * never lead there. If more are requested than the panel has tasks, tasks are replayed with other random
 * numbers.
 */
export async function demonstrate(
  envSession: EnvSession,
  plan: { readonly panel: TaskPanel; readonly episodes: number },
  context: Context,
): Promise<readonly TrajectoryGroup[]> {
  if (plan.episodes === 0) return [];
  const agent = createExpertAgent({
    kind: 'searcher',
    experts: envSession.host.experts,
    text: envSession.definition.text,
  });
  const tasks = spreadOverFamilies(plan.panel, context.rng.fork('demonstration-tasks'));
  const groups: TrajectoryGroup[] = [];
  for (let round = 1; tasks.length > 0 && groups.length < plan.episodes; round += 1) {
    const label = round === 1 ? 'demonstration' : `demonstration-round-${round}`;
    const played = await playGroups(
      envSession,
      { agent, tasks: tasks.slice(0, plan.episodes - groups.length), label, members: 1 },
      deriveContext(context, { progress: 0 }),
    );
    groups.push(...played.map(({ group }) => group));
  }
  return groups;
}

/** The solved demonstrations, which are worth imitating. @throws UsageError if there are none */
export function solvedOnly(
  demonstrations: readonly TrajectoryGroup[],
  env: string,
): readonly TrajectoryGroup[] {
  const solved = demonstrations.filter(({ members }) => members.every(isSolved));
  if (solved.length > 0) return solved;
  throw new UsageError({
    where: `warm start on ${env}`,
    what: `the env's searcher solved none of ${demonstrations.length} tasks, so there is nothing to clone.`,
    fix: 'Set warmStart.episodes to 0, or fix the searcher.',
  });
}

/** The tasks of the panel in a shuffled order, one of each family in turn. */
function spreadOverFamilies(panel: TaskPanel, rng: Rng): readonly TaskRef[] {
  const families = [...tasksByFamily(panel, rng.shuffle([...panel.tasks.keys()])).values()];
  const rounds = Math.max(0, ...families.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => families.flatMap((tasks) => tasks[round] ?? [])).flat();
}
