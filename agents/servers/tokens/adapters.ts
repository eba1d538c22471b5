import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Context } from '../../../envs/core/context.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { abortable, openDeadline } from '../../../envs/core/waiting.ts';
import type { RequestContext } from '../remote-server.ts';
import type { LoraApi } from './server-protocol.ts';

/** Weights to sample with. */
export interface Adapter {
  /** Must exceed that of the previous adapter. */
  readonly version: number;
  /** A folder in PEFT's format; an absolute path that is also valid for the server. */
  readonly folder: string;
}

/** The weights that a request uses, until it is disposed. */
export interface Lease extends Disposable {
  /** Undefined for the model without an adapter. */
  readonly adapter: string | undefined;
  readonly version: number;
}

/** Weights on the server, and how many requests use them. */
interface Weights {
  readonly adapter: string | undefined;
  readonly version: number;
  underWay: number;
  /** Called when the last request is answered. */
  onIdle: () => void;
}

/** Time limit of {@link Adapters.close}: leftover adapters are no reason to wait. */
const farewellMs = 2000;

/**
 * The weights of a server: one adapter for each version, under a unique name, whatever the machine and the
 * seed. A request ends with the weights that it started with. An adapter is unloaded when its last request is
 * answered.
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
  /** The context of the last `adopt`. */
  #lastContext: Omit<RequestContext, 'signal'> | undefined;

  /**
   * @param version of the model without an adapter; adapters are named `PREFIX-UUID-VERSION`, with a new UUID
   * for each instance
   */
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
   * Loads an adapter and uses it for all later requests. The previous adapter is unloaded when its last
   * request is answered.
   * @throws UsageError if the version is not newer, or another adapter is being loaded
   * @throws RunError if the server fails
   */
  async adopt({ version, folder }: Adapter, { now, rng, signal }: Context): Promise<void> {
    const before = this.#current;
    const refuse = (what: string, fix: string): never => {
      throw new UsageError({ where: `adapter of version ${version} for ${this.#where}`, what, fix });
    };
    if (!path.isAbsolute(folder))
      refuse(
        `${folder} is not an absolute path, and the server runs in another folder.`,
        'Give an absolute path.',
      );
    if (version <= before.version)
      refuse(
        `version ${before.version} is in use already.`,
        'Give each adapter a higher version than the last.',
      );
    if (this.#isAdopting) refuse('another adapter is being loaded.', 'Wait until it is loaded.');
    this.#isAdopting = true;
    try {
      const adapter = `${this.#prefix}-${version}`;
      this.#lastContext = { now, rng: rng.fork('backoff') };
      const context = { ...this.#lastContext, signal };
      this.#names.add(adapter); // recorded even if no answer arrives
      await this.#api.load(adapter, folder, context);
      this.#current = weightsOf(adapter, version);
      await this.#retire(before, context);
    } finally {
      this.#isAdopting = false;
    }
  }

  /** Unloads the adapters of this client, within two seconds. No request may follow. */
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
