import type { Dispatcher } from 'undici';
import { codeOf, messageOf } from '../../envs/core/errors.ts';
import { abortable, openDeadline } from '../../envs/core/waiting.ts';
import { encodingOf, isEventStream } from './answer-head.ts';

/** The outcome of one request. */
export type Exchange =
  | Answered
  /** The connection failed, or ended before the answer did. */
  | { readonly kind: 'broken'; readonly code: string; readonly why: string }
  | { readonly kind: 'late'; readonly afterMs: number }
  /** The answer exceeded the size limit. */
  | { readonly kind: 'oversize'; readonly maxBytes: number };

export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** Undefined if it is not UTF-8; empty if the header already shows that it is unusable. */
  readonly body: string | undefined;
}

export interface ExchangePlan {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the first byte sent to the last byte read, including connecting. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * Sends one request and reads the whole answer. Does not follow redirects. Rejects only with the reason of
 * `signal`.
 */
export async function exchange(pool: Dispatcher, plan: ExchangePlan, signal: AbortSignal): Promise<Exchange> {
  const { method, path, headers, body, timeoutMs, maxBytes } = plan;
  using deadline = openDeadline(signal, { where: path, ms: timeoutMs });
  const request = {
    method,
    path,
    headers,
    body: body ?? null,
    signal: deadline.signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  try {
    // undici ignores the signal of a request while it connects.
    const response = await abortable(deadline.signal, pool.request(request));
    const answer = {
      kind: 'answered',
      status: response.statusCode,
      header: (name: string) => [response.headers[name]].flat()[0],
    } as const;
    if (isUnreadable(answer)) {
      response.body.on('error', () => undefined).destroy();
      return { ...answer, body: '' };
    }
    const bytes = await readUpTo(maxBytes, response.body);
    return bytes === undefined ? { kind: 'oversize', maxBytes } : { ...answer, body: textOf(bytes) };
  } catch (thrown) {
    signal.throwIfAborted();
    if (deadline.signal.aborted) return { kind: 'late', afterMs: timeoutMs };
    return { kind: 'broken', code: codeOf(firstOf(thrown)) ?? '', why: reasonOf(thrown) };
  }
}

/**
 * A stream or a compressed answer, judged by its header. It is unusable, and a stream may stay open forever.
 */
function isUnreadable({ status, header }: Pick<Answered, 'status' | 'header'>): boolean {
  return status >= 200 && status <= 299 && (isEventStream(header) || encodingOf(header) !== undefined);
}

async function readUpTo(
  maxBytes: number,
  body: Dispatcher.ResponseData['body'],
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) return undefined; // leaving the loop destroys the body and closes the connection
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** If a name has several addresses, the error of the first is enough. */
const firstOf = (thrown: unknown): unknown =>
  thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown;

function reasonOf(thrown: unknown): string {
  const message = messageOf(firstOf(thrown));
  return message === '' ? (codeOf(firstOf(thrown)) ?? '') : message;
}
