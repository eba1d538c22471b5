import { z } from 'zod';
import type { Fault } from '../../../../envs/core/errors.ts';
import type { Json } from '../../../../envs/core/json.ts';
import type { Reply } from '../../../../envs/core/textual.ts';
import type {
  ChoiceDecision,
  Decision,
  ShownLess,
  TextDecision,
  TokenDecision,
} from '../../../core/agent.ts';
import { stringAt, unpackValue } from '../packed-value.ts';
import { trajectorySchema, type Stop, type Trajectory, type TrajectoryStep } from '../../trajectory.ts';

/**
 * The parts of a line that all versions of the format share: the schema of each part and its conversion to a
 * value. A version that changes a part defines its own.
 *
 * A group is one line, followed by one line for each member. Each member's line has its own string table.
 * Candidates and keys are positions in the table; opaque values refer to it. Undefined keys are omitted.
 */

const count = z.int().nonnegative();
/** Position of a string in the table. */
export const place = z.int().nonnegative();
export const text = z.string();
export const packed = z.unknown();
const numbers = z.record(text, z.number());

/**
 * An array whose items all pass a test. Most of a line is such arrays, and a zod schema for each item would
 * take most of the time.
 */
const listOf = <T extends number | string | null>(
  what: string,
  passes: (item: unknown) => boolean,
): z.ZodType<T[]> =>
  z.custom<T[]>((value) => {
    if (!Array.isArray(value)) return false;
    // `every` would skip holes
    for (let at = 0; at < value.length; at += 1) if (!passes(value[at])) return false;
    return true;
  }, `expected an array of ${what}`);

const places = listOf<number>('places', (item) => Number.isSafeInteger(item) && (item as number) >= 0);
export const integers = listOf<number>('whole numbers', Number.isSafeInteger);
export const finite = listOf<number>('finite numbers', Number.isFinite);
const finiteOrNull = listOf<number | null>(
  'finite numbers and nulls',
  (item) => item === null || Number.isFinite(item),
);
export const texts = listOf<string>('texts', (item) => typeof item === 'string');

const task = z.strictObject({ panel: text, index: z.int() });
const reward = z.strictObject({ total: z.number(), terms: numbers });

const fault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('env-crashed'), where: text, message: text }),
  z.strictObject({ kind: z.literal('deadline-passed'), where: text, afterMs: z.number() }),
  z.strictObject({ kind: z.literal('task-broken'), where: text, message: text }),
  z.strictObject({
    kind: z.literal('sandbox-failed'),
    stage: z.enum(['open', 'exec', 'file']),
    message: text,
    retryable: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('retriever-failed'),
    code: z.enum(['unreachable', 'late', 'status', 'shape', 'too-large']),
    message: text,
    retryable: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('tool-server-failed'),
    server: text,
    code: z.enum(['start', 'died', 'late', 'too-large', 'protocol', 'schema', 'changed']),
    message: text,
    retryable: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('sampler-failed'),
    message: text,
    retryable: z.boolean(),
    code: z.literal('prompt-too-long').optional(),
  }),
]) satisfies z.ZodType<Fault>;

export const stop = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('terminated'),
    outcome: z.enum(['solved', 'failed']),
    limit: text.optional(),
  }),
  z.strictObject({ kind: z.literal('truncated'), limit: text }),
  z.strictObject({ kind: z.literal('faulted'), fault }),
]);

const reply = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('action'), action: packed }),
  z.strictObject({
    kind: z.literal('malformed'),
    why: text,
    text,
    code: z.enum(['cut-off', 'empty', 'thinking', 'no-action']).optional(),
  }),
]);

const shownLess = {
  leftOut: count,
  contextStart: count.optional(),
  charactersCut: count.optional(),
  actionsLeftOut: count.optional(),
};

/** The kinds of decisions, discriminated by `kind`. */
export const decisions = [
  z.strictObject({
    kind: z.literal('choice'),
    candidates: places,
    index: z.int(),
    logprob: z.number(),
    /** Index and probability in turn. */
    others: finite.optional(),
  }),
  z.strictObject({
    kind: z.literal('spans'),
    spans: z.array(
      z.strictObject({ kept: count, appended: integers, sampled: integers, logprobs: finiteOrNull }),
    ),
    allowed: z.array(integers).optional(),
    ...shownLess,
  }),
  z.strictObject({
    kind: z.literal('text'),
    text,
    usage: z
      .strictObject({
        prompt: count,
        completion: count,
        cached: count.optional(),
        reasoning: count.optional(),
      })
      .optional(),
    reasoningCharacters: count,
    ...shownLess,
  }),
] as const;

/** The fields of a step, except its decision. */
export const stepShape = {
  observation: packed,
  seat: z.int(),
  stateKey: place.optional(),
  anchorKey: place.optional(),
  stepsLeft: z.number().optional(),
  reply,
  policyVersion: z.number().optional(),
  verdict: z.enum(['admissible', 'inadmissible', 'malformed']),
  reward: reward.optional(),
  otherRewards: z.record(text, reward).optional(),
  metrics: numbers.optional(),
};

/** The first line of a group of version `schema`. */
export const groupLine = <Schema extends number>(schema: Schema) =>
  z.strictObject({
    kind: z.literal('group'),
    schema: z.literal(schema),
    task,
    members: count,
  });

/** The fields before the steps in a member's line. */
export const headShape = {
  kind: z.literal('trajectory'),
  path: text,
  env: z.strictObject({ id: text, config: packed }),
  task,
  family: text,
  agent: text,
  instruction: text,
};

/** The fields after the steps. */
export const tailShape = { finalObservation: packed.optional(), stop, strings: texts };

type HeadLine = z.output<z.ZodObject<typeof headShape>>;
type TailLine = z.output<z.ZodObject<typeof tailShape>>;
type StepLine = z.output<z.ZodObject<typeof stepShape>>;
type DecisionLine = z.output<(typeof decisions)[number]>;

/**
 * Builds the trajectory of a line from the parts that its version read itself. @throws TypeError for a
 * reference to a string outside the table
 */
export function trajectoryFromLine(
  line: HeadLine & TailLine,
  own: Pick<Trajectory, 'steps' | 'finalStateKey' | 'finalAnchorKey'>,
): Trajectory {
  const { strings } = line;
  return {
    schema: trajectorySchema,
    path: line.path,
    env: { id: line.env.id, config: unpackValue(line.env.config, strings) as Json },
    task: line.task,
    family: line.family,
    agent: line.agent,
    instruction: line.instruction,
    steps: own.steps,
    finalObservation: unpackValue(line.finalObservation, strings),
    finalStateKey: own.finalStateKey,
    finalAnchorKey: own.finalAnchorKey,
    stop: stopFromLine(line.stop),
  };
}

/** Builds a step from its fields and the parts that the version read itself. */
export function stepFromLine(
  taken: StepLine,
  strings: readonly string[],
  own: Pick<TrajectoryStep, 'decision' | 'reward' | 'penalty'>,
): TrajectoryStep {
  const { seat, stepsLeft, policyVersion, verdict, otherRewards, metrics } = taken;
  return {
    observation: unpackValue(taken.observation, strings),
    seat,
    stateKey: keyFromLine(taken.stateKey, strings),
    anchorKey: keyFromLine(taken.anchorKey, strings),
    stepsLeft,
    reply: replyFromLine(taken.reply, strings),
    decision: own.decision,
    policyVersion,
    verdict,
    reward: own.reward,
    penalty: own.penalty,
    ...(otherRewards === undefined ? {} : { otherRewards }),
    ...(metrics === undefined ? {} : { metrics }),
  };
}

export const keyFromLine = (key: number | undefined, strings: readonly string[]): string | undefined =>
  key === undefined ? undefined : stringAt(key, strings);

function replyFromLine(said: StepLine['reply'], strings: readonly string[]): Reply<unknown> {
  return said.kind === 'malformed' ? said : { kind: 'action', action: unpackValue(said.action, strings) };
}

export function decisionFromLine(made: DecisionLine, strings: readonly string[]): Decision {
  switch (made.kind) {
    case 'choice':
      return choiceFromLine(made, strings);
    case 'spans':
      return spansFromLine(made);
    case 'text':
      return textFromLine(made);
    default:
      return made satisfies never;
  }
}

function choiceFromLine(
  { candidates, others, ...made }: Extract<DecisionLine, { readonly kind: 'choice' }>,
  strings: readonly string[],
): ChoiceDecision {
  const decision = { ...made, candidates: candidates.map((candidate) => stringAt(candidate, strings)) };
  if (others === undefined) return decision;
  if (others.length % 2 !== 0) throw new TypeError('decision.others has an index without a probability');
  return {
    ...decision,
    others: Array.from({ length: others.length / 2 }, (_, at) => ({
      index: others[2 * at] as number,
      probability: others[2 * at + 1] as number,
    })),
  };
}

function spansFromLine({
  spans,
  allowed,
  leftOut,
  ...less
}: Extract<DecisionLine, { readonly kind: 'spans' }>): TokenDecision {
  return {
    kind: 'tokens',
    spans,
    ...(allowed === undefined ? {} : { allowed }),
    leftOut,
    ...cutFromLine(less),
  };
}

function textFromLine({
  usage,
  contextStart,
  charactersCut,
  actionsLeftOut,
  ...shownWhole
}: Extract<DecisionLine, { readonly kind: 'text' }>): TextDecision {
  const made = { ...shownWhole, ...cutFromLine({ contextStart, charactersCut, actionsLeftOut }) };
  if (usage === undefined) return { ...made, usage };
  const { cached, reasoning, ...counted } = usage;
  return {
    ...made,
    usage: {
      ...counted,
      ...(cached === undefined ? {} : { cached }),
      ...(reasoning === undefined ? {} : { reasoning }),
    },
  };
}

function cutFromLine({
  contextStart,
  charactersCut,
  actionsLeftOut,
}: {
  readonly contextStart?: number | undefined;
  readonly charactersCut?: number | undefined;
  readonly actionsLeftOut?: number | undefined;
}): Omit<ShownLess, 'leftOut'> {
  return {
    ...(contextStart === undefined ? {} : { contextStart }),
    ...(charactersCut === undefined ? {} : { charactersCut }),
    ...(actionsLeftOut === undefined ? {} : { actionsLeftOut }),
  };
}

function stopFromLine(ended: TailLine['stop']): Stop {
  if (ended.kind !== 'terminated') return ended;
  const { kind, outcome, limit } = ended;
  return limit === undefined ? { kind, outcome } : { kind, outcome, limit };
}
