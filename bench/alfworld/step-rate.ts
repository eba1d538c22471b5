import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { householdGame } from '../../cli/games/household-game.ts';
import { alfworldEnv } from '../../envs/alfworld/definition.ts';
import type { WrittenGame } from '../../envs/alfworld/write-game/write-game.ts';
import { createContext, StepContext } from '../../envs/core/context.ts';
import type { Env, EnvHost } from '../../envs/core/env.ts';
import { createRng } from '../../envs/core/rng.ts';
import type { Ongoing, Opening } from '../../envs/core/step.ts';
import { HouseholdPanels } from '../../envs/household/panels.ts';
import { worldPanels } from '../../envs/household/world-panels.ts';
import { openEnv } from '../../envs/open.ts';
import { largeGame } from './large-game.ts';

// Steps a second on one core of ALFWorld's game files, through `openEnv`, with text, admissible list and both keys at every step; what opening
// many files and loading one game costs; and what live episodes weigh. Games are written for the measurement: rooms of the household
// world, and kitchens of 30 receptacles and 100 objects.

const rounds = 15;
const episodesARound = 40;
const games = 20;
const live = 1_000;
const mebibyte = 1_048_576;

const context = createContext({ seed: 1, now: () => performance.now() });
const luck = new StepContext(context);

/** A text that was put together from parts is copied into one piece when a character of it is read. */
const flatten = (text: string | undefined): number => (text === undefined ? 0 : text.charCodeAt(text.length - 1));

interface Round {
  readonly steps: number;
  readonly milliseconds: number;
  readonly sum: number;
}

/** Plays whole episodes by chance; only the calls of the env, and flattening what they return, are timed. */
async function playRound(env: Env<string, string>, round: number, panel: string): Promise<Round> {
  const rng = createRng(round);
  let [steps, milliseconds, sum] = [0, 0, 0];
  for (let episode = 0; episode < episodesARound; episode += 1) {
    let turn: Opening<string, string> | Ongoing<string, string> = await env.reset({ panel, index: episode % games }, context);
    const choices = Array.from({ length: 50 }, () => rng.uniform());
    const start = performance.now();
    for (const choice of choices) {
      const list: readonly string[] = turn.admissible ?? [];
      const result = await env.step(list[Math.floor(choice * list.length)] ?? 'look', luck);
      steps += 1;
      sum += flatten(result.observation) + flatten(result.stateKey);
      if (result.kind !== 'ongoing') break;
      sum += flatten(result.anchorKey);
      turn = result;
    }
    milliseconds += performance.now() - start;
  }
  return { steps, milliseconds, sum };
}

async function measureSpeed(host: EnvHost<string, string>): Promise<Record<string, number>> {
  const env = await host.create();
  for (let round = 0; round < 3; round += 1) await playRound(env, -1 - round, 'train'); // warms up
  const rates: number[] = [];
  const spent = process.cpuUsage();
  let all = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { steps, milliseconds } = await playRound(env, round, 'train');
    rates.push((steps / milliseconds) * 1000);
    all += steps;
  }
  const { user, system } = process.cpuUsage(spent);
  await env.close();
  rates.sort((a, b) => a - b);
  const rounded = (rate: number | undefined): number => Math.round(rate ?? Number.NaN);
  return {
    stepsASecondMedian: rounded(rates[Math.floor(rates.length / 2)]),
    stepsASecondBest: rounded(rates.at(-1)),
    stepsASecondWorst: rounded(rates[0]),
    stepsAProcessorSecond: rounded((all / (user + system)) * 1e6), // resets and collection included
  };
}

/** Episodes by chance of games that were not played before, the reading and compiling of the games in the time. */
async function measureNewGames(host: EnvHost<string, string>, count: number): Promise<Record<string, number>> {
  const env = await host.create();
  const rng = createRng(0);
  let [steps, loading] = [0, 0];
  const start = performance.now();
  for (let index = 0; index < count; index += 1) {
    const before = performance.now();
    let turn: Opening<string, string> | Ongoing<string, string> = await env.reset({ panel: 'train', index }, context);
    loading += performance.now() - before;
    for (let step = 0; step < 50; step += 1) {
      const result = await env.step(rng.pick(turn.admissible ?? []), luck);
      steps += 1;
      if (result.kind !== 'ongoing') break;
      turn = result;
    }
  }
  const milliseconds = performance.now() - start;
  await env.close();
  return { millisecondsToLoadAGame: Math.round((loading / count) * 10) / 10, stepsASecondInNewGames: Math.round((steps / milliseconds) * 1000) };
}

/** Memory of episodes in mid-play. */
async function measureMemory(host: EnvHost<string, string>): Promise<number> {
  const used = (): number => {
    for (let pass = 0; pass < 3; pass += 1) globalThis.gc?.(); // buffers are given back a pass later
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const warm = await host.create();
  for (let index = 0; index < games; index += 1) await warm.reset({ panel: 'train', index }, context);
  const before = used();
  const kept: Env<string, string>[] = [];
  for (let index = 0; index < live; index += 1) {
    const env = await host.create();
    await env.reset({ panel: 'train', index: index % games }, context);
    await env.step('look', luck);
    kept.push(env);
  }
  const after = used();
  for (const env of kept) await env.close();
  return Math.round(((after - before) / mebibyte) * 10) / 10;
}

async function measure(written: readonly WrittenGame[]): Promise<Record<string, number>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-alfworld-'));
  try {
    for (const [index, game] of written.entries()) {
      const trial = path.join(folder, 'train', `game-${String(index).padStart(5, '0')}`);
      mkdirSync(trial, { recursive: true });
      writeFileSync(path.join(trial, 'game.tw-pddl'), JSON.stringify(game));
    }
    const start = performance.now();
    const host = await openEnv(alfworldEnv, { files: folder, dev: 0 }, context);
    const opening = performance.now() - start;
    const liveMiB = await measureMemory(host);
    const speed = await measureSpeed(host);
    await host.close();
    const anew = await openEnv(alfworldEnv, { files: folder, dev: 0 }, context);
    const fresh = await measureNewGames(anew, Math.min(written.length, 400));
    await anew.close();
    return { ...speed, ...fresh, filesOpened: written.length, millisecondsToOpen: Math.round(opening), liveEpisodes: live, liveMiB };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const panels = new HouseholdPanels('household-v1', worldPanels);
const household = Array.from({ length: 1_000 }, (_, index) => householdGame(panels.task({ panel: 'train', index: index % 200 }), 'current'));
const large = Array.from({ length: games }, (_, index) => largeGame(createRng(index)));

process.stdout.write(
  `${JSON.stringify(
    {
      what: "steps of ALFWorld's game files on one core, opening and loading them, and the memory of live episodes",
      date: new Date().toISOString().slice(0, 10),
      node: process.version,
      processor: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
      collectedBeforeWeighing: globalThis.gc !== undefined,
      rounds,
      'rooms of the household world': await measure(household),
      '30 receptacles, 100 objects': await measure(large),
    },
    undefined,
    2,
  )}\n`,
);
