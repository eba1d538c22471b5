import { deriveContext, StepContext, type Context } from '../../envs/core/context.ts';
import type { Env } from '../../envs/core/env.ts';
import { boundary, type Fault } from '../../envs/core/errors.ts';
import { reward, shownTurn, type ActingTurn, type StepResult } from '../../envs/core/step.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Agent, Answer, EpisodePlayer } from '../core/agent.ts';
import type { EpisodeLimits } from './limits.ts';
import { ModelErrors, type ActionVerdict } from './model-errors.ts';
import type { EventLoopYield } from './event-loop-yield.ts';
import { BoundedWait } from './bounded-wait.ts';
import type { Stop, Trajectory, TrajectoryStep } from './trajectory.ts';

/** The record of a running episode. It survives a fault. */
export interface EpisodeRecord<Obs, Act> {
  instruction: string;
  readonly steps: TrajectoryStep<Obs, Act>[];
}

/** How and where an episode ended. */
export interface Ending<Obs> extends Pick<
  Trajectory<Obs>,
  'stop' | 'finalObservation' | 'finalStateKey' | 'finalAnchorKey'
> {
  readonly kind: 'ended';
}

type Next<Obs, Act> = Ending<Obs> | { readonly kind: 'turn'; readonly turn: ActingTurn<Obs, Act> };

/** What the loop needs of an episode's plan. */
export interface LoopPlan<Obs, Act> {
  readonly env: { readonly id: string };
  readonly agent: Agent<Obs, Act>;
  readonly task: TaskRef;
  readonly limits: EpisodeLimits;
  readonly onStep?: () => void;
  readonly pace: EventLoopYield;
}

/** The turns of one episode, in sequence. Failures are thrown; the record keeps what came before. */
export class EpisodeLoop<Obs, Act> {
  readonly #plan: LoopPlan<Obs, Act>;
  readonly #env: Env<Obs, Act>;
  readonly #record: EpisodeRecord<Obs, Act>;
  readonly #episode: Context;
  readonly #wait: BoundedWait;
  readonly #errors: ModelErrors;
  readonly #envLuck: StepContext;
  readonly #agentLuck: StepContext;
  readonly #agentContext: Context;
  readonly #stepCrashed: (message: string) => Fault;
  #asked = 0;
  #stepped = 0;
  #feedback: string | undefined;
  /** The action that was sent to the env and is not answered yet. */
  #underWay: { readonly turn: ActingTurn<Obs, Act>; readonly answer: Answer<Act> } | undefined;

  constructor(
    plan: LoopPlan<Obs, Act>,
    env: Env<Obs, Act>,
    record: EpisodeRecord<Obs, Act>,
    episode: Context,
  ) {
    this.#plan = plan;
    this.#env = env;
    this.#record = record;
    this.#episode = episode;
    this.#wait = new BoundedWait(episode.signal);
    this.#errors = new ModelErrors(plan.limits);
    this.#envLuck = new StepContext(withStream(episode, 'env'));
    this.#agentContext = withStream(episode, 'agent');
    this.#agentLuck = new StepContext(this.#agentContext);
    this.#stepCrashed = this.#crashedIn('step');
  }

  async run(): Promise<Ending<Obs>> {
    try {
      return await this.#play();
    } catch (thrown) {
      // Keep the action on which the env failed. It has no reward, which is not the same as a reward of zero.
      if (this.#underWay !== undefined)
        this.#record.steps.push(stepOf(this.#underWay.turn, this.#underWay.answer, unscored));
      throw thrown;
    }
  }

  /** Waits only for the agent, the env and the yield: every further wait would slow every step. */
  async #play(): Promise<Ending<Obs>> {
    const opening = await this.#wait.await(this.#crashedIn('reset'), () =>
      this.#env.reset(this.#plan.task, this.#episode),
    );
    this.#record.instruction = opening.instruction;
    const player = await this.#wait.await(samplerFailed, async () =>
      this.#plan.agent.begin({ task: this.#plan.task, instruction: opening.instruction }, this.#agentContext),
    );
    this.#envLuck.askAgent = this.#askOf(player);
    try {
      return await this.#turns(player, opening);
    } finally {
      player.end?.();
    }
  }

  async #turns(player: EpisodePlayer<Obs, Act>, opening: ActingTurn<Obs, Act>): Promise<Ending<Obs>> {
    for (let turn = opening; ;) {
      const turnOfTheLoop = this.#plan.pace.maybeYield();
      if (turnOfTheLoop !== undefined) await turnOfTheLoop;
      const answer = await this.#ask(player, turn);
      const next: Next<Obs, Act> =
        answer.reply.kind === 'malformed'
          ? this.#keepMalformed(turn, answer, answer.reply.why)
          : this.#keepAction(turn, answer, await this.#perform(turn, answer, answer.reply.action));
      this.#plan.onStep?.();
      if (next.kind === 'ended') return next;
      turn = next.turn;
    }
  }

  #ask(player: EpisodePlayer<Obs, Act>, turn: ActingTurn<Obs, Act>): Promise<Answer<Act>> {
    this.#agentLuck.advance(this.#asked);
    this.#asked += 1;
    return this.#wait.await(samplerFailed, () =>
      player.act(shownTurn(turn), this.#agentLuck, this.#feedback),
    );
  }

  /** How the env asks the model of the player, each time with a random stream of its own. */
  #askOf(player: EpisodePlayer<Obs, Act>): Context['askAgent'] {
    if (player.write === undefined) return undefined;
    let written = 0;
    return (prompt) => {
      const label = `write/${written}`;
      written += 1;
      const context = deriveContext(this.#agentContext, { rng: () => this.#agentContext.rng.fork(label) });
      return boundary(samplerFailed, context.signal, async () => player.write?.(prompt, context) ?? '');
    };
  }

  #keepMalformed(turn: ActingTurn<Obs, Act>, answer: Answer<Act>, why: string): Next<Obs, Act> {
    const penalty = this.#errors.penaltyOf('malformed');
    this.#record.steps.push(stepOf(turn, answer, { verdict: 'malformed', reward: reward({}), penalty }));
    this.#feedback = why;
    const cap = this.#errors.count('malformed');
    return cap === undefined ? { kind: 'turn', turn } : endedBy(failedAt(cap), turn);
  }

  #perform(turn: ActingTurn<Obs, Act>, answer: Answer<Act>, action: Act): Promise<StepResult<Obs, Act>> {
    this.#envLuck.advance(this.#stepped);
    this.#stepped += 1;
    this.#feedback = undefined;
    this.#underWay = { turn, answer };
    return this.#wait.await(this.#stepCrashed, () => this.#env.step(action, this.#envLuck));
  }

  #keepAction(turn: ActingTurn<Obs, Act>, answer: Answer<Act>, result: StepResult<Obs, Act>): Next<Obs, Act> {
    this.#underWay = undefined;
    const verdict: ActionVerdict = result.inadmissible ? 'inadmissible' : 'admissible';
    const penalty = this.#errors.penaltyOf(verdict);
    const step = stepOf(turn, answer, { verdict, reward: result.reward, penalty });
    this.#record.steps.push(withExtras(step, result));
    const cap = this.#errors.count(verdict);
    if (result.kind !== 'ongoing') return endedBy(stopOf(result), result);
    return cap === undefined ? { kind: 'turn', turn: result } : endedBy(failedAt(cap), result);
  }

  #crashedIn(call: 'reset' | 'step'): (message: string) => Fault {
    const where = `${this.#plan.env.id}.${call}`;
    return (message) => ({ kind: 'env-crashed', where, message });
  }
}

const samplerFailed = (message: string): Fault => ({ kind: 'sampler-failed', message, retryable: true });

type Scored = Pick<TrajectoryStep, 'verdict' | 'reward' | 'penalty'>;

const unscored: Scored = { verdict: 'admissible', reward: undefined, penalty: undefined };

function stepOf<Obs, Act>(
  turn: ActingTurn<Obs, Act>,
  answer: Answer<Act>,
  scored: Scored,
): TrajectoryStep<Obs, Act> {
  const { observation, seat, stateKey, anchorKey, stepsLeft } = turn;
  const { reply, decision, policyVersion } = answer;
  return {
    observation,
    seat,
    stateKey,
    anchorKey,
    stepsLeft,
    reply,
    decision,
    policyVersion,
    verdict: scored.verdict,
    reward: scored.reward,
    penalty: scored.penalty,
  };
}

/** Adds to the step the fields that only some results have. */
function withExtras<Obs, Act>(
  step: TrajectoryStep<Obs, Act>,
  result: StepResult<Obs, Act>,
): TrajectoryStep<Obs, Act> {
  const { otherRewards, metrics } = result;
  if (otherRewards === undefined && metrics === undefined) return step;
  return {
    ...step,
    ...(otherRewards === undefined ? {} : { otherRewards }),
    ...(metrics === undefined ? {} : { metrics }),
  };
}

function endedBy<Obs>(
  stop: Stop,
  at: {
    readonly observation: Obs;
    readonly stateKey: string | undefined;
    readonly anchorKey?: string | undefined;
  },
): Ending<Obs> {
  const { observation, stateKey, anchorKey } = at;
  return {
    kind: 'ended',
    stop,
    finalObservation: observation,
    finalStateKey: stateKey,
    finalAnchorKey: anchorKey,
  };
}

const failedAt = (limit: string): Stop => ({ kind: 'terminated', outcome: 'failed', limit });

function stopOf<Obs, Act>(result: Exclude<StepResult<Obs, Act>, { readonly kind: 'ongoing' }>): Stop {
  if (result.kind === 'truncated') return { kind: 'truncated', limit: result.limit };
  const { outcome, limit } = result;
  return limit === undefined ? { kind: 'terminated', outcome } : { kind: 'terminated', outcome, limit };
}

/** The episode's context with its random stream forked by `label`. */
const withStream = (episode: Context, label: 'env' | 'agent'): Context =>
  deriveContext(episode, { rng: () => episode.rng.fork(label) });
