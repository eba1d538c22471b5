import { createContext } from '../../../envs/core/context.ts';
import type { StepResult } from '../../../envs/core/step.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import { callAction, type ToolAction } from '../../../envs/engines/tools/action.ts';
import type { ToolObservation } from '../../../envs/engines/tools/observation.ts';
import { openEnv } from '../../../envs/open.ts';
import { tau2Env } from '../../../envs/tau2/definition.ts';

export const context = createContext({
  seed: 1,
  now: () => performance.now(),
  system: { USER_KEY: 'sesame-123' },
});

type Config = Readonly<Record<string, unknown>>;
type Step = StepResult<ToolObservation, ToolAction>;

export const openTau2 = (config: Config) => openEnv(tau2Env, config, context);

/** Opens a task, and closes everything after the test. */
export async function playTau2(config: Config, task: TaskRef = { panel: 'base', index: 0 }) {
  const host = await openTau2({ whole: true, listed: false, ...config });
  const env = await host.create();
  const opening = await env.reset(task, context);
  const step = (action: ToolAction): Promise<Step> => env.step(action, context);
  return {
    host,
    env,
    opening,
    step,
    say: (text: string) => step({ kind: 'say', text }),
    /** The text of a result. */
    call: async (name: string, given: Parameters<typeof callAction>[1] = {}) =>
      (await step(callAction(name, given))).observation.results[0]?.text ?? '',
    [Symbol.asyncDispose]: async () => {
      await env.close();
      await host.close();
    },
  };
}
