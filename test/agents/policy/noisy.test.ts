import { describe, expect, it } from 'vitest';
import { createNoisyAgent } from '../../../agents/policy/noisy.ts';
import { createScriptedAgent } from '../../../agents/policy/scripted.ts';
import { runEpisode } from '../../../agents/rollout/episode.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { corridorText, type CorridorMove, type CorridorView } from '../../support/corridor.ts';
import { corridorStage, episodePlan, testContext } from '../../support/rollout.ts';

/** An expert that always goes to the right. The corridor slips each time, so that an episode has all its turns. */
const right = () =>
  createScriptedAgent<CorridorView, CorridorMove>({
    id: 'right',
    replies: async () => ({ kind: 'action', action: 'right' }),
  });

async function choicesOf(share: number, path = 'noisy') {
  const stage = await corridorStage({ config: { slip: 1, turns: 30 } });
  const agent = createNoisyAgent({ expert: right(), share, text: corridorText });
  const { steps } = await runEpisode(episodePlan(stage, { agent, path }), testContext());
  await stage.envs.close();
  return steps.map(({ decision }) => {
    if (decision?.kind !== 'choice') throw new Error('a noisy player records choices');
    return { move: decision.candidates[decision.index], probability: Math.exp(decision.logprob) };
  });
}

describe('noisy agent', () => {
  it('chooses at random in its share of the turns, and records the probability of each choice', async () => {
    const half = (await Promise.all([0, 1, 2, 3].map((round) => choicesOf(0.5, `round-${round}`)))).flat();
    const others = half.filter(({ move }) => move !== 'go right');
    expect(Math.abs(others.length - 40)).toBeLessThan(21); // of 120 turns a third; 4 standard deviations
    for (const { move, probability } of half)
      expect(probability).toBeCloseTo(move === 'go right' ? 0.5 + 0.5 / 3 : 0.5 / 3, 9);
  });

  it('plays a larger share with the same draws and more of them', async () => {
    const [few, many] = await Promise.all([choicesOf(0.3), choicesOf(0.8)]);
    for (const [turn, { move }] of few.entries())
      if (move !== 'go right') expect(many[turn]?.move).toBe(move);
    expect(many.filter(({ move }) => move !== 'go right').length).toBeGreaterThan(
      few.filter(({ move }) => move !== 'go right').length,
    );
  });

  it.each([0, 1, -0.1, Number.NaN])('refuses a share of %d', (share) => {
    expect(() => createNoisyAgent({ expert: right(), share, text: corridorText })).toThrow(UsageError);
  });
});
