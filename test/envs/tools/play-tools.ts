import { createContext } from '../../../envs/core/context.ts';
import type { EnvHost, Searcher } from '../../../envs/core/env.ts';
import type { ActingTurn } from '../../../envs/core/step.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import type { ToolAction } from '../../../envs/engines/tools/action.ts';
import type { ToolObservation } from '../../../envs/engines/tools/observation.ts';

export const context = createContext({ seed: 1, now: () => performance.now() });

export type ToolHost = EnvHost<ToolObservation, ToolAction>;
type Act = (turn: ActingTurn<ToolObservation, ToolAction>) => ToolAction;

/** Plays a task to its end. Returns whether it was solved, and how many actions the turns did not list. */
export async function playTask(
  host: ToolHost,
  ref: TaskRef,
  act: Act,
): Promise<{ readonly isSolved: boolean; readonly unlisted: number }> {
  const env = await host.create();
  let turn: ActingTurn<ToolObservation, ToolAction> = await env.reset(ref, context);
  let unlisted = 0;
  for (;;) {
    const action = act(turn);
    if (turn.admissible?.includes(action) !== true) unlisted += 1;
    const result = await env.step(action, context);
    if (result.kind === 'ongoing') {
      turn = result;
      continue;
    }
    await env.close();
    return { isSolved: result.kind === 'terminated' && result.outcome === 'solved', unlisted };
  }
}

const planner = (host: ToolHost, ref: TaskRef): Act => {
  const plan = [...(host.experts?.planner?.(ref) ?? [])];
  return () => plan.shift() ?? { kind: 'done' };
};
const searcher = (host: ToolHost): Act => {
  const player = host.experts?.searcher?.(context.rng) as Searcher<ToolObservation, ToolAction>;
  return (turn) => player.act(turn);
};

/** Tasks that the gold calls or the searcher do not solve, or in which the searcher does what no turn lists. */
export async function failuresOf(host: ToolHost, tasks: readonly TaskRef[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const ref of tasks) {
    const { family } = host.describeTask(ref);
    const planned = await playTask(host, ref, planner(host, ref));
    const searched = await playTask(host, ref, searcher(host));
    if (!planned.isSolved || !searched.isSolved || searched.unlisted > 0)
      failed.push(`${ref.panel}/${ref.index} ${family} ${JSON.stringify({ planned, searched })}`);
  }
  return failed;
}
