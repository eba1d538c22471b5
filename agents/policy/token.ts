import { z } from 'zod';
import type { Context } from '../../envs/core/context.ts';
import { FaultError, RunError, UsageError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Textual } from '../../envs/core/textual.ts';
import type { ActingTurn } from '../../envs/core/step.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { continues } from '../prompt/history.ts';
import { withoutThinking, type Spoken } from '../prompt/read-reply.ts';
import { Transcript, transcriptMemoryShape, type TextView } from '../prompt/transcript.ts';
import type { TextGuard } from '../prompt/text-guard.ts';
import {
  assertContextReset,
  writeInContexts,
  type ContextReset,
  type ReplyPart,
} from '../render/context-reset.ts';
import { fitPrompt, type FittedPrompt } from '../render/fit-prompt.ts';
import {
  transcriptMemorySchema,
  TokenTranscript,
  type MessageTemplate,
  type TokenCodec,
  type TokenPrompt,
} from '../render/token-prompt.ts';
import { admissibleActions } from './admissible.ts';
import type { Agent, Answer, EpisodePlayer } from '../core/agent.ts';
import type {
  SampledTokens,
  TokenDecoding,
  TokenRequest,
  TokenSampler,
  TokenSession,
} from '../core/token-sampler.ts';
import { WrittenActions, type WrittenAction } from './written-actions.ts';

/** Options of a token agent. */
export interface TokenAgentOptions<Obs, Act> {
  readonly id: string;
  readonly sampler: TokenSampler;
  readonly codec: TokenCodec;
  readonly template: MessageTemplate;
  /** For the special tokens of the codec. */
  readonly guard: TextGuard;
  readonly prompt: Prompt;
  readonly text: Textual<Obs, Act>;
  /**
   * With `history: 'all'` a row continues over turns as far as the template allows. With chunks each chunk is
   * a row, and with a number each step.
   */
  readonly view: TextView;
  readonly decoding: TokenDecoding;
  /** Most tokens of a reply; of one context if the context is reset. */
  readonly maxTokens: number;
  /** Ids that end a turn; at least one. */
  readonly stopTokens: readonly number[];
  /**
   * Only admissible actions may be written, each in the form of the prompt's grammar and ended by the first
   * of `stopTokens`. The written action is played without parsing its text. If several are written alike, the
   * first is played.
   */
  readonly restricted?: boolean;
  readonly reset?: ContextReset;
  /**
   * The name of an option such as `maxTokens` in the caller's config, for errors; `maxTokens of agent ID` by
   * default.
   */
  readonly called?: (option: string) => string;
}

/** The options for length and content of replies. */
export interface ReplyOptions extends Pick<
  TokenAgentOptions<unknown, unknown>,
  'maxTokens' | 'restricted' | 'reset'
> {
  readonly contextLength: number;
}

/**
 * Refuses replies that exceed the context, and invalid context resets. `called` is as in
 * {@link TokenAgentOptions}.
 */
export function assertReplyOptions(
  { maxTokens, restricted = false, reset, contextLength }: ReplyOptions,
  called: (option: string) => string,
): void {
  const most = contextLength - 1;
  const refuse = (option: string, what: string, fix: string): never => {
    throw new UsageError({ where: called(option), what, fix });
  };
  if (!Number.isInteger(maxTokens) || maxTokens < 1 || maxTokens > most)
    refuse(
      'maxTokens',
      `${maxTokens} is invalid with a context of ${contextLength} tokens.`,
      `It must be an integer from 1 to ${most}, and leave room for the prompt.`,
    );
  if (reset === undefined) return;
  if (restricted)
    refuse(
      'reset',
      'it is for long replies, and the agent is restricted to admissible actions.',
      'Remove one of the two.',
    );
  assertContextReset(reset, maxTokens, called);
}

/**
 * Plays by the tokens that a model writes, and records all that training needs.
 *
 * Sampled tokens are never re-encoded while their row continues. In a full transcript, replies appear as they
 * were written if the prompt keeps replies, otherwise in the form of the grammar. A prompt that lists actions
 * makes each step a row of its own, because only the newest message has the list.
 *
 * If prompt and reply exceed the context, the oldest exchanges are left out. Then the middle of the
 * observation and the end of the list of actions are cut. The decision records how much. If even that is too
 * long, the episode faults.
 */
export function createTokenAgent<Obs, Act>(options: TokenAgentOptions<Obs, Act>): Agent<Obs, Act> {
  assertOptions(options);
  const written = new WrittenActions();
  return { id: options.id, begin: (episode) => new TokenPlayer(options, episode, written) };
}

const memorySchema = z.strictObject({
  ...transcriptMemoryShape,
  transcript: transcriptMemorySchema,
  rowKeep: z.int().nonnegative().optional(),
});

class TokenPlayer<Obs, Act> implements EpisodePlayer<Obs, Act> {
  readonly #options: TokenAgentOptions<Obs, Act>;
  readonly #task: TaskRef;
  readonly #session: TokenSession;
  readonly #transcript: Transcript<Obs, Act>;
  readonly #tokenTranscript: TokenTranscript;
  readonly #written: WrittenActions;
  /** Earlier exchanges in the prompt of the row that may continue. */
  #rowKeep: number | undefined;

  constructor(
    options: TokenAgentOptions<Obs, Act>,
    { task, instruction }: { readonly task: TaskRef; readonly instruction: string },
    written: WrittenActions,
  ) {
    this.#options = options;
    this.#written = written;
    this.#task = task;
    this.#session = options.sampler.begin();
    this.#transcript = new Transcript(options, instruction);
    this.#tokenTranscript = new TokenTranscript(options.codec);
  }

  readonly snapshots = {
    take: (): Json => ({
      ...this.#transcript.memory(),
      transcript: this.#tokenTranscript.memory(),
      ...(this.#rowKeep === undefined ? {} : { rowKeep: this.#rowKeep }),
    }),
    restore: (memory: Json): void => {
      const { transcript: tokens, rowKeep, ...said } = memorySchema.parse(memory);
      this.#transcript.restore(said);
      this.#tokenTranscript.restore(tokens);
      this.#rowKeep = rowKeep;
    },
  };

  end(): void {
    this.#session.end();
  }

  async act(turn: ActingTurn<Obs, Act>, context: Context, feedback?: string): Promise<Answer<Act>> {
    const {
      view,
      prompt: { remember },
    } = this.#options;
    const transcript = this.#transcript;
    const seen = transcript.see(turn, feedback);
    const fitted = this.#fit(seen);
    const shown = transcript.showed(fitted.keep);
    const shownLess = transcript.shownLess(seen, fitted.limits, fitted.told);
    const allowed = this.#allowedOn(turn, fitted.prompt.tokens.at(-1));
    const parts = await this.#write(
      fitted.prompt,
      allowed?.map(({ tokens }) => tokens),
      context,
    );
    const { written, said, isCut } = this.#read(parts);
    const drawn = drawnOf(allowed, parts);
    const spoken: Spoken =
      drawn === undefined
        ? transcript.read(said, isCut)
        : { kind: 'command', command: drawn.command, thought: '' };
    transcript.keep(
      fitted.told,
      continues(view.history) && remember === 'reply' ? written : transcript.inForm(said, spoken),
    );
    this.#rowKeep = continues(view.history) ? fitted.keep : undefined;
    return {
      reply:
        drawn === undefined ? transcript.replyOf(said, spoken) : { kind: 'action', action: drawn.action },
      decision: {
        kind: 'tokens',
        spans: parts.map(spanOf),
        ...(allowed === undefined ? {} : { allowed: allowed.map(({ tokens }) => tokens) }),
        ...shown,
        ...shownLess,
      },
      policyVersion: Math.min(...parts.map(({ sampled }) => sampled.version)),
    };
  }

  /** Sampled as replies are. A session of its own keeps the cache of the episode's. */
  async write(prompt: string, context: Context): Promise<string> {
    const { id, codec, template, guard, sampler, decoding, maxTokens, stopTokens } = this.#options;
    const message = { role: 'user', text: guard.tell(prompt) } as const;
    const tokens = codec.encode(template.render([message], { addGenerationPrompt: true }));
    if (tokens.length + maxTokens > sampler.contextLength)
      throw new FaultError({
        kind: 'sampler-failed',
        message: `agent ${id}: a prompt of the env needs ${tokens.length} tokens, and a context of ${sampler.contextLength} leaves ${sampler.contextLength - maxTokens} for it`,
        retryable: false,
        code: 'prompt-too-long',
      });
    const session = sampler.begin();
    try {
      const request: TokenRequest = { prompt: tokens, maxTokens, stopTokens, stopTexts: [], decoding };
      const sampled = await session.sample(request, context);
      assertSampled(sampled, request, `sampler of agent ${id} in ${context.path}`);
      const isEnded = stopTokens.some((token) => token === sampled.tokens.at(-1));
      const written = codec.decode(isEnded ? sampled.tokens.slice(0, -1) : sampled.tokens, tokens.at(-1));
      return guard.mean(withoutThinking(written) ?? '');
    } finally {
      session.end();
    }
  }

  #fit(seen: ReturnType<Transcript<Obs, Act>['see']>): FittedPrompt {
    const { id, prompt, template, sampler, maxTokens, called } = this.#options;
    const room = sampler.contextLength - maxTokens;
    const fitted = fitPrompt(
      {
        prompt,
        template,
        transcript: this.#transcript,
        tokenTranscript: this.#tokenTranscript,
        rowKeep: this.#rowKeep,
        room,
      },
      seen,
    );
    if (typeof fitted !== 'number') return fitted;
    const message =
      `agent ${id}, task ${this.#task.index} of ${this.#task.panel}: the task and one turn need at least ${fitted} tokens, and a context of ${sampler.contextLength} leaves ${room} for them ` +
      `with replies of ${maxTokens}: raise ${called?.('contextLength') ?? 'contextLength'} up to the limit of the model, lower ${called?.('maxTokens') ?? 'maxTokens'}, or use a shorter prompt`;
    throw new FaultError({ kind: 'sampler-failed', message, retryable: false });
  }

  /** @param after the last token of the prompt */
  #allowedOn(turn: ActingTurn<Obs, Act>, after: number | undefined): readonly Allowed<Act>[] | undefined {
    const { id, restricted = false, codec, guard, stopTokens, maxTokens } = this.#options;
    if (!restricted) return undefined;
    const end = stopTokens.slice(0, 1);
    const transcript = this.#transcript;
    const allowed = admissibleActions(turn, id).flatMap((action) =>
      transcript.wordsOf([action]).map((words) => ({
        action,
        ...this.#written.of({ words, after }, () => ({
          command: guard.tell(words),
          tokens: [...codec.encode(transcript.write(words), after), ...end],
        })),
      })),
    );
    const longest = allowed.reduce((most, { tokens }) => Math.max(most, tokens.length), 0);
    if (longest <= maxTokens) return allowed;
    throw new UsageError({
      where: calledBy(this.#options)('maxTokens'),
      what: `an admissible action has ${longest} tokens, and a reply may have ${maxTokens}.`,
      fix: `Raise it to at least ${longest}.`,
    });
  }

  async #write(
    prompt: TokenPrompt,
    allowed: TokenRequest['allowed'],
    context: Context,
  ): Promise<readonly ReplyPart[]> {
    const {
      decoding,
      maxTokens,
      stopTokens,
      prompt: { stop },
      reset,
    } = this.#options;
    const common = {
      stopTokens,
      stopTexts: allowed === undefined ? stop : [],
      decoding,
      ...(allowed === undefined ? {} : { allowed }),
    };
    const transcript = this.#tokenTranscript;
    const parts = await writeInContexts(
      prompt,
      { maxTokens, reset, transcript },
      async ({ tokens }, most) => {
        const request: TokenRequest = { prompt: tokens, maxTokens: most, ...common };
        const sampled = await this.#session.sample(request, context);
        assertSampled(sampled, request, `sampler of agent ${this.#options.id} in ${context.path}`);
        return sampled;
      },
    );
    const last = parts.at(-1);
    if (last !== undefined) transcript.wrote(last.prompt, last.sampled.tokens);
    return parts;
  }

  /**
   * The written text without its end token, and the part of it that counts: what precedes the first stop
   * text.
   */
  #read(parts: readonly ReplyPart[]): {
    readonly written: string;
    readonly said: string;
    readonly isCut: boolean;
  } {
    const {
      codec,
      stopTokens,
      prompt: { stop },
    } = this.#options;
    const tokens = parts.flatMap(({ sampled }) => sampled.tokens);
    const isEnded = stopTokens.some((token) => token === tokens.at(-1));
    const after = parts[0]?.prompt.tokens.at(-1);
    const written = codec.decode(isEnded ? tokens.slice(0, -1) : tokens, after);
    const ends = stop.map((text) => written.indexOf(text)).filter((place) => place >= 0);
    return {
      written,
      said: written.slice(0, Math.min(written.length, ...ends)),
      isCut: ends.length === 0 && parts.at(-1)?.sampled.finish === 'length',
    };
  }
}

/** An admissible action, when nothing else may be written. */
interface Allowed<Act> extends WrittenAction {
  readonly action: Act;
}

/**
 * The action that was written. Parsing its text could give another action, for example if it contains a stop
 * text.
 */
function drawnOf<Act>(
  allowed: readonly Allowed<Act>[] | undefined,
  parts: readonly ReplyPart[],
): Allowed<Act> | undefined {
  const written = parts.flatMap(({ sampled }) => sampled.tokens);
  return allowed?.find(({ tokens }) => areEqual(tokens, written));
}

const areEqual = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((token, place) => token === other[place]);

const spanOf = ({ prompt: { tokens, kept }, sampled }: ReplyPart) => ({
  kept,
  appended: tokens.slice(kept),
  sampled: sampled.tokens,
  logprobs: sampled.logprobs,
});

const calledBy =
  <Obs, Act>({ id, called }: TokenAgentOptions<Obs, Act>) =>
  (option: string): string =>
    called?.(option) ?? `${option} of agent ${id}`;

function assertOptions<Obs, Act>(options: TokenAgentOptions<Obs, Act>): void {
  const {
    sampler: { contextLength },
    decoding: { temperature, topK = 1, topP = 1, minP = 0 },
    stopTokens,
  } = options;
  const called = calledBy(options);
  assertReplyOptions({ ...options, contextLength }, called);
  const refuse = (option: string, what: string, fix: string): never => {
    throw new UsageError({ where: called(option), what, fix });
  };
  if (!(Number.isFinite(temperature) && temperature >= 0))
    refuse(
      'temperature',
      `${temperature} is invalid.`,
      'It must be a number of at least 0; 0 takes the most likely token.',
    );
  if (!Number.isInteger(topK) || topK < 1)
    refuse('topK', `${topK} is invalid.`, 'It must be an integer of at least 1. Omit it for no limit.');
  if (!(topP > 0 && topP <= 1))
    refuse('topP', `${topP} is invalid.`, 'It must be above 0 and at most 1. Omit it for no limit.');
  if (!(minP >= 0 && minP <= 1))
    refuse('minP', `${minP} is invalid.`, 'It must be from 0 to 1. Omit it for no limit.');
  if (stopTokens.length === 0)
    refuse(
      'stopTokens',
      'there is none, so no reply would end.',
      'Give the ids that end a turn in the chat template.',
    );
}

/** Refuses an invalid answer of a sampler, because training would use it. */
function assertSampled(
  { tokens, logprobs, finish }: SampledTokens,
  { maxTokens, allowed }: TokenRequest,
  where: string,
): void {
  const refuse = (what: string, fix = 'Fix the sampler.'): never => {
    throw new RunError({ where, what, fix });
  };
  if (tokens.length !== logprobs.length)
    refuse(`it returned ${tokens.length} tokens and ${logprobs.length} log-probabilities.`);
  if (tokens.length > maxTokens)
    refuse(`it returned ${tokens.length} tokens, and the limit was ${maxTokens}.`);
  const odd = tokens.find((token) => !Number.isInteger(token) || token < 0);
  if (odd !== undefined) refuse(`it returned the invalid token ${odd}.`);
  const wrong = logprobs.find((logprob) => logprob !== null && !Number.isFinite(logprob));
  if (wrong !== undefined)
    refuse(
      `it returned the invalid log-probability ${wrong}.`,
      'The weights have diverged. Return to an earlier checkpoint and lower the learning rate.',
    );
  const isOneOf = allowed?.some((one) => areEqual(one, tokens)) ?? true;
  if (!isOneOf || (allowed !== undefined && finish === 'length'))
    refuse('it was restricted to a list of actions and wrote none of them.');
}
