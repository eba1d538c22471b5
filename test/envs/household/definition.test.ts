import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import { createContext } from '../../../envs/core/context.ts';
import { householdConfig, householdEnv, householdHardEnv } from '../../../envs/household/definition.ts';
import { families, type Family, type Goal } from '../../../envs/household/goal.ts';
import { looseWording } from '../../../envs/household/hard-panels.ts';
import { plainWording, readGoal, sayGoal } from '../../../envs/household/wording.ts';
import { commandText } from '../../../envs/kit/text-game.ts';
import { openEnv } from '../../../envs/open.ts';
import { openHousehold, openSmall, playOut } from './players.ts';
import { context, envOf, kitchen, play } from './small-rooms.ts';

describe('the config of household envs', () => {
  it('fills in defaults and refuses unknown values', () => {
    expect(householdConfig.parse({})).toEqual({ dialect: 'current', maxSteps: 50 });
    for (const wrong of [{ dialect: 'old' }, { maxSteps: 0 }, { maxSteps: 1.5 }, { limit: 3 }])
      expect(householdConfig.safeParse(wrong).success).toBe(false);
  });

  it('names the wrong key when an env is opened', async () => {
    await expect(openEnv(householdEnv, { maxSteps: -1 }, context)).rejects.toSatisfy(
      (thrown) => UsageError.is(thrown) && thrown.message.includes('maxSteps'),
    );
  });
});

describe('the turn limit of household envs', () => {
  it.each([50, 7])('ends the episode as failed after %i steps', async (maxSteps) => {
    const env = await (await openHousehold({ maxSteps })).create();
    const seen: (number | undefined)[] = [];
    const { steps, last } = await playOut(env, { panel: 'dev', index: 0 }, (turn) => {
      seen.push(turn.stepsLeft);
      return 'look';
    });
    expect(steps).toBe(maxSteps);
    expect(seen).toEqual(Array.from({ length: maxSteps }, (_, step) => maxSteps - step));
    expect(last).toMatchObject({
      kind: 'terminated',
      outcome: 'failed',
      limit: 'turn-limit',
      reward: { total: 0, terms: {} },
    });
  });

  it('defaults to 20 steps in small flats', async () => {
    expect(
      (await playOut(await (await openSmall()).create(), { panel: 'dev', index: 0 }, () => 'look')).steps,
    ).toBe(20);
  });
});

describe('commandText', () => {
  it('removes surrounding white space only', () => {
    expect(commandText.parse('  go to fridge 1\n')).toEqual({ kind: 'action', action: 'go to fridge 1' });
    expect(commandText.observation('On the shelf 1, you see nothing.')).toBe(
      'On the shelf 1, you see nothing.',
    );
    expect(commandText.action('look')).toBe('look');
  });

  it.each(['', ' \n', 'look\nlook', 'go to\rfridge 1'])(
    'reports a text of no line or several as malformed: %j',
    (text) => {
      expect(commandText.parse(text)).toMatchObject({ kind: 'malformed', text });
    },
  );
});

describe('goal sentences of household tasks', () => {
  const goalOf = (family: Family): Goal =>
    family === 'look'
      ? { family, object: 'book', lamp: 'desklamp' }
      : { family, object: 'mug', receptacle: 'shelf' };

  it('match those of ALFWorld', () => {
    expect(
      families.map((family) => plainWording[family].map((template) => sayGoal(template, goalOf(family)))),
    ).toEqual([
      ['put a mug in shelf.', 'put some mug on shelf.'],
      ['look at book under the desklamp.', 'examine the book with the desklamp.'],
      ['put a clean mug in shelf.', 'clean some mug and put it in shelf.'],
      ['put a hot mug in shelf.', 'heat some mug and put it in shelf.'],
      ['put a cool mug in shelf.', 'cool some mug and put it in shelf.'],
      ['put two mug in shelf.', 'find two mug and put them in shelf.'],
    ]);
  });

  it.each([
    ['plain', plainWording],
    ['loose', looseWording],
  ] as const)('give back their goal in %s words', (_name, wording) => {
    for (const family of families) {
      for (const template of wording[family]) {
        const goal = goalOf(family);
        const target = goal.family === 'look' ? goal.lamp : goal.receptacle;
        expect(readGoal([wording], sayGoal(template, goal))).toEqual({ family, object: goal.object, target });
      }
    }
  });

  it('give no goal when they say something else', () => {
    expect(readGoal([plainWording], 'do the dishes.')).toBeUndefined();
  });
});

describe('a household episode', () => {
  const task = kitchen(
    { family: 'pick', object: 'spoon', receptacle: 'countertop' },
    'put a spoon in countertop.',
  );

  it('refuses steps before its start and after its end', async () => {
    const env = envOf(task);
    await expect(env.step('look', context)).rejects.toThrow(UsageError);
    await play(env, [
      'go to sinkbasin 1',
      'take spoon 1 from sinkbasin 1',
      'go to countertop 1',
      'move spoon 1 to countertop 1',
    ]);
    await expect(env.step('look', context)).rejects.toThrow(UsageError);
    expect(() => env.snapshots.take()).toThrow(UsageError);
  });

  it('refuses to start when it was aborted', async () => {
    const reason = new Error('called off');
    const gone = createContext({ seed: 1, now: () => 0, signal: AbortSignal.abort(reason) });
    await expect(envOf(task).reset({ panel: 'by-hand', index: 0 }, gone)).rejects.toBe(reason);
  });

  it('gives every turn its own list', async () => {
    const env = envOf(task);
    const { last } = await play(env, ['go to sinkbasin 1']);
    const list = last?.kind === 'ongoing' ? (last.admissible as string[]) : [];
    const before = [...list];
    list.length = 0;
    expect(await env.step('look', context)).toHaveProperty('admissible', before);
  });
});

describe('the hard household world', () => {
  it('states goals in loose words', async () => {
    const host = await openEnv(householdHardEnv, {}, context);
    const task = { panel: 'dev', index: 1 };
    const opening = await (await host.create()).reset(task, context);
    expect(readGoal([plainWording], opening.instruction)).toBeUndefined();
    expect(readGoal([looseWording], opening.instruction)?.family).toBe(host.describeTask(task).family);
  });
});
