import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { householdGame } from '../../../cli/games/household-game.ts';
import { alfworldEnv } from '../../../envs/alfworld/definition.ts';
import type { Env } from '../../../envs/core/env.ts';
import { HouseholdPanels } from '../../../envs/household/panels.ts';
import { worldPanels } from '../../../envs/household/world-panels.ts';
import { openEnv } from '../../../envs/open.ts';
import { context } from './twin-worlds.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cairn-commands-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function start(): Promise<Env<string, string>> {
  const game = householdGame(
    new HouseholdPanels('household-v1', worldPanels).task({ panel: 'train', index: 0 }),
    'current',
  );
  writeFileSync(path.join(folder, 'game.tw-pddl'), JSON.stringify(game));
  const env = await (await openEnv(alfworldEnv, { files: folder, dev: 0 }, context)).create();
  await env.reset({ panel: 'train', index: 0 }, context);
  return env;
}

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
