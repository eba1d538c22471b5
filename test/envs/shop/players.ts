import type { Env, EnvHost } from '../../../envs/core/env.ts';
import { createRng } from '../../../envs/core/rng.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import { playBy, type Choose, type Played } from '../../support/played.ts';

/** Plays the actions in a fresh episode until it ends. */
export function play(env: Env<string, string>, task: TaskRef, actions: readonly string[]): Promise<Played> {
  const left = actions.values();
  return playBy(env, task, { choose: () => left.next().value ?? '', most: actions.length });
}

/** Plays listed actions at random for at most `most` steps, and sometimes searches again from where it is. */
export function wander(
  env: Env<string, string>,
  task: TaskRef,
  { seed, most }: { readonly seed: string; readonly most: number },
): Promise<Played> {
  const rng = createRng(8).fork(seed);
  let searches: readonly string[] | undefined;
  const choose: Choose = ({ admissible = [] }) => {
    searches ??= admissible;
    const listed = admissible.filter((action) => action !== 'click[buy now]' || rng.int(6) === 0);
    return rng.int(8) === 0
      ? rng.pick([...searches, 'search[shirt]', 'search[SHIRT]', 'click[nothing]'])
      : rng.pick(listed);
  };
  return playBy(env, task, { choose, most });
}

/** The result of an expert on a task. */
export async function playOut(host: EnvHost<string, string>, task: TaskRef, choose: Choose): Promise<Played> {
  return playBy(await host.create(), task, { choose, most: 100 });
}
