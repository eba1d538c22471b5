import fc from 'fast-check';
import type { Decision, TokenUsage } from '../../agents/core/agent.ts';
import {
  trajectorySchema,
  type Stop,
  type Trajectory,
  type TrajectoryGroup,
  type TrajectoryStep,
} from '../../agents/rollout/trajectory.ts';
import type { Fault } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Reward } from '../../envs/core/step.ts';
import type { TaskRef } from '../../envs/core/task.ts';

/** Finite, and no negative zero, which JSON does not know. */
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const text = fc.string({ unit: 'binary', maxLength: 30 });
const name = fc.stringMatching(/^[a-z][a-z-]{0,12}$/);
const count = fc.nat();
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record<T>(model, { noNullPrototype: true });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

/** Any value that an observation may be: JSON and undefined, with keys that look like marks of the format. */
export const storable: fc.Arbitrary<unknown> = fc.anything({
  key: fc.oneof(fc.string(), fc.constantFrom('$', '$$', '$0', 'strings', 'undefined')),
  values: [
    text,
    number,
    fc.integer().map((value) => value + 0),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
  ],
  maxDepth: 4,
});

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

export const taskRef: fc.Arbitrary<TaskRef> = record({ panel: name, index: count });

const rewardOf: fc.Arbitrary<Reward> = record({
  total: number,
  terms: fc.dictionary(name, number, { noNullPrototype: true }),
});

const usage: fc.Arbitrary<TokenUsage> = fc.record(
  { prompt: count, completion: count, cached: count, reasoning: count },
  { requiredKeys: ['prompt', 'completion'], noNullPrototype: true },
);

const decision: fc.Arbitrary<Decision> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('choice' as const),
      candidates: fc.array(text),
      index: count,
      logprob: number,
      others: fc.array(record({ index: count, probability: number }), { maxLength: 5 }),
    },
    { requiredKeys: ['kind', 'candidates', 'index', 'logprob'], noNullPrototype: true },
  ),
  fc.record(
    {
      kind: fc.constant('tokens' as const),
      spans: fc.array(
        record({
          kept: count,
          appended: fc.array(count),
          sampled: fc.array(count),
          logprobs: fc.array(fc.option(number)),
        }),
        { maxLength: 3 },
      ),
      allowed: fc.array(fc.array(count), { maxLength: 3 }),
      leftOut: count,
      charactersCut: count,
      actionsLeftOut: count,
    },
    { requiredKeys: ['kind', 'spans', 'leftOut'], noNullPrototype: true },
  ),
  fc.record(
    {
      kind: fc.constant('text' as const),
      text,
      usage: maybe(usage),
      reasoningCharacters: count,
      leftOut: count,
      charactersCut: count,
      actionsLeftOut: count,
    },
    { requiredKeys: ['kind', 'text', 'usage', 'reasoningCharacters', 'leftOut'], noNullPrototype: true },
  ),
);

const fault: fc.Arbitrary<Fault> = fc.oneof(
  record({ kind: fc.constant('env-crashed' as const), where: text, message: text }),
  record({ kind: fc.constant('deadline-passed' as const), where: text, afterMs: count }),
  record({ kind: fc.constant('task-broken' as const), where: text, message: text }),
  record({
    kind: fc.constant('sandbox-failed' as const),
    stage: fc.constantFrom('open', 'exec', 'file'),
    message: text,
    retryable: fc.boolean(),
  }),
  record({
    kind: fc.constant('retriever-failed' as const),
    code: fc.constantFrom('unreachable', 'late', 'status', 'shape', 'too-large'),
    message: text,
    retryable: fc.boolean(),
  }),
  record({
    kind: fc.constant('tool-server-failed' as const),
    server: name,
    code: fc.constantFrom('start', 'died', 'late', 'too-large', 'protocol', 'schema', 'changed'),
    message: text,
    retryable: fc.boolean(),
  }),
  record({ kind: fc.constant('sampler-failed' as const), message: text, retryable: fc.boolean() }),
);

const stop: fc.Arbitrary<Stop> = fc.oneof(
  record({ kind: fc.constant('terminated' as const), outcome: fc.constantFrom('solved', 'failed') }),
  record({
    kind: fc.constant('terminated' as const),
    outcome: fc.constantFrom('solved', 'failed'),
    limit: name,
  }),
  record({ kind: fc.constant('truncated' as const), limit: name }),
  record({ kind: fc.constant('faulted' as const), fault }),
);

const step: fc.Arbitrary<TrajectoryStep> = fc
  .record({
    required: record({
      observation: storable,
      seat: fc.nat(3),
      stateKey: maybe(text),
      anchorKey: maybe(text),
      stepsLeft: maybe(count),
      reply: fc.oneof(
        record({ kind: fc.constant('action' as const), action: storable }),
        record({ kind: fc.constant('malformed' as const), why: text, text }),
      ),
      decision: maybe(decision),
      policyVersion: maybe(count),
      verdict: fc.constantFrom('admissible' as const, 'inadmissible' as const, 'malformed' as const),
      reward: maybe(rewardOf),
      penalty: maybe(number.map(Math.abs)),
    }),
    optional: fc.record(
      {
        otherRewards: fc.dictionary(fc.nat(3).map(String), rewardOf, { noNullPrototype: true }),
        metrics: fc.dictionary(name, number, { noNullPrototype: true }),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  })
  .map(({ required, optional }) => ({ ...required, ...optional }));

/** Arrays of any 64 bits: infinities, negative zeros and NaNs of every kind, and views into a larger buffer. */
const floats: fc.Arbitrary<Float64Array> = fc
  .array(
    fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.constantFrom(0x8000000000000000n, 0x7ff0000000000000n, 0x7ff8000000000001n, 0xfff4000000000000n),
    ),
    { maxLength: 6 },
  )
  .map((bits) => new Float64Array(BigUint64Array.from([7n, ...bits]).buffer, 8));

const evidence = fc.dictionary(name, floats, { maxKeys: 3, noNullPrototype: true });

export const trajectory: fc.Arbitrary<Trajectory> = fc.oneof(
  { weight: 2, arbitrary: fc.record(trajectoryModel(), { noNullPrototype: true }) },
  { weight: 1, arbitrary: fc.record({ ...trajectoryModel(), evidence }, { noNullPrototype: true }) },
);

function trajectoryModel() {
  return {
    schema: fc.constant(trajectorySchema),
    path: text,
    env: record({ id: name, config: json }),
    task: taskRef,
    family: text,
    agent: text,
    instruction: text,
    steps: fc.array(step, { maxLength: 5 }),
    finalObservation: storable,
    finalStateKey: maybe(text),
    finalAnchorKey: maybe(text),
    stop,
  };
}

export const trajectoryGroup: fc.Arbitrary<TrajectoryGroup> = record({
  task: taskRef,
  members: fc.array(trajectory, { maxLength: 4 }),
});

/** A group of one short trajectory whose instruction has `size` characters that do not compress well. */
export function sampleGroup(index: number, size = 40): TrajectoryGroup {
  const task = { panel: 'train', index };
  const instruction = Array.from({ length: size }, (_, at) =>
    String.fromCharCode(33 + ((at * at * 31 + index * 17 + at * 7) % 90)),
  ).join('');
  return {
    task,
    members: [
      {
        schema: trajectorySchema,
        path: `train/${index}/sample/member-0`,
        env: { id: 'sample-v1', config: {} },
        task,
        family: 'sample',
        agent: 'sampled',
        instruction,
        steps: [],
        finalObservation: { room: 'the green room' },
        finalStateKey: undefined,
        finalAnchorKey: undefined,
        stop: { kind: 'terminated', outcome: 'solved' },
      },
    ],
  };
}
