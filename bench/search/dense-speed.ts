import { createRng } from '../../envs/core/rng.ts';
import { unitVector } from '../../envs/engines/retrieval/dense/unit-vector.ts';
import { VectorTable } from '../../envs/engines/retrieval/dense/vector-table.ts';
import { describeMachine, machineLoad, peakMemoryMiB } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';

/*
 * Exact scans of tables of vectors: 100,000 and, with SEARCH_LARGE=1, a million, of 384 numbers each. Times are of the
 * processor, because scans share it with nothing.
 */

const dimensions = 384;
const queries = 20;
const topk = 100;
const sizes = process.env['SEARCH_LARGE'] === '1' ? [1_000_000] : [100_000];
const { signal } = new AbortController();

function randomVector(rng: ReturnType<typeof createRng>): Float32Array {
  const vector = unitVector(Array.from({ length: dimensions }, () => rng.uniform() - 0.5));
  if (typeof vector === 'string') throw new RangeError(vector);
  return vector;
}

async function measure(vectors: number): Promise<Record<string, unknown>> {
  const rng = createRng(1);
  // the order of the numbers does not change the time, so a thousand vectors are repeated
  const some = Array.from({ length: 1_000 }, () => randomVector(rng));
  const table = new VectorTable(dimensions);
  for (let number = 0; number < vectors; number += 1) table.add(some[number % some.length] as Float32Array);
  const asked = Array.from({ length: queries }, () => randomVector(rng));
  await table.best(asked[0] as Float32Array, topk, signal);
  const before = process.cpuUsage();
  const start = performance.now();
  for (const query of asked) await table.best(query, topk, signal);
  const wallMs = (performance.now() - start) / queries;
  const { user, system } = process.cpuUsage(before);
  return {
    vectors,
    cpuMsPerQuery: Math.round((user + system) / 100 / queries) / 10,
    wallMsPerQuery: Math.round(wallMs * 10) / 10,
    peakMemoryMiB: peakMemoryMiB(),
  };
}

const machine = { ...describeMachine(), loadBefore: machineLoad() };
const tables: Record<string, unknown>[] = [];
for (const size of sizes) tables.push(await measure(size));
printReport({ what: `exact scans of vectors of ${dimensions} numbers`, machine, tables });
