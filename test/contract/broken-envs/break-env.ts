import { z } from 'zod';
import type { AnyEnvDefinition, Env, EnvHost } from '../../../envs/core/env.ts';
import type { CheckOptions } from '../../../envs/check/options.ts';
import type { Law } from '../../../envs/check/laws.ts';
import type { FindingPlace } from '../../../envs/check/report.ts';
import type { Opening, StepResult, Turn } from '../../../envs/core/step.ts';
import { vault, type World } from './vault.ts';

const savedSchema = z.strictObject({ steps: z.int() });

export type AnyEnv = Env<unknown, unknown>;
type AnyHost = EnvHost<unknown, unknown>;

/** A flaw, and the law whose check must notice it. */
export interface Flaw {
  readonly law: Law;
  readonly says: string;
  /** The place that the finding must name, if that matters. */
  readonly where?: FindingPlace;
  /** The severity of the finding, by default an error. */
  readonly severity?: 'warning';
  readonly definition: AnyEnvDefinition;
  readonly options?: CheckOptions<z.ZodType, unknown, unknown>;
}

/** Ways to break the good env: each changes one thing and leaves the rest. */
export interface Breakage {
  readonly definition?: Partial<AnyEnvDefinition>;
  readonly host?: (host: AnyHost) => Partial<AnyHost>;
  /** Called once for each env. */
  readonly env?: (env: AnyEnv) => Partial<AnyEnv>;
  /** Changes every turn and result before it is returned; `steps` counts since reset. */
  readonly turn?: (
    turn: Turn<unknown, unknown>,
    at: { readonly world: World; readonly steps: number },
  ) => Partial<Turn<unknown, unknown>>;
  /** Changes every step result. */
  readonly result?: (result: StepResult<unknown, unknown>, action: unknown) => StepResult<unknown, unknown>;
}

export function breakVault(breakage: Breakage): AnyEnvDefinition {
  const good: AnyEnvDefinition = vault;
  return {
    ...good,
    open: async (config, context) => {
      const host = await good.open(config, context);
      const create = async (): Promise<AnyEnv> => {
        const twisted = twist(await host.create(), breakage);
        return { ...twisted, ...breakage.env?.(twisted) };
      };
      const broken = { ...host, create };
      return { ...broken, ...breakage.host?.(broken) };
    },
    ...breakage.definition,
  };
}

/** The same env with its turns and results changed before they are returned. */
function twist(env: AnyEnv, { turn, result }: Breakage): AnyEnv {
  let steps = 0;
  const turned = <T extends Turn<unknown, unknown>>(given: T): T => ({
    ...given,
    ...turn?.(given, { world: worldOf(env), steps }),
  });
  const snapshots = env.snapshots;
  return {
    reset: async (task, context): Promise<Opening<unknown, unknown>> => {
      steps = 0;
      return turned(await env.reset(task, context));
    },
    step: async (action, context) => {
      const given = await env.step(action, context);
      steps += 1;
      const changed = given.kind === 'ongoing' ? turned(given) : given;
      return result?.(changed, action) ?? changed;
    },
    close: () => env.close(),
    ...(snapshots === undefined
      ? {}
      : {
          snapshots: {
            take: () => ({ ...snapshots.take(), episode: { steps } }),
            restore: (snapshot) => {
              steps = savedSchema.parse(snapshot.episode).steps;
              return turned(snapshots.restore(snapshot));
            },
          },
        }),
  };
}

/** The world of the good env. These tests use no other env. */
export const worldOf = (env: AnyEnv): World => env.snapshots?.take().world as unknown as World;
