import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Context } from '../../../envs/core/context.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { abortable, openDeadline } from '../../../envs/core/waiting.ts';
import type { RequestContext } from '../remote-server.ts';
import type { LoraApi } from './server-protocol.ts';

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

/** Of {@link Adapters.close}: what a server has too many is no reason to wait for it. */
const farewellMs = 2000;

/**
 * The weights of a server, one adapter a version, each under a name that nobody else gives, on whatever machine and with whatever seed: a
 * request that has begun ends with the weights that it began with, and an adapter goes when its last request is answered.
 */
export class Adapters {
  readonly #api: LoraApi;
  /** Names the server in errors. */
  readonly #where: string;
  readonly #prefix: string;
  #current: Weights;
  #isAdopting = false;
  /** Names of adapters that the server may have. */
  readonly #names = new Set<string>();
  /** Of the last context in which one was adopted. */
  #lastContext: Omit<RequestContext, 'signal'> | undefined;

  /** @param version of the model without any adapter; adapters are called `PREFIX-UUID-VERSION`, with a new UUID each time that this is made */
  constructor(
    api: LoraApi,
    { where, prefix, version }: { readonly where: string; readonly prefix: string; readonly version: number },
  ) {
    this.#api = api;
    this.#where = where;
    this.#prefix = `${prefix}-${randomUUID()}`;
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
    const refuse = (what: string, fix: string): never => {
      throw new UsageError({ where: `adapter of version ${version} for ${this.#where}`, what, fix });
    };
    if (!path.isAbsolute(folder))
      refuse(`${folder} is no absolute path, and the server runs in another folder.`, 'Give the whole path.');
    if (version <= before.version)
      refuse(
        `version ${before.version} is sampled with already.`,
        'Give each adapter a higher version than the last.',
      );
    if (this.#isAdopting) refuse('the one before it is still on its way.', 'Wait for it.');
    this.#isAdopting = true;
    try {
      const adapter = `${this.#prefix}-${version}`;
      this.#lastContext = { now, rng: rng.fork('backoff') };
      const context = { ...this.#lastContext, signal };
      this.#names.add(adapter); // also where the answer does not come
      await this.#api.load(adapter, folder, context);
      this.#current = weightsOf(adapter, version);
      await this.#retire(before, context);
    } finally {
      this.#isAdopting = false;
    }
  }

  /** Unloads what the server has from here, as far as it does so within two seconds. Nothing may be sampled any more. */
  async close(): Promise<void> {
    if (this.#lastContext === undefined) return;
    using deadline = openDeadline(undefined, { where: this.#where, ms: farewellMs });
    const context = { ...this.#lastContext, signal: deadline.signal };
    await Promise.allSettled([...this.#names].map((name) => this.#unload(name, context)));
  }

  async #retire(weights: Weights, context: RequestContext): Promise<void> {
    if (weights.adapter === undefined) return;
    if (weights.underWay > 0)
      await abortable(context.signal, new Promise<void>((resolve) => void (weights.onIdle = resolve)));
    await this.#unload(weights.adapter, context);
  }

  async #unload(name: string, context: RequestContext): Promise<void> {
    await this.#api.unload(name, context);
    this.#names.delete(name);
  }
}

const weightsOf = (adapter: string | undefined, version: number): Weights => ({
  adapter,
  version,
  underWay: 0,
  onIdle: () => undefined,
});
