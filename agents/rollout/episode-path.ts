import type { TaskRef } from '../../envs/core/task.ts';

/**
 * `<panel>/<index>/<label>/member-<n>`, and `/try-<k>` for the k-th retry, so that no two episodes share
 * random numbers.
 */
export function episodePath(of: {
  readonly task: TaskRef;
  readonly label: string;
  readonly member: number;
  readonly retry: number;
}): string {
  const first = `${of.task.panel}/${of.task.index}/${of.label}/member-${of.member}`;
  return of.retry === 0 ? first : `${first}/try-${of.retry}`;
}

/**
 * The label of an episode path, such as `iteration-3`. Undefined if it is not a path of {@link episodePath}.
 */
export function labelOf(path: string): string | undefined {
  return /\/([^/]+)\/member-\d+(?:\/try-\d+)?$/.exec(path)?.[1];
}
