import type { TaskPanel, TaskRef } from '../../envs/core/task.ts';

/**
 * The tasks of each family of a panel, both in the order of `order`, which lists task positions; by default
 * the panel's order.
 */
export function tasksByFamily(
  { tasks, families }: Pick<TaskPanel, 'tasks' | 'families'>,
  order: Iterable<number> = tasks.keys(),
): ReadonlyMap<string, readonly TaskRef[]> {
  const grouped = new Map<string, TaskRef[]>();
  for (const place of order) {
    const family = families[place] as string;
    const others = grouped.get(family) ?? [];
    others.push(tasks[place] as TaskRef);
    grouped.set(family, others);
  }
  return grouped;
}
