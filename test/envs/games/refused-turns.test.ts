import { expect, test } from 'vitest';
import { createContext, StepContext } from '../../../envs/core/context.ts';
import { openEnv, parseEnvConfig } from '../../../envs/open.ts';
import { gameEnvs } from '../../../envs/games/games.ts';

/** The rewards and the observation of nonsense in the first turns of a game. */
async function nonsense(id: string, texts: readonly string[] = ['zzzzz']) {
  const definition = gameEnvs.find((env) => env.id === id);
  if (definition === undefined) throw new Error(id);
  const context = createContext({ seed: 0, now: () => 0 });
  const host = await openEnv(definition, parseEnvConfig(definition, {}), context);
  try {
    const env = await host.create();
    await env.reset({ panel: 'dev', index: 0 }, context);
    const results: { total: number; observation: unknown; inadmissible: boolean }[] = [];
    for (const text of texts) {
      const result = await env.step(text, new StepContext(context));
      results.push({
        total: result.reward.total,
        observation: result.observation,
        inadmissible: result.inadmissible,
      });
    }
    return results;
  } finally {
    await host.close();
  }
}

test.each([
  ['game-twenty-questions-v1', -1],
  ['game-guess-my-city-v1', -1],
  ['game-wordle-lmrl-v1', -1],
  ['game-taxi-v1', -10],
  ['game-cliff-walking-v1', -1],
  ['game-sokoban-v1', -0.1],
  ['game-bandit-v1', -0.5],
])('%s: nonsense costs %d', async (id, cost) => {
  const [turn] = await nonsense(id);
  expect(turn).toMatchObject({ inadmissible: true });
  expect(turn?.total).toBeCloseTo(cost, 10);
});

test('a contextual bandit charges the regret of its worst film', async () => {
  const [turn] = await nonsense('game-contextual-bandit-v1');
  expect(turn?.total).toBeLessThan(-0.05);
});

test('twenty questions say why a question is refused, until one is answered', async () => {
  const asked = 'Is it an animal?';
  const turns = await nonsense('game-twenty-questions-v1', ['Is it nice?', asked, asked, 'zzzzz']);
  expect(turns.map(({ inadmissible }) => inadmissible)).toEqual([true, false, true, true]);
  expect(turns[0]?.observation).toMatch(/^Refused: I have no answer to that/);
  expect(turns[1]?.observation).not.toMatch(/Refused/);
  expect(turns[2]?.observation).toMatch(/^Refused: that was asked before.*\nIs it an animal\? /s);
});
