import { describe, expect, test } from 'vitest';
import { calculationEnv } from '../../../cli/doctor/calculation-env.ts';
import { controlRewards, rewardArms } from '../../../cli/doctor/controlled-rewards.ts';
import { judgeControl, type ControlRun } from '../../../cli/doctor/trainer-control.ts';
import { checkEnv } from '../../../envs/check/check-env.ts';
import { describeFinding } from '../../../envs/check/report.ts';
import { createContext, StepContext } from '../../../envs/core/context.ts';
import type { AnyEnvDefinition } from '../../../envs/core/env.ts';
import { openEnv } from '../../../envs/open.ts';
import { cairn } from '../../support/command-line.ts';

const definition = calculationEnv as unknown as AnyEnvDefinition;

const run = (arm: ControlRun['arm'], seed: number, change: number): ControlRun => ({
  arm,
  seed,
  before: 50,
  after: 50 + change,
  entropyBefore: 1.3,
  entropyAfter: 1.1,
});
const verdicts = (changes: Readonly<Record<ControlRun['arm'], readonly number[]>>) =>
  judgeControl(rewardArms.flatMap((arm) => changes[arm].map((change, seed) => run(arm, seed, change)))).map(
    ({ isMet }) => isMet,
  );

describe('the verdict', () => {
  test('passes a trainer that learns from true rewards alone', () => {
    expect(verdicts({ true: [40, 30], random: [4, -6], inverted: [-20, -10] })).toEqual([true, true, true]);
  });

  test('fails a trainer that learns nothing, the opposite, or something without information', () => {
    expect(verdicts({ true: [1, 2], random: [0, 0], inverted: [1, 0] })).toEqual([false, true, false]);
    expect(verdicts({ true: [-30, -20], random: [0, 0], inverted: [30, 20] })).toEqual([false, true, false]);
    expect(verdicts({ true: [30, 30], random: [12, 9], inverted: [-9, -8] })).toEqual([true, false, true]);
  });
});

/** The rewards of the right and of a wrong choice, by task. */
async function rewardsOf(arm: ControlRun['arm'], tasks: number) {
  const context = createContext({ seed: 0, now: () => 0 });
  const host = await openEnv(controlRewards(definition, arm), {}, context);
  const env = await host.create();
  const rewards: { readonly outcome: unknown; readonly total: number }[] = [];
  for (let index = 0; index < tasks; index += 1) {
    const steps = new StepContext({ ...context, rng: context.rng.fork(index) });
    const { admissible = [], observation } = await env.reset({ panel: 'train', index }, context);
    const right = host.experts?.searcher?.(context.rng).act({ observation } as never);
    const wrong = admissible.find((action) => action !== right);
    const result = await env.step(index % 2 === 0 ? right : wrong, steps);
    if (result.kind !== 'terminated') throw new Error('an episode has one step');
    rewards.push({ outcome: result.outcome, total: result.reward.total });
  }
  await host.close();
  return rewards;
}

test('true rewards are those of the env, inverted ones have the other sign, and outcomes stay', async () => {
  const solved = [
    { outcome: 'solved', total: 1 },
    { outcome: 'failed', total: 0 },
  ];
  expect(await rewardsOf('true', 2)).toEqual(solved);
  expect(await rewardsOf('inverted', 2)).toEqual(solved.map((each) => ({ ...each, total: -each.total + 0 })));
});

test('random rewards say nothing about the choice', async () => {
  const rewards = await rewardsOf('random', 400);
  const mean = (outcome: string): number => {
    const own = rewards.filter((each) => each.outcome === outcome);
    return own.reduce((sum, { total }) => sum + total, 0) / own.length;
  };
  expect(new Set(rewards.map(({ total }) => total))).toEqual(new Set([0, 1]));
  expect(Math.abs(mean('solved') - mean('failed'))).toBeLessThan(0.15);
});

test.each([
  ['true', []],
  ['inverted', [/solved episodes earned no more than the failed ones/]],
] as const)('checkEnv finds nothing but the rewards of the calculations: %s ones', async (arm, found) => {
  const { findings } = await checkEnv(controlRewards(definition, arm), {
    tasksPerPanel: 1,
    contentsPerPanel: 10,
    episodes: 2,
    leastSteps: 20,
    pairs: 6,
    points: 4,
    concurrency: 4,
  });
  expect(findings.map(describeFinding)).toEqual(found.map((text) => expect.stringMatching(text) as string));
});

test('seeds without --trainer, and seeds that are none, are refused', async () => {
  expect((await cairn(['doctor', '--seeds', '0..1'])).err).toMatch(/add --trainer/);
  expect((await cairn(['doctor', '--trainer', '--seeds', 'many'])).err).toMatch(/neither a seed nor a range/);
});
