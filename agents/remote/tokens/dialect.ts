import type { TokenDecoding, TokenRequest } from '../../policy/token-sampler.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Problem } from '../problem.ts';

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
  readonly logprobs: readonly number[];
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
  readonly adapters: AdapterRoutes;
}

/** Where adapters are loaded while a server runs. */
export interface AdapterRoutes {
  /** Undefined where it takes adapters only when it is started. */
  readonly paths: ((endpoint: Endpoint) => Readonly<Record<'load' | 'unload', string>>) | undefined;
  /** How the server must have been started for it, or what to take instead. */
  readonly mend: string;
}

/** True where nothing is left to chance. */
export const isGreedy = ({ temperature, topK }: TokenDecoding): boolean => temperature === 0 || topK === 1;

/** True where some tokens are not drawn at all. */
export const isFiltered = ({ topK, topP = 1, minP = 0 }: TokenDecoding): boolean => topK !== undefined || topP < 1 || minP > 0;
