import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, StepContext } from '../../envs/core/context.ts';
import type { Env, EnvHost } from '../../envs/core/env.ts';
import { createRng } from '../../envs/core/rng.ts';
import type { Ongoing, Opening } from '../../envs/core/step.ts';
import { openEnv } from '../../envs/open.ts';
import { generatedCatalogue } from '../../envs/shop/catalogue/generate/generated-catalogue.ts';
import { openCatalogue } from '../../envs/shop/catalogue/store/open-catalogue.ts';
import { shopEnv } from '../../envs/shop/definition.ts';
import { readInstruction } from '../../envs/shop/instruction-parts.ts';

// A shop of WebShop's size, 1,181,436 generated products: what making it takes, what opening it again takes when it is in the cache
// and the system holds its files in memory, how fast it is searched and read, and how much memory 1,000 sessions add. Then several
// processes open the same cache at once. Takes some four minutes, 4 GB of disk and 3 GB of memory.

const products = 1_181_436;
const seed = 1;
const sessions = 1_000;
const readersAtOnce = 3;
const queries = 1_000;
const reads = 2_000;
const mebibyte = 1_048_576;

const context = createContext({ seed: 1, now: () => performance.now() });
const luck = new StepContext(context);

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
const seconds = (since: number): number => rounded((performance.now() - since) / 1_000, 2);

/** Of this process, in MiB: all its memory, its share of memory that others map too, and the most that it has had. */
async function memory(): Promise<Readonly<Record<string, number>>> {
  globalThis.gc?.();
  const rollup = await readFile('/proc/self/smaps_rollup', 'utf8').catch(() => '');
  const shared = /^Pss:\s+(\d+) kB/m.exec(rollup)?.[1];
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  const mebibytes = (bytes: number): number => Math.round(bytes / mebibyte);
  return {
    rssMiB: mebibytes(rss),
    ...(shared === undefined ? {} : { proportionalMiB: Math.round(Number(shared) / 1_024) }),
    heapMiB: mebibytes(heapUsed),
    arrayBuffersMiB: mebibytes(arrayBuffers),
    peakMiB: Math.round(process.resourceUsage().maxRSS / 1_024),
  };
}

function quantiles(times: readonly number[]): Readonly<Record<string, number>> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => rounded(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN, 3);
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: at(1) };
}

function timeEach<T>(items: readonly T[], work: (item: T) => void): readonly number[] {
  return items.map((item) => {
    const start = performance.now();
    work(item);
    return performance.now() - start;
  });
}

/** Searches with all that an instruction wishes for, and reads of products by chance. */
async function timeCatalogue(cacheFolder: string): Promise<Record<string, unknown>> {
  const recipe = generatedCatalogue({ products, seed });
  const catalogue = await openCatalogue(recipe, { cacheFolder, signal: context.signal });
  const train = recipe.panels.find(({ name }) => name === 'train');
  if (train === undefined) throw new Error('the shop has no train panel');
  const wishes = Array.from({ length: queries + 200 }, (_, index) => readInstruction(train.goal((index * 37) % train.size).instruction).wish);
  for (const query of wishes.slice(queries)) catalogue.search(query);
  const search = quantiles(timeEach(wishes.slice(0, queries), (query) => catalogue.search(query)));
  const rng = createRng(5);
  const numbers = Array.from({ length: reads }, () => rng.int(products));
  const read = quantiles(timeEach(numbers, (number) => catalogue.product(number)));
  await catalogue.close();
  return { search, read };
}

/** Sessions of different tasks, each ten clicks in, all alive at once. */
async function playSessions(host: EnvHost<string, string>): Promise<readonly Env<string, string>[]> {
  const kept: Env<string, string>[] = [];
  const rng = createRng(2);
  for (let index = 0; index < sessions; index += 1) {
    const env = await host.create();
    let turn: Opening<string, string> | Ongoing<string, string> = await env.reset({ panel: 'train', index }, context);
    for (let step = 0; step < 10; step += 1) {
      const result = await env.step(rng.pick((turn.admissible ?? []).filter((action) => action !== 'click[buy now]')), luck);
      if (result.kind !== 'ongoing') break;
      turn = result;
    }
    kept.push(env);
  }
  return kept;
}

/** What one process needs to open the shop that is in the cache, and for a thousand sessions in it. */
async function read(cacheFolder: string): Promise<Record<string, unknown>> {
  const before = await memory();
  const start = performance.now();
  const host = await openEnv(shopEnv, { catalogue: { kind: 'generated', products, seed }, cacheFolder }, context);
  const openSeconds = seconds(start);
  const opened = await memory();
  const kept = await playSessions(host);
  const withSessions = await memory();
  const added = (withSessions['heapMiB'] ?? 0) + (withSessions['arrayBuffersMiB'] ?? 0) - (opened['heapMiB'] ?? 0) - (opened['arrayBuffersMiB'] ?? 0);
  for (const env of kept) await env.close();
  await host.close();
  return { openSeconds, before, opened, withSessions, sessions: kept.length, addedBySessionsMiB: added };
}

async function build(cacheFolder: string): Promise<Record<string, unknown>> {
  const start = performance.now();
  const catalogue = await openCatalogue(generatedCatalogue({ products, seed }), { cacheFolder, signal: context.signal });
  const buildSeconds = seconds(start);
  const sizes = await Promise.all(['products.bin', 'tables.bin', 'text.index'].map(async (name) => [name, (await stat(path.join(catalogue.folder, name))).size] as const));
  await catalogue.close();
  return { buildSeconds, peakMiB: Math.round(process.resourceUsage().maxRSS / 1_024), fileBytes: Object.fromEntries(sizes) };
}

const jobs = { build, read, time: timeCatalogue } as const;
type Job = keyof typeof jobs;

/** Does the job in a process of its own, so that no job stands in the memory of another. */
async function inProcess(job: Job, cacheFolder: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), job, cacheFolder]);
  return JSON.parse(stdout);
}

async function measure(): Promise<Record<string, unknown>> {
  const cacheFolder = await mkdtemp(path.join(tmpdir(), 'cairn-bench-shop-'));
  try {
    const made = await inProcess('build', cacheFolder);
    await inProcess('read', cacheFolder); // the system holds the files in memory then
    const loadAfterBuild = rounded(loadavg()[0] ?? 0, 1);
    const alone = await inProcess('read', cacheFolder);
    const times = await inProcess('time', cacheFolder);
    const together = await Promise.all(Array.from({ length: readersAtOnce }, () => inProcess('read', cacheFolder)));
    return { build: made, loadAfterBuild, opened: alone, times, openedAtOnce: together };
  } finally {
    await rm(cacheFolder, { recursive: true });
  }
}

const [job, folder = ''] = process.argv.slice(2);
if (job !== undefined && Object.hasOwn(jobs, job)) {
  process.stdout.write(JSON.stringify(await jobs[job as Job](folder)));
} else {
  const loadBefore = rounded(loadavg()[0] ?? 0, 1);
  const measured = await measure();
  const machine = { node: process.version, processor: cpus()[0]?.model ?? 'unknown', cores: availableParallelism(), loadBefore };
  process.stdout.write(`${JSON.stringify({ what: `a shop of ${products} generated products: making, opening, searching, sessions`, date: new Date().toISOString().slice(0, 10), ...machine, ...measured }, undefined, 2)}\n`);
}
