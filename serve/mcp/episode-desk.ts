import { randomBytes } from 'node:crypto';
import { closeInTime } from '../../envs/core/closing.ts';
import { forkContext, StepContext, type Context, type OwnedContext } from '../../envs/core/context.ts';
import type { AnyEnvDefinition, Env, EnvHost } from '../../envs/core/env.ts';
import { FaultError, messageOf, UsageError } from '../../envs/core/errors.ts';
import type { ActingTurn } from '../../envs/core/step.ts';
import type { PanelInfo } from '../../envs/core/task.ts';
import { strictTextual, type Reply, type Textual, type ToolCall } from '../../envs/core/textual.ts';
import { abortable, openDeadline } from '../../envs/core/waiting.ts';
import { CallDeadline } from '../../envs/wrappers/call-deadline.ts';

export interface DeskOptions {
  readonly definition: AnyEnvDefinition;
  readonly host: EnvHost<unknown, unknown>;
  /** The panels that clients may play. */
  readonly panels: readonly PanelInfo[];
  readonly context: Context;
  /** Open episodes, at most. */
  readonly mostEpisodes: number;
  /** Milliseconds without a call after which an episode is closed. */
  readonly idleMs: number;
  /** Milliseconds of a call. */
  readonly callMs: number;
}

/** Which task to play. */
export interface Start {
  readonly panel: string | undefined;
  readonly index: number;
  /** Seeds the luck of steps. */
  readonly seed: number;
}

/** What a player did: words, or a call of a tool of the environment. */
export type Move = { readonly words: string } | { readonly call: ToolCall };

/** What a player is shown. */
export interface Shown {
  readonly kind: 'shown';
  readonly episode: string;
  readonly instruction?: string;
  readonly observation: string;
  /** The listed actions in words; undefined where actions are written freely. */
  readonly actions: readonly string[] | undefined;
  readonly reward: number;
  readonly terms: Readonly<Record<string, number>>;
  readonly inadmissible: boolean;
  /** How the episode ended; undefined while it goes on. */
  readonly outcome: 'solved' | 'failed' | 'truncated' | undefined;
}

/** Why something cannot be done, in words for the player. */
export interface Declined {
  readonly kind: 'declined';
  readonly why: string;
}

/** Characters of an action. */
const longestAction = 1_000_000;

interface Episode {
  readonly env: Env<unknown, unknown>;
  readonly owned: OwnedContext;
  readonly luck: StepContext;
  steps: number;
  isBusy: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Episodes of one environment for clients that name them by a handle. The number of open episodes is limited,
 * and one without calls is closed after a while. An env is used again after an episode that ended well.
 */
export class EpisodeDesk {
  readonly #options: DeskOptions;
  readonly #text: Textual<unknown, unknown>;
  readonly #open = new Map<string, Episode>();
  readonly #free: Env<unknown, unknown>[] = [];
  /** Envs that are opening, or closing. */
  #pending = 0;
  #count = 0;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#text = strictTextual(options.definition);
  }

  get mostEpisodes(): number {
    const { mostEpisodes, host } = this.#options;
    return Math.min(mostEpisodes, host.maxConcurrency ?? mostEpisodes);
  }

  /** Starts an episode. */
  async start({ panel: name, index, seed }: Start, signal: AbortSignal): Promise<Shown | Declined> {
    const { host, panels, context } = this.#options;
    const panel = name === undefined ? panels[0] : panels.find((one) => one.name === name);
    if (panel === undefined)
      return declined(`There is no panel ${name}. There are ${panels.map((one) => one.name).join(', ')}.`);
    if (index >= panel.size) return declined(`The panel ${panel.name} has the tasks 0 to ${panel.size - 1}.`);
    if (this.#open.size + this.#pending >= this.mostEpisodes)
      return declined(`${this.mostEpisodes} episodes are open, which is the maximum. Close one first.`);
    const owned = forkContext(context, `${panel.name}-${index}-${seed}`);
    this.#pending += 1;
    let env: Env<unknown, unknown> | undefined;
    try {
      env =
        this.#free.pop() ??
        new CallDeadline(await host.create(), this.#options.definition.id, this.#options.callMs);
      using call = openDeadline(signal, { where: 'start of an episode', ms: undefined });
      const opening = await abortable(call.signal, env.reset({ panel: panel.name, index }, owned));
      const handle = randomBytes(12).toString('base64url');
      const luck = new StepContext(owned);
      const episode: Episode = { env, owned, luck, steps: 0, isBusy: false, timer: undefined };
      this.#open.set(handle, episode);
      this.#count += 1;
      this.#restartTimer(handle, episode);
      return { ...this.#shown(handle, opening), instruction: opening.instruction };
    } catch (thrown) {
      owned[Symbol.dispose]();
      if (env !== undefined) await this.#discard(env);
      signal.throwIfAborted();
      return declined(`The episode could not start: ${wordsOf(thrown)}`);
    } finally {
      this.#pending -= 1;
    }
  }

  /** Does one move. An action that cannot be read changes nothing. */
  async step(handle: string, move: Move, signal: AbortSignal): Promise<Shown | Declined> {
    const episode = this.#open.get(handle);
    if (episode === undefined)
      return declined('There is no such episode: it ended, was closed, or was never started.');
    if (episode.isBusy) return declined('Another call of this episode is under way.');
    const reply = this.#replyOf(move);
    if (reply.kind === 'malformed') return declined(reply.why);
    episode.isBusy = true;
    clearTimeout(episode.timer);
    episode.luck.advance(episode.steps);
    try {
      const stepping = episode.env.step(reply.action, episode.luck);
      const result = await abortable(signal, stepping);
      episode.steps += 1;
      const { reward, inadmissible } = result;
      const paid = { reward: reward.total, terms: reward.terms, inadmissible };
      if (result.kind === 'ongoing') return { ...this.#shown(handle, result), ...paid };
      this.#end(handle);
      this.#free.push(episode.env);
      return {
        kind: 'shown',
        episode: handle,
        observation: this.#text.observation(result.observation),
        actions: undefined,
        ...paid,
        outcome: result.kind === 'truncated' ? 'truncated' : result.outcome,
      };
    } catch (thrown) {
      if (UsageError.is(thrown)) return declined(thrown.message); // the episode is as it was
      this.#end(handle);
      await this.#discard(episode.env);
      signal.throwIfAborted();
      return declined(`The episode is over without a result: ${wordsOf(thrown)}`);
    } finally {
      episode.isBusy = false;
      if (this.#open.get(handle) === episode) this.#restartTimer(handle, episode);
    }
  }

  /** Closes an episode before its end. Returns whether it was open. */
  async end(handle: string): Promise<boolean> {
    const episode = this.#open.get(handle);
    if (episode === undefined) return false;
    this.#end(handle);
    await this.#discard(episode.env);
    return true;
  }

  /** Closes all envs. */
  async close(): Promise<void> {
    const open = [...this.#open.keys()].map((handle) => this.end(handle));
    const free = this.#free.splice(0).map((env) => this.#discard(env));
    await Promise.all([...open, ...free]);
  }

  /** Episodes that are open, and that were started. */
  get figures(): { readonly open: number; readonly started: number } {
    return { open: this.#open.size, started: this.#count };
  }

  #replyOf(move: Move): Reply<unknown> {
    if ('words' in move) {
      if (move.words.length > longestAction)
        return { kind: 'malformed', why: `An action has at most ${longestAction} characters.`, text: '' };
      return this.#text.parse(move.words);
    }
    const tools = this.#options.host.tools ?? this.#text.tools;
    return tools?.read(move.call) ?? this.#text.parse(JSON.stringify(move.call));
  }

  #shown(handle: string, turn: ActingTurn<unknown, unknown>): Shown {
    const { admissible } = turn;
    const isFree = admissible?.some((action) => this.#text.isSample?.(action) === true) ?? true;
    return {
      kind: 'shown',
      episode: handle,
      observation: this.#text.observation(turn.observation),
      actions: isFree ? undefined : admissible?.map((action) => this.#text.action(action)),
      reward: 0,
      terms: {},
      inadmissible: false,
      outcome: undefined,
    };
  }

  #restartTimer(handle: string, episode: Episode): void {
    clearTimeout(episode.timer);
    episode.timer = setTimeout(() => void this.end(handle), this.#options.idleMs).unref();
  }

  #end(handle: string): void {
    const episode = this.#open.get(handle);
    clearTimeout(episode?.timer);
    episode?.owned[Symbol.dispose]();
    this.#open.delete(handle);
  }

  async #discard(env: Env<unknown, unknown>): Promise<void> {
    this.#pending += 1;
    const { definition, context } = this.#options;
    const fault = await closeInTime(() => env.close(), { where: `close of ${definition.id}` });
    this.#pending -= 1;
    if (fault !== undefined) context.log.event(context.path, { type: 'closing-fail', fault });
  }
}

const declined = (why: string): Declined => ({ kind: 'declined', why });

const wordsOf = (thrown: unknown): string => (FaultError.is(thrown) ? thrown.message : messageOf(thrown));
