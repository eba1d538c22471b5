import type { Context, ResetContext } from '../../envs/core/context.ts';
import type { Env } from '../../envs/core/env.ts';
import type { Opening, StepResult } from '../../envs/core/step.ts';
import type { TaskRef } from '../../envs/core/task.ts';

/** How an env fails: `hang` waits until its signal aborts, `hang-deaf` for ever. */
export type FailureKind = 'throw' | 'hang' | 'hang-deaf';

export interface Failure {
  readonly call: 'create' | 'reset' | 'step' | 'close';
  readonly kind: FailureKind;
  /** Which calls fail, counted over the whole host from 0; all of them unless given. */
  readonly when?: (call: number) => boolean;
  readonly error?: () => unknown;
}

/** What has happened to the envs of a host. */
export interface EnvCensus {
  readonly created: number;
  /** How often each env was closed, in the order of creation. */
  readonly closes: readonly number[];
}

/** A host whose envs fail on purpose, and that counts them. */
export function failingHost<Obs, Act>(
  inner: { create(): Promise<Env<Obs, Act>> },
  failure?: Failure,
): { create(): Promise<Env<Obs, Act>>; readonly census: EnvCensus } {
  const closes: number[] = [];
  const calls = { create: 0, reset: 0, step: 0, close: 0 };
  const fail = async (call: Failure['call'], signal: AbortSignal | undefined): Promise<void> => {
    const count = calls[call]++;
    if (failure?.call !== call || !(failure.when?.(count) ?? true)) return;
    await happen(failure, `${call} broke`, signal);
  };
  return {
    census: {
      get created() {
        return closes.length;
      },
      closes,
    },
    create: async () => {
      await fail('create', undefined);
      const env = await inner.create();
      const place = closes.push(0) - 1;
      return {
        reset: async (task: TaskRef, context: ResetContext): Promise<Opening<Obs, Act>> => {
          await fail('reset', context.signal);
          return env.reset(task, context);
        },
        step: async (action: Act, context: Context): Promise<StepResult<Obs, Act>> => {
          await fail('step', context.signal);
          return env.step(action, context);
        },
        close: async (): Promise<void> => {
          closes[place] = (closes[place] ?? 0) + 1;
          await fail('close', undefined);
          await env.close();
        },
      };
    },
  };
}

function happen(failure: Failure, message: string, signal: AbortSignal | undefined): Promise<void> {
  if (failure.kind === 'throw') return Promise.reject(failure.error?.() ?? new Error(message));
  return new Promise((_, reject) => {
    if (failure.kind === 'hang')
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
