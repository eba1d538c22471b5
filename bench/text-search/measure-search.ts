import { mkdtemp, rm, stat } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { TextIndexBuilder } from '../../envs/engines/text-search/index-builder.ts';
import { loadTextIndex } from '../../envs/engines/text-search/load-text-index.ts';
import { saveTextIndex } from '../../envs/engines/text-search/save-text-index.ts';
import type { TextIndex } from '../../envs/engines/text-search/text-index.ts';
import { products, words, type Corpus } from './corpora.ts';

const atOnce = 1000;
const queries = 1000;
const warmUp = 200;
const contentKey = 'generated';

/** Milliseconds with one digit after the point, or three where they are few. */
const milliseconds = (value: number): number => Number(value.toFixed(value < 10 ? 3 : 1));

/** What indexing, storing, loading and searching that many texts takes. */
async function measureSearch(corpus: Corpus, documents: number): Promise<Record<string, unknown>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-bench-text-search-'));
  try {
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
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Only the builder is timed: texts are made a thousand at a time, between. */
function buildIndex(texts: Iterable<string>): { readonly index: TextIndex; readonly buildMs: number; readonly peakMemoryMiB: number } {
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
  return { index, buildMs: milliseconds(buildMs), peakMemoryMiB: Math.round(process.resourceUsage().maxRSS / 1024) };
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
  const times = corpus
    .queries(queries, 3, index.size)
    .map((query) => {
      const start = performance.now();
      index.search(query);
      return performance.now() - start;
    })
    .toSorted((a, b) => a - b);
  const quantile = (share: number): number => milliseconds(times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN);
  return { queries, p50Ms: quantile(0.5), p95Ms: quantile(0.95), p99Ms: quantile(0.99), maxMs: quantile(1) };
}

/** Prints what was measured at each size, one after the other. */
export async function report(what: string, sizes: readonly number[]): Promise<void> {
  const loadBefore = Math.round((loadavg()[0] ?? 0) * 10) / 10;
  const rows: Record<string, unknown>[] = [];
  for (const corpus of [products, words]) for (const size of sizes) rows.push(await measureSearch(corpus, size));
  const machine = { node: process.version, processor: cpus()[0]?.model ?? 'unknown', cores: availableParallelism(), loadBefore };
  process.stdout.write(`${JSON.stringify({ what, date: new Date().toISOString().slice(0, 10), ...machine, sizes: rows }, undefined, 2)}\n`);
}
