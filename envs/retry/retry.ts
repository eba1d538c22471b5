import { z } from 'zod';
import type {
  AnyEnvDefinition,
  Audit,
  EnvDefinition,
  EnvHost,
  EnvId,
  Experts,
  Searcher,
} from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { mapDefinition, mapHost } from '../core/map-env.ts';
import type { EnvBench } from '../core/presets.ts';
import type { Rng } from '../core/rng.ts';
import type { ActingTurn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import type { Textual } from '../core/textual.ts';
import { openEnv } from '../open.ts';
import {
  instructionOf,
  readRetry,
  RetryEnv,
  retryKeys,
  type RetryKeys,
  type RetryObservation,
  type RetryRules,
} from './retry-episode.ts';
import { openFeedback } from './feedback.ts';

export type { RetryObservation };

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
 * With a penalty the keys contain the attempts so far, because the reward depends on them. With `retry.turns` they contain the turns that are
 * left, and with feedback of a model what was said.
 *
 * `retry.turns` and `retry.feedback` are the protocol of MINT (Wang et al., "MINT: Evaluating LLMs in Multi-turn Interaction with Tools and
 * Language Feedback", ICLR 2024), except that a wrong attempt starts the task again. MINT keeps the state of its interpreter.
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
  const { bench, ...rest } = mapDefinition(definition, {});
  return {
    ...rest,
    id: retryIdOf(definition.id),
    summary: `${definition.summary}; wrong attempts may be tried again`,
    config,
    observation: z.strictObject({
      attempt: z.int().min(1),
      attempts: z.int().min(1),
      feedback: z.string().optional(),
      advice: z.string().optional(),
      turnsLeft: z.int().min(0).optional(),
      observation: definition.observation,
    }),
    text: textOf(text),
    ...(bench === undefined ? {} : { bench: benchOf(bench) }),
    ...(definition.unchecked === undefined ? {} : { unchecked: uncheckedOf(definition.unchecked) }),
    turnLimit: (given: unknown) => {
      const { retry, own } = split(given);
      const one = turnLimit?.(own);
      const limits = [retry.turns, one === undefined ? undefined : retry.attempts * one];
      const known = limits.filter((limit) => limit !== undefined);
      return known.length === 0 ? undefined : Math.min(...known);
    },
    open: async (given, context) => {
      const { retry, own } = split(given);
      const feedback = openFeedback(
        retry.feedback,
        { env: definition.id, declared: definition.feedback },
        context,
      );
      try {
        const host = await openEnv(definition, own as z.input<Config>, context);
        return hostOf(host, { keys: retry, text: definition.text, feedback });
      } catch (thrown) {
        await feedback?.close();
        throw thrown;
      }
    },
  };
}

/**
 * Panels and prompt mean the same where tasks may be tried again. Columns, other runs and recorded studies do not: rewards, observations and
 * results differ.
 */
const benchOf = ({ panels, prompt }: EnvBench): EnvBench => ({
  ...(panels === undefined ? {} : { panels }),
  ...(prompt === undefined ? {} : { prompt }),
});

/** Laws of tasks with one turn can be checked where there are several. */
function uncheckedOf(unchecked: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { 'state-key-alias': _alias, 'steps-left': _steps, ...rest } = unchecked;
  return rest;
}

/** What stands beside the observation of the task. */
const noted = ({
  advice,
  turnsLeft,
}: Pick<RetryObservation<unknown>, 'advice' | 'turnsLeft'>): readonly string[] => [
  ...(advice === undefined ? [] : [`Feedback: ${advice}`]),
  ...(turnsLeft === undefined ? [] : [`Turns left: ${turnsLeft}.`]),
];

function textOf<Obs, Act>(text: Textual<Obs, Act>): Textual<RetryObservation<Obs>, Act> {
  const { tools } = text;
  const toolResults = text.toolResults?.bind(text);
  return {
    observation: ({ attempt, attempts, feedback, advice, turnsLeft, observation }) =>
      [
        ...(feedback === undefined ? [] : [`${feedback} Attempt ${attempt} of ${attempts}.`]),
        ...noted({ advice }),
        text.observation(observation),
        ...noted({ turnsLeft }),
      ].join('\n\n'),
    action: (action) => text.action(action),
    parse: (words) => text.parse(words),
    ...(text.readsThoughts === true ? { readsThoughts: true } : {}),
    ...(tools === undefined ? {} : { tools }),
    ...(toolResults === undefined
      ? {}
      : {
          toolResults: ({ feedback, advice, turnsLeft, observation }: RetryObservation<Obs>) => {
            if (feedback !== undefined) return []; // the task starts again
            const parts = toolResults(observation);
            const last = [...parts.slice(-1), ...noted({ advice, turnsLeft })].join('\n\n');
            return parts.length === 0 ? [] : [...parts.slice(0, -1), last];
          },
        }),
    ...(text.isSample === undefined ? {} : { isSample: (action: Act) => text.isSample?.(action) === true }),
    ...(text.features === undefined
      ? {}
      : { features: ({ observation }: RetryObservation<Obs>) => text.features?.(observation) ?? {} }),
    ...(text.target === undefined ? {} : { target: (action: Act) => text.target?.(action) }),
  };
}

function hostOf<Obs, Act>(
  host: EnvHost<Obs, Act>,
  rules: RetryRules<Obs, Act>,
): EnvHost<RetryObservation<Obs>, Act> {
  const { experts, audit, identity } = host;
  const { keys: retry, feedback } = rules;
  const mapped = mapHost(host, {}) as unknown as EnvHost<RetryObservation<Obs>, Act>;
  return mapHost(mapped, {
    ...(identity === undefined ? {} : { identity: { of: identity, retry: asJson(retry) } }),
    describeTask: (task) => {
      const info = host.describeTask(task);
      return info.instruction === undefined
        ? info
        : { ...info, instruction: instructionOf(info.instruction, retry) };
    },
    create: async () => new RetryEnv(await host.create(), rules),
    close: async () => {
      await feedback?.close();
      await host.close();
    },
    ...(experts === undefined ? {} : { experts: expertsOf(experts, retry) }),
    ...(audit === undefined ? {} : { audit: auditOf(audit) }),
  });
}

/** The players of the env. A searcher and a baseline see each attempt as an episode of the env, with the instruction of the env alone. */
function expertsOf<Obs, Act>(
  experts: Experts<Obs, Act>,
  retry: RetryKeys,
): Experts<RetryObservation<Obs>, Act> {
  const added = instructionOf('', retry);
  const planner = experts.planner?.bind(experts);
  const searcher = experts.searcher?.bind(experts);
  const { baselines } = experts;
  return {
    attemptOf: ({ attempt }) => attempt,
    ...(planner === undefined ? {} : { planner: (task: TaskRef) => planner(task) }),
    ...(searcher === undefined ? {} : { searcher: (rng) => inEachAttempt(() => searcher(rng), added) }),
    ...(baselines === undefined
      ? {}
      : {
          baselines: Object.fromEntries(
            Object.entries(baselines).map(([name, baseline]) => [
              name,
              {
                summary: `${baseline.summary}; the same in each attempt`,
                play: (task: TaskRef, rng: Rng) => inEachAttempt(() => baseline.play(task, rng), added),
              },
            ]),
          ),
        }),
  };
}

/** A new player for each attempt. `added` is what the instruction says of attempts. */
function inEachAttempt<Obs, Act>(
  begin: () => Searcher<Obs, Act>,
  added: string,
): Searcher<RetryObservation<Obs>, Act> {
  let player: Searcher<Obs, Act> | undefined;
  let attempt = 0;
  let instruction = '';
  return {
    act: (turn) => {
      const { observation: retried, ...others } = turn;
      if ('instruction' in turn)
        instruction = turn.instruction.endsWith(added)
          ? turn.instruction.slice(0, -added.length)
          : turn.instruction;
      const own = { ...others, observation: retried.observation } as ActingTurn<Obs, Act>;
      if (player !== undefined && retried.attempt === attempt) return player.act(own);
      attempt = retried.attempt;
      player = begin();
      return player.act({ ...own, instruction });
    },
  };
}

function auditOf<Act>(audit: Audit<Act>): Audit<Act> {
  const swapHidden = audit.swapHidden?.bind(audit);
  const secrets = audit.secrets?.bind(audit);
  const rules = audit.rules?.bind(audit);
  return {
    ...(rules === undefined ? {} : { rules: (tasks) => rules(tasks) }),
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

/** Keys without a value are left out. */
const asJson = (keys: RetryKeys): Json => JSON.parse(JSON.stringify(keys)) as Json;

/** {@link retryEnv} for a definition of unknown types. */
export const retryAnyEnv = (definition: AnyEnvDefinition): AnyEnvDefinition =>
  retryEnv(definition) as unknown as AnyEnvDefinition;
