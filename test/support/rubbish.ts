import { z } from 'zod';
import { defineEnv, type Env, type EnvHost } from '../../envs/core/env.ts';
import { reward } from '../../envs/core/step.ts';

/** A value that is wrong in one way, and how the refusal must name the way. */
export type Rubbish = readonly [value: unknown, says: RegExp];

/** A call of an env, its host or its snapshots. */
export type Call = 'open' | 'describeTask' | 'create' | 'reset' | 'step' | 'restore';

const turn = {
  observation: 'a door',
  stateKey: 's',
  anchorKey: 'a',
  admissible: ['go', 'stay'],
  stepsLeft: undefined,
  seat: 0,
};
const ongoing = { kind: 'ongoing', ...turn, reward: reward({ way: 0.5 }), inadmissible: false };
const ended = {
  kind: 'terminated',
  outcome: 'solved',
  observation: 'out',
  reward: reward({ way: 1 }),
  inadmissible: false,
  stateKey: 'e',
};

const never = Promise.resolve('later');

const rubbishTurns = (turn: object): readonly Rubbish[] => [
  [{ ...turn, observation: undefined }, /it has no observation/],
  [{ ...turn, observation: never }, /its observation is a promise that was never awaited/],
  [{ ...turn, stateKey: 7 }, /its stateKey is 7, no text/],
  [{ ...turn, anchorKey: null }, /its anchorKey is null, no text/],
  [{ ...turn, admissible: 'go' }, /its admissible actions are "go", no array/],
  [{ ...turn, admissible: { 0: 'go' } }, /its admissible actions are an object, no array/],
  [{ ...turn, admissible: ['go', undefined] }, /one of its admissible actions is undefined/],
  [{ ...turn, stepsLeft: Number.NaN }, /its stepsLeft is NaN, no finite number/],
  [{ ...turn, seat: undefined }, /its seat is undefined, no whole number from 0/],
  [{ ...turn, seat: -1 }, /its seat is -1/],
];

const rubbishOutcomes = (result: object): readonly Rubbish[] => [
  [{ ...result, inadmissible: undefined }, /its inadmissible is undefined, neither true nor false/],
  [{ ...result, reward: undefined }, /its reward is undefined, no object of total and terms/],
  [{ ...result, reward: 1 }, /its reward is 1, no object/],
  [{ ...result, reward: Promise.resolve(reward({})) }, /its reward is a promise/],
  [{ ...result, reward: { total: Number.NaN, terms: {} } }, /its reward\.total is NaN, no finite number/],
  [{ ...result, reward: { total: '1', terms: {} } }, /its reward\.total is "1"/],
  [{ ...result, reward: { total: 1 } }, /its reward\.terms are undefined/],
  [
    { ...result, reward: { total: 1, terms: { goal: Number.POSITIVE_INFINITY } } },
    /its reward\.terms\.goal is Infinity/,
  ],
  [
    { ...result, reward: { total: 1, terms: { goal: 0.5 } } },
    /its reward\.total is 1, which its terms do not sum to/,
  ],
  [{ ...result, otherRewards: 3 }, /its otherRewards are 3/],
  [
    { ...result, otherRewards: { 1: { total: Number.NaN, terms: {} } } },
    /its otherRewards\[1\]\.total is NaN/,
  ],
  [{ ...result, metrics: { speed: 'fast' } }, /its metrics\.speed is "fast"/],
];

const noObjects = (what: string): readonly Rubbish[] => [
  [undefined, new RegExp(`it gave back undefined, and ${what} is an object`)],
  [null, new RegExp(`it gave back null, and ${what} is an object`)],
  ['done', new RegExp(`it gave back "done", and ${what} is an object`)],
  [() => ongoing, new RegExp(`it gave back a function, and ${what} is an object`)],
];

const host = {
  panels: [{ name: 'train', size: 8, purpose: 'train', summary: 's' }],
  describeTask: () => 1,
  create: () => 1,
  close: () => 1,
};
const panels = (change: object): object => ({ ...host, panels: [{ ...host.panels[0], ...change }] });

/** What each call of an env may wrongly give back. */
export const rubbish: Readonly<Record<Call, readonly Rubbish[]>> = {
  open: [
    ...noObjects('a host'),
    [{}, /its describeTask is undefined, no function/],
    [{ ...host, close: 'now' }, /its close is "now", no function/],
    [{ ...host, panels: undefined }, /its panels are undefined, no array/],
    [{ ...host, panels: ['train'] }, /panels\[0\] is "train", no object/],
    [panels({ name: 7 }), /panels\[0\] has the name 7, no text/],
    [panels({ size: '8' }), /panels\[0\] \(train\) has the size "8", no whole number above 0/],
    [panels({ purpose: 'test' }), /panels\[0\] \(train\) has the purpose "test"/],
    [{ ...host, unavailablePanels: 'dev' }, /its unavailable panels are "dev", no array/],
    [
      { ...host, unavailablePanels: [{ name: 'dev', why: 'so' }] },
      /its unavailable panels are .*, no array of objects with name, why and fix/,
    ],
    [{ ...host, experts: 'me' }, /its experts are "me", no object/],
    [{ ...host, audit: 1 }, /its audit is 1, no object/],
  ],
  describeTask: [
    ...noObjects('a task'),
    [{ instruction: 'go', content: 1 }, /its family is undefined, no text/],
    [{ family: 'f', instruction: 1, content: 1 }, /its instruction is 1, no text/],
    [{ family: 'f', instruction: 'go' }, /it has no content/],
  ],
  create: [
    ...noObjects('an env'),
    [{ reset: () => 1, close: () => 1 }, /its step is undefined, no function/],
    [{ reset: () => 1, step: () => 1, close: () => 1, snapshots: 1 }, /its snapshots are 1, no object/],
    [
      { reset: () => 1, step: () => 1, close: () => 1, snapshots: { take: () => 1 } },
      /its restore is undefined, no function/,
    ],
  ],
  reset: [
    ...noObjects('an opening'),
    [turn, /its instruction is undefined, no text/],
    ...rubbishTurns({ ...turn, instruction: 'go' }),
  ],
  step: [
    ...noObjects('a step result'),
    [
      { ...ongoing, kind: 'running' },
      /its kind is "running", and there are "ongoing", "terminated" and "truncated"/,
    ],
    [[turn, 1, true, {}], /its kind is undefined/],
    ...rubbishTurns(ongoing),
    ...rubbishOutcomes(ongoing),
    ...rubbishOutcomes(ended),
    [{ ...ended, observation: undefined }, /it has no observation/],
    [{ ...ended, stateKey: 1 }, /its stateKey is 1/],
    [{ ...ended, anchorKey: 1 }, /its anchorKey is 1/],
    [{ ...ended, outcome: 'won' }, /its outcome is "won", neither "solved" nor "failed"/],
    [{ ...ended, limit: 5 }, /its limit is 5, no text/],
    [{ ...ended, kind: 'truncated' }, /its limit is undefined, no text/],
  ],
  restore: [...noObjects('a turn'), ...rubbishTurns(turn)],
};

/** The turn after so many steps: a walk of two steps, `stay` or `go` alike. */
const turnAfter = (steps: number) => ({
  ...turn,
  observation: `door ${steps}`,
  stateKey: `s${steps}`,
  anchorKey: `a${steps}`,
});

/** An env that is sound but for what one of its calls gives back, where one is named; `step` does so from the second on. */
export function rubbishEnv(broken?: { readonly call: Call; readonly value: unknown }) {
  const given = (here: Call, sound: unknown): never =>
    (here === broken?.call ? broken.value : sound) as never;
  const create = (): Env<string, string> => {
    let steps = 0;
    return {
      reset: async () => ((steps = 0), given('reset', { ...turnAfter(0), instruction: 'go' })),
      step: async () => (
        (steps += 1),
        steps === 1 ? ({ ...ongoing, ...turnAfter(1) } as never) : given('step', ended)
      ),
      close: async () => undefined,
      snapshots: {
        take: () => ({ world: steps, episode: steps, steps }),
        restore: ({ world }) => ((steps = Number(world)), given('restore', turnAfter(steps))),
      },
    };
  };
  const host: EnvHost<string, string> = {
    panels: [
      { name: 'train', size: 8, purpose: 'train', summary: 's' },
      { name: 'dev', size: 8, purpose: 'dev', summary: 's' },
    ],
    describeTask: ({ panel, index }) =>
      given('describeTask', { family: 'f', instruction: 'go', content: { panel, index } }),
    create: async () => given('create', create()),
    close: async () => undefined,
  };
  return defineEnv({
    id: 'lab/rubbish-v1',
    summary: 'sound but for one call',
    config: z.strictObject({}),
    observation: z.string(),
    action: z.string(),
    deterministic: true,
    text: {
      observation: (seen) => seen,
      action: (act) => act,
      parse: (text) => ({ kind: 'action', action: text }),
    },
    turnLimit: () => 5,
    open: async () => given('open', host),
  });
}
