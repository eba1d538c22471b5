import type { Context } from '../../envs/core/context.ts';
import { describeFault, FaultError, RunError, type Fault } from '../../envs/core/errors.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import { abortable, Semaphore } from '../../envs/core/waiting.ts';
import { episodePath } from './episode-path.ts';
import { runEpisode } from './episode.ts';
import { Outbox } from './outbox.ts';
import { LoopClock } from './event-loop-yield.ts';
import { assertRolloutPlan, type GroupResult, type RolloutPlan } from './rollout-plan.ts';
import { SignalShards, openContextScope, type ContextScope } from './scope.ts';
import type { Trajectory } from './trajectory.ts';

/** Which groups to play, and the order in which to return them. */
export interface GroupsPlan<Obs, Act> extends RolloutPlan<Obs, Act> {
  readonly tasks: readonly TaskRef[];
  /** `task`: in the listed order, so that output is reproducible. `completion`: as they finish. */
  readonly order: 'task' | 'completion';
}

/**
 * Plays a group for each task and yields the groups one by one. Episodes of different groups run concurrently
 * and do not wait for each other. It runs ahead of a slow reader, up to a limit. Leaving the loop early stops
 * and closes everything that is running.
 */
export async function* runGroups<Obs, Act>(
  plan: GroupsPlan<Obs, Act>,
  context: Context,
): AsyncGenerator<GroupResult<Obs, Act>, void> {
  assertRolloutPlan(plan, plan.tasks);
  context.signal.throwIfAborted();
  const scope = openContextScope(context);
  const rollout = new Rollout(plan, scope);
  const dispatched = rollout.dispatch();
  try {
    for (let taken = 0; taken < plan.tasks.length; taken += 1) {
      yield await rollout.take(plan.order === 'task' ? taken : undefined);
    }
  } finally {
    scope.abort(new Error('the rollout is over'));
    await dispatched;
    scope[Symbol.dispose]();
  }
}

/** Plays one group. */
export async function runGroup<Obs, Act>(
  plan: RolloutPlan<Obs, Act>,
  task: TaskRef,
  context: Context,
): Promise<GroupResult<Obs, Act>> {
  const groups = runGroups({ ...plan, tasks: [task], order: 'task' }, context);
  const first = await groups.next();
  await groups.return();
  // cannot happen: it yields or throws
  if (first.done === true) throw new Error('a rollout of one task gave no group');
  return first.value;
}

class Rollout<Obs, Act> {
  readonly #plan: GroupsPlan<Obs, Act>;
  readonly #scope: ContextScope;
  readonly #slots: Semaphore;
  readonly #outbox: Outbox<GroupResult<Obs, Act>>;
  readonly #lanes: SignalShards;
  readonly #clock: LoopClock;
  #episodesDone = 0;
  #stepsDone = 0;

  constructor(plan: GroupsPlan<Obs, Act>, scope: ContextScope) {
    this.#plan = plan;
    this.#scope = scope;
    this.#slots = plan.slots ?? new Semaphore(plan.concurrency);
    // Enough groups ahead that one slow group seldom leaves slots idle; few enough that a slow reader costs
    // little memory.
    this.#outbox = new Outbox(4 * (1 + Math.ceil(plan.concurrency / plan.members)));
    this.#lanes = new SignalShards(scope.context, plan.concurrency);
    this.#clock = new LoopClock(scope.context.now);
  }

  take(index: number | undefined): Promise<GroupResult<Obs, Act>> {
    return abortable(this.#scope.context.signal, this.#outbox.take(index));
  }

  /** Starts episodes in order as slots become free. Never rejects; resolves when no episode runs any more. */
  async dispatch(): Promise<void> {
    const { signal } = this.#scope.context;
    const running = new Set<Promise<void>>();
    try {
      for (const [index, task] of this.#plan.tasks.entries()) {
        await abortable(signal, this.#outbox.start());
        const group: OpenGroup<Obs, Act> = {
          index,
          task,
          family: this.#plan.source.describeTask(task).family,
          members: [],
          replaced: [],
        };
        for (let member = 0; member < this.#plan.members; member += 1) {
          signal.throwIfAborted();
          if (!this.#slots.tryAcquire()) await this.#slots.acquire(signal, this.#plan.turn);
          const episode = this.#playMember(group, member)
            .catch((thrown: unknown) => this.#scope.abort(thrown))
            .finally(() => {
              running.delete(episode);
              this.#slots.release();
            });
          running.add(episode);
        }
      }
    } catch (thrown) {
      this.#scope.abort(thrown);
    }
    await Promise.all(running);
    this.#lanes[Symbol.dispose]();
  }

  async #playMember(group: OpenGroup<Obs, Act>, member: number): Promise<void> {
    const { strategy, members } = this.#plan;
    const retries = strategy.kind === 'retry' ? strategy.retries : 0;
    const tries: Trajectory<Obs, Act>[] = [];
    let last = await this.#playOnce(group, member, 0);
    while (last.stop.kind === 'faulted' && tries.length < retries && mayPass(last.stop.fault)) {
      tries.push(last);
      last = await this.#playOnce(group, member, tries.length);
    }
    if (strategy.kind === 'fail-fast' && last.stop.kind === 'faulted')
      throw failFast(last.path, last.stop.fault);
    group.members.push({ member, trajectory: last });
    group.replaced.push(...tries.map((trajectory) => ({ member, trajectory })));
    this.#episodesDone += 1;
    this.#reportProgress();
    if (group.members.length === members) this.#outbox.put(group.index, this.#finish(group));
  }

  #playOnce(group: OpenGroup<Obs, Act>, member: number, retry: number): Promise<Trajectory<Obs, Act>> {
    const { envs, env, agent, limits, label } = this.#plan;
    const { task, family } = group;
    const path = episodePath({ task, label, member, retry });
    const onStep = (): void => {
      this.#stepsDone += 1;
      this.#reportProgress();
    };
    return runEpisode(
      { path, envs, env, agent, task, family, limits, onStep, clock: this.#clock },
      this.#lanes.next(),
    );
  }

  #finish(group: OpenGroup<Obs, Act>): GroupResult<Obs, Act> {
    return {
      index: group.index,
      group: { task: group.task, members: inOrder(group.members) },
      replaced: inOrder(group.replaced),
    };
  }

  #reportProgress(): void {
    this.#plan.onProgress?.({
      episodesDone: this.#episodesDone,
      episodesPlanned: this.#plan.tasks.length * this.#plan.members,
      stepsDone: this.#stepsDone,
    });
  }
}

interface Played<Obs, Act> {
  readonly member: number;
  readonly trajectory: Trajectory<Obs, Act>;
}

/** A running group. Its lists are in the order in which episodes finished. */
interface OpenGroup<Obs, Act> {
  readonly index: number;
  readonly task: TaskRef;
  readonly family: string;
  readonly members: Played<Obs, Act>[];
  readonly replaced: Played<Obs, Act>[];
}

function inOrder<Obs, Act>(played: readonly Played<Obs, Act>[]): readonly Trajectory<Obs, Act>[] {
  return played.toSorted((a, b) => a.member - b.member).map(({ trajectory }) => trajectory);
}

/** Whether a retry may succeed. */
function mayPass(fault: Fault): boolean {
  switch (fault.kind) {
    case 'env-crashed':
    case 'deadline-passed':
      return true;
    case 'task-broken':
      return false;
    case 'sandbox-failed':
    case 'sampler-failed':
    case 'retriever-failed':
    case 'tool-server-failed':
      return fault.retryable;
    default:
      return fault satisfies never;
  }
}

function failFast(path: string, fault: Fault): RunError {
  return new RunError(
    {
      where: path,
      what: `${describeFault(fault)}.`,
      fix: 'Fix the cause, or replay faulted members with the strategy "retry".',
    },
    { cause: new FaultError(fault) },
  );
}
