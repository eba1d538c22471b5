import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Context, ResetContext } from './core/context.ts';
import type {
  AnyEnvDefinition,
  Audit,
  Env,
  EnvDefinition,
  EnvHost,
  EnvId,
  Experts,
  Searcher,
  Snapshot,
} from './core/env.ts';
import { UsageError } from './core/errors.ts';
import type { Json } from './core/json.ts';
import { canonicalJson } from './core/json.ts';
import { mapDefinition, mapHost } from './core/map-env.ts';
import { createRng } from './core/rng.ts';
import {
  reward,
  type ActingTurn,
  type Opening,
  type Reward,
  type StepResult,
  type Turn,
} from './core/step.ts';
import type { TaskRef } from './core/task.ts';
import type { Textual } from './core/textual.ts';
import { openEnv } from './open.ts';

/** What an agent sees of a task that it may try again. */
export interface RetryObservation<Obs> {
  /** Counted from 1. */
  readonly attempt: number;
  readonly attempts: number;
  /** Words that say only that the last attempt was wrong: in the first turn of every attempt but the first. */
  readonly feedback?: string | undefined;
  /** What the task itself shows. */
  readonly observation: Obs;
}

const retryKeys = z
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
  })
  .prefault({});
type RetryKeys = z.output<typeof retryKeys>;

/** Texts that all say the same. One alone would be a mark that a model could learn to wait for. */
const feedbacks = [
  "That is not right. Let's try again.",
  'Wrong. Try again.',
  'Not correct. Please think again and give another answer.',
  'That is wrong. Have another try.',
  'Incorrect. Try once more.',
] as const;

/** `puzzle-sudoku-v1` becomes `retry-puzzle-sudoku-v1`, and `my-lab/sum-v1` becomes `my-lab/retry-sum-v1`. */
export const retryIdOf = (id: EnvId): EnvId => id.replace(/^(.*\/)?/, '$1retry-') as EnvId;

/**
 * Lets a task be tried again: unary feedback as observation (UFO, "A Simple 'Try Again' Can Elicit Multi-Turn LLM Reasoning", 2025). When
 * an attempt fails, the env says only that it was wrong and starts the same task again, up to `retry.attempts` times. It works with tasks
 * of one turn and of several. The observation never shows what was wrong.
 *
 * The reward of attempt t is that of the task times `retry.discount` to the power t - 1. At the end it subtracts `retry.repeatPenalty` times
 * (1 - distinct attempts / attempts). An attempt repeats an earlier one if its actions have the same words. Each step that ends an attempt
 * counts in the metric `attempts`, and in `repeats` if it repeats one.
 *
 * With a penalty the keys contain the attempts so far, because the reward depends on them.
 *
 * @throws UsageError where the config of the env is no object, or has a key `retry`
 */
export function retryEnv<Config extends z.ZodType, Obs, Act>(
  definition: EnvDefinition<EnvId, Config, Obs, Act>,
): EnvDefinition<EnvId, z.ZodType, RetryObservation<Obs>, Act> {
  const { text } = definition;
  const turnLimit = definition.turnLimit?.bind(definition);
  const schema: z.ZodType = definition.config;
  if (!(schema instanceof z.ZodObject) || 'retry' in schema.shape)
    throw new UsageError({
      where: `retry of ${definition.id}`,
      what:
        schema instanceof z.ZodObject
          ? 'the config of the env has a key `retry` already.'
          : 'the config of the env is no object.',
      fix: 'Give the env a config that is a z.strictObject without a key `retry`.',
    });
  const config = z.strictObject({
    ...schema.shape,
    retry: retryKeys.describe('how a task is tried again'),
  });
  const split = (given: unknown): { readonly retry: RetryKeys; readonly own: z.output<Config> } => {
    const { retry, ...own } = config.parse(given);
    return { retry: retryKeys.parse(retry), own: own as z.output<Config> };
  };
  const { bench: _bench, ...rest } = mapDefinition(definition, {});
  return {
    ...rest,
    id: retryIdOf(definition.id),
    summary: `${definition.summary}; wrong attempts may be tried again`,
    config,
    observation: z.strictObject({
      attempt: z.int().min(1),
      attempts: z.int().min(1),
      feedback: z.string().optional(),
      observation: definition.observation,
    }),
    text: textOf(text),
    ...(definition.unchecked === undefined ? {} : { unchecked: uncheckedOf(definition.unchecked) }),
    ...(turnLimit === undefined
      ? {}
      : {
          turnLimit: (given: unknown) => {
            const { retry, own } = split(given);
            return retry.attempts * turnLimit(own);
          },
        }),
    open: async (given, context) => {
      const { retry, own } = split(given);
      const host = await openEnv(definition, own as z.input<Config>, context);
      return hostOf(host, retry, definition.text);
    },
  };
}

/** Laws of tasks with one turn can be checked where there are several. */
function uncheckedOf(unchecked: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { 'state-key-alias': _alias, 'steps-left': _steps, ...rest } = unchecked;
  return rest;
}

function textOf<Obs, Act>(text: Textual<Obs, Act>): Textual<RetryObservation<Obs>, Act> {
  const { tools } = text;
  return {
    observation: ({ attempt, attempts, feedback, observation }) => {
      const words = text.observation(observation);
      return feedback === undefined ? words : `${feedback} Attempt ${attempt} of ${attempts}.\n\n${words}`;
    },
    action: (action) => text.action(action),
    parse: (words) => text.parse(words),
    ...(tools === undefined ? {} : { tools }),
    ...(text.isSample === undefined ? {} : { isSample: (action: Act) => text.isSample?.(action) === true }),
    ...(text.features === undefined
      ? {}
      : { features: ({ observation }: RetryObservation<Obs>) => text.features?.(observation) ?? {} }),
    ...(text.target === undefined ? {} : { target: (action: Act) => text.target?.(action) }),
  };
}

const instructionOf = (instruction: string, { attempts }: RetryKeys): string =>
  `${instruction}\n\nYou have ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}. After a wrong one you hear only that it was wrong.`;

function hostOf<Obs, Act>(
  host: EnvHost<Obs, Act>,
  retry: RetryKeys,
  text: Textual<Obs, Act>,
): EnvHost<RetryObservation<Obs>, Act> {
  const { experts, audit, identity } = host;
  const mapped = mapHost(host, {}) as unknown as EnvHost<RetryObservation<Obs>, Act>;
  return mapHost(mapped, {
    ...(identity === undefined ? {} : { identity: { of: identity, retry } }),
    describeTask: (task) => {
      const info = host.describeTask(task);
      return info.instruction === undefined
        ? info
        : { ...info, instruction: instructionOf(info.instruction, retry) };
    },
    create: async () => new RetryEnv(await host.create(), retry, text),
    ...(experts === undefined ? {} : { experts: expertsOf(experts) }),
    ...(audit === undefined ? {} : { audit: auditOf(audit) }),
  });
}

function expertsOf<Obs, Act>(experts: Experts<Obs, Act>): Experts<RetryObservation<Obs>, Act> {
  const planner = experts.planner?.bind(experts);
  const searcher = experts.searcher?.bind(experts);
  return {
    ...(planner === undefined ? {} : { planner: (task: TaskRef) => planner(task) }),
    ...(searcher === undefined
      ? {}
      : {
          searcher: (rng) => {
            let player: Searcher<Obs, Act> | undefined;
            let attempt = 0;
            let instruction = '';
            return {
              act: (turn) => {
                if ('instruction' in turn) ({ instruction } = turn);
                const { observation, ...others } = turn;
                const own = { ...others, observation: observation.observation } as ActingTurn<Obs, Act>;
                if (player !== undefined && observation.attempt === attempt) return player.act(own);
                attempt = observation.attempt;
                player = searcher(rng);
                return player.act({ ...own, instruction });
              },
            };
          },
        }),
  };
}

function auditOf<Act>(audit: Audit<Act>): Audit<Act> {
  const swapHidden = audit.swapHidden?.bind(audit);
  const secrets = audit.secrets?.bind(audit);
  return {
    ...(secrets === undefined ? {} : { secrets: (task: TaskRef) => secrets(task) }),
    ...(swapHidden === undefined
      ? {}
      : {
          swapHidden: (snapshot, rng) => {
            const { world, episode } = readRetry(snapshot);
            const own = { world: world.task, episode: episode.task, steps: episode.steps };
            const swapped = swapHidden(own, rng);
            return swapped === undefined
              ? undefined
              : {
                  snapshot: { ...snapshot, world: { ...world, task: swapped.snapshot.world } },
                  reveals: (action: Act) => swapped.reveals(action),
                };
          },
        }),
  };
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
  }),
  episode: z.strictObject({
    task: z.json(),
    steps: z.int().min(0),
    ref: z.strictObject({ panel: z.string(), index: z.int().min(0) }),
    feedback: z.string().optional(),
  }),
});

function readRetry({ world, episode }: Snapshot): z.output<typeof savedSchema> {
  const parsed = savedSchema.safeParse({ world, episode });
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where: 'snapshot of a task that may be tried again',
    what: 'it is not a snapshot of such a task.',
    fix: 'Restore only a snapshot that snapshots.take() returned for the same env and config.',
  });
}

/** One episode: attempts at one task until one succeeds or none is left. */
class RetryEnv<Obs, Act> implements Env<RetryObservation<Obs>, Act> {
  readonly #env: Env<Obs, Act>;
  readonly #keys: RetryKeys;
  readonly #text: Textual<Obs, Act>;
  #task: TaskRef = { panel: '', index: 0 };
  #attempt = 1;
  #tried: readonly string[] = [];
  #now = '';
  /** What the first turn of a further attempt says. */
  #feedback: string | undefined;
  /** Steps that one attempt may have; undefined where there is no limit. */
  #longest: number | undefined;
  readonly snapshots?: NonNullable<Env<RetryObservation<Obs>, Act>['snapshots']>;

  constructor(env: Env<Obs, Act>, keys: RetryKeys, text: Textual<Obs, Act>) {
    this.#env = env;
    this.#keys = keys;
    this.#text = text;
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
          } as unknown as Json,
          episode: {
            task: episode,
            steps,
            ref: { ...this.#task },
            ...(this.#feedback === undefined ? {} : { feedback: this.#feedback }),
          },
          steps: 0, // the guard of the opened env counts
        };
      },
      restore: (snapshot) => {
        const { world, episode } = readRetry(snapshot);
        const turn = snapshots.restore({ world: world.task, episode: episode.task, steps: episode.steps });
        [this.#attempt, this.#tried, this.#now] = [world.attempt, world.tried, world.now];
        [this.#task, this.#feedback] = [episode.ref, episode.feedback];
        if (turn.stepsLeft !== undefined) this.#longest = turn.stepsLeft + episode.steps;
        return this.#turn(turn);
      },
    };
  }

  async reset(task: TaskRef, context: ResetContext): Promise<Opening<RetryObservation<Obs>, Act>> {
    [this.#task, this.#attempt, this.#tried, this.#now] = [task, 1, [], ''];
    const opening = await this.#begin(context);
    return { ...this.#turn(opening), instruction: instructionOf(opening.instruction, this.#keys) };
  }

  async step(action: Act, context: Context): Promise<StepResult<RetryObservation<Obs>, Act>> {
    const result = await this.#env.step(action, context);
    this.#feedback = undefined;
    if (this.#keys.repeatPenalty > 0) this.#now = digest([this.#now, this.#text.action(action)]);
    const paid = this.#discounted(result.reward);
    if (result.kind === 'ongoing') return { ...result, ...this.#turn(result), reward: paid };
    if (result.kind === 'truncated') return { ...result, ...this.#end(result), reward: paid };
    const isRepeat = this.#now !== '' && this.#tried.includes(this.#now);
    if (this.#now !== '') this.#tried = [...this.#tried, this.#now].toSorted();
    const metrics = {
      ...result.metrics,
      attempts: 1,
      ...(this.#keys.repeatPenalty > 0 ? { repeats: isRepeat ? 1 : 0 } : {}),
    };
    if (result.outcome === 'solved' || this.#attempt >= this.#keys.attempts)
      return { ...result, ...this.#end(result), reward: this.#withPenalty(paid), metrics };
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
      metrics,
    };
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
    const seen = { attempt: this.#attempt, attempts, observation };
    return this.#feedback === undefined ? seen : { ...seen, feedback: this.#feedback };
  }

  /** The key of the task with what changes the rewards to come. */
  #keyed(key: string | undefined): string | undefined {
    return key === undefined ? undefined : canonicalJson([key, this.#attempt, this.#now, [...this.#tried]]);
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

/** {@link retryEnv} for a definition of unknown types. */
export const retryAnyEnv = (definition: AnyEnvDefinition): AnyEnvDefinition =>
  retryEnv(definition) as unknown as AnyEnvDefinition;
