import { stat } from 'node:fs/promises';
import path from 'node:path';
import { TextIndexBuilder } from '../../envs/engines/text-search/index-builder.ts';
import { loadTextIndex } from '../../envs/engines/text-search/load-text-index.ts';
import { saveTextIndex } from '../../envs/engines/text-search/save-text-index.ts';
import type { TextIndex } from '../../envs/engines/text-search/text-index.ts';
import { quantiles, timeEach } from '../report/latencies.ts';
import { describeMachine, peakMemoryMiB } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { inTemporaryFolder } from '../report/temporary-folder.ts';
import { products, words, type Corpus } from './corpora.ts';

const atOnce = 1000;
const queries = 1000;
const warmUp = 200;
const contentKey = 'generated';

/** Milliseconds with one digit after the point, or three where they are few. */
const milliseconds = (value: number): number => Number(value.toFixed(value < 10 ? 3 : 1));

/** What indexing, storing, loading and searching that many texts takes. */
function measureSearch(corpus: Corpus, documents: number): Promise<Record<string, unknown>> {
  return inTemporaryFolder('bench-text-search', async (folder) => {
    const file = path.join(folder, 'texts.index');
    const { index, ...build } = buildIndex(corpus.texts(documents));
    const { data } = index;
    const saved = performance.now();
    await saveTextIndex(index, file, { contentKey });
    const saveMs = milliseconds(performance.now() - saved);
    const { size: fileBytes } = await stat(file);
    return {
      texts: corpus.name,
      documents,
      averageLength: Math.round((data.occurrences / data.documentsWithTerms) * 10) / 10,
      terms: data.starts.length - 1,
      postings: data.documents.length,
      ...build,
      saveMs,
      fileBytes,
      loadMs: await timeLoad(file),
      search: timeSearches(index, corpus),
    };
  });
}

/** Only the builder is timed: texts are made a thousand at a time, between. */
function buildIndex(texts: Iterable<string>): {
  readonly index: TextIndex;
  readonly buildMs: number;
  readonly peakMemoryMiB: number;
} {
  const builder = new TextIndexBuilder();
  let buildMs = 0;
  const timed = <T>(work: () => T): T => {
    const start = performance.now();
    const result = work();
    buildMs += performance.now() - start;
    return result;
  };
  let batch: string[] = [];
  const flush = (): void => {
    timed(() => {
      for (const text of batch) builder.add(text);
    });
    batch = [];
  };
  for (const text of texts) if (batch.push(text) === atOnce) flush();
  flush();
  const index = timed(() => builder.finish());
  return { index, buildMs: milliseconds(buildMs), peakMemoryMiB: peakMemoryMiB() };
}

/** The second of two: the file is in the system's cache then. */
async function timeLoad(file: string): Promise<number> {
  let took = Number.NaN;
  for (let round = 0; round < 2; round += 1) {
    const start = performance.now();
    const { kind } = await loadTextIndex(file, { contentKey });
    took = performance.now() - start;
    if (kind !== 'loaded') throw new Error(`the index is ${kind}`);
  }
  return milliseconds(took);
}

function timeSearches(index: TextIndex, corpus: Corpus): Record<string, number> {
  for (const query of corpus.queries(warmUp, 2, index.size)) index.search(query);
  const times = timeEach(corpus.queries(queries, 3, index.size), (query) => index.search(query));
  return { queries, ...quantiles(times, milliseconds) };
}

/** Prints what was measured at each size, one after the other. */
export async function report(what: string, sizes: readonly number[]): Promise<void> {
  const machine = describeMachine();
  const rows: Record<string, unknown>[] = [];
  for (const corpus of [products, words])
    for (const size of sizes) rows.push(await measureSearch(corpus, size));
  printReport({ what, ...machine, sizes: rows });
}
