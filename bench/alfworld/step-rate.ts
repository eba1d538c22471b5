import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { householdGame } from '../../cli/games/household-game.ts';
import { alfworldEnv } from '../../envs/alfworld/definition.ts';
import type { WrittenGame } from '../../envs/alfworld/write-game/write-game.ts';
import type { EnvHost } from '../../envs/core/env.ts';
import { createRng } from '../../envs/core/rng.ts';
import type { Ongoing, Opening } from '../../envs/core/step.ts';
import { HouseholdPanels } from '../../envs/household/panels.ts';
import { worldPanels } from '../../envs/household/world-panels.ts';
import { openEnv } from '../../envs/open.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { canCollect, measureMemory } from '../stepping/live-memory.ts';
import { benchContext, benchLuck, measureSpeed, type Play } from '../stepping/step-speed.ts';
import { largeGame } from './large-game.ts';

// Steps a second on one core of ALFWorld's game files, through `openEnv`, with text, admissible list and both keys at every step; what opening
// many files and loading one game costs; and what live episodes weigh. Games are written for the measurement: rooms of the household
// world, and kitchens of 30 receptacles and 100 objects.

const games = 20;
const play: Play = { rounds: 15, episodesARound: 40, tasks: games, longest: 50 };

/** Episodes by chance of games that were not played before, the reading and compiling of the games in the time. */
async function measureNewGames(
  host: EnvHost<string, string>,
  count: number,
): Promise<Record<string, number>> {
  const env = await host.create();
  const rng = createRng(0);
  let [steps, loading] = [0, 0];
  const start = performance.now();
  for (let index = 0; index < count; index += 1) {
    const before = performance.now();
    let turn: Opening<string, string> | Ongoing<string, string> = await env.reset(
      { panel: 'train', index },
      benchContext,
    );
    loading += performance.now() - before;
    for (let step = 0; step < 50; step += 1) {
      const result = await env.step(rng.pick(turn.admissible ?? []), benchLuck);
      steps += 1;
      if (result.kind !== 'ongoing') break;
      turn = result;
    }
  }
  const milliseconds = performance.now() - start;
  await env.close();
  return {
    millisecondsToLoadAGame: Math.round((loading / count) * 10) / 10,
    stepsASecondInNewGames: Math.round((steps / milliseconds) * 1000),
  };
}

async function measure(written: readonly WrittenGame[]): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-alfworld-'));
  try {
    for (const [index, game] of written.entries()) {
      const trial = path.join(folder, 'train', `game-${String(index).padStart(5, '0')}`);
      mkdirSync(trial, { recursive: true });
      writeFileSync(path.join(trial, 'game.tw-pddl'), JSON.stringify(game));
    }
    const start = performance.now();
    const host = await openEnv(alfworldEnv, { files: folder, dev: 0 }, benchContext);
    const opening = performance.now() - start;
    const speed = await measureSpeed(host, play);
    const liveEpisodes = await measureMemory(host, { tasks: games, steps: 1 });
    await host.close();
    const anew = await openEnv(alfworldEnv, { files: folder, dev: 0 }, benchContext);
    const fresh = await measureNewGames(anew, Math.min(written.length, 400));
    await anew.close();
    return {
      ...speed,
      ...fresh,
      filesOpened: written.length,
      millisecondsToOpen: Math.round(opening),
      liveEpisodes,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const panels = new HouseholdPanels('household-v1', worldPanels);
const household = Array.from({ length: 1_000 }, (_, index) =>
  householdGame(panels.task({ panel: 'train', index: index % 200 }), 'current'),
);
const large = Array.from({ length: games }, (_, index) => largeGame(createRng(index)));

printReport({
  what: "steps of ALFWorld's game files on one core, opening and loading them, and the memory of live episodes",
  ...describeMachine(),
  collectedBeforeWeighing: canCollect(),
  rounds: play.rounds,
  'rooms of the household world': await measure(household),
  '30 receptacles, 100 objects': await measure(large),
});
