import { trainedTensors } from '../token-parameters.ts';
import type { NamedTensors, NamedValues } from '../weight-layout.ts';
import type { PassComputer } from './compute-pass.ts';
import type { ScoreJob } from './passes.ts';
import { sharedFloats } from './thread-memory.ts';
import type { WorkerAnswer, WorkerRequest } from './worker-messages.ts';
import { WorkerThread } from './worker-thread.ts';

/** Started threads. */
export interface Crew {
  readonly threads: readonly WorkerThread[];
  /** Values by the names of what is trained, in memory that all threads see. */
  readonly shared: NamedValues;
  /** The tensors whose values the threads have. */
  readonly has: Record<ScoreJob['whose'], NamedTensors | undefined>;
  /** Why the threads were ended. */
  failure?: unknown;
}

/**
 * The threads that compute for a model, each with a backend and a copy of the weights of its own. They are started when they are first needed,
 * and all ended with the first failure that leaves one of them in doubt; others are started after that. After a step of the optimiser what is
 * trained is copied once into memory that all of them see, and each takes it from there.
 */
export class WorkerCrew {
  readonly #model: PassComputer;
  readonly #count: number;
  #crew: Crew | undefined;

  /** @param model whose transformer is that of the moment */
  constructor(model: PassComputer, count: number) {
    this.#model = model;
    this.#count = count;
  }

  get model(): PassComputer {
    return this.#model;
  }

  /** The threads, with the weights of the moment, and with the reference where that is what they compute with. `name` is the work's in errors. */
  async begin(name: string, whose: ScoreJob['whose'] = 'trained'): Promise<Crew> {
    const crew = (this.#crew ??= await this.#start(name));
    await this.#share(crew, 'trained', name);
    if (whose === 'reference') await this.#share(crew, 'reference', name);
    return crew;
  }

  /** Whether those threads still live. */
  has(crew: Crew): boolean {
    return this.#crew === crew;
  }

  /**
   * Asks a thread. With the first that is lost all are ended, so that nobody waits for the others; what ended them is what all work under way
   * throws.
   */
  async ask(crew: Crew, thread: WorkerThread, request: WorkerRequest, name: string): Promise<WorkerAnswer> {
    try {
      return await thread.ask(request, name);
    } catch (thrown) {
      if (!crew.threads.some(({ isBroken }) => isBroken)) throw thrown;
      crew.failure ??= thrown;
      await this.#end(crew);
      throw crew.failure;
    }
  }

  /** Ends the threads, whatever they do. */
  async close(): Promise<void> {
    if (this.#crew !== undefined) await this.#end(this.#crew);
  }

  async #end(crew: Crew): Promise<void> {
    if (this.#crew === crew) this.#crew = undefined; // others may have been started since
    await Promise.all(crew.threads.map(async (thread) => thread.close()));
  }

  async #start(name: string): Promise<Crew> {
    const { transformer } = this.#model;
    const { config, weights, adapter } = transformer;
    const threads: WorkerThread[] = [];
    try {
      const [ofWeights, ofFactors] = [
        await this.#sharedCopy(weights),
        adapter && (await this.#sharedCopy(adapter.factors)),
      ];
      for (let at = 1; at <= this.#count; at += 1)
        threads.push(new WorkerThread(`worker ${at} of ${this.#count}`));
      const begin: WorkerRequest = {
        kind: 'begin',
        shape: { config, lora: adapter?.config },
        weights: ofWeights,
        factors: ofFactors,
      };
      await Promise.all(threads.map(async (thread) => thread.ask(begin, name)));
      return {
        threads,
        shared: ofFactors ?? ofWeights,
        has: { trained: trainedTensors(transformer), reference: undefined },
      };
    } catch (thrown) {
      await Promise.all(threads.map(async (thread) => thread.close()));
      throw thrown;
    }
  }

  /** Gives all threads what is trained, or the reference, where it is another than they have. */
  async #share(crew: Crew, whose: ScoreJob['whose'], name: string): Promise<void> {
    const { transformer, reference, backend } = this.#model;
    const tensors = whose === 'trained' ? trainedTensors(transformer) : reference;
    if (tensors === undefined || crew.has[whose] === tensors) return;
    for (const [tensor, values] of Object.entries(tensors))
      crew.shared[tensor]?.set(await backend.read(values)); // nobody reads there now: all have answered
    await Promise.all(
      crew.threads.map(async (thread) =>
        this.ask(crew, thread, { kind: 'take', whose, values: crew.shared }, name),
      ),
    );
    crew.has[whose] = tensors;
  }

  async #sharedCopy(tensors: NamedTensors): Promise<NamedValues> {
    const copy: Record<string, Float32Array> = {};
    for (const [name, tensor] of Object.entries(tensors)) {
      copy[name] = sharedFloats(tensor.size);
      copy[name].set(await this.#model.backend.read(tensor));
    }
    return copy;
  }
}
