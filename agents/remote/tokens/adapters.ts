import path from 'node:path';
import { abortable, type Context } from '../../../envs/core/context.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { Asking } from '../remote-server.ts';
import { loadAdapter, unloadAdapter, type AdapterHost } from './adapter-routes.ts';

/** Weights to sample with. */
export interface Adapter {
  /** Above those before it. */
  readonly version: number;
  /** In PEFT's format; an absolute path at which the server finds it, too. */
  readonly folder: string;
}

/** Whose weights a request is answered with, until it is disposed. */
export interface Lease extends Disposable {
  /** Undefined for the model as the server was started with it. */
  readonly adapter: string | undefined;
  readonly version: number;
}

/** Weights on the server, and how many requests they are answering. */
interface Weights {
  readonly adapter: string | undefined;
  readonly version: number;
  underWay: number;
  /** Called when the last request is answered. */
  onIdle: () => void;
}

/**
 * The weights of a server, one adapter a version, each under a name of its own: a request that has begun ends with the weights that it
 * began with, and an adapter goes when its last request is answered.
 */
export class Adapters {
  readonly #host: AdapterHost;
  readonly #prefix: string;
  #current: Weights;
  #isAdopting = false;

  /** @param version of the model without any adapter; adapters are called `PREFIX-VERSION` */
  constructor(host: AdapterHost, { prefix, version }: { readonly prefix: string; readonly version: number }) {
    this.#host = host;
    this.#prefix = prefix;
    this.#current = weightsOf(undefined, version);
  }

  get version(): number {
    return this.#current.version;
  }

  lease(): Lease {
    const weights = this.#current;
    weights.underWay += 1;
    return {
      adapter: weights.adapter,
      version: weights.version,
      [Symbol.dispose]: () => {
        weights.underWay -= 1;
        if (weights.underWay === 0) weights.onIdle();
      },
    };
  }

  /**
   * Loads an adapter, has every request from then on answered with it, and unloads the one before when its last request is answered.
   * @throws UsageError where the version is no newer, or another is on its way; RunError where the server does not
   */
  async adopt({ version, folder }: Adapter, { now, rng, signal }: Context): Promise<void> {
    const before = this.#current;
    const refuse = (what: string, mend: string): never => {
      throw new UsageError({ where: `adapter of version ${version} for ${this.#host.server.where}`, what, mend });
    };
    if (!path.isAbsolute(folder)) refuse(`${folder} is no absolute path, and the server runs in another folder.`, 'Give the whole path.');
    if (version <= before.version) refuse(`version ${before.version} is sampled with already.`, 'Give each adapter a higher version than the last.');
    if (this.#isAdopting) refuse('the one before it is still on its way.', 'Wait for it.');
    this.#isAdopting = true;
    try {
      const adapter = `${this.#prefix}-${version}`;
      const asking = { now, rng: rng.fork('backoff'), signal };
      await loadAdapter(this.#host, adapter, folder, asking);
      this.#current = weightsOf(adapter, version);
      await this.#retire(before, asking);
    } finally {
      this.#isAdopting = false;
    }
  }

  async #retire(weights: Weights, asking: Asking): Promise<void> {
    if (weights.adapter === undefined) return;
    if (weights.underWay > 0) await abortable(asking.signal, new Promise<void>((resolve) => void (weights.onIdle = resolve)));
    await unloadAdapter(this.#host, weights.adapter, asking);
  }
}

const weightsOf = (adapter: string | undefined, version: number): Weights => ({ adapter, version, underWay: 0, onIdle: () => undefined });
