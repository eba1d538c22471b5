import { availableParallelism, cpus, loadavg } from 'node:os';
import { createContext, StepContext } from '../../envs/core/context.ts';
import type { Env, EnvHost } from '../../envs/core/env.ts';
import { createRng } from '../../envs/core/rng.ts';
import type { Ongoing, Opening } from '../../envs/core/step.ts';
import { openEnv } from '../../envs/open.ts';
import { shopEnv } from '../../envs/shop/definition.ts';
import { observationModes } from '../../envs/shop/observation.ts';

// Steps a second on one core through `openEnv`, order guard and turn limit included, with observation, admissible list and both keys
// built at every step, on 1,000 generated products; what starting an episode costs; and what 1,000 live sessions weigh.

const rounds = 15;
const episodesARound = 600;
/** Tasks that episodes take in turn: those that training comes back to, and so many that most searches are new. */
const few = 200;
const many = 4_000;
const live = 1_000;
const mebibyte = 1_048_576;

const context = createContext({ seed: 1, now: () => performance.now() });
const luck = new StepContext(context);

/** A text that was put together from parts is copied into one piece when a character of it is read. */
const flatten = (text: string | undefined): number => (text === undefined || text === '' ? 0 : text.charCodeAt(text.length - 1));

interface Round {
  readonly steps: number;
  readonly stepNanoseconds: number;
  readonly resetNanoseconds: number;
  /** Of the whole process, resets and this loop included: steadier than the clock on a machine that others use too. */
  readonly processorNanoseconds: number;
  readonly sum: number;
}

/** Plays whole episodes by chance; only the calls of the env, and flattening what they return, are timed. */
async function playRound(env: Env<string, string>, round: number, tasks: number): Promise<Round> {
  const rng = createRng(round);
  let steps = 0;
  let stepNanoseconds = 0;
  let resetNanoseconds = 0;
  let sum = 0;
  const processor = process.cpuUsage();
  for (let episode = 0; episode < episodesARound; episode += 1) {
    const choices = Array.from({ length: 15 }, () => rng.uniform());
    const start = process.hrtime.bigint();
    let turn: Opening<string, string> | Ongoing<string, string> = await env.reset({ panel: 'train', index: (Math.abs(round) * episodesARound + episode) % tasks }, context);
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

async function measureSpeed(host: EnvHost<string, string>, tasks: number): Promise<Record<string, unknown>> {
  const env = await host.create();
  for (let round = 0; round < 3; round += 1) await playRound(env, -1 - round, tasks); // warms up
  const played: Round[] = [];
  for (let round = 0; round < rounds; round += 1) played.push(await playRound(env, round, tasks));
  await env.close();
  return {
    stepsASecond: spread(played.map(({ steps, stepNanoseconds }) => (steps / stepNanoseconds) * 1e9)),
    stepsAProcessorSecond: spread(played.map(({ steps, processorNanoseconds }) => (steps / processorNanoseconds) * 1e9)),
    resetsASecond: spread(played.map(({ resetNanoseconds }) => (episodesARound / resetNanoseconds) * 1e9)),
    steps: played.reduce((total, { steps }) => total + steps, 0),
  };
}

/** Memory of sessions of different tasks, all in mid-play, caches of the host included. */
async function measureMemory(host: EnvHost<string, string>): Promise<Record<string, number>> {
  const used = (): NodeJS.MemoryUsage => {
    globalThis.gc?.();
    return process.memoryUsage();
  };
  const size = host.panels.find(({ name }) => name === 'train')?.size ?? 1;
  const before = used();
  const kept: Env<string, string>[] = [];
  const rng = createRng(2);
  for (let index = 0; index < live; index += 1) {
    const env = await host.create();
    let turn: Opening<string, string> | Ongoing<string, string> = await env.reset({ panel: 'train', index: index % size }, context);
    for (let step = 0; step < 10; step += 1) {
      const result = await env.step(rng.pick((turn.admissible ?? []).filter((action) => action !== 'click[buy now]')), luck);
      if (result.kind !== 'ongoing') break;
      turn = result;
    }
    kept.push(env);
  }
  const after = used();
  const mebibytes = (bytes: number): number => Math.round((bytes / mebibyte) * 10) / 10;
  return { heapMiB: mebibytes(after.heapUsed - before.heapUsed), externalMiB: mebibytes(after.arrayBuffers - before.arrayBuffers), kept: kept.length };
}

async function measure(observationMode: (typeof observationModes)[number]): Promise<Record<string, unknown>> {
  const opened = process.hrtime.bigint();
  const host = await openEnv(shopEnv, { observationMode }, context);
  const openSeconds = Math.round(Number(process.hrtime.bigint() - opened) / 1e7) / 100;
  const liveSessions = await measureMemory(host);
  const speed = await measureSpeed(host, few);
  const overManyTasks = observationMode === 'text' ? { overManyTasks: await measureSpeed(host, many) } : {};
  await host.close();
  return { openSeconds, ...speed, ...overManyTasks, liveSessions };
}

const modes: Record<string, unknown> = {};
for (const mode of observationModes) modes[mode] = await measure(mode);

process.stdout.write(
  `${JSON.stringify(
    {
      what: 'steps of shop-v1 on one core on 1,000 generated products, by observation mode, and the memory of live sessions',
      date: new Date().toISOString().slice(0, 10),
      node: process.version,
      processor: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
      collectedBeforeWeighing: globalThis.gc !== undefined,
      rounds,
      modes,
    },
    undefined,
    2,
  )}\n`,
);
