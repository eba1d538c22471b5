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

/** Which server to ask, and its limits. */
export interface ServerOptions {
  readonly model: string;
  readonly endpoint: Endpoint;
  /** Sent as a bearer token; undefined if the server needs none. */
  readonly key: Secret | undefined;
  /** Where a key would come from, for messages. */
  readonly keyName: string;
  readonly limits: ChatLimits;
  /** Called for the first retry, and for one retry every half minute while there are others. */
  readonly onRetry?: (retry: Retry) => void;
}

/** Which model to ask, where and how. */
export interface ChatClientOptions extends ServerOptions {
  /** Most tokens of a reply, including reasoning. */
  readonly maxTokens: number;
  /** The field with which the server takes that limit. Newer models of OpenAI accept only the second. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Undefined leaves it to the server. */
  readonly temperature: number | undefined;
  /** Further request fields, such as `reasoning_effort`. */
  readonly fields?: Readonly<Record<string, Json>> | undefined;
  /** Fields of {@link optionalFields} that are left out, for servers that refuse fields that they do not know. */
  readonly omitFields?: readonly OptionalField[] | undefined;
}

/** A request that is retried. */
export interface Retry {
  /** Number of the next attempt, from 1, and the most attempts. */
  readonly next: number;
  readonly tries: number;
  /** Why the last attempt failed, without a full stop and without secrets. */
  readonly why: string;
}

/** Limits for one server. */
export interface ChatLimits {
  /** Most connections, and therefore most concurrent requests. */
  readonly connections: number;
  /** Timeout for connecting, in milliseconds. */
  readonly connectMs: number;
  /** Timeout for one attempt, from connecting to the last byte, in milliseconds. */
  readonly requestMs: number;
  /** Timeout for all attempts and waits of one request, in milliseconds. */
  readonly totalMs: number;
  readonly tries: number;
  readonly backoff: Backoff;
  /** Most bytes of an answer. */
  readonly replyBytes: number;
}

/** Limits for a shared server that is sometimes busy. */
export const defaultChatLimits: ChatLimits = {
  connections: 16,
  connectMs: 10_000,
  requestMs: 120_000,
  totalMs: 600_000,
  tries: 8,
  backoff: { firstMs: 500, capMs: 30_000 },
  replyBytes: 8 * 2 ** 20,
};
