import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultChatLimits } from '../../../agents/servers/client-options.ts';
import { parseEndpoint } from '../../../agents/servers/endpoint.ts';
import type { Secret } from '../../../agents/servers/secret.ts';
import { findTokenServer } from '../../../agents/servers/tokens/list.ts';
import { openRemoteSampler, type RemoteSampler } from '../../../agents/servers/tokens/remote-sampler.ts';
import type {
  SampledTokens,
  TokenRequest,
  TokenSession,
  TrainingSampler,
} from '../../../agents/core/token-sampler.ts';
import type { Context } from '../../../envs/core/context.ts';
import { makeAdapterFolder } from './adapter-folder.ts';
import type { SamplerConfig } from '../sampler-config.ts';
import type { PublishedWeights } from './published-weights.ts';

/**
 * A server that samples with the adapter in training. The trainer reports changed weights ({@link outdate});
 * the next request first loads them on the server, and its result has the version of the policy that wrote
 * it. On the server adapters are numbered, and numbers only increase, because weights may also return to
 * older ones.
 */
export class PublishedSampler implements TrainingSampler {
  readonly isRemote = true;
  readonly contextLength: number;
  readonly #remote: RemoteSampler;
  readonly #weights: PublishedWeights;
  readonly #folder: string;
  readonly #lock: AsyncDisposable | undefined;
  /** Policy versions by their numbers on the server. */
  readonly #versions = new Map<number, number>();
  #number = 0;
  #isOutdated = false;
  #publishing: { readonly by: AbortSignal; readonly done: Promise<void> } | undefined;

  private constructor(
    remote: RemoteSampler,
    weights: PublishedWeights,
    { folder, lock }: { readonly folder: string; readonly lock: AsyncDisposable | undefined },
  ) {
    this.#remote = remote;
    this.#weights = weights;
    this.#folder = folder;
    this.#lock = lock;
    this.contextLength = remote.contextLength;
  }

  /**
   * Publishes the current weights, so that a server without adapters, or without a connection, is refused
   * before any work.
   * @param options.lock lock on the server's file; released with the sampler
   */
  static async open(options: {
    readonly lock: AsyncDisposable | undefined;
    readonly config: SamplerConfig;
    readonly key: Secret | undefined;
    readonly weights: PublishedWeights;
    readonly context: Context;
    readonly model: {
      readonly contextLength: number;
      readonly vocabulary: number;
      readonly decode: (tokens: readonly number[], after?: number) => string;
    };
  }): Promise<PublishedSampler> {
    const {
      config: { kind, url, model: name, folder, keyVariable, ...serverConfig },
      key,
      weights,
      lock,
      context,
      model: { contextLength, vocabulary, decode },
    } = options;
    const remote = await openRemoteSampler({
      model: name,
      endpoint: parseEndpoint(url, 'policy.sampler.url'),
      key,
      keyName: keyVariable ?? 'policy.sampler.keyVariable',
      limits: defaultChatLimits,
      server: findTokenServer(kind),
      serverConfig,
      contextLength,
      vocabulary,
      codec: { decode },
      version: 0,
      adapterPrefix: 'cairn',
    });
    const place = await makeAdapterFolder(folder).catch(async (thrown: unknown) => {
      await remote[Symbol.asyncDispose]();
      throw thrown;
    });
    const sampler = new PublishedSampler(remote, weights, { folder: place, lock });
    try {
      await sampler.#publish(context);
      return sampler;
    } catch (thrown) {
      await sampler.dispose();
      throw thrown;
    }
  }

  /** Version of the weights that answer now. */
  get version(): number {
    return this.#versionOf(this.#remote.version);
  }

  /** The weights have changed: later requests use the new ones. */
  outdate(): void {
    this.#isOutdated = true;
  }

  begin(): TokenSession {
    const session = this.#remote.begin();
    return {
      sample: (request, context) => this.#sample(session, request, context),
      end: () => session.end(),
    };
  }

  async dispose(): Promise<void> {
    await this.#remote[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
    await this.#lock?.[Symbol.asyncDispose]();
  }

  async #sample(session: TokenSession, request: TokenRequest, context: Context): Promise<SampledTokens> {
    while (this.#isOutdated || this.#publishing !== undefined) await this.#waitForPublishing(context);
    const sampled = await session.sample(request, context);
    return { ...sampled, version: this.#versionOf(sampled.version) };
  }

  /** The first waiting request publishes for all. If its episode ends meanwhile, the next one does. */
  async #waitForPublishing(context: Context): Promise<void> {
    context.signal.throwIfAborted();
    const publishing = (this.#publishing ??= { by: context.signal, done: this.#publish(context) });
    try {
      await publishing.done;
    } catch (thrown) {
      if (context.signal.aborted || !publishing.by.aborted) throw thrown;
    } finally {
      if (this.#publishing === publishing) this.#publishing = undefined;
    }
  }

  async #publish(context: Context): Promise<void> {
    this.#isOutdated = false;
    this.#number += 1;
    const number = this.#number;
    const folder = join(this.#folder, `adapter-${number}`);
    this.#versions.set(number, this.#weights.version);
    try {
      await this.#weights.writeAdapter(folder);
      await this.#remote.adopt({ version: number, folder }, context);
    } catch (thrown) {
      this.#isOutdated = true; // for the next request
      throw thrown;
    }
    await rm(join(this.#folder, `adapter-${number - 1}`), { recursive: true, force: true });
  }

  #versionOf(number: number): number {
    return this.#versions.get(number) ?? this.#weights.version;
  }
}
