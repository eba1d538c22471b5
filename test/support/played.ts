import { createContext } from '../../envs/core/context.ts';
import type { Env } from '../../envs/core/env.ts';
import type { Ongoing, Opening, StepResult } from '../../envs/core/step.ts';
import type { TaskRef } from '../../envs/core/task.ts';

export type Acting = Opening<string, string> | Ongoing<string, string>;
export type Choose = (turn: Acting) => string;

/** Part of an episode in a world of words, from its beginning. */
export interface Played {
  readonly turns: readonly Acting[];
  /** One after each turn, but for the last turn of an episode that goes on. */
  readonly actions: readonly string[];
  /** What came of the last action; undefined where there was none. */
  readonly last: StepResult<string, string> | undefined;
}

const context = createContext({ seed: 1, now: () => 0 });

/** Plays an episode to its end, or so many steps. */
export async function playBy(
  env: Env<string, string>,
  task: TaskRef,
  { choose, most }: { readonly choose: Choose; readonly most: number },
): Promise<Played> {
  let turn: Acting = await env.reset(task, context);
  let last: StepResult<string, string> | undefined;
  const turns: Acting[] = [turn];
  const actions: string[] = [];
  while (actions.length < most) {
    const action = choose(turn);
    last = await env.step(action, context);
    actions.push(action);
    if (last.kind !== 'ongoing') break;
    turn = last;
    turns.push(turn);
  }
  return { turns, actions, last };
}
