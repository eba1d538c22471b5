import { availableParallelism, cpus, loadavg } from 'node:os';
import { createContext, StepContext } from '../../envs/core/context.ts';
import type { Env, EnvHost } from '../../envs/core/env.ts';
import { createRng } from '../../envs/core/rng.ts';
import type { Ongoing, Opening } from '../../envs/core/step.ts';
import { householdEnv, householdHardEnv } from '../../envs/household/definition.ts';
import { openEnv } from '../../envs/open.ts';

// Steps a second on one core through `openEnv`, its guards and turn limit included, with text, admissible list and both keys
// built at every step; what starting an episode costs; and what 1,000 live episodes weigh.

const rounds = 25;
const episodesARound = 600;
const tasks = 100;
const live = 1_000;
const mebibyte = 1_048_576;

const context = createContext({ seed: 1, now: () => performance.now() });
const luck = new StepContext(context);

/** A text that was put together from parts is copied into one piece when a character of it is read. */
const flatten = (text: string | undefined): number => (text === undefined ? 0 : text.charCodeAt(text.length - 1));

interface Round {
  readonly steps: number;
  readonly stepNanoseconds: number;
  readonly resetNanoseconds: number;
  /** Of the whole process, resets and this loop included: steadier than the clock on a machine that others use too. */
  readonly processorNanoseconds: number;
  readonly sum: number;
}

/** Plays whole episodes by chance; only the calls of the env, and flattening what they return, are timed. */
async function playRound(env: Env<string, string>, round: number): Promise<Round> {
  const rng = createRng(round);
  let steps = 0;
  let stepNanoseconds = 0;
  let resetNanoseconds = 0;
  let sum = 0;
  const processor = process.cpuUsage();
  for (let episode = 0; episode < episodesARound; episode += 1) {
    const choices = Array.from({ length: 50 }, () => rng.uniform());
    const start = process.hrtime.bigint();
    let turn: Opening<string, string> | Ongoing<string, string> = await env.reset({ panel: 'train', index: episode % tasks }, context);
    const begun = process.hrtime.bigint();
    for (let step = 0; ; step += 1) {
      const list: readonly string[] = turn.admissible ?? [];
      const result = await env.step(list[Math.floor((choices[step] ?? 0) * list.length)] ?? 'look', luck);
      steps += 1;
      sum += flatten(result.observation) + flatten(result.stateKey);
      if (result.kind !== 'ongoing') break;
      sum += flatten(result.anchorKey);
      turn = result;
    }
    stepNanoseconds += Number(process.hrtime.bigint() - begun);
    resetNanoseconds += Number(begun - start);
  }
  const { user, system } = process.cpuUsage(processor);
  return { steps, stepNanoseconds, resetNanoseconds, processorNanoseconds: (user + system) * 1000, sum };
}

interface Spread {
  readonly median: number;
  readonly best: number;
  readonly worst: number;
}

function spread(rates: readonly number[]): Spread {
  const sorted = rates.toSorted((a, b) => a - b);
  const rounded = (rate: number | undefined): number => Math.round(rate ?? Number.NaN);
  return { median: rounded(sorted[Math.floor(sorted.length / 2)]), best: rounded(sorted.at(-1)), worst: rounded(sorted[0]) };
}

interface Speed {
  readonly stepsASecond: Spread;
  readonly stepsAProcessorSecond: Spread;
  readonly resetsASecond: Spread;
  readonly steps: number;
}

async function measureSpeed(host: EnvHost<string, string>): Promise<Speed> {
  const env = await host.create();
  for (let round = 0; round < 3; round += 1) await playRound(env, -1 - round); // warms up
  const played: Round[] = [];
  for (let round = 0; round < rounds; round += 1) played.push(await playRound(env, round));
  await env.close();
  return {
    stepsASecond: spread(played.map(({ steps, stepNanoseconds }) => (steps / stepNanoseconds) * 1e9)),
    stepsAProcessorSecond: spread(played.map(({ steps, processorNanoseconds }) => (steps / processorNanoseconds) * 1e9)),
    resetsASecond: spread(played.map(({ resetNanoseconds }) => (episodesARound / resetNanoseconds) * 1e9)),
    steps: played.reduce((total, { steps }) => total + steps, 0),
  };
}

/** Memory of episodes of different tasks, all in mid-play. */
async function measureMemory(host: EnvHost<string, string>): Promise<{ readonly heapMiB: number; readonly externalMiB: number; readonly kept: number }> {
  const used = (): NodeJS.MemoryUsage => {
    globalThis.gc?.();
    return process.memoryUsage();
  };
  const before = used();
  const kept: Env<string, string>[] = [];
  const rng = createRng(2);
  for (let index = 0; index < live; index += 1) {
    const env = await host.create();
    let turn: Opening<string, string> | Ongoing<string, string> = await env.reset({ panel: 'train', index }, context);
    for (let step = 0; step < 25; step += 1) {
      const result = await env.step(rng.pick(turn.admissible ?? []), luck);
      if (result.kind !== 'ongoing') break;
      turn = result;
    }
    kept.push(env);
  }
  const after = used();
  const mebibytes = (bytes: number): number => Math.round((bytes / mebibyte) * 10) / 10;
  return { heapMiB: mebibytes(after.heapUsed - before.heapUsed), externalMiB: mebibytes(after.arrayBuffers - before.arrayBuffers), kept: kept.length };
}

async function measure(open: () => Promise<EnvHost<string, string>>): Promise<Record<string, unknown>> {
  const heavy = await open();
  const liveEpisodes = await measureMemory(heavy);
  await heavy.close();
  const host = await open();
  const speed = await measureSpeed(host);
  await host.close();
  return { ...speed, liveEpisodes };
}

process.stdout.write(
  `${JSON.stringify(
    {
      what: 'steps of household episodes on one core, and the memory of live ones',
      date: new Date().toISOString().slice(0, 10),
      node: process.version,
      processor: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
      collectedBeforeWeighing: globalThis.gc !== undefined,
      rounds,
      'household-v1': await measure(() => openEnv(householdEnv, {}, context)),
      'household-hard-v1': await measure(() => openEnv(householdHardEnv, {}, context)),
    },
    undefined,
    2,
  )}\n`,
);
