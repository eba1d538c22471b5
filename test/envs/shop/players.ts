import type { Env, EnvHost } from '../../../envs/core/env.ts';
import { createRng } from '../../../envs/core/rng.ts';
import type { Ongoing, Opening, StepResult } from '../../../envs/core/step.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import { context } from './corner-shop.ts';

export type Acting = Opening<string, string> | Ongoing<string, string>;

/** What an episode came to: every turn, the actions between them, and the result that ended it, if one did. */
export interface Played {
  readonly turns: readonly Acting[];
  readonly actions: readonly string[];
  readonly last: StepResult<string, string> | undefined;
}

/** Does the actions in a fresh episode, as long as it goes on. */
export async function play(env: Env<string, string>, task: TaskRef, actions: readonly string[]): Promise<Played> {
  const turns: Acting[] = [await env.reset(task, context)];
  let last: StepResult<string, string> | undefined;
  for (const [index, action] of actions.entries()) {
    last = await env.step(action, context);
    if (last.kind !== 'ongoing') return { turns, actions: actions.slice(0, index + 1), last };
    turns.push(last);
  }
  return { turns, actions, last };
}

/** Plays by chance among the listed actions, now and then searching anew from wherever it is; at most so many steps. */
export async function wander(env: Env<string, string>, task: TaskRef, options: { readonly seed: string; readonly most: number }): Promise<Played> {
  const rng = createRng(8).fork(options.seed);
  const turns: Acting[] = [await env.reset(task, context)];
  const actions: string[] = [];
  const searches = turns[0]?.admissible ?? [];
  while (actions.length < options.most) {
    const turn = turns.at(-1) as Acting;
    const listed = (turn.admissible ?? []).filter((action) => action !== 'click[buy now]' || rng.int(6) === 0);
    const action = rng.int(8) === 0 ? rng.pick([...searches, 'search[shirt]', 'search[SHIRT]', 'click[nothing]']) : rng.pick(listed);
    const last = await env.step(action, context);
    actions.push(action);
    if (last.kind !== 'ongoing') return { turns, actions, last };
    turns.push(last);
  }
  return { turns, actions, last: undefined };
}

/** What an expert comes to on a task. */
export async function playOut(host: EnvHost<string, string>, task: TaskRef, act: (turn: Acting) => string): Promise<Played> {
  const env = await host.create();
  const turns: Acting[] = [await env.reset(task, context)];
  const actions: string[] = [];
  for (;;) {
    const turn = turns.at(-1) as Acting;
    if (actions.length === 100) return { turns, actions, last: undefined };
    const action = act(turn);
    const last = await env.step(action, context);
    actions.push(action);
    if (last.kind !== 'ongoing') return { turns, actions, last };
    turns.push(last);
  }
}
