import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { messageOf, UsageError } from '../../envs/core/errors.ts';
import { listen } from '../http/listen.ts';
import { isLoopback, refusalOf } from '../http/request-guard.ts';
import { isSameToken } from '../http/token.ts';
import { refused, type ApiAnswer, type SearchApi } from './search-api.ts';

export interface SearchServerOptions {
  readonly api: SearchApi;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** First segment of every path. Without a token a server listens only on loopback. */
  readonly token?: string | undefined;
  readonly onError?: (message: string) => void;
}

export interface SearchServer {
  /** The address that clients get, without a slash at the end: `/retrieve` follows it. */
  readonly url: string;
  /** Closes all connections at once. */
  close(): Promise<void>;
}

const limits = {
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
};
const mostConnections = 4_096;
/** Bytes of a request: some ten thousand queries. */
const mostBodyBytes = 8 * 2 ** 20;

/**
 * Serves a search engine to programs.
 *
 * @throws UsageError if it cannot listen there, or would be reachable by others without a token
 */
export async function startSearchServer(options: SearchServerOptions): Promise<SearchServer> {
  const { host, port, token } = options;
  if (!isLoopback(host) && token === undefined)
    throw new UsageError({
      where: `the address ${host}`,
      what: 'other machines can reach it, and there is no token.',
      fix: 'Set a token, or bind 127.0.0.1.',
    });
  const server = createServer(limits);
  server.maxConnections = mostConnections;
  await listen(server, host, port);
  const at = { host, port: (server.address() as AddressInfo).port, hasToken: token !== undefined };
  server.on('request', (message, response) => void exchange(message, response, options, at));
  const origin = `http://${isIPv6(host) ? `[${host}]` : host}:${at.port}`;
  return {
    url: token === undefined ? origin : `${origin}/${token}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Listening = Parameters<typeof refusalOf>[1];

async function exchange(
  message: IncomingMessage,
  response: ServerResponse,
  options: SearchServerOptions,
  at: Listening,
): Promise<void> {
  let answer: ApiAnswer;
  try {
    answer = await answerTo(message, response, options, at);
  } catch (thrown) {
    if (response.destroyed) return; // the client is gone
    options.onError?.(messageOf(thrown));
    answer = { status: 500, body: 'Internal Server Error' };
  }
  if (response.destroyed) return;
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status, {
    'content-type': answer.status === 500 ? 'text/plain; charset=utf-8' : 'application/json',
    'content-length': body.length,
    ...(message.complete ? {} : { connection: 'close' }), // the rest of a refused request is not awaited
  });
  response.end(body);
}

async function answerTo(
  message: IncomingMessage,
  response: ServerResponse,
  { api, token }: SearchServerOptions,
  at: Listening,
): Promise<ApiAnswer> {
  const { method = 'GET', headers, url = '/' } = message;
  const refusal = refusalOf({ method, headers }, at);
  if (refusal !== undefined) return refused(403, refusal);
  const [, first = '', ...rest] = (url.split('?')[0] ?? '').split('/');
  if (token !== undefined && !isSameToken(first, token))
    return refused(403, 'the address lacks the token that was printed.');
  const path = `/${(token === undefined ? [first, ...rest] : rest).join('/')}`;
  if (path === '/health' && method === 'GET') return { status: 200, body: '{"status":"ok"}' };
  if (path !== '/retrieve' && path !== '/access') return refused(404, 'Not Found');
  if (method !== 'POST') return refused(405, 'Method Not Allowed');
  const text = await bodyOf(message);
  if (text === undefined) return refused(413, `a request has at most ${mostBodyBytes} bytes.`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refused(422, 'JSON decode error');
  }
  if (path === '/access') return api.access(body);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return api.retrieve(body, gone.signal);
}

async function bodyOf(message: IncomingMessage): Promise<string | undefined> {
  if (Number(message.headers['content-length'] ?? 0) > mostBodyBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
