import { deriveContext, type Context } from '../../../envs/core/context.ts';
import { FaultError, UsageError } from '../../../envs/core/errors.ts';
import type { SampledTokens, TokenRequest, TokenSampler, TokenSession } from '../../core/token-sampler.ts';
import type { TokenCodec } from '../../render/token-prompt.ts';
import type { ServerOptions } from '../client-options.ts';
import type { Reading } from '../judge.ts';
import { openRemoteServer, type RemoteServer } from '../remote-server.ts';
import { Adapters, type Adapter } from './adapters.ts';
import type { Dialect, Wanted } from './dialect.ts';
import { llamaCpp } from './llama-cpp.ts';
import { settle } from './settle.ts';
import { sglang } from './sglang.ts';
import { vllm } from './vllm.ts';

/** Which server it is, and which log-probabilities it was started to report; no answer tells. */
export type ServerKind =
  /** `processed` with `--logprobs-mode processed_logprobs`, else `raw`. */
  | { readonly kind: 'vllm'; readonly logprobs: 'raw' | 'processed' }
  /** `raw` with `SGLANG_RETURN_ORIGINAL_LOGPROB`, else `tempered`. */
  | { readonly kind: 'sglang'; readonly logprobs: 'raw' | 'tempered' }
  /** `presets` is the file that it was started with as a router (`--models-preset`); without one it takes no adapters. */
  | { readonly kind: 'llama-cpp'; readonly presets?: string | undefined };

/** Which server samples, and what its tokens are. */
export interface RemoteSamplerOptions extends ServerOptions {
  readonly server: ServerKind;
  readonly contextLength: number;
  /** Ids are below it: rows of the model's embedding. */
  readonly vocabulary: number;
  /** Finds the texts that end a reply. */
  readonly codec: Pick<TokenCodec, 'decode'>;
  /** Of the model as the server was started with it. */
  readonly version: number;
  /** Adapters are called `PREFIX-UUID-VERSION` on the server. */
  readonly adapterPrefix: string;
}

/** A server's model as a {@link TokenSampler}. Close it after the last episode: that unloads the last adapter, if the server does so within two seconds. */
export interface RemoteSampler extends TokenSampler, AsyncDisposable {
  /**
   * Loads an adapter on the server and samples with it from then on. Requests that are under way end with the weights that they began with;
   * it resolves once they have, and the adapter before is unloaded.
   * @throws UsageError where the server takes none, the version is no newer, or another is on its way; RunError where the server fails
   */
  adopt(adapter: Adapter, context: Context): Promise<void>;
}

/**
 * Opens a sampler; it connects when it is first asked. Each request draws a seed from `context.rng`. An answer is used only where its ids
 * are whole and of the weights that were asked, and its log-probabilities those really drawn by, with null for what the server gives none
 * of; settings under which it would give others are refused with a `UsageError`. Whatever may pass is tried again, within the limits; what
 * is left is a `FaultError`.
 */
export async function openRemoteSampler(options: RemoteSamplerOptions): Promise<RemoteSampler> {
  return new ServerSampler(options, await openRemoteServer(options, `${names[options.server.kind]}'s kind`));
}

const names = { vllm: 'vLLM', sglang: 'SGLang', 'llama-cpp': 'llama.cpp' } as const satisfies Readonly<
  Record<ServerKind['kind'], string>
>;

function dialectOf(server: ServerKind): Dialect {
  switch (server.kind) {
    case 'vllm':
      return vllm(server.logprobs);
    case 'sglang':
      return sglang(server.logprobs);
    case 'llama-cpp':
      return llamaCpp(server.presets);
    default:
      return server satisfies never;
  }
}

type Options = RemoteSamplerOptions;

class ServerSampler implements RemoteSampler {
  readonly #options: Options;
  readonly #server: RemoteServer;
  readonly #dialect: Dialect;
  readonly #adapters: Adapters;

  constructor(options: Options, server: RemoteServer) {
    this.#options = options;
    this.#server = server;
    this.#dialect = dialectOf(options.server);
    const { endpoint, model, adapterPrefix: prefix, version } = options;
    this.#adapters = new Adapters(this.#dialect.adapters({ server, endpoint, model }), {
      where: server.where,
      prefix,
      version,
    });
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
    const wanted: Wanted = {
      request,
      name: lease.adapter ?? model,
      isAdapter: lease.adapter !== undefined,
      seed: rng.int(2 ** 31),
    };
    const question = {
      path: this.#dialect.path(endpoint),
      body: JSON.stringify(this.#dialect.body(wanted)),
      reading: this.#readingOf(wanted),
    };
    const came = await this.#server.ask(question, { now, rng: rng.fork('backoff'), signal });
    if (came.kind === 'usable') return { ...came.result, version: lease.version };
    return this.#refuse(
      'contextLength',
      `${request.prompt.length} tokens and ${request.maxTokens} more are too many for it: ${came.why}.`,
      `Start it with a context of ${this.contextLength} tokens, or lower contextLength.`,
    );
  }

  #readingOf({ request, name }: Wanted): Reading<Omit<SampledTokens, 'version'>> {
    const { vocabulary, codec } = this.#options;
    return {
      form: 'json',
      read: (body, quoted) => {
        const written = this.#dialect.read(body, quoted);
        return 'kind' in written ? written : settle(written, { request, name, vocabulary, codec, quoted });
      },
    };
  }

  #assertCan({ prompt, maxTokens, decoding, allowed }: TokenRequest): void {
    const most = this.contextLength;
    const inexact = this.#dialect.inexact(decoding);
    if (inexact !== undefined) this.#refuse('decoding', inexact.what, inexact.mend);
    if (allowed !== undefined)
      this.#refuse(
        'allowed',
        'a server does not draw from some token sequences alone with the log-probabilities of that.',
        'Leave the restriction out.',
      );
    if (prompt.length === 0 || maxTokens < 1 || prompt.length + maxTokens > most) {
      this.#refuse(
        'prompt',
        `${prompt.length} tokens and ${maxTokens} more do not go into a context of ${most}.`,
        'Give a prompt, and leave room for a token or more.',
      );
    }
  }

  #refuse(what: string, why: string, mend: string): never {
    throw new UsageError({ where: `${what} for ${this.#server.where}`, what: why, mend });
  }
}
