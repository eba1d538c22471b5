import type { Context } from '../../envs/core/context.ts';
import type { ToolAction } from '../../envs/engines/tools/action.ts';
import { openEnv } from '../../envs/open.ts';
import { tau2Env } from '../../envs/tau2/definition.ts';
import type { Tau2Config } from '../../envs/tau2/config.ts';

/** What came of the gold actions of a task. */
export interface Replayed {
  readonly index: number;
  readonly isSolved: boolean;
  /** The checks that did not hold. */
  readonly wrong: readonly string[];
  /** Calls whose result is an error, with the error. */
  readonly errors: readonly string[];
  readonly calls: number;
  readonly actions: readonly ToolAction[];
}

/** Replays the gold actions of all tasks of a domain. */
export async function replayTau2(
  config: Pick<Tau2Config, 'data' | 'domain'> & Partial<Pick<Tau2Config, 'tasks' | 'judged' | 'split'>>,
  context: Context,
): Promise<readonly Replayed[]> {
  const host = await openEnv(tau2Env, { ...config, whole: true, listed: false }, context);
  const env = await host.create();
  const panel = config.split ?? 'base';
  const size = host.panels.find(({ name }) => name === panel)?.size ?? 0;
  const replayed: Replayed[] = [];
  for (let index = 0; index < size; index += 1) {
    const task = { panel, index };
    await env.reset(task, context);
    const actions = host.experts?.planner?.(task) ?? [];
    const errors: string[] = [];
    for (const action of actions) {
      const step = await env.step(action, context);
      for (const { name, text } of step.observation.results)
        if (text.startsWith('Error: ')) errors.push(`${name}: ${text}`);
      if (step.kind !== 'terminated') continue;
      const wrong = Object.entries(step.metrics ?? {}).flatMap(([name, value]) =>
        name.startsWith('wrong-') && value === 1 ? [name.slice('wrong-'.length)] : [],
      );
      const calls = actions.filter(({ kind }) => kind === 'calls').length;
      replayed.push({ index, isSolved: step.outcome === 'solved', wrong, errors, calls, actions });
    }
  }
  await env.close();
  await host.close();
  return replayed;
}
