import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Snapshot } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { canonicalJson } from '../core/json.ts';
import { createRng } from '../core/rng.ts';
import { reward, type Opening, type Reward, type StepResult, type Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import type { Textual } from '../core/textual.ts';
import { feedbackKeys, type FeedbackGiver } from './feedback.ts';

/** What an agent sees of a task that it may try again. */
export interface RetryObservation<Obs> {
  /** Counted from 1. */
  readonly attempt: number;
  readonly attempts: number;
  /** Words that say only that the last attempt was wrong: in the first turn of every attempt but the first. */
  readonly feedback?: string | undefined;
  /** What the giver of feedback says of the last turn. */
  readonly advice?: string | undefined;
  /** Turns that are left in all, where `retry.turns` limits them. */
  readonly turnsLeft?: number | undefined;
  /** What the task itself shows. */
  readonly observation: Obs;
}

export const retryKeys = z
  .strictObject({
    attempts: z.int().min(1).max(100).default(5).describe('attempts at a task'),
    discount: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe('each further attempt multiplies the rewards by this'),
    repeatPenalty: z
      .number()
      .min(0)
      .max(100)
      .default(0.1)
      .describe(
        'subtracted at the end, times the share of attempts that repeat an earlier one; with 0 repeats are not tracked',
      ),
    turns: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('turns of all attempts together, which agents see counted down; default: no such limit'),
    ...feedbackKeys,
  })
  .prefault({});
export type RetryKeys = z.output<typeof retryKeys>;

/** Texts that all say the same. One alone would be a mark that a model could learn to wait for. */
const feedbacks = [
  "That is not right. Let's try again.",
  'Wrong. Try again.',
  'Not correct. Please think again and give another answer.',
  'That is wrong. Have another try.',
  'Incorrect. Try once more.',
] as const;

/** The instruction of the task, with what the agent needs to know of its attempts. */
export function instructionOf(instruction: string, { attempts, turns, feedback }: RetryKeys): string {
  const inAll = turns === undefined ? '' : ` and ${turns} ${turns === 1 ? 'turn' : 'turns'} in all`;
  const hear =
    feedback === 'none'
      ? 'After a wrong one you hear only that it was wrong.'
      : feedback === 'scripted'
        ? 'After a wrong one you hear what was wrong.'
        : 'After each turn you hear feedback.';
  return `${instruction}\n\nYou have ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${inAll}. ${hear}`;
}

/** What the episodes of a host share. */
export interface RetryRules<Obs, Act> {
  readonly keys: RetryKeys;
  readonly text: Textual<Obs, Act>;
  readonly feedback: FeedbackGiver | undefined;
}

const savedSchema = z.strictObject({
  world: z.strictObject({
    /** The world of the task. */
    task: z.json(),
    attempt: z.int().min(1),
    /** Digests of the attempts that failed, in the order of their texts, each with how often it was made. */
    tried: z.array(z.string()),
    /** Digest of the actions of this attempt; empty at its start. */
    now: z.string(),
    /** Turns so far, where they are limited. */
    turns: z.int().min(0).exactOptional(),
    /** All that was said, where feedback depends on it. */
    said: z
      .strictObject({
        opening: z.string(),
        turns: z.array(z.strictObject({ action: z.string(), observation: z.string() })),
      })
      .exactOptional(),
  }),
  episode: z.strictObject({
    task: z.json(),
    steps: z.int().min(0),
    ref: z.strictObject({ panel: z.string(), index: z.int().min(0) }),
    feedback: z.string().exactOptional(),
    advice: z.string().exactOptional(),
    instruction: z.string().exactOptional(),
  }),
});

/** @throws UsageError for a snapshot of something else */
export function readRetry({ world, episode }: Snapshot): z.output<typeof savedSchema> {
  const parsed = savedSchema.safeParse({ world, episode });
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where: 'snapshot of a task that may be tried again',
    what: 'it is not a snapshot of such a task.',
    fix: 'Restore only a snapshot that snapshots.take() returned for the same env and config.',
  });
}

/** One episode: attempts at one task until one succeeds or none is left. */
export class RetryEnv<Obs, Act> implements Env<RetryObservation<Obs>, Act> {
  readonly #env: Env<Obs, Act>;
  readonly #keys: RetryKeys;
  readonly #text: Textual<Obs, Act>;
  readonly #giver: FeedbackGiver | undefined;
  #task: TaskRef = { panel: '', index: 0 };
  #attempt = 1;
  #tried: readonly string[] = [];
  #now = '';
  /** What the first turn of a further attempt says. */
  #feedback: string | undefined;
  #advice: string | undefined;
  #turns = 0;
  /** All that was said, where feedback depends on it. */
  #said: NonNullable<z.output<typeof savedSchema>['world']['said']> | undefined;
  #instruction = '';
  /** Steps that one attempt may have; undefined where there is no limit. */
  #longest: number | undefined;
  readonly snapshots?: NonNullable<Env<RetryObservation<Obs>, Act>['snapshots']>;

  constructor(env: Env<Obs, Act>, { keys, text, feedback }: RetryRules<Obs, Act>) {
    this.#env = env;
    this.#keys = keys;
    this.#text = text;
    this.#giver = feedback;
    const { snapshots } = env;
    if (snapshots === undefined) return;
    this.snapshots = {
      take: () => {
        const { world, episode, steps } = snapshots.take();
        return {
          world: {
            task: world,
            attempt: this.#attempt,
            tried: this.#tried,
            now: this.#now,
            ...(keys.turns === undefined ? {} : { turns: this.#turns }),
            ...(this.#said === undefined ? {} : { said: this.#said }),
          } as unknown as Json,
          episode: {
            task: episode,
            steps,
            ref: { ...this.#task },
            ...(this.#feedback === undefined ? {} : { feedback: this.#feedback }),
            ...(this.#advice === undefined ? {} : { advice: this.#advice }),
            ...(this.#said === undefined ? {} : { instruction: this.#instruction }),
          },
          steps: 0, // the guard of the opened env counts
        };
      },
      restore: (snapshot) => {
        const { world, episode } = readRetry(snapshot);
        const turn = snapshots.restore({ world: world.task, episode: episode.task, steps: episode.steps });
        [this.#attempt, this.#tried, this.#now] = [world.attempt, world.tried, world.now];
        [this.#task, this.#feedback, this.#advice] = [episode.ref, episode.feedback, episode.advice];
        [this.#turns, this.#said] = [world.turns ?? 0, world.said];
        this.#instruction = episode.instruction ?? '';
        if (turn.stepsLeft !== undefined) this.#longest = turn.stepsLeft + episode.steps;
        return this.#turn(turn);
      },
    };
  }

  async reset(task: TaskRef, context: ResetContext): Promise<Opening<RetryObservation<Obs>, Act>> {
    [this.#task, this.#attempt, this.#tried, this.#now] = [task, 1, [], ''];
    [this.#turns, this.#advice, this.#said] = [0, undefined, undefined];
    const opening = await this.#begin(context);
    if (this.#giver?.reads === true) {
      this.#instruction = opening.instruction;
      this.#said = { opening: this.#text.observation(opening.observation), turns: [] };
    }
    return { ...this.#turn(opening), instruction: instructionOf(opening.instruction, this.#keys) };
  }

  async step(action: Act, context: Context): Promise<StepResult<RetryObservation<Obs>, Act>> {
    const result = await this.#env.step(action, context);
    this.#turns += 1;
    [this.#feedback, this.#advice] = [undefined, undefined];
    if (this.#keys.repeatPenalty > 0) this.#now = digest([this.#now, this.#text.action(action)]);
    const paid = this.#discounted(result.reward);
    const metrics = await this.#advise(action, result, context);
    if (result.kind === 'ongoing') return { ...result, ...this.#turn(result), reward: paid, ...metrics };
    if (result.kind === 'truncated') return { ...result, ...this.#end(result), reward: paid };
    const isRepeat = this.#now !== '' && this.#tried.includes(this.#now);
    if (this.#now !== '') this.#tried = [...this.#tried, this.#now].toSorted();
    const counted = {
      ...metrics.metrics,
      attempts: 1,
      ...(this.#keys.repeatPenalty > 0 ? { repeats: isRepeat ? 1 : 0 } : {}),
    };
    if (result.outcome === 'solved' || this.#attempt >= this.#keys.attempts || this.#turnsLeft === 0)
      return { ...result, ...this.#end(result), reward: this.#withPenalty(paid), metrics: counted };
    this.#attempt += 1;
    this.#now = '';
    const opening = await this.#begin(context);
    const { inadmissible, otherRewards } = result;
    return {
      kind: 'ongoing',
      ...this.#turn(opening),
      reward: paid,
      ...(otherRewards === undefined ? {} : { otherRewards }),
      inadmissible,
      metrics: counted,
    };
  }

  get #turnsLeft(): number | undefined {
    return this.#keys.turns === undefined ? undefined : Math.max(0, this.#keys.turns - this.#turns);
  }

  /** Asks for feedback on a turn after which the episode goes on. Returns the metrics of the result, and whether there was any. */
  async #advise(
    action: Act,
    result: StepResult<Obs, Act>,
    { signal }: Context,
  ): Promise<Pick<StepResult<Obs, Act>, 'metrics'>> {
    const { metrics } = result;
    const own = metrics === undefined ? {} : { metrics };
    const said = {
      action: this.#text.action(action),
      observation: this.#text.observation(result.observation),
    };
    if (this.#said !== undefined) this.#said = { ...this.#said, turns: [...this.#said.turns, said] };
    const isOver =
      result.kind === 'truncated' ||
      (result.kind === 'terminated' &&
        (result.outcome === 'solved' || this.#attempt >= this.#keys.attempts)) ||
      this.#turnsLeft === 0;
    if (this.#giver === undefined || isOver) return own;
    this.#advice = await this.#giver.give({
      instruction: this.#instruction,
      opening: this.#said?.opening ?? '',
      turns: this.#said?.turns ?? [],
      result,
      signal,
    });
    return this.#advice === undefined ? own : { metrics: { ...metrics, feedback: 1 } };
  }

  close(): Promise<void> {
    return this.#env.close();
  }

  async #begin(context: ResetContext): Promise<Opening<Obs, Act>> {
    const opening = await this.#env.reset(this.#task, context);
    // by the content of the task, so that equal tasks are asked in equal words
    const rng = createRng(0)
      .fork('retry')
      .fork(opening.stateKey ?? '')
      .fork(this.#attempt);
    this.#feedback = this.#attempt === 1 ? undefined : rng.pick(feedbacks);
    this.#longest = opening.stepsLeft;
    return opening;
  }

  #turn({ observation, stateKey, anchorKey, admissible, stepsLeft, seat }: Turn<Obs, Act>) {
    const later = (this.#keys.attempts - this.#attempt) * (this.#longest ?? 0);
    return {
      observation: this.#shown(observation),
      stateKey: this.#keyed(stateKey),
      anchorKey: this.#keyed(anchorKey),
      admissible,
      stepsLeft: stepsLeft === undefined ? undefined : stepsLeft + later,
      seat,
    };
  }

  #end({
    observation,
    stateKey,
    anchorKey,
  }: Pick<Turn<Obs, Act>, 'observation' | 'stateKey'> & { readonly anchorKey?: string | undefined }) {
    return {
      observation: this.#shown(observation),
      stateKey: this.#keyed(stateKey),
      ...(anchorKey === undefined ? {} : { anchorKey: this.#keyed(anchorKey) }),
    };
  }

  #shown(observation: Obs): RetryObservation<Obs> {
    const { attempts } = this.#keys;
    return {
      attempt: this.#attempt,
      attempts,
      ...(this.#feedback === undefined ? {} : { feedback: this.#feedback }),
      ...(this.#advice === undefined ? {} : { advice: this.#advice }),
      ...(this.#turnsLeft === undefined ? {} : { turnsLeft: this.#turnsLeft }),
      observation,
    };
  }

  /** The key of the task with what changes the rewards to come. */
  #keyed(key: string | undefined): string | undefined {
    if (key === undefined) return undefined;
    const further = [
      this.#turnsLeft,
      this.#said === undefined ? undefined : digest([JSON.stringify(this.#said)]),
    ];
    const more = further.filter((part) => part !== undefined);
    return canonicalJson([key, this.#attempt, this.#now, [...this.#tried], ...more]);
  }

  #discounted({ terms }: Reward): Reward {
    const share = this.#keys.discount ** (this.#attempt - 1);
    return reward(Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, share * value])));
  }

  #withPenalty({ terms }: Reward): Reward {
    const distinct = new Set(this.#tried).size;
    const repeats = this.#keys.repeatPenalty * (1 - distinct / this.#attempt);
    return reward(this.#keys.repeatPenalty > 0 && repeats > 0 ? { ...terms, repeats: -repeats } : terms);
  }
}

const digest = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
