import { UsageError } from '../../core/errors.ts';
import type { TaskRef } from '../../core/task.ts';
import type { ToolRules } from './rules.ts';
import { runCall } from './run-call.ts';
import type { ReadTask } from './task.ts';
import type { RowPatch } from './world.ts';

/** What the gold calls of a request lead to. */
export interface GoldEnd {
  /** The difference to the start of the task, as canonical JSON. */
  readonly changes: string;
  /** The results of the gold calls, as JSON texts. */
  readonly results: readonly string[];
}

/** The ends of tasks that were not changed by an audit. */
const known = new WeakMap<ReadTask, Promise<readonly GoldEnd[]>>();

/**
 * Replays the gold calls of a task, and returns what each request leads to.
 *
 * @throws UsageError where a gold call fails, unless the world has a grader of its own
 */
export function goldEnds(
  rules: ToolRules,
  task: ReadTask,
  of: { readonly ref: TaskRef; readonly swapped: RowPatch; readonly signal: AbortSignal },
): Promise<readonly GoldEnd[]> {
  if (Object.keys(of.swapped).length > 0) return replay(rules, task, { ...of, isStrict: false });
  const before = known.get(task);
  if (before !== undefined) return before;
  const replaying = replay(rules, task, { ...of, isStrict: rules.grader === undefined });
  known.set(task, replaying);
  replaying.catch(() => known.delete(task)); // a call that was cancelled may work next time
  return replaying;
}

async function replay(
  rules: ToolRules,
  task: ReadTask,
  of: {
    readonly ref: TaskRef;
    readonly swapped: RowPatch;
    readonly signal: AbortSignal;
    readonly isStrict: boolean;
  },
): Promise<readonly GoldEnd[]> {
  const world = rules.worldOf(task, of.swapped);
  const agent = rules.toolsWithout(new Set());
  const user = new Map(rules.userTools.map((tool) => [tool.name, tool]));
  const ends: GoldEnd[] = [];
  for (const [at, request] of task.requests.entries()) {
    const results: string[] = [];
    for (const { by, ...call } of request.gold) {
      const tools = by === 'user' ? user : agent;
      const result = await runCall(call, { tools, world, limits: rules.limits, signal: of.signal });
      if (result.kind === 'done') {
        if (by === undefined) results.push(result.text);
      } else if (of.isStrict)
        throw new UsageError({
          where: `${rules.id}, task ${of.ref.panel}/${of.ref.index}, request ${at}`,
          what: `its gold call of ${call.name} fails: ${result.message}`,
          fix: 'Fix the gold calls of the task, or its rows.',
        });
    }
    ends.push({ changes: world.changesText(), results });
  }
  return ends;
}
