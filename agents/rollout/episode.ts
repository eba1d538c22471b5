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

/** One episode: who plays what, where, and within which limits. */
export interface EpisodePlan<Obs, Act> {
  /** Names the episode under the caller's context, and by that its luck. See `episodePath`. */
  readonly path: string;
  readonly envs: EnvPool<Obs, Act>;
  /** Which env the pool holds; it goes into the trajectory. */
  readonly env: { readonly id: string; readonly config: Json };
  readonly agent: Agent<Obs, Act>;
  readonly task: TaskRef;
  readonly family: string;
  readonly limits: EpisodeLimits;
  /** Called after each step that was recorded. */
  readonly onStep?: () => void;
  /** Shared by episodes that run beside each other; else the episode has its own. */
  readonly clock?: LoopClock;
}

/**
 * Plays one episode to its end: the only episode loop there is.
 *
 * The *model's* errors are data: a malformed reply is recorded without calling the env and the agent is asked again; both
 * kinds cost the penalty of the limits, and a cap on them ends the episode failed. The *world's* errors,
 * wall-clock expiry among them, end it `faulted`, with the steps so far; a last step without a reward is the one that the
 * fault befell. The caller's abort, a `UsageError` and a `RunError` reject.
 *
 * The luck is a function of (seed of `context`, `plan.path`): the env draws from the stream `env`, the agent from `agent`,
 * each forked by the number of its call, so neither moves the other.
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
    context.signal.throwIfAborted(); // the caller's abort is no fault of the world
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
