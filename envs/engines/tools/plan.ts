import { callAction, type ToolAction } from './action.ts';
import type { ReadTask } from './task.ts';
import { instructionFor } from './user.ts';

/** The gold calls of a task as actions, with the ends and with the texts that must be communicated. A call that fails at first is repeated. */
export function planFor({ requests, failures }: ReadTask): readonly ToolAction[] {
  const left = new Map(Object.entries(failures));
  return requests.flatMap(({ gold, tell = [], end = 'done', rule }): ToolAction[] => [
    ...gold.flatMap(({ by, name, arguments: given }): ToolAction[] => {
      if (by === 'user') return [{ kind: 'say', text: instructionFor(name) }];
      const tries = 1 + (left.get(name) ?? 0);
      left.delete(name);
      return Array.from({ length: tries }, () => callAction(name, given));
    }),
    ...tell.map((text): ToolAction => ({ kind: 'say', text })),
    end === 'refuse' ? { kind: 'refuse', rule: rule ?? '' } : { kind: end },
  ]);
}
