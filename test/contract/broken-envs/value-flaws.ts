import { reward } from '../../../envs/core/step.ts';
import { breakVault, type Flaw } from './break-env.ts';
import { sealOf, vault, type Action } from './vault.ts';

class Tally {
  readonly count = 1;
}

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

const seen = (observation: unknown): object => observation as object;
const later = <T>(steps: number, odd: T, usual: T): T => (steps >= 3 ? odd : usual);

/** Flaws that one turn or one result reveals. */
export const valueFlaws: readonly Flaw[] = [
  ...[undefined, Number.NaN, new Tally(), cycle, new Date(0), 1n].map((odd): Flaw => ({
    law: 'json',
    says: `puts ${typeof odd === 'object' ? odd.constructor.name : String(odd)} into an observation after three steps`,
    definition: breakVault({
      turn: ({ observation }, { steps }) => ({
        observation: later(steps, { ...seen(observation), odd }, observation),
      }),
    }),
  })),
  {
    law: 'json',
    says: 'lists an action that is not JSON',
    definition: breakVault({
      turn: ({ admissible = [] }) => ({
        admissible: [...admissible, { do: 'open', box: Number.POSITIVE_INFINITY }],
      }),
    }),
  },
  {
    law: 'schema',
    says: 'shows a field that its schema does not know',
    definition: breakVault({
      turn: ({ observation }) => ({ observation: { ...seen(observation), steps: 3 } }),
    }),
  },
  {
    law: 'schema',
    says: 'lists an action that its schema refuses',
    definition: breakVault({
      turn: ({ admissible = [] }) => ({ admissible: [...admissible, { do: 'open', box: -1 }] }),
    }),
  },
  {
    law: 'schema',
    says: 'has a state key that is a number',
    definition: breakVault({ turn: () => ({ stateKey: 7 as unknown as string }) }),
  },
  {
    law: 'schema',
    says: 'gives a turn the seat 0.5',
    definition: breakVault({ turn: () => ({ seat: 0.5 }) }),
  },
  {
    law: 'schema',
    says: 'ends with an unknown outcome',
    definition: breakVault({
      result: (result) =>
        result.kind === 'terminated' ? { ...result, outcome: 'drawn' as 'solved' } : result,
    }),
  },
  {
    law: 'text',
    says: 'parses box numbers one too low',
    definition: breakVault({
      definition: { text: { ...vault.text, action: (action) => wordsOf(action as Action, 1) } },
    }),
  },
  {
    law: 'text',
    says: 'renders an observation as undefined',
    definition: breakVault({
      definition: { text: { ...vault.text, observation: () => undefined as unknown as string } },
    }),
  },
  {
    law: 'admissible',
    says: 'lists nothing after three steps',
    definition: breakVault({
      turn: ({ admissible }, { steps }) => ({ admissible: later(steps, [], admissible) }),
    }),
  },
  {
    law: 'admissible',
    says: 'lists an action twice',
    definition: breakVault({
      turn: ({ admissible = [] }) => ({ admissible: [...admissible, ...admissible.slice(-1)] }),
    }),
  },
  {
    law: 'admissible',
    says: 'refuses an action that it lists',
    definition: breakVault({
      turn: ({ admissible = [] }) => ({
        admissible: [...admissible.filter((action) => (action as Action).do !== 'take'), { do: 'take' }],
      }),
    }),
  },
  {
    law: 'admissible',
    says: 'depends on the order of keys in an action',
    definition: breakVault({
      env: (env) => ({
        step: async (action, context) => {
          const result = await env.step(action, context);
          return {
            ...result,
            inadmissible: result.inadmissible || Object.keys(action as Action)[0] !== 'do',
          };
        },
      }),
    }),
  },
  {
    law: 'reward',
    says: 'has terms that do not sum to the total',
    definition: breakVault({
      result: (result) => ({ ...result, reward: { total: 1, terms: { time: -0.125 } } }),
    }),
  },
  {
    law: 'reward',
    says: 'pays NaN',
    definition: breakVault({ result: (result) => ({ ...result, reward: reward({ time: Number.NaN }) }) }),
  },
  {
    law: 'reward',
    says: 'pays another seat Infinity',
    definition: breakVault({
      result: (result) => ({ ...result, otherRewards: { 1: reward({ luck: Number.POSITIVE_INFINITY }) } }),
    }),
  },
  {
    law: 'reward',
    says: 'pays as much for failing as for solving',
    severity: 'warning',
    definition: breakVault({
      definition: { turnLimit: () => 3 },
      result: (result) => ({ ...result, reward: reward({}) }),
    }),
  },
  {
    law: 'reward',
    says: 'pays by the step, so that waiting earns most',
    severity: 'warning',
    definition: breakVault({
      definition: { turnLimit: () => 3 },
      result: (result) => ({ ...result, reward: reward({ time: 0.25 }) }),
    }),
  },
  {
    law: 'steps-left',
    says: 'always reports nine steps left',
    definition: breakVault({ definition: { turnLimit: () => 1_000 }, turn: () => ({ stepsLeft: 9 }) }),
  },
  {
    law: 'steps-left',
    says: 'does not enforce its turn limit',
    definition: vault,
    options: {
      open: (definition, config, context) => definition.open(definition.config.parse(config), context),
    },
  },
  {
    law: 'secrets',
    says: 'shows the seal in an observation',
    definition: breakVault({
      env: (env) => ({
        reset: async (task, context) => ({
          ...(await env.reset(task, context)),
          instruction: `Mind the ${sealOf(task)}.`,
        }),
      }),
    }),
  },
  {
    law: 'secrets',
    says: 'shows the seal in capitals',
    definition: breakVault({
      definition: { text: { ...vault.text, observation: () => 'SEAL-TRAIN-0-OF-WAX' } },
    }),
  },
  {
    law: 'secrets',
    says: 'puts the seal into a key',
    definition: breakVault({
      env: (env) => ({
        reset: async (task, context) => {
          const opening = await env.reset(task, context);
          return { ...opening, stateKey: `${opening.stateKey}/${sealOf(task)}` };
        },
      }),
    }),
  },
  {
    law: 'secrets',
    says: 'shows the seal in the text of an observation',
    definition: breakVault({
      definition: { text: { ...vault.text, observation: () => 'a whiff of seal-train-0-of-wax' } },
    }),
  },
  {
    law: 'crash',
    says: 'throws on an action that is not listed',
    definition: breakVault({
      result: (result) => {
        if (result.inadmissible) throw new Error('nothing to take');
        return result;
      },
    }),
  },
];

function wordsOf(action: Action, shift: number): string {
  return action.do === 'open' ? `open ${action.box + shift}` : action.do;
}
