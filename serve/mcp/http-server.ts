import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { messageOf, UsageError } from '../../envs/core/errors.ts';
import { listen } from '../http/listen.ts';
import { requestOf, send } from '../http/node-exchange.ts';
import { isLoopback, refusalOf } from '../http/request-guard.ts';
import { isSameToken } from '../http/token.ts';

export interface McpHttpOptions {
  /** Answers the requests of the protocol. */
  readonly handle: (request: Request) => Promise<Response>;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** First segment of every path. Without a token a server listens only on loopback. */
  readonly token?: string | undefined;
  readonly onError?: (message: string) => void;
}

export interface McpHttpServer {
  /** The address that clients get. */
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
const mostConnections = 1_024;
/** Bytes of a request: the longest action, and some more. */
const mostBodyBytes = 4 * 2 ** 20;

/**
 * Serves the protocol over streamable HTTP, under `/mcp`.
 *
 * @throws UsageError if it cannot listen there, or would be reachable by others without a token
 */
export async function startMcpHttpServer(options: McpHttpOptions): Promise<McpHttpServer> {
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
  const origin = `http://${isIPv6(host) ? `[${host}]` : host}:${at.port}`;
  const path = token === undefined ? '/mcp' : `/${token}/mcp`;
  server.on('request', (message, response) => {
    exchange(message, response, { options, at, origin }).catch((thrown: unknown) => {
      response.destroy();
      options.onError?.(messageOf(thrown));
    });
  });
  return {
    url: `${origin}${path}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Place {
  readonly options: McpHttpOptions;
  readonly at: Parameters<typeof refusalOf>[1];
  readonly origin: string;
}

async function exchange(message: IncomingMessage, response: ServerResponse, place: Place): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const answer = await answerTo(message, gone.signal, place);
  if (response.destroyed) return; // the client is gone
  if (!message.complete) answer.headers.set('connection', 'close'); // the rest of a refused request is not awaited
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    await send(answer, response, { withBody: message.method !== 'HEAD' });
    return;
  }
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  const body = answer.body as NodeReadableStream<Uint8Array> | null; // the same standard, declared twice
  if (body === null) response.end();
  else await pipeline(Readable.fromWeb(body), response).catch(() => response.destroy()); // the client may leave
}

async function answerTo(message: IncomingMessage, signal: AbortSignal, place: Place): Promise<Response> {
  const { options, at, origin } = place;
  const { method = 'GET', headers, url = '/' } = message;
  const refusal = refusalOf({ method, headers }, at);
  if (refusal !== undefined) return new Response(refusal, { status: 403 });
  const [, first = '', ...rest] = (url.split('?')[0] ?? '').split('/');
  const { token } = options;
  if (token !== undefined && !isSameToken(first, token))
    return new Response('the address lacks the token that was printed.', { status: 403 });
  if ((token === undefined ? [first, ...rest] : rest).join('/') !== 'mcp')
    return new Response('there is only /mcp.', { status: 404 });
  const request = await requestOf(message, origin, signal, mostBodyBytes);
  return request === undefined
    ? new Response(`a request has at most ${mostBodyBytes} bytes.`, { status: 413 })
    : await options.handle(request);
}
