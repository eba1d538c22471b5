import { dispose } from '@tensorflow/tfjs-core';
import type { TensorBackend } from '../../backend/backend.ts';
import { downloadTensors, uploadTensors } from '../checkpoint.ts';
import type { CacheSize } from '../generate/cached-passes.ts';
import { LocalCachedPasses } from '../generate/local-cached-passes.ts';
import { factorShapes } from '../lora.ts';
import type { Transformer } from '../network.ts';
import { trainedShapes, trainedTensors, withTrained } from '../token-parameters.ts';
import { weightShapes, type NamedTensors, type NamedValues } from '../weight-layout.ts';
import { learnPass, scorePass } from './compute-pass.ts';
import type { ScoreJob } from './passes.ts';
import type { WorkerAnswer, WorkerRequest } from './worker-messages.ts';

type Begin = Extract<WorkerRequest, { readonly kind: 'begin' }>;

/** A worker's own copy of a model, on a backend of its own. */
export class Replica {
  readonly #backend: TensorBackend;
  #transformer: Transformer;
  #reference: NamedTensors | undefined;
  /** By number. */
  readonly #caches = new Map<number, LocalCachedPasses>();

  private constructor(backend: TensorBackend, transformer: Transformer) {
    this.#backend = backend;
    this.#transformer = transformer;
  }

  static async open(
    backend: TensorBackend,
    { shape: { config, lora }, weights, factors }: Begin,
  ): Promise<Replica> {
    const own = await uploadTensors(backend, weightShapes(config), Object.entries(weights));
    if (lora === undefined || factors === undefined)
      return new Replica(backend, { config, weights: own, adapter: undefined });
    const adapter = {
      config: lora,
      factors: await uploadTensors(backend, factorShapes(config, lora), Object.entries(factors)),
    };
    return new Replica(backend, { config, weights: own, adapter });
  }

  get transformer(): Transformer {
    return this.#transformer;
  }

  async answer(request: Exclude<WorkerRequest, Begin>): Promise<WorkerAnswer> {
    const model = { backend: this.#backend, transformer: this.#transformer, reference: this.#reference };
    switch (request.kind) {
      case 'take':
        await this.#take(request.whose, request.values);
        return { kind: 'done' };
      case 'score':
        return { kind: 'scored', logprob: await scorePass(model, request.job, request.rows) };
      case 'learn': {
        const { sums, gradient } = await learnPass(model, request.job, request.rows);
        if (gradient === undefined) return { kind: 'learned', sums, gradient };
        try {
          return { kind: 'learned', sums, gradient: await downloadTensors(this.#backend, gradient) };
        } finally {
          dispose(gradient);
        }
      }
      case 'write':
        return {
          kind: 'written',
          logits: await this.#cache(request.cache, request.size).run(request.packed, request.places),
        };
      case 'free':
        await this.#caches.get(request.cache)?.free();
        this.#caches.delete(request.cache);
        return { kind: 'done' };
      default:
        throw new TypeError(`a worker was asked for ${String(request satisfies never)}`);
    }
  }

  async #take(whose: ScoreJob['whose'], values: NamedValues): Promise<void> {
    const { config, adapter } = this.#transformer;
    const taken = await uploadTensors(
      this.#backend,
      trainedShapes({ config, lora: adapter?.config }),
      Object.entries(values),
    );
    if (whose === 'trained') {
      dispose(trainedTensors(this.#transformer));
      this.#transformer = withTrained(this.#transformer, taken);
    } else {
      dispose(this.#reference ?? {});
      this.#reference = taken;
    }
  }

  #cache(number: number, size: CacheSize): LocalCachedPasses {
    const cache = this.#caches.get(number) ?? new LocalCachedPasses(this.#backend, this, size);
    this.#caches.set(number, cache);
    return cache;
  }
}
