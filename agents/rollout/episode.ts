import { forkContext, type Context } from '../../envs/core/context.ts';
import { FaultError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Agent } from '../core/agent.ts';
import type { EnvPool } from './env-pool.ts';
import { EpisodeLoop, type Ending, type EpisodeRecord } from './episode-loop.ts';
import { assertEpisodeLimits, type EpisodeLimits } from './limits.ts';
import { LoopClock, EventLoopYield } from './event-loop-yield.ts';
import { returnOf, trajectorySchema, type Trajectory } from './trajectory.ts';

/** One episode: env, player, path and limits. */
export interface EpisodePlan<Obs, Act> {
  /**
   * Path of the episode below the caller's context. It also determines the random stream. See `episodePath`.
   */
  readonly path: string;
  readonly envs: EnvPool<Obs, Act>;
  /** The env of the pool, as stored in the trajectory. */
  readonly env: { readonly id: string; readonly config: Json };
  readonly agent: Agent<Obs, Act>;
  readonly task: TaskRef;
  readonly family: string;
  readonly limits: EpisodeLimits;
  /** Called after each recorded step. */
  readonly onStep?: () => void;
  /** Shared by concurrent episodes; by default each episode has its own. */
  readonly clock?: LoopClock;
}

/**
 * Plays one episode to its end. This is the only episode loop.
 *
 * Errors of the *model* are data. A malformed reply is recorded without a call to the env, and the agent is
 * asked again. Malformed replies and inadmissible actions cost the penalty of the limits. A cap on either
 * ends the episode as failed.
 *
 * Errors of the *env*, including the wall-clock limit, end the episode as `faulted` and keep the steps so
 * far. A last step without a reward is the one on which the fault occurred.
 *
 * Randomness depends on the seed of `context` and on `plan.path` only. The env draws from the stream `env`,
 * the agent from `agent`, each forked by the number of its call, so neither changes the other's numbers.
 *
 * @throws the caller's abort reason, a `UsageError` or a `RunError`
 */
export async function runEpisode<Obs, Act>(
  plan: EpisodePlan<Obs, Act>,
  context: Context,
): Promise<Trajectory<Obs, Act>> {
  assertEpisodeLimits(plan.limits);
  context.signal.throwIfAborted();
  const episode = forkContext(context, plan.path, { deadlineMs: plan.limits.wallMs });
  const record: EpisodeRecord<Obs, Act> = { instruction: '', steps: [] };
  const pace = new EventLoopYield(plan.clock ?? new LoopClock(context.now));
  episode.log.event(episode.path, { type: 'episode-start', env: plan.env.id });
  let ending: Ending<Obs>;
  try {
    ending = await plan.envs.use(episode, (env) =>
      new EpisodeLoop({ ...plan, pace }, env, record, episode).run(),
    );
  } catch (thrown) {
    context.signal.throwIfAborted(); // the caller's abort is not a fault of the env
    if (!FaultError.is(thrown)) throw thrown;
    const { fault } = thrown;
    episode.log.event(episode.path, { type: 'fault-raise', fault });
    ending = {
      kind: 'ended',
      stop: { kind: 'faulted', fault },
      finalObservation: undefined,
      finalStateKey: undefined,
      finalAnchorKey: undefined,
    };
  } finally {
    episode[Symbol.dispose]();
  }
  const trajectory = toTrajectory(plan, episode.path, record, ending);
  episode.log.event(episode.path, {
    type: 'episode-end',
    steps: trajectory.steps.length,
    stop: ending.stop.kind,
    reward: returnOf(trajectory),
  });
  return trajectory;
}

function toTrajectory<Obs, Act>(
  plan: EpisodePlan<Obs, Act>,
  path: string,
  record: EpisodeRecord<Obs, Act>,
  ending: Ending<Obs>,
): Trajectory<Obs, Act> {
  return {
    schema: trajectorySchema,
    path,
    env: plan.env,
    task: plan.task,
    family: plan.family,
    agent: plan.agent.id,
    instruction: record.instruction,
    steps: record.steps,
    finalObservation: ending.finalObservation,
    finalStateKey: ending.finalStateKey,
    finalAnchorKey: ending.finalAnchorKey,
    stop: ending.stop,
  };
}
