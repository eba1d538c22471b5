import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createRng } from '../../envs/core/rng.ts';
import { openEnv } from '../../envs/open.ts';
import { openCatalogue } from '../../envs/shop/catalogue/store/open-catalogue.ts';
import { shopEnv } from '../../envs/shop/definition.ts';
import { quantiles, timeEach } from '../report/latencies.ts';
import { describeMachine, machineLoad, peakMemoryMiB } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { inTemporaryFolder } from '../report/temporary-folder.ts';
import { playOn } from '../stepping/live-memory.ts';
import { benchContext } from '../stepping/step-speed.ts';
import { measuredCatalogue, measuredSeed, webShopProducts, wishes } from './measured-catalogue.ts';

// A shop of WebShop's size, 1,181,436 generated products: what making it takes, what opening it again takes when it is in the cache
// and the system holds its files in memory, how fast it is searched and read, and how much memory 1,000 sessions add. Then several
// processes open the same cache at once. Takes some four minutes, 4 GB of disk and 3 GB of memory.

const sessions = 1_000;
const readersAtOnce = 3;
const queries = 1_000;
const warmUp = 200;
const reads = 2_000;
const mebibyte = 1_048_576;

const seconds = (since: number): number => Number(((performance.now() - since) / 1_000).toFixed(2));
const milliseconds = (value: number): number => Number(value.toFixed(3));

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
    peakMiB: peakMemoryMiB(),
  };
}

/** Searches with all that an instruction wishes for, and reads of products by chance. */
async function timeCatalogue(cacheFolder: string): Promise<Record<string, unknown>> {
  const catalogue = await openCatalogue(measuredCatalogue(webShopProducts), {
    cacheFolder,
    signal: benchContext.signal,
  });
  const wished = wishes(webShopProducts, { count: queries + warmUp });
  for (const query of wished.slice(queries)) catalogue.search(query);
  const search = quantiles(
    timeEach(wished.slice(0, queries), (query) => catalogue.search(query)),
    milliseconds,
  );
  const rng = createRng(5);
  const numbers = Array.from({ length: reads }, () => rng.int(webShopProducts));
  const read = quantiles(
    timeEach(numbers, (number) => catalogue.product(number)),
    milliseconds,
  );
  await catalogue.close();
  return { search, read };
}

/** What one process needs to open the shop that is in the cache, and for a thousand sessions in it. */
async function read(cacheFolder: string): Promise<Record<string, unknown>> {
  const before = await memory();
  const start = performance.now();
  const host = await openEnv(
    shopEnv,
    { catalogue: { kind: 'generated', products: webShopProducts, seed: measuredSeed }, cacheFolder },
    benchContext,
  );
  const openSeconds = seconds(start);
  const opened = await memory();
  const kept = await playOn(host, {
    episodes: sessions,
    tasks: sessions,
    steps: 10,
    allows: (action) => action !== 'click[buy now]',
  });
  const withSessions = await memory();
  const added =
    (withSessions['heapMiB'] ?? 0) +
    (withSessions['arrayBuffersMiB'] ?? 0) -
    (opened['heapMiB'] ?? 0) -
    (opened['arrayBuffersMiB'] ?? 0);
  for (const env of kept) await env.close();
  await host.close();
  return { openSeconds, before, opened, withSessions, sessions: kept.length, addedBySessionsMiB: added };
}

async function build(cacheFolder: string): Promise<Record<string, unknown>> {
  const start = performance.now();
  const catalogue = await openCatalogue(measuredCatalogue(webShopProducts), {
    cacheFolder,
    signal: benchContext.signal,
  });
  const buildSeconds = seconds(start);
  const sizes = await Promise.all(
    ['products.bin', 'tables.bin', 'text.index'].map(
      async (name) => [name, (await stat(path.join(catalogue.folder, name))).size] as const,
    ),
  );
  await catalogue.close();
  return { buildSeconds, peakMiB: peakMemoryMiB(), fileBytes: Object.fromEntries(sizes) };
}

const jobs = { build, read, time: timeCatalogue } as const;
type Job = keyof typeof jobs;

/** Does the job in a process of its own, so that no job stands in the memory of another. */
async function inProcess(job: Job, cacheFolder: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...process.execArgv,
    fileURLToPath(import.meta.url),
    job,
    cacheFolder,
  ]);
  return JSON.parse(stdout);
}

function measure(): Promise<Record<string, unknown>> {
  return inTemporaryFolder('bench-shop', async (cacheFolder) => {
    const made = await inProcess('build', cacheFolder);
    await inProcess('read', cacheFolder); // the system holds the files in memory then
    const loadAfterBuild = machineLoad();
    const alone = await inProcess('read', cacheFolder);
    const times = await inProcess('time', cacheFolder);
    const together = await Promise.all(
      Array.from({ length: readersAtOnce }, () => inProcess('read', cacheFolder)),
    );
    return { build: made, loadAfterBuild, opened: alone, times, openedAtOnce: together };
  });
}

const [job, folder = ''] = process.argv.slice(2);
if (job !== undefined && Object.hasOwn(jobs, job)) {
  process.stdout.write(JSON.stringify(await jobs[job as Job](folder)));
} else {
  const machine = describeMachine();
  printReport({
    what: `a shop of ${webShopProducts} generated products: making, opening, searching, sessions`,
    ...machine,
    ...(await measure()),
  });
}
