import type { Context } from '../../envs/core/context.ts';
import type { Env } from '../../envs/core/env.ts';
import { reward, type Opening, type StepResult, type Turn } from '../../envs/core/step.ts';

/** What a probe env was asked: its draws of luck at each step. */
export interface Probe {
  readonly luck: number[];
}

const turn = (observation: number): Turn<number, string> => ({
  observation,
  seat: 0,
  stateKey: `s${observation}`,
  anchorKey: `a${observation}`,
  admissible: ['go', 'stop'],
  stepsLeft: undefined,
});

/**
 * Never ends and never waits, until the action is `stop` (solved) or `cut` (truncated). `bad` is inadmissible and changes
 * nothing. The observation counts the steps. Writes each step's luck down.
 */
export function probeEnv(probe: Probe): Env<number, string> {
  let steps = 0;
  return {
    reset: async (): Promise<Opening<number, string>> => {
      steps = 0;
      return { ...turn(0), instruction: 'Go on.' };
    },
    step: async (action: string, context: Context): Promise<StepResult<number, string>> => {
      probe.luck.push(context.rng.uniform());
      const inadmissible = action === 'bad';
      if (!inadmissible) steps += 1;
      const outcome = {
        observation: steps,
        reward: reward({ step: 0.5 }),
        inadmissible,
        stateKey: `s${steps}`,
      };
      if (action === 'stop') return { kind: 'terminated', outcome: 'solved', ...outcome };
      if (action === 'cut') return { kind: 'truncated', limit: 'probe-limit', ...outcome };
      return { kind: 'ongoing', ...turn(steps), ...outcome };
    },
    close: async () => undefined,
  };
}
