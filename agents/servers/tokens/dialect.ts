import type { TokenDecoding, TokenRequest } from '../../core/token-sampler.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Problem } from '../problem.ts';
import type { Asking, RemoteServer } from '../remote-server.ts';

/** What one request asks of a server. */
export interface Wanted {
  readonly request: TokenRequest;
  /** The adapter where there is one, else the model. */
  readonly name: string;
  readonly isAdapter: boolean;
  readonly seed: number;
}

/** What a server says that it wrote, not yet checked. */
export interface Written {
  readonly tokens: readonly number[];
  /** Null where it gives none. */
  readonly logprobs: readonly (number | null)[];
  readonly ending: 'stop' | 'length';
  /** Under which name it answered; undefined where it does not say. */
  readonly name: string | undefined;
  /** How many tokens it took the prompt for; undefined where it does not say. */
  readonly promptTokens: number | undefined;
}

/** How one kind of server is asked for tokens, and what its answers mean. */
export interface Dialect {
  readonly path: (endpoint: Endpoint) => string;
  /** The body of a request, as plain JSON. */
  readonly body: (wanted: Wanted) => Readonly<Record<string, unknown>>;
  readonly read: (body: unknown, quoted: (text: string) => string) => Written | Problem;
  /** Why the log-probabilities would not be those of the distribution that is drawn from; undefined where they are. */
  readonly inexact: (decoding: TokenDecoding) => { readonly what: string; readonly mend: string } | undefined;
  readonly adapters: (host: AdapterHost) => AdapterDoors;
}

/** Where adapters are loaded and unloaded. */
export interface AdapterHost {
  readonly server: RemoteServer;
  readonly endpoint: Endpoint;
  /** That the adapters change, by the server's name for it. */
  readonly model: string;
}

/** How adapters come onto a server while it runs, and go. */
export interface AdapterDoors {
  /**
   * Loads an adapter under a name that nobody else gives: where there is one already, a try whose answer was lost has loaded it.
   * @param folder in PEFT's format, with the further files that the kind of server wants
   * @throws UsageError where the server takes none while it runs; RunError where it fails
   */
  load(name: string, folder: string, asking: Asking): Promise<void>;
  /**
   * Unloads an adapter, where it is there.
   * @throws RunError where the server fails
   */
  unload(name: string, asking: Asking): Promise<void>;
}

/** True where nothing is left to chance. */
export const isGreedy = ({ temperature, topK }: TokenDecoding): boolean => temperature === 0 || topK === 1;

/** True where some tokens are not drawn at all. */
export const isFiltered = ({ topK, topP = 1, minP = 0 }: TokenDecoding): boolean =>
  topK !== undefined || topP < 1 || minP > 0;
