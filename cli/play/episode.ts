import {
  answersAreWritten,
  createHumanAgent,
  playerLeft,
  sayResult,
  type Conversation,
} from '../../agents/policy/human.ts';
import type { Agent, Answer, EpisodePlayer } from '../../agents/core/agent.ts';
import { takesBlocks } from '../../agents/policy/reply-lines.ts';
import { createEnvPool, type EnvPool } from '../../agents/rollout/env-pool.ts';
import { runEpisode } from '../../agents/rollout/episode.ts';
import { episodeLimitsSchema } from '../../agents/rollout/limits.ts';
import { scoreOf, type Trajectory } from '../../agents/rollout/trajectory.ts';
import type { Context } from '../../envs/core/context.ts';
import type { EnvHost } from '../../envs/core/env.ts';
import { FaultError, type Fault } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import { reward, type ActingTurn, type Reward } from '../../envs/core/step.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Textual } from '../../envs/core/textual.ts';
import { CallDeadline } from '../../envs/wrappers/call-deadline.ts';

/** What a person did and how it ended. */
export interface PlayedEpisode {
  readonly outcome: 'solved' | 'failed' | 'truncated' | 'left';
  /** The limit that ended it, if one did. */
  readonly limit: string | undefined;
  readonly score: number;
  readonly steps: readonly PlayedStep[];
}

interface PlayedStep {
  readonly action: string;
  readonly reward: Reward | undefined;
}

/** A game: a person plays one task of an env. */
export interface Play<Obs, Act> {
  readonly host: Pick<EnvHost<Obs, Act>, 'create' | 'describeTask'>;
  readonly env: { readonly id: string; readonly config: Json };
  readonly text: Textual<Obs, Act>;
  readonly task: TaskRef;
  readonly talk: Conversation;
  readonly context: Context;
  /** Timeout of a call of the env in milliseconds; a minute by default. */
  readonly callMs?: number;
}

const help = 'Type an action or its number. ? lists the actions, undo takes back the last step, quit ends.';
const helpWithAnswers =
  'Type your answer, or # and the number of a listed one, such as #1. ? lists them, undo takes back the last step, quit ends.';
/**
 * True for envs whose text has blocks, if the list has a multi-line action or there is no list. Composed
 * programs are not typed.
 */
const blocks =
  'Write several lines between two lines of ```, after the word that they belong to. They are sent after the second one.';

/**
 * The person may think as long as a timer allows, some 24 days, and pays no penalty for impossible actions.
 */
const limits = episodeLimitsSchema.parse({ wallMs: 2_147_483_647, inadmissible: { penalty: 0 } });

/** Lets a person play one episode, in the same loop as every agent. @throws FaultError if the env fails */
export async function playEpisode<Obs, Act>(play: Play<Obs, Act>): Promise<PlayedEpisode> {
  const { host, env, callMs = 60_000 } = play;
  const envs = createEnvPool(
    { create: async () => new CallDeadline(await host.create(), env.id, callMs) },
    { signal: play.context.signal },
  );
  try {
    return await new Game(play, envs).play();
  } finally {
    await envs.close();
  }
}

/** Ends an attempt of the episode, to replay it up to the previous step. */
const takenBack: Fault = { kind: 'sampler-failed', message: 'a step is taken back', retryable: true };

/**
 * The attempts of one episode. A step is taken back by replaying the episode up to the step before, with the
 * same random numbers and without asking. The same actions lead to the same state in every env.
 */
class Game<Obs, Act> {
  readonly #play: Play<Obs, Act>;
  readonly #envs: EnvPool<Obs, Act>;
  readonly #human: Agent<Obs, Act>;
  /** The person's actions, without those taken back. */
  readonly #actions: Act[] = [];
  #silent = false;

  constructor(play: Play<Obs, Act>, envs: EnvPool<Obs, Act>) {
    this.#play = play;
    this.#envs = envs;
    const talk: Conversation = { ask: (prompt) => play.talk.ask(prompt), say: (words) => this.#say(words) };
    this.#human = createHumanAgent({ text: play.text, talk, orders: { undo: () => this.#undo() } });
  }

  async play(): Promise<PlayedEpisode> {
    const { task, env, context, host } = this.#play;
    const { family } = host.describeTask(task);
    const path = `play/${env.id}/${task.panel}/${task.index}`;
    for (;;) {
      const trajectory = await runEpisode(
        { path, envs: this.#envs, env, agent: this.#agent(), task, family, limits },
        context,
      );
      const fault = trajectory.stop.kind === 'faulted' ? trajectory.stop.fault : undefined;
      if (fault === undefined) this.#sayEnd(trajectory);
      if (fault === undefined || fault === playerLeft) return this.#played(trajectory);
      if (fault !== takenBack) throw new FaultError(fault);
      this.#silent = true; // what follows was printed before
    }
  }

  #say(words: string): void {
    if (!this.#silent) this.#play.talk.say(words);
  }

  #undo(): void {
    if (this.#actions.pop() === undefined) return this.#say('There is no step to take back.');
    throw new FaultError(takenBack);
  }

  /** Replays the earlier actions, then asks. */
  #agent(): Agent<Obs, Act> {
    const again = [...this.#actions].values();
    return {
      id: this.#human.id,
      begin: (episode, context) => {
        const player = this.#human.begin(episode, context);
        return { act: (...turn) => this.#act(again, player, turn) };
      },
    };
  }

  /** Before the first observation. */
  #sayHelp(turn: ActingTurn<Obs, Act>): void {
    const { text } = this.#play;
    const { admissible } = turn;
    const how = answersAreWritten(text, turn) ? helpWithAnswers : help;
    const isWritten =
      admissible === undefined || admissible.some((action) => text.action(action).includes('\n'));
    this.#say(`${isWritten && takesBlocks(text) ? `${how}\n${blocks}` : how}\n`);
  }

  async #act(
    again: IterableIterator<Act>,
    player: EpisodePlayer<Obs, Act>,
    turn: Parameters<EpisodePlayer<Obs, Act>['act']>,
  ): Promise<Answer<Act>> {
    if (!('kind' in turn[0])) this.#sayHelp(turn[0]);
    const next = again.next();
    if (next.done !== true)
      return { reply: { kind: 'action', action: next.value }, decision: undefined, policyVersion: undefined };
    const undone = this.#silent;
    this.#silent = false;
    const [now, ...others] = turn;
    // After an undo only the current state is printed, not the result of the step before it again.
    const shown = undone && 'kind' in now ? { ...now, inadmissible: false, reward: reward({}) } : now;
    const answer = await player.act(shown, ...others);
    if (answer.reply.kind === 'action') this.#actions.push(answer.reply.action);
    return answer;
  }

  #sayEnd({ steps, finalObservation }: Trajectory<Obs, Act>): void {
    const last = steps.at(-1);
    if (last === undefined || finalObservation === undefined) return;
    const result = {
      observation: finalObservation,
      inadmissible: last.verdict === 'inadmissible',
      reward: last.reward,
    };
    sayResult(this.#play.text, result, (words) => this.#say(words));
  }

  #played(trajectory: Trajectory<Obs, Act>): PlayedEpisode {
    const { stop, steps } = trajectory;
    return {
      outcome: stop.kind === 'terminated' ? stop.outcome : stop.kind === 'truncated' ? 'truncated' : 'left',
      limit: stop.kind === 'faulted' ? undefined : stop.limit,
      score: scoreOf(trajectory),
      steps: steps.map(({ reply, reward }) => ({
        action: reply.kind === 'action' ? this.#play.text.action(reply.action) : reply.text,
        reward,
      })),
    };
  }
}
