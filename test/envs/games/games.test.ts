import { describe, expect, test } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import { canonicalJson } from '../../../envs/core/json.ts';
import { createRng } from '../../../envs/core/rng.ts';
import { gameEnvs } from '../../../envs/games/games.ts';
import { cities } from '../../../envs/games/tables/cities.ts';
import { things } from '../../../envs/games/tables/things.ts';
import { answerWords, otherWords } from '../../../envs/games/tables/five-letter-words.ts';
import { longWords } from '../../../envs/games/tables/long-words.ts';
import { wordleEnv } from '../../../envs/games/wordle.ts';
import { openEnv } from '../../../envs/open.ts';
import { isThorough } from '../../support/thorough.ts';

const context = createContext({ seed: 0, now: () => 0 });

/** Games whose searchers take seconds: they are played only where all tests run. */
const thinkLong = ['game-chess-v1', 'game-chess-endgame-v1', 'game-survival-v1'];

describe('each game', () => {
  test.each(gameEnvs.map((definition) => ({ id: definition.id, definition })))(
    '$id divides its starts into panels, and its searcher plays to the end',
    async ({ definition }) => {
      const host = await openEnv(definition, {}, context);
      const owners = new Map<string, string>();
      for (const { name, purpose } of host.panels) {
        for (let index = 0; index < (name === 'original' ? 1 : 8); index += 1) {
          const text = canonicalJson(host.describeTask({ panel: name, index }).content);
          expect(owners.get(text) ?? purpose).toBe(purpose);
          owners.set(text, purpose);
        }
      }
      if (!isThorough && thinkLong.includes(definition.id)) {
        await host.close();
        return;
      }
      const env = await host.create();
      const searcher = host.experts?.searcher?.(createRng(1));
      let turn: Parameters<NonNullable<typeof searcher>['act']>[0] | undefined = await env.reset(
        { panel: 'dev', index: 0 },
        context,
      );
      for (let step = 0; step < 1_001 && turn !== undefined; step += 1) {
        const result = await env.step(await searcher?.act(turn), context);
        turn = result.kind === 'ongoing' ? result : undefined;
      }
      expect(turn).toBeUndefined();
      await env.close();
      await host.close();
    },
  );
});

describe('the tables of games', () => {
  test.each([
    ['things', things],
    ['cities', cities],
  ])('all %s differ, and their attributes have questions', (_name, { questions, things: table }) => {
    const lists = Object.values(table).map((list) => list.split(' ').toSorted());
    expect(new Set(lists.map((list) => list.join())).size).toBe(lists.length);
    expect(lists.flat().filter((attribute) => questions[attribute] === undefined)).toEqual([]);
  });

  test('words are unique and in their lists once', () => {
    const words = [...answerWords, ...otherWords, ...longWords];
    expect(new Set(words).size).toBe(words.length);
    expect([answerWords.length, otherWords.length, longWords.length]).toEqual([2_400, 2_600, 3_000]);
  });
});

test('the official Wordle marks no more letters than the hidden word has', async () => {
  const host = await openEnv(wordleEnv, {}, context);
  const env = await host.create();
  await env.reset({ panel: 'train', index: 0 }, context);
  const snapshot = env.snapshots?.take();
  const world = { vocabulary: ['abbey', 'babes'], hidden: 'abbey', guesses: [] };
  env.snapshots?.restore({ world, episode: snapshot?.episode ?? {}, steps: 0 });
  const { observation } = await env.step('guess babes', context);
  expect(observation).toBe('babes: <y><y><g><g><b>');
});
