import { httpDateSeconds } from './http-date.ts';

/** How long to wait before another try. */
export interface Backoff {
  /** The longest wait before the second try, in milliseconds; it doubles with each try. */
  readonly firstMs: number;
  /** No wait of our own is longer. */
  readonly capMs: number;
}

/**
 * The wait after `tries` failed tries: uniform between 0 and an exponentially growing bound ("full jitter", Brooker 2015), so that
 * clients that failed together do not come back together.
 * @param uniform in [0, 1)
 */
export function backoffMs(tries: number, { firstMs, capMs }: Backoff, uniform: number): number {
  return uniform * Math.min(capMs, firstMs * 2 ** (tries - 1));
}

/** What a server says about when to come back. */
export interface RetryHeaders {
  /** Seconds, or a date (RFC 9110, 10.2.3). */
  readonly retryAfter: string | undefined;
  /** Milliseconds: a custom of OpenAI's servers. */
  readonly retryAfterMs: string | undefined;
  /** The server's clock: a date is counted from it, so that no clock of ours is needed. */
  readonly date: string | undefined;
}

/** The wait that the server asks for in milliseconds; undefined where it asks for none that can be understood. */
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
