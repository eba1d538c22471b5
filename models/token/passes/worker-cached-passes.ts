import { RunError } from '../../../envs/core/errors.ts';
import type { CachedPasses, CacheSize } from '../generate/cached-passes.ts';
import { mostSlots, splitPass } from '../generate/split-pass.ts';
import type { PackedTokens } from '../packed-tokens.ts';
import type { Crew, WorkerCrew } from './worker-crew.ts';

const name = 'generation';

interface SharedCache extends CacheSize {
  /** Workers that share it. */
  readonly count: number;
  /** Its number among those of the model. */
  readonly cache: number;
}

/** Passes over a cache that workers share: each has some of the slots, and computes what is written in them. */
export class WorkerCachedPasses implements CachedPasses {
  readonly draw = undefined;
  readonly #workers: WorkerCrew;
  readonly #of: SharedCache;
  /** Who holds keys and values. */
  #holders: Crew | undefined;

  constructor(workers: WorkerCrew, of: SharedCache) {
    this.#workers = workers;
    this.#of = of;
  }

  get holdsMemory(): boolean {
    return this.#holders !== undefined;
  }

  async run(packed: PackedTokens, places: Int32Array): Promise<readonly Float32Array[]> {
    const crew = await this.#workers.begin(name);
    if (this.#holders !== undefined && this.#holders !== crew) throw lostCache();
    this.#holders = crew;
    const { slots, rowsOfSlot, count, cache } = this.#of;
    const { parts, owners } = splitPass(packed, places, { rowsOfSlot, count });
    const size = { slots: mostSlots(slots, count), rowsOfSlot };
    const written = await Promise.all(
      crew.threads.slice(0, count).map(async (thread, at) => {
        const part = parts[at];
        if (part === undefined || part.packed.ids.length === 0) return [];
        const answer = await this.#workers.ask(crew, thread, { kind: 'write', cache, size, ...part }, name);
        if (answer.kind !== 'written') throw new TypeError(`a worker answered ${answer.kind} for write`);
        return answer.logits;
      }),
    );
    const taken = written.map(() => 0);
    return owners.map((owner) => {
      const row = taken[owner] as number;
      taken[owner] = row + 1;
      return written[owner]?.[row] as Float32Array;
    });
  }

  async free(): Promise<void> {
    const crew = this.#holders;
    this.#holders = undefined;
    if (crew === undefined || !this.#workers.has(crew)) return;
    const freed = crew.threads
      .slice(0, this.#of.count)
      .map(async (thread) => this.#workers.ask(crew, thread, { kind: 'free', cache: this.#of.cache }, name));
    await Promise.allSettled(freed); // threads that cannot are ended, and their memory with them
  }
}

function lostCache(): RunError {
  return new RunError({
    where: name,
    what: 'the workers that held keys and values were ended meanwhile, and what they held went with them.',
    fix: 'See to what ended them; what is written after this begins anew.',
  });
}
