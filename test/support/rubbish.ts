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
  [{ ...turn, stateKey: 7 }, /its stateKey must be a string, not 7/],
  [{ ...turn, anchorKey: null }, /its anchorKey must be a string, not null/],
  [{ ...turn, admissible: 'go' }, /its admissible actions must be an array, not "go"/],
  [{ ...turn, admissible: { 0: 'go' } }, /its admissible actions must be an array, not an object/],
  [{ ...turn, admissible: ['go', undefined] }, /one of its admissible actions is undefined/],
  [{ ...turn, stepsLeft: Number.NaN }, /its stepsLeft must be a finite number, not NaN/],
  [{ ...turn, seat: undefined }, /its seat must be an integer of at least 0, not undefined/],
  [{ ...turn, seat: -1 }, /its seat must be an integer of at least 0, not -1/],
];

const rubbishOutcomes = (result: object): readonly Rubbish[] => [
  [{ ...result, inadmissible: undefined }, /its inadmissible must be true or false, not undefined/],
  [{ ...result, reward: undefined }, /its reward must be an object with total and terms, not undefined/],
  [{ ...result, reward: 1 }, /its reward must be an object with total and terms, not 1/],
  [
    { ...result, reward: Promise.resolve(reward({})) },
    /its reward must be an object with total and terms, not a promise/,
  ],
  [
    { ...result, reward: { total: Number.NaN, terms: {} } },
    /its reward\.total must be a finite number, not NaN/,
  ],
  [{ ...result, reward: { total: '1', terms: {} } }, /its reward\.total must be a finite number, not "1"/],
  [{ ...result, reward: { total: 1 } }, /its reward\.terms must be an object of numbers, not undefined/],
  [
    { ...result, reward: { total: 1, terms: { goal: Number.POSITIVE_INFINITY } } },
    /its reward\.terms\.goal must be a finite number, not Infinity/,
  ],
  [
    { ...result, reward: { total: 1, terms: { goal: 0.5 } } },
    /its reward\.total is 1, but its terms sum to another number/,
  ],
  [{ ...result, otherRewards: 3 }, /its otherRewards must be an object of rewards by seat, not 3/],
  [
    { ...result, otherRewards: { 1: { total: Number.NaN, terms: {} } } },
    /its otherRewards\[1\]\.total must be a finite number, not NaN/,
  ],
  [{ ...result, metrics: { speed: 'fast' } }, /its metrics\.speed must be a finite number, not "fast"/],
];

const noObjects = (what: string): readonly Rubbish[] => [
  [undefined, new RegExp(`it returned undefined, but ${what} must be an object`)],
  [null, new RegExp(`it returned null, but ${what} must be an object`)],
  ['done', new RegExp(`it returned "done", but ${what} must be an object`)],
  [() => ongoing, new RegExp(`it returned a function, but ${what} must be an object`)],
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
    [{}, /its describeTask must be a function, not undefined/],
    [{ ...host, close: 'now' }, /its close must be a function, not "now"/],
    [{ ...host, panels: undefined }, /its panels must be an array, not undefined/],
    [{ ...host, panels: ['train'] }, /panels\[0\] must be an object, not "train"/],
    [panels({ name: 7 }), /panels\[0\] must have a string as name, not 7/],
    [panels({ size: '8' }), /panels\[0\] \(train\) must have an integer of at least 1 as size, not "8"/],
    [
      panels({ purpose: 'test' }),
      /panels\[0\] \(train\) must have the purpose "train", "dev" or "held-out", not "test"/,
    ],
    [
      { ...host, unavailablePanels: 'dev' },
      /its unavailablePanels must be an array of objects .*, not "dev"/,
    ],
    [
      { ...host, unavailablePanels: [{ name: 'dev', why: 'so' }] },
      /its unavailablePanels must be an array of objects with name, why and fix, each a string, not an array/,
    ],
    [{ ...host, experts: 'me' }, /its experts must be an object, not "me"/],
    [{ ...host, audit: 1 }, /its audit must be an object, not 1/],
  ],
  describeTask: [
    ...noObjects('a task'),
    [{ instruction: 'go', content: 1 }, /its family must be a string, not undefined/],
    [{ family: 'f', instruction: 1, content: 1 }, /its instruction must be a string, not 1/],
    [{ family: 'f', instruction: 'go' }, /it has no content/],
  ],
  create: [
    ...noObjects('an env'),
    [{ reset: () => 1, close: () => 1 }, /its step must be a function, not undefined/],
    [
      { reset: () => 1, step: () => 1, close: () => 1, snapshots: 1 },
      /its snapshots must be an object, not 1/,
    ],
    [
      { reset: () => 1, step: () => 1, close: () => 1, snapshots: { take: () => 1 } },
      /its restore must be a function, not undefined/,
    ],
  ],
  reset: [
    ...noObjects('an opening'),
    [turn, /its instruction must be a string, not undefined/],
    ...rubbishTurns({ ...turn, instruction: 'go' }),
  ],
  step: [
    ...noObjects('a step result'),
    [
      { ...ongoing, kind: 'running' },
      /its kind must be "ongoing", "terminated" or "truncated", not "running"/,
    ],
    [[turn, 1, true, {}], /its kind must be "ongoing", "terminated" or "truncated", not undefined/],
    ...rubbishTurns(ongoing),
    ...rubbishOutcomes(ongoing),
    ...rubbishOutcomes(ended),
    [{ ...ended, observation: undefined }, /it has no observation/],
    [{ ...ended, stateKey: 1 }, /its stateKey must be a string, not 1/],
    [{ ...ended, anchorKey: 1 }, /its anchorKey must be a string, not 1/],
    [{ ...ended, outcome: 'won' }, /its outcome must be "solved" or "failed", not "won"/],
    [{ ...ended, limit: 5 }, /its limit must be a string, not 5/],
    [{ ...ended, kind: 'truncated' }, /its limit must be a string, not undefined/],
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
