import type { TaskRef, TaskSource } from '../../envs/core/task.ts';

/** The tasks of each family, both in the order given. */
export function tasksByFamily(source: Pick<TaskSource, 'describeTask'>, tasks: readonly TaskRef[]): ReadonlyMap<string, readonly TaskRef[]> {
  const families = new Map<string, TaskRef[]>();
  for (const task of tasks) {
    const { family } = source.describeTask(task);
    const others = families.get(family);
    if (others === undefined) families.set(family, [task]);
    else others.push(task);
  }
  return families;
}
