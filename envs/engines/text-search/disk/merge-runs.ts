import type { PagedWriter } from '../../paged-file/paged-writer.ts';
import type { PostingWriter } from './posting-writer.ts';
import type { RunReader } from './run-file.ts';
import type { TermBlocksWriter } from './term-blocks.ts';
import { prefixOf } from './term-order.ts';

/** Postings that are read at once. */
const postingsAtOnce = 1 << 14;
/** Bytes after which what is written goes to the disk, and other work gets a turn. */
const drainBytes = 1 << 22;

export interface MergeRuns {
  readonly out: PagedWriter;
  readonly postings: PostingWriter;
  readonly terms: TermBlocksWriter;
  readonly signal: AbortSignal;
  /** Receives the postings of terms that are complete. */
  readonly advance: (postings: number) => void;
}

/** Writes the terms of all runs, each with its postings in the order of the runs. Returns the number of terms. */
export async function mergeRuns(runs: readonly RunReader[], options: MergeRuns): Promise<number> {
  const { out, postings, terms, signal, advance } = options;
  const documents = new Uint32Array(postingsAtOnce);
  const frequencies = new Uint32Array(postingsAtOnce);
  const heap = new RunHeap(runs);
  let count = 0;
  let drainAt = out.position + drainBytes;
  let done = 0;
  for (let having = heap.takeEqual(); having.length > 0; having = heap.takeEqual()) {
    const [first] = having as [number, ...number[]];
    const { term, number } = runs[first] as RunReader;
    const documentsWith = having.reduce((sum, run) => sum + (runs[run] as RunReader).documentsWith, 0);
    postings.begin(documentsWith);
    for (const index of having) {
      const run = runs[index] as RunReader;
      for (;;) {
        const read = run.read(documents, frequencies);
        if (read === 0) break;
        postings.add(documents, frequencies, read);
        if (out.position < drainAt) continue;
        await out.drain();
        signal.throwIfAborted();
        advance(done);
        drainAt = out.position + drainBytes;
      }
    }
    terms.add(term, { run: first, number, documents: documentsWith, place: postings.end() });
    count += 1;
    done += documentsWith;
    for (const run of having) heap.advance(run);
  }
  await out.drain();
  advance(done);
  return count;
}

/** Runs by their current terms: a binary heap with the lowest term on top, and of equal terms the first run. */
class RunHeap {
  readonly #runs: readonly RunReader[];
  readonly #prefixes: Float64Array; // (runs) the first bytes of the current terms
  readonly #heap: number[] = [];

  constructor(runs: readonly RunReader[]) {
    this.#runs = runs;
    this.#prefixes = new Float64Array(runs.length);
    for (const run of runs.keys()) this.advance(run);
  }

  /** Takes out all runs with the lowest term, in their order. Empty after the last. */
  takeEqual(): readonly number[] {
    const [first] = this.#heap;
    if (first === undefined) return [];
    const taken: number[] = [];
    while (this.#heap[0] !== undefined && this.#compareTerms(this.#heap[0], first) === 0)
      taken.push(this.#take());
    return taken;
  }

  /** Goes to the next term of a run that was taken out, and puts it back in. */
  advance(run: number): void {
    const reader = this.#runs[run] as RunReader;
    if (!reader.next()) return;
    this.#prefixes[run] = prefixOf(reader.term);
    const heap = this.#heap;
    let place = heap.push(run) - 1;
    while (place > 0) {
      const parent = (place - 1) >>> 1;
      if (!this.#isBefore(run, heap[parent] as number)) break;
      heap[place] = heap[parent] as number;
      place = parent;
    }
    heap[place] = run;
  }

  #take(): number {
    const heap = this.#heap;
    const [top] = heap as [number, ...number[]];
    const last = heap.pop() as number;
    if (heap.length === 0) return top;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.#isBefore(heap[child + 1] as number, heap[child] as number))
        child += 1;
      if (!this.#isBefore(heap[child] as number, last)) break;
      heap[place] = heap[child] as number;
      place = child;
    }
    heap[place] = last;
    return top;
  }

  #isBefore(run: number, other: number): boolean {
    return (this.#compareTerms(run, other) || run - other) < 0;
  }

  #compareTerms(run: number, other: number): number {
    if (run === other) return 0;
    return (
      (this.#prefixes[run] as number) - (this.#prefixes[other] as number) ||
      (this.#runs[run] as RunReader).term.compare((this.#runs[other] as RunReader).term)
    );
  }
}
