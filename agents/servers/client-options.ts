import type { Json } from '../../envs/core/json.ts';
import type { Backoff } from './backoff.ts';
import type { Endpoint } from './endpoint.ts';
import type { Secret } from './secret.ts';

/** Fields of a request that can be left out. Without `seed`, sampled replies cannot be repeated; without a limit, the server sets it. */
export const optionalFields = [
  'seed',
  'stop',
  'stream',
  'temperature',
  'max_tokens',
  'max_completion_tokens',
] as const;
export type OptionalField = (typeof optionalFields)[number];

/** Which server is asked, and how patiently. */
export interface ServerOptions {
  readonly model: string;
  readonly endpoint: Endpoint;
  /** Sent as a bearer token; undefined where the server wants none. */
  readonly key: Secret | undefined;
  /** Where a key would come from, for messages. */
  readonly keyName: string;
  readonly limits: ChatLimits;
  /** Hears of the first request that is tried again, and while others are, of one every half minute. */
  readonly onRetry?: (retry: Retry) => void;
}

/** Which model is asked, where and how. */
export interface ChatClientOptions extends ServerOptions {
  /** Most tokens that a reply may have, reasoning included. */
  readonly maxTokens: number;
  /** Under which name the server takes that limit: newer models of OpenAI know only the second. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Undefined leaves it to the server. */
  readonly temperature: number | undefined;
  /** Fields that the server takes beside those that are set here, such as `reasoning_effort`; undefined for none. */
  readonly fields?: Readonly<Record<string, Json>> | undefined;
  /** Fields of {@link optionalFields} that are left out, for servers that refuse fields that they do not know. */
  readonly omitFields?: readonly OptionalField[] | undefined;
}

/** A request that is tried again. */
export interface Retry {
  /** Which try comes next, counted from 1, of how many at most. */
  readonly next: number;
  readonly tries: number;
  /** Why the last came to nothing, without a full stop; secrets are taken out. */
  readonly why: string;
}

/** What one server may cost. */
export interface ChatLimits {
  /** Connections, and by that requests under way, at most. */
  readonly connections: number;
  /** Milliseconds for a connection to be made. */
  readonly connectMs: number;
  /** Milliseconds for one try, from connecting to the last byte. */
  readonly requestMs: number;
  /** Milliseconds for all tries and waits of one request. */
  readonly totalMs: number;
  readonly tries: number;
  readonly backoff: Backoff;
  /** Most bytes of an answer. */
  readonly replyBytes: number;
}

/** Limits for a server that is shared and sometimes busy. */
export const defaultChatLimits: ChatLimits = {
  connections: 16,
  connectMs: 10_000,
  requestMs: 120_000,
  totalMs: 600_000,
  tries: 8,
  backoff: { firstMs: 500, capMs: 30_000 },
  replyBytes: 8 * 2 ** 20,
};
