import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { householdGame } from '../../../cli/games/household-game.ts';
import { alfworldEnv } from '../../../envs/alfworld/definition.ts';
import type { Env } from '../../../envs/core/env.ts';
import type { DialectName } from '../../../envs/household/dialect.ts';
import { HouseholdPanels } from '../../../envs/household/panels.ts';
import { worldPanels } from '../../../envs/household/world-panels.ts';
import { openEnv } from '../../../envs/open.ts';
import { context } from './twin-worlds.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cairn-commands-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function start(dialect: DialectName = 'current'): Promise<Env<string, string>> {
  const game = householdGame(
    new HouseholdPanels('household-v1', worldPanels).task({ panel: 'train', index: 0 }),
    dialect,
  );
  writeFileSync(path.join(folder, 'game.tw-pddl'), JSON.stringify(game));
  const env = await (await openEnv(alfworldEnv, { files: folder, dev: 0 }, context)).create();
  await env.reset({ panel: 'train', index: 0 }, context);
  return env;
}

describe('look', () => {
  it.each(['current', 'classic'] as const)(
    'sees nothing before the player has gone anywhere in a written game of the %s dialect',
    async (dialect) => {
      const env = await start(dialect);
      const opening = await env.reset({ panel: 'train', index: 0 }, context);
      expect(opening.observation).toMatch(/in the middle of a room\. Looking .*, you see a \w+ \d+, a /);
      const nothing = 'You are in the middle of a room. Looking quickly around you, you see nothing.';
      for (const command of ['look', 'look']) {
        const step = await env.step(command, context);
        expect(step).toMatchObject({ inadmissible: false, observation: nothing });
      }
      const goTo = opening.admissible?.find((command) => command.startsWith('go to ')) ?? '';
      await env.step(goTo, context);
      expect(await env.step('look', context)).toMatchObject({
        observation: `You are facing the ${goTo.slice('go to '.length)}. Next to it, you see nothing.`,
      });
    },
  );
});

describe('an alfworld command', () => {
  it.each(['look', ' look', 'look\n', '\t look \r\n', 'look\u001c'])(
    'ignores blanks around it, as TextWorld does: %j',
    async (command) => {
      expect(await (await start()).step(command, context)).toMatchObject({
        inadmissible: false,
        observation: expect.stringMatching(/^You are in the middle of a room/) as string,
      });
    },
  );

  it.each(['', ' ', 'Look', 'look.', 'go  to desk 1', 'look\nlook', '\ufefflook'])(
    'counts as inadmissible when spelled unlike the listed one: %j',
    async (command) => {
      expect(await (await start()).step(command, context)).toMatchObject({
        kind: 'ongoing',
        inadmissible: true,
        observation: 'Nothing happens.',
        reward: { total: 0 },
      });
    },
  );
});
