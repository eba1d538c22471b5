import type { z } from 'zod';
import { deriveContext, type Context } from '../../../envs/core/context.ts';
import { FaultError, UsageError } from '../../../envs/core/errors.ts';
import type { SampledTokens, TokenRequest, TokenSampler, TokenSession } from '../../core/token-sampler.ts';
import type { TokenCodec } from '../../render/token-prompt.ts';
import type { ServerOptions } from '../client-options.ts';
import type { AnswerReader } from '../judge.ts';
import { openRemoteServer, type RemoteServer } from '../remote-server.ts';
import { Adapters, type Adapter } from './adapters.ts';
import { checkSample } from './check-sample.ts';
import { noAdapters } from './no-adapters.ts';
import type { SampleRequest, ServerProtocol } from './server-protocol.ts';
import type { TokenServer } from './token-server.ts';

/** A server, the model that it serves, and the tokens of that model. */
export interface RemoteSamplerOptions<Server extends TokenServer = TokenServer> extends ServerOptions {
  /** A built-in kind of `findTokenServer`, or one defined with `defineTokenServer`. */
  readonly server: Server;
  /** How the server was started; its keys are those of `server.config`. */
  readonly serverConfig: z.input<Server['config']>;
  readonly contextLength: number;
  /** Ids must be below it: rows of the model's embedding. */
  readonly vocabulary: number;
  /** Decodes tokens to find stop texts. */
  readonly codec: Pick<TokenCodec, 'decode'>;
  /** Version of the model without an adapter. */
  readonly version: number;
  /** Adapters are named `PREFIX-UUID-VERSION` on the server. */
  readonly adapterPrefix: string;
}

/** A server's model as a {@link TokenSampler}. Close it after the last episode: that unloads the last adapter, if the server does so within two seconds. */
export interface RemoteSampler extends TokenSampler, AsyncDisposable {
  /**
   * Loads an adapter on the server and uses it for later requests. Running requests end with the weights that
   * they started with. Resolves when they have ended and the previous adapter is unloaded.
   * @throws UsageError if the server loads no adapters, the version is not newer, or another adapter is being
   * loaded
   * @throws RunError if the server fails
   */
  adopt(adapter: Adapter, context: Context): Promise<void>;
}

/**
 * Opens a sampler. It connects on the first request. Each request draws a seed from `context.rng`.
 *
 * An answer is used only if its ids are complete and come from the requested weights. Its log-probabilities
 * must be those of the distribution that was sampled from, with null where the server gives none. Settings
 * that give other log-probabilities are refused. Problems that may pass are retried within the limits.
 * @throws UsageError for such settings
 * @throws FaultError for a request that failed after all attempts
 */
export async function openRemoteSampler<Server extends TokenServer>(
  options: RemoteSamplerOptions<Server>,
): Promise<RemoteSampler> {
  const { title } = options.server;
  const protocol = options.server.protocol(options.serverConfig);
  return new ServerSampler(options, protocol, await openRemoteServer(options, `${title}'s kind`));
}

type Options = Omit<RemoteSamplerOptions, 'server' | 'serverConfig'>;

class ServerSampler implements RemoteSampler {
  readonly #options: Options;
  readonly #server: RemoteServer;
  readonly #protocol: ServerProtocol;
  readonly #adapters: Adapters;

  constructor(options: Options, protocol: ServerProtocol, server: RemoteServer) {
    this.#options = options;
    this.#server = server;
    this.#protocol = protocol;
    const { endpoint, model, adapterPrefix: prefix, version } = options;
    const host = { server, endpoint, model };
    this.#adapters = new Adapters(
      protocol.lora?.(host) ?? noAdapters(host, 'Use a kind that loads adapters.'),
      {
        where: server.where,
        prefix,
        version,
      },
    );
  }

  get version(): number {
    return this.#adapters.version;
  }

  get contextLength(): number {
    return this.#options.contextLength;
  }

  begin(): TokenSession {
    const ended = new AbortController();
    return {
      sample: (request, context) =>
        this.#sample(
          request,
          deriveContext(context, { signal: AbortSignal.any([context.signal, ended.signal]) }),
        ),
      end: () =>
        ended.abort(
          new FaultError({
            kind: 'sampler-failed',
            message: `${this.#server.where}: its episode has ended`,
            retryable: false,
          }),
        ),
    };
  }

  adopt(adapter: Adapter, context: Context): Promise<void> {
    return this.#adapters.adopt(adapter, context);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#adapters.close();
    await this.#server[Symbol.asyncDispose]();
  }

  async #sample(request: TokenRequest, { now, rng, signal }: Context): Promise<SampledTokens> {
    this.#assertCan(request);
    const { model, endpoint } = this.#options;
    using lease = this.#adapters.lease();
    const sample: SampleRequest = {
      request,
      name: lease.adapter ?? model,
      isAdapter: lease.adapter !== undefined,
      seed: rng.int(2 ** 31),
    };
    const question = {
      path: this.#protocol.path(endpoint),
      body: JSON.stringify(this.#protocol.body(sample)),
      reading: this.#readingOf(sample),
    };
    const came = await this.#server.ask(question, { now, rng: rng.fork('backoff'), signal });
    if (came.kind === 'usable') return { ...came.result, version: lease.version };
    return this.#refuse(
      'contextLength',
      `${request.prompt.length} prompt tokens and ${request.maxTokens} more exceed the context of the server: ${came.why}.`,
      `Start the server with a context of ${this.contextLength} tokens, or lower contextLength.`,
    );
  }

  #readingOf({ request, name }: SampleRequest): AnswerReader<Omit<SampledTokens, 'version'>> {
    const { vocabulary, codec } = this.#options;
    return {
      form: 'json',
      read: (body, quoted) => {
        const response = this.#protocol.read(body, quoted);
        return 'kind' in response
          ? response
          : checkSample(response, { request, name, vocabulary, codec, quoted });
      },
    };
  }

  #assertCan({ prompt, maxTokens, decoding, allowed }: TokenRequest): void {
    const most = this.contextLength;
    const inexact = this.#protocol.inexact(decoding);
    if (inexact !== undefined) this.#refuse('decoding', inexact.what, inexact.fix);
    if (allowed !== undefined)
      this.#refuse(
        'allowed',
        'a server cannot sample from a list of token sequences with exact log-probabilities.',
        'Remove the restriction.',
      );
    if (prompt.length === 0 || maxTokens < 1 || prompt.length + maxTokens > most) {
      this.#refuse(
        'prompt',
        `${prompt.length} prompt tokens and ${maxTokens} more exceed the context of ${most}.`,
        'Give a prompt that leaves room for at least one token.',
      );
    }
  }

  #refuse(what: string, why: string, fix: string): never {
    throw new UsageError({ where: `${what} for ${this.#server.where}`, what: why, fix });
  }
}
