import type { StoredGroup } from '../../agents/rollout/store/skim-store.ts';
import { iterationOf } from '../../trainers/loop/iterations/iteration-label.ts';

/** Groups of a store that are there more than once: no iteration plays a task twice. */
export function findDoubledGroups(groups: readonly StoredGroup[]): readonly string[] {
  const seen = new Set<string>();
  const doubled = groups.filter(({ label, task }) => {
    if (iterationOf(label) === undefined) return false;
    const name = JSON.stringify([label, task.panel, task.index]);
    if (seen.has(name)) return true;
    seen.add(name);
    return false;
  });
  const [first] = doubled;
  if (first === undefined) return [];
  const { file, offset, task, label } = first;
  const others = doubled.length === 1 ? '' : `, and ${doubled.length - 1} more groups are there again`;
  return [
    `${file}, byte ${offset}: the group of ${task.panel}/${task.index} in iteration ${iterationOf(label)} is there again${others}. Take the copy away; npx cairn-gym train --resume cuts off what lies behind the newest checkpoint.`,
  ];
}
