import { z } from 'zod';
import type { Fault } from '../../../envs/core/errors.ts';
import type { Json } from '../../../envs/core/json.ts';
import type { Reward } from '../../../envs/core/step.ts';
import type { Reply } from '../../../envs/core/textual.ts';
import type { Decision, ShownLess, TextDecision, TokenDecision, TokenSpan } from '../../core/agent.ts';
import { stringAt, unpackValue } from '../packed-value.ts';
import type { Stop, Trajectory, TrajectoryStep } from '../trajectory.ts';

/**
 * Version 1 of the trajectory format: the schema of each line, and the way from lines to values; `write-v1.ts` goes the other way.
 *
 * A group is one line that says so, then one line a member. Every member's line brings its own table of strings:
 * candidates and keys are places in it, opaque values refer to it. A key that is undefined in the value is left out.
 */

const count = z.int().nonnegative();
const place = count;
const text = z.string();
const packed = z.unknown();
const numbers = z.record(text, z.number());

/** An array of plain values that pass. Most of a line is such arrays: a schema for each item would take most of the time. */
const listOf = <T extends number | string | null>(
  what: string,
  passes: (item: unknown) => boolean,
): z.ZodType<T[]> =>
  z.custom<T[]>((value) => {
    if (!Array.isArray(value)) return false;
    for (let at = 0; at < value.length; at += 1) if (!passes(value[at])) return false; // `every` would pass over holes
    return true;
  }, `expected an array of ${what}`);

const places = listOf<number>('places', (item) => Number.isSafeInteger(item) && (item as number) >= 0);
const integers = listOf<number>('whole numbers', Number.isSafeInteger);
const finite = listOf<number>('finite numbers', Number.isFinite);
const finiteOrNull = listOf<number | null>(
  'finite numbers and nulls',
  (item) => item === null || Number.isFinite(item),
);
const texts = listOf<string>('texts', (item) => typeof item === 'string');

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
  z.strictObject({ kind: z.literal('sampler-failed'), message: text, retryable: z.boolean() }),
]) satisfies z.ZodType<Fault>;

const stop = z.discriminatedUnion('kind', [
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
  z.strictObject({ kind: z.literal('malformed'), why: text, text }),
]);

const shownLess = { leftOut: count, charactersCut: count.optional(), actionsLeftOut: count.optional() };

const decision = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('choice'), candidates: places, index: z.int(), logprob: z.number() }),
  z.strictObject({ kind: z.literal('tokens'), tokens: integers, sampled: integers, logprobs: finite }), // no longer written: {@link spansOfMask}
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
]);

const step = z.strictObject({
  observation: packed,
  seat: z.int(),
  stateKey: place.optional(),
  anchorKey: place.optional(),
  stepsLeft: z.number().optional(),
  reply,
  decision: decision.optional(),
  policyVersion: z.number().optional(),
  verdict: z.enum(['admissible', 'inadmissible', 'malformed']),
  reward: reward.optional(),
  otherRewards: z.record(text, reward).optional(),
  metrics: numbers.optional(),
});

/** The first line of a group. */
export const groupLineV1 = z.strictObject({
  kind: z.literal('group'),
  schema: z.literal(1),
  task,
  members: z.int().nonnegative(),
});

/** What stands before and behind the steps in the line of a member. */
export const trajectoryHeadV1 = z.strictObject({
  kind: z.literal('trajectory'),
  path: text,
  env: z.strictObject({ id: text, config: packed }),
  task,
  family: text,
  agent: text,
  instruction: text,
});
export const trajectoryTailV1 = z.strictObject({ finalObservation: packed.optional(), stop, strings: texts });

/** One member of a group. */
export const trajectoryLineV1 = z.strictObject({
  ...trajectoryHeadV1.shape,
  steps: z.array(step),
  ...trajectoryTailV1.shape,
});

type TrajectoryLine = z.output<typeof trajectoryLineV1>;
type StepLine = z.output<typeof step>;
type DecisionLine = z.output<typeof decision>;

/** The trajectory of a line that the schema has accepted. Throws a `TypeError` on a reference to a string that is not there. */
export function fromLineV1(line: TrajectoryLine): Trajectory {
  const { strings } = line;
  return {
    schema: 1,
    path: line.path,
    env: { id: line.env.id, config: unpackValue(line.env.config, strings) as Json },
    task: line.task,
    family: line.family,
    agent: line.agent,
    instruction: line.instruction,
    steps: line.steps.map((taken) => stepFromLine(taken, strings)),
    finalObservation: unpackValue(line.finalObservation, strings),
    stop: stopFromLine(line.stop),
  };
}

function stepFromLine(taken: StepLine, strings: readonly string[]): TrajectoryStep {
  const { seat, stateKey, anchorKey, stepsLeft, policyVersion, verdict, otherRewards, metrics } = taken;
  return {
    observation: unpackValue(taken.observation, strings),
    seat,
    stateKey: stateKey === undefined ? undefined : stringAt(stateKey, strings),
    anchorKey: anchorKey === undefined ? undefined : stringAt(anchorKey, strings),
    stepsLeft,
    reply: replyFromLine(taken.reply, strings),
    decision: taken.decision && decisionFromLine(taken.decision, strings),
    policyVersion,
    verdict,
    reward: taken.reward satisfies Reward | undefined,
    ...(otherRewards === undefined ? {} : { otherRewards }),
    ...(metrics === undefined ? {} : { metrics }),
  };
}

function replyFromLine(said: StepLine['reply'], strings: readonly string[]): Reply<unknown> {
  return said.kind === 'malformed' ? said : { kind: 'action', action: unpackValue(said.action, strings) };
}

function decisionFromLine(made: DecisionLine, strings: readonly string[]): Decision {
  switch (made.kind) {
    case 'choice':
      return { ...made, candidates: made.candidates.map((candidate) => stringAt(candidate, strings)) };
    case 'tokens':
      return { kind: 'tokens', spans: spansOfMask(made), leftOut: 0 };
    case 'spans':
      return spansFromLine(made);
    case 'text':
      return textFromLine(made);
    default:
      return made satisfies never;
  }
}

/** Decisions were once one list of tokens, the prompt among them, and a mask of those that were sampled, with a log-probability each. */
function spansOfMask({
  tokens,
  sampled,
  logprobs,
}: Extract<DecisionLine, { readonly kind: 'tokens' }>): readonly TokenSpan[] {
  if (sampled.length !== tokens.length || logprobs.length !== tokens.length) {
    throw new TypeError(
      `a decision has ${tokens.length} tokens, ${sampled.length} marks and ${logprobs.length} log-probabilities`,
    );
  }
  const spans: TokenSpan[] = [];
  for (let start = 0; start < tokens.length;) {
    const firstSampled = placeFrom(start, sampled, 1);
    const end = placeFrom(firstSampled, sampled, 0);
    spans.push({
      kept: start,
      appended: tokens.slice(start, firstSampled),
      sampled: tokens.slice(firstSampled, end),
      logprobs: logprobs.slice(firstSampled, end),
    });
    start = end;
  }
  return spans;
}

function placeFrom(start: number, marks: readonly number[], mark: number): number {
  const place = marks.indexOf(mark, start);
  return place < 0 ? marks.length : place;
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
  charactersCut,
  actionsLeftOut,
  ...shownWhole
}: Extract<DecisionLine, { readonly kind: 'text' }>): TextDecision {
  const made = { ...shownWhole, ...cutFromLine({ charactersCut, actionsLeftOut }) };
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
  charactersCut,
  actionsLeftOut,
}: {
  readonly charactersCut?: number | undefined;
  readonly actionsLeftOut?: number | undefined;
}): Omit<ShownLess, 'leftOut'> {
  return {
    ...(charactersCut === undefined ? {} : { charactersCut }),
    ...(actionsLeftOut === undefined ? {} : { actionsLeftOut }),
  };
}

function stopFromLine(ended: TrajectoryLine['stop']): Stop {
  if (ended.kind !== 'terminated') return ended;
  const { kind, outcome, limit } = ended;
  return limit === undefined ? { kind, outcome } : { kind, outcome, limit };
}
