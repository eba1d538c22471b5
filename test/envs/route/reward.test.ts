import { expect, it } from 'vitest';
import { costReward } from '../../../envs/route/reward/cost-reward.ts';
import { routeFormatFlaw } from '../../../envs/route/reward/route-format.ts';

it('the reward of a cost falls with its square root between the bounds', () => {
  const scale = { low: 100, high: 2_500 };
  // (√c - 10) / (50 - 10), worked out by hand
  expect([0, 100, 900, 2_500, 9_999].map((cost) => costReward(cost, scale))).toEqual([1, 1, 0.5, 0, 0]);
});

const round = '<think>a</think><search>Owl: who?</search>\n<information>c</information>\n';
it.each([
  [`${round}<think>d</think><answer>e</answer>`, undefined],
  // a thought is needed first, and not before each action
  [`${round}<answer>e</answer>`, undefined],
  ['nothing', 'no-tags'],
  ['<think>a</think><answer>b', 'unclosed'],
  ['<think>...</think><answer>b</answer>', 'empty-thought'],
  ['<think><search>x</search></think><answer>b</answer>', 'nested'],
  [`${round}`, 'one-answer'],
  ['<think>a</think><search>Owl: x</search><answer>b</answer>', 'no-information'],
  ['<answer>e</answer><think>d</think>', 'no-thought-first'],
  ['<think>d</think><answer>e</answer>!', 'text-after-answer'],
  [round.replace('who?', 'who: me?') + '<answer>e</answer>', 'query'],
  [round.replace('who?', 'is owl right?') + '<answer>e</answer>', 'query'],
  [round.replace('Owl', 'Cat') + '<answer>e</answer>', 'unknown-model'],
] as const)('the format of %j has the flaw %s', (transcript, flaw) => {
  expect(routeFormatFlaw(transcript, ['Owl'])).toBe(flaw);
});
