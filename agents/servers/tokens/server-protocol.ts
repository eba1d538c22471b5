import type { TokenDecoding, TokenRequest } from '../../core/token-sampler.ts';
import type { Endpoint } from '../endpoint.ts';
import type { ServerProblem } from '../problem.ts';
import type { RemoteServer, RequestContext } from '../remote-server.ts';

/** One request for tokens. */
export interface SampleRequest {
  readonly request: TokenRequest;
  /** Name of the adapter, or of the model if none is loaded. */
  readonly name: string;
  readonly isAdapter: boolean;
  /** In [0, 2^31). */
  readonly seed: number;
}

/** The tokens that a server reports, not yet validated. */
export interface SampleResponse {
  readonly tokens: readonly number[];
  /** Natural logarithms, one for each token; null if the server gives none. */
  readonly logprobs: readonly (number | null)[];
  readonly ending: 'stop' | 'length';
  /** Name of the model or adapter that answered; undefined if the server does not report it. */
  readonly name: string | undefined;
  /** Number of prompt tokens as counted by the server; undefined if not reported. */
  readonly promptTokens: number | undefined;
}

/** Why a server cannot do what it was asked, and how to fix it. */
export interface Unsupported {
  readonly what: string;
  readonly fix: string;
}

/** The HTTP protocol of one kind of server: how to request tokens, and how to read its answers. */
export interface ServerProtocol {
  readonly path: (endpoint: Endpoint) => string;
  /** Body of a request, as plain JSON. */
  readonly body: (sample: SampleRequest) => Readonly<Record<string, unknown>>;
  /** `quoted` shortens text of the server and removes secrets; use it for every text that goes into a problem. */
  readonly read: (body: unknown, quoted: (text: string) => string) => SampleResponse | ServerProblem;
  /**
   * Why the reported log-probabilities differ from those of the distribution that is sampled from; undefined
   * if they do not.
   */
  readonly inexact: (decoding: TokenDecoding) => Unsupported | undefined;
  /** Absent if the server cannot load adapters at run time. */
  readonly lora?: (host: LoraHost) => LoraApi;
}

/** The server on which adapters are loaded. */
export interface LoraHost {
  readonly server: RemoteServer;
  readonly endpoint: Endpoint;
  /** The server's name of the base model. */
  readonly model: string;
}

/** Loads and unloads LoRA adapters while a server runs. */
export interface LoraApi {
  /**
   * Loads an adapter under a unique name. If the adapter is loaded already, an earlier attempt succeeded and
   * its answer was lost.
   * @param folder adapter in PEFT's format, with the files that the server's {@link AdapterPublishing} adds
   * @throws UsageError if the server cannot load adapters at run time
   * @throws RunError if the server fails
   */
  load(name: string, folder: string, context: RequestContext): Promise<void>;
  /**
   * Unloads an adapter if it is loaded.
   * @throws RunError if the server fails
   */
  unload(name: string, context: RequestContext): Promise<void>;
}

/** Whether the decoding is deterministic. */
export const isGreedy = ({ temperature, topK }: TokenDecoding): boolean => temperature === 0 || topK === 1;

/** Whether some tokens are never drawn. */
export const isFiltered = ({ topK, topP = 1, minP = 0 }: TokenDecoding): boolean =>
  topK !== undefined || topP < 1 || minP > 0;

/**
 * Decoding fields of vLLM and SGLang. Omitted fields are taken from the checkpoint's generation_config.json.
 */
export const decodingFields = ({ temperature, topK, topP, minP }: TokenDecoding) => ({
  temperature,
  top_k: topK ?? -1,
  top_p: topP ?? 1,
  min_p: minP ?? 0,
  repetition_penalty: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
});
