import { createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import { openCorpus } from '../../envs/engines/retrieval/corpus/open-corpus.ts';
import { quantiles, timeEach } from '../report/latencies.ts';
import { describeMachine, machineLoad, peakMemoryMiB } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { inTemporaryFolder } from '../report/temporary-folder.ts';
import { productQueries, productTexts } from '../text-search/product-texts.ts';

/*
 * A corpus of 100,000 documents of some 107 words in JSON lines, or of SEARCH_DOCUMENTS: to read, index and store it, to open
 * it again, and to search it. Memory is that of the process; `residentMiB` is what stays in use after a collection. Run node with
 * --expose-gc for it.
 */

const documents = Number(process.env['SEARCH_DOCUMENTS'] ?? 100_000);
const topk = 10;
const { signal } = new AbortController();

async function writeCorpus(file: string): Promise<void> {
  const stream = createWriteStream(file);
  let number = 0;
  for (const text of productTexts(documents, 1)) {
    const line = `${JSON.stringify({ id: String(number), contents: `"Product ${number}"\n${text}` })}\n`;
    number += 1;
    if (!stream.write(line)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}

async function cpuSeconds<T>(work: () => Promise<T>): Promise<readonly [result: T, seconds: number]> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [result, Math.round((user + system) / 1e4) / 100];
}

async function sizesIn(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const name of await readdir(folder))
    sizes[name] = Math.round((await stat(join(folder, name))).size / 2 ** 20);
  return sizes;
}

/** MiB of the heap and of arrays outside of it, shared ones included. */
function heldMiB(): number {
  const { gc } = globalThis;
  for (let time = 0; time < 3; time += 1) gc?.();
  return Math.round(process.memoryUsage().rss / 2 ** 20);
}

const report = await inTemporaryFolder('bench-search', async (folder) => {
  const file = join(folder, 'corpus.jsonl');
  await writeCorpus(file);
  const cacheFolder = join(folder, 'cache');
  const open = () => openCorpus(file, { cacheFolder, signal });
  const atFirst = heldMiB();
  const [, buildCpuSeconds] = await cpuSeconds(async () => {
    const { retriever } = await open(); // dropped, so that `residentMiB` is of one index
    await retriever.close();
  });
  const buildPeakMiB = peakMemoryMiB();
  const [{ retriever }, reopenCpuSeconds] = await cpuSeconds(open);
  const queries = productQueries(300, 2);
  for (const query of queries) retriever.searchNow(query, topk);
  const ms = quantiles(
    timeEach(queries, (query) => retriever.searchNow(query, topk)),
    (value) => Math.round(value * 100) / 100,
  );
  const [stored = ''] = await readdir(cacheFolder);
  const result = {
    documents,
    buildCpuSeconds,
    buildPeakMiB,
    reopenCpuSeconds,
    residentMiB: heldMiB(),
    residentBeforeMiB: atFirst,
    queryMs: ms,
    filesMiB: await sizesIn(join(cacheFolder, stored)),
  };
  await retriever.close();
  return result;
});

printReport({
  what: 'a corpus in JSON lines',
  machine: { ...describeMachine(), loadBefore: machineLoad() },
  ...report,
});
