import { httpDateSeconds } from './http-date.ts';

/** How long to wait before a retry. */
export interface Backoff {
  /** Longest wait before the second attempt, in milliseconds. It doubles with each attempt. */
  readonly firstMs: number;
  /** Upper bound of a wait that the client chooses. */
  readonly capMs: number;
}

/**
 * The wait after `tries` failed attempts: uniform between 0 and an exponentially growing bound ("full
 * jitter", Brooker 2015), so that clients that failed together do not retry together.
 * @param uniform in [0, 1)
 */
export function backoffMs(tries: number, { firstMs, capMs }: Backoff, uniform: number): number {
  return uniform * Math.min(capMs, firstMs * 2 ** (tries - 1));
}

/** Headers with which a server says when to retry. */
export interface RetryHeaders {
  /** Seconds, or a date (RFC 9110, 10.2.3). */
  readonly retryAfter: string | undefined;
  /** Milliseconds; an extension of OpenAI's servers. */
  readonly retryAfterMs: string | undefined;
  /** The server's clock. A `retryAfter` date is relative to it, so the local clock does not matter. */
  readonly date: string | undefined;
}

/** The wait that the server requests, in milliseconds; undefined if it requests none that can be parsed. */
export function askedWaitMs({ retryAfter, retryAfterMs, date }: RetryHeaders): number | undefined {
  const milliseconds = decimal(retryAfterMs);
  if (milliseconds !== undefined) return milliseconds;
  const seconds = decimal(retryAfter);
  if (seconds !== undefined) return 1000 * seconds;
  const wait = httpDateSeconds(retryAfter ?? '') - httpDateSeconds(date ?? '');
  return Number.isNaN(wait) ? undefined : Math.max(0, 1000 * wait);
}

const decimal = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
