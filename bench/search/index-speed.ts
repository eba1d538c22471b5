import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { buildCorpusIndex } from '../../envs/engines/retrieval/corpus-index/build-corpus-index.ts';
import { openCorpusIndex } from '../../envs/engines/retrieval/corpus-index/open-corpus-index.ts';
import { createRng } from '../../envs/core/rng.ts';
import { quantiles, timeEach } from '../report/latencies.ts';
import { describeMachine, machineLoad, peakMemoryMiB } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { inTemporaryFolder } from '../report/temporary-folder.ts';
import { productQueries, productTexts } from '../text-search/product-texts.ts';

/*
 * An index on disk of 100,000 documents of some 107 words, or of SEARCH_DOCUMENTS: to build it, to open it, and to search it.
 * Building and searching have processes of their own, so that the memory of each is its own. SEARCH_FOLDER keeps corpus and index
 * there, and what is there is not written again; else they are in a temporary folder. 10 million documents take 13 GB of disk.
 * `againMs` and `againCpuMs` are of queries that were asked before, by the clock and by the processor.
 */

const documents = Number(process.env['SEARCH_DOCUMENTS'] ?? 100_000);
const topk = 10;
const { signal } = new AbortController();

/** Texts that are written out; others are made of halves of two of them. */
const baseTexts = 100_000;
/** The share of texts that get a word of their own: as many as `productTexts` has. */
const rareShare = 0.21;

/** Texts of the length and the words of `productTexts`, which takes ten times as long for them. */
function* texts(): Generator<string, void> {
  const base = [...productTexts(Math.min(documents, baseTexts), 1)];
  const halves = base.map((text) => {
    const middle = text.indexOf(' ', text.length / 2) + 1;
    return [text.slice(0, middle), text.slice(middle)] as const;
  });
  const rng = createRng(1).fork('halves');
  for (let number = 0; number < documents; number += 1) {
    const [first] = halves[number % halves.length] ?? [''];
    const [, second] = halves[number < halves.length ? number : rng.int(halves.length)] ?? ['', ''];
    const rare = rng.uniform() < rareShare ? ` ${rng.int(1_000_000_000).toString(36)}x` : '';
    yield `${first}${second}${rare}`;
  }
}

async function writeCorpus(file: string): Promise<void> {
  const stream = createWriteStream(file, { highWaterMark: 1 << 20 });
  let number = 0;
  let lines = '';
  for (const text of texts()) {
    lines += `${JSON.stringify({ id: String(number), contents: `"Product ${number}"\n${text}` })}\n`;
    number += 1;
    if (number % 1_000 !== 0 && number < documents) continue;
    if (!stream.write(lines)) await once(stream, 'drain');
    lines = '';
  }
  stream.end();
  await once(stream, 'close');
}

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1e4) / 100;
};
/** Milliseconds of processor that the work takes with each of the items. */
const cpuMsOf = (items: readonly string[], work: (item: string) => unknown): readonly number[] =>
  items.map((item) => {
    const before = process.cpuUsage();
    work(item);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e3;
  });
const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
const hundredths = (value: number): number => Math.round(value * 100) / 100;

const phases: Readonly<Record<string, (corpus: string, index: string) => Promise<object>>> = {
  build: async (corpus, index) => {
    const start = performance.now();
    const built = await buildCorpusIndex(corpus, index, { signal });
    return {
      buildCpuSeconds: cpuSeconds(),
      buildSeconds: Math.round((performance.now() - start) / 1_000),
      buildPeakMiB: peakMemoryMiB(),
      indexMiB: mebibytes(built.bytes),
      corpusMiB: mebibytes((await stat(corpus)).size),
    };
  },
  search: async (_corpus, index) => {
    const start = performance.now();
    const { retriever } = await openCorpusIndex(index, { signal });
    const openMs = hundredths(performance.now() - start);
    const queries = productQueries(300, 2);
    const search = (query: string) => retriever.searchNow(query, topk);
    const firstMs = quantiles(timeEach(queries, search), hundredths);
    const againMs = quantiles(timeEach(queries, search), hundredths);
    const againCpuMs = quantiles(cpuMsOf(queries, search), hundredths);
    const rng = createRng(3);
    const ids = Array.from({ length: 1_000 }, () => String(rng.int(documents)));
    const pages = quantiles(
      timeEach(ids, (id) => retriever.documentNow(id)),
      hundredths,
    );
    const memory = { searchPeakMiB: peakMemoryMiB() };
    await retriever.close();
    return { openMs, firstMs, againMs, againCpuMs, pageByIdMs: pages, ...memory };
  },
};

const resultSchema = z.record(z.string(), z.unknown());

/** What a phase measured, in a process of its own. */
function measured(phase: string, folder: string): Record<string, unknown> {
  const { status, stdout } = spawnSync(process.execPath, [process.argv[1] ?? ''], {
    env: { ...process.env, SEARCH_PHASE: phase, SEARCH_FOLDER: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${phase} ended with ${status}`);
  return resultSchema.parse(JSON.parse(stdout));
}

const namesIn = (folder: string) =>
  [join(folder, `corpus-${documents}.jsonl`), join(folder, `corpus-${documents}.index`)] as const;

async function measureIn(folder: string): Promise<Record<string, unknown>> {
  await mkdir(folder, { recursive: true });
  const [corpus, index] = namesIn(folder);
  if (!existsSync(corpus)) await writeCorpus(corpus);
  const built = existsSync(index) ? {} : measured('build', folder);
  return { ...built, ...measured('search', folder) };
}

const { SEARCH_PHASE: phase, SEARCH_FOLDER: kept } = process.env;
const run = phase === undefined ? undefined : phases[phase];
if (run !== undefined) process.stdout.write(JSON.stringify(await run(...namesIn(kept ?? ''))));
else {
  const loadBefore = machineLoad();
  const result =
    kept === undefined ? await inTemporaryFolder('bench-index', measureIn) : await measureIn(kept);
  printReport({
    what: 'an index on disk',
    machine: { ...describeMachine(), loadBefore, loadAfter: machineLoad() },
    documents,
    ...result,
  });
}
