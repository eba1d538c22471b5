import { performance } from 'node:perf_hooks';
import { createContext, type Context } from '../../envs/core/context.ts';
import type { Env } from '../../envs/core/env.ts';
import type { Logger } from '../../envs/core/log.ts';
import { openEnv } from '../../envs/open.ts';
import type { Agent } from '../../agents/core/agent.ts';
import { createRandomAgent } from '../../agents/policy/random.ts';
import { createEnvPool } from '../../agents/rollout/env-pool.ts';
import type { EpisodePlan } from '../../agents/rollout/episode.ts';
import type { GroupsPlan } from '../../agents/rollout/group.ts';
import { episodeLimitsSchema } from '../../agents/rollout/limits.ts';
import {
  corridor,
  openCorridor,
  type CorridorConfig,
  type CorridorMove,
  type CorridorView,
} from './corridor.ts';
import { failingHost, type EnvCensus, type Failure } from './failing-env.ts';

export const testContext = (
  options: { readonly seed?: number; readonly signal?: AbortSignal; readonly log?: Logger } = {},
): Context => createContext({ seed: 7, now: () => performance.now(), ...options });

export const corridorDefaults: CorridorConfig = { slip: 0.3, delayMs: 0, turns: 30 };

/** Everything but tasks and agents, with a census of the envs. */
export async function corridorStage(
  options: {
    readonly config?: Partial<CorridorConfig>;
    readonly failure?: Failure;
    readonly closeMs?: number;
  } = {},
) {
  const config = { ...corridorDefaults, ...options.config };
  const source = openCorridor(config);
  const host = failingHost(source, options.failure);
  const guarded = await openEnv(
    { ...corridor, open: async () => ({ ...source, create: () => host.create() }) },
    config,
    testContext(),
  );
  const envs = createEnvPool(guarded, options.closeMs === undefined ? {} : { closeMs: options.closeMs });
  return { source: guarded, census: host.census, envs, env: { id: corridor.id, config } };
}

export type CorridorStage = Awaited<ReturnType<typeof corridorStage>>;
export type CorridorAgent = Agent<CorridorView, CorridorMove>;
export type CorridorEnv = Env<CorridorView, CorridorMove>;
export type { EnvCensus };

export function episodePlan(
  stage: CorridorStage,
  over: Partial<EpisodePlan<CorridorView, CorridorMove>> = {},
): EpisodePlan<CorridorView, CorridorMove> {
  return {
    path: 'train/0/test/member-0',
    envs: stage.envs,
    env: stage.env,
    agent: createRandomAgent(),
    task: { panel: 'train', index: 0 },
    family: 'rooms-3',
    limits: episodeLimitsSchema.parse({ wallMs: 60_000 }),
    ...over,
  };
}

export function groupsPlan(
  stage: CorridorStage,
  over: Partial<GroupsPlan<CorridorView, CorridorMove>> = {},
): GroupsPlan<CorridorView, CorridorMove> {
  return {
    envs: stage.envs,
    env: stage.env,
    source: stage.source,
    agent: createRandomAgent(),
    limits: episodeLimitsSchema.parse({ wallMs: 60_000 }),
    label: 'test',
    members: 4,
    strategy: { kind: 'fail-fast' },
    concurrency: 8,
    tasks: [0, 1, 2, 3, 4].map((index) => ({ panel: 'train', index })),
    order: 'task',
    ...over,
  };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
