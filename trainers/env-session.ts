import { z } from 'zod';
import type { Agent } from '../agents/core/agent.ts';
import { createEnvPool, type EnvPool } from '../agents/rollout/env-pool.ts';
import { runGroups, type GroupsPlan } from '../agents/rollout/group.ts';
import { episodeLimitsSchema, type EpisodeLimits } from '../agents/rollout/limits.ts';
import type { GroupResult, GroupStrategy, RolloutProgress } from '../agents/rollout/rollout-plan.ts';
import { closeHost } from '../envs/core/closing.ts';
import type { Context } from '../envs/core/context.ts';
import type { AnyEnvDefinition, EnvHost } from '../envs/core/env.ts';
import type { Json } from '../envs/core/json.ts';
import type { TaskRef } from '../envs/core/task.ts';
import { Semaphore } from '../envs/core/waiting.ts';
import { openEnv, parseEnvConfig } from '../envs/open.ts';

/** What every phase of a run uses: the open env, its pool of envs, and the limits of episodes. */
export interface EnvSession extends AsyncDisposable {
  readonly definition: AnyEnvDefinition;
  readonly envConfig: Json;
  readonly host: EnvHost<unknown, unknown>;
  readonly envs: EnvPool<unknown, unknown>;
  readonly limits: EpisodeLimits;
  readonly strategy: GroupStrategy;
  readonly concurrency: number;
  /** Shared by all rollouts, including concurrent ones. */
  readonly slots: Semaphore;
}

/** What rollouts depend on besides the agent: keys of a training config, and all that an evaluation needs. */
export const rolloutSettingsShape = {
  envConfig: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('config of the environment: `npx cairn-gym envs ID` lists its keys'),
  concurrency: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(128)
    .describe('concurrent episodes, up to the maximum of the environment; does not affect results'),
  faultRetries: z.int().min(0).max(1000).default(1).describe('number of retries of an episode that faulted'),
  limits: z
    .strictObject({
      episodeSeconds: z
        .number()
        .min(0.001)
        .max(2_000_000)
        .default(600)
        .describe('maximum wall-clock seconds of an episode; a longer one is a fault'),
      invalidPenalty: z
        .number()
        .min(0)
        .max(1000)
        .default(0.1)
        .describe('subtracted from the reward for each malformed or inadmissible reply'),
      malformedInARow: z
        .int()
        .min(1)
        .max(1_000_000_000)
        .default(3)
        .describe('number of consecutive malformed replies that fail the episode'),
    })
    .prefault({}),
};
export const rolloutSettingsSchema = z.strictObject(rolloutSettingsShape);
export type RolloutSettings = z.output<typeof rolloutSettingsSchema>;

/** Opens the env. Dispose the session when all rollouts are over. */
export async function openEnvSession(
  definition: AnyEnvDefinition,
  settings: RolloutSettings,
  context: Context,
): Promise<EnvSession> {
  const envConfig = parseEnvConfig(definition, settings.envConfig) as Json;
  const host = await openEnv(definition, settings.envConfig, context);
  const envs = createEnvPool(host, { log: context.log, signal: context.signal });
  const { episodeSeconds, invalidPenalty, malformedInARow } = settings.limits;
  const concurrency = Math.min(settings.concurrency, host.maxConcurrency ?? settings.concurrency);
  return {
    definition,
    envConfig,
    host,
    envs,
    limits: episodeLimitsSchema.parse({
      wallMs: Math.round(episodeSeconds * 1000),
      malformed: { inARow: malformedInARow, penalty: invalidPenalty },
      inadmissible: { penalty: invalidPenalty },
    }),
    strategy: { kind: 'retry', retries: settings.faultRetries },
    concurrency,
    slots: new Semaphore(concurrency),
    [Symbol.asyncDispose]: async () => {
      await envs.close();
      await closeHost(host, definition.id, context);
    },
  };
}

/** Which agent plays which tasks, how often, and under which label. */
export interface GroupRequest {
  readonly agent: Agent<unknown, unknown>;
  readonly tasks: readonly TaskRef[];
  /** Purpose of the episodes, such as `iteration-3`. Another label draws other random numbers. */
  readonly label: string;
  readonly members: number;
  /** Priority among concurrent rollouts: the smallest goes first; 0 by default. */
  readonly turn?: number;
  /** Order in which groups are returned; by default that of the tasks. */
  readonly order?: GroupsPlan<unknown, unknown>['order'];
  readonly onProgress?: (progress: RolloutProgress) => void;
}

/**
 * Plays a group for each task and yields the groups, in the order of the tasks unless the request says
 * otherwise.
 */
export function streamGroups(
  envSession: EnvSession,
  plan: GroupRequest,
  context: Context,
): AsyncGenerator<GroupResult<unknown, unknown>, void> {
  return runGroups(
    {
      ...plan,
      envs: envSession.envs,
      env: { id: envSession.definition.id, config: envSession.envConfig },
      source: envSession.host,
      limits: envSession.limits,
      strategy: envSession.strategy,
      concurrency: envSession.concurrency,
      slots: envSession.slots,
      order: plan.order ?? 'task',
    },
    context,
  );
}

/** Plays a group for each task and returns them in the order of the tasks. */
export async function playGroups(
  envSession: EnvSession,
  plan: GroupRequest,
  context: Context,
): Promise<readonly GroupResult<unknown, unknown>[]> {
  const played: GroupResult<unknown, unknown>[] = [];
  for await (const result of streamGroups(envSession, plan, context)) played.push(result);
  return played;
}
