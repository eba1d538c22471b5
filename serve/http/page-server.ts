import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { messageOf, UsageError } from '../../envs/core/errors.ts';
import { plainAnswer, type PageHandler } from '../../envs/engines/browser/page/page-handler.ts';
import { hasTwoHosts, isServable, methodRefusal } from '../../envs/engines/browser/page/refused-request.ts';
import { listen } from './listen.ts';
import { requestOf, send } from './node-exchange.ts';
import { isLoopback, refusalOf } from './request-guard.ts';
import { isSameToken } from './token.ts';

export interface PageServerOptions {
  readonly handler: PageHandler;
  /** An address of this machine, or its name. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** First segment of every path. Without a token a server listens only on loopback. */
  readonly token?: string | undefined;
  /** Called with errors of the handler. */
  readonly onError?: (message: string) => void;
}

export interface PageServer {
  /** The URL for people, with the token and a slash at the end. */
  readonly url: string;
  /** Closes all connections at once. */
  close(): Promise<void>;
}

/** People read long between two requests, so idle connections may be closed; requests are short. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
};
const mostConnections = 256;

/**
 * Serves a handler's pages to people. Refuses requests with another host name or from another site, and
 * requests that are too large or too slow.
 *
 * @throws UsageError if it cannot listen there, or would be reachable by others without a token
 */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const { host, port, token } = options;
  if (!isLoopback(host) && token === undefined) {
    throw new UsageError({
      where: `the address ${host}`,
      what: 'other machines can reach it, and there is no token.',
      fix: 'Set a token, or bind 127.0.0.1.',
    });
  }
  const server = createServer(limits);
  server.maxConnections = mostConnections;
  await listen(server, host, port);
  const at = { host, port: (server.address() as AddressInfo).port, hasToken: token !== undefined };
  const origin = `http://${isIPv6(host) ? `[${host}]` : host}:${at.port}`;
  const answer = (message: IncomingMessage, response: ServerResponse): Promise<Response> => {
    const { method = 'GET', headers, url = '/' } = message;
    const refusal = refusalOf({ method, headers }, at);
    if (hasTwoHosts(message.rawHeaders)) return Promise.resolve(plainAnswer(400, 'it has two Host headers.'));
    if (refusal !== undefined) return Promise.resolve(plainAnswer(403, refusal));
    if (!isServable(method)) return Promise.resolve(methodRefusal(method));
    if (!url.startsWith('/')) return Promise.resolve(plainAnswer(400, 'a path is wanted.'));
    if (token !== undefined && !isSameToken(url.split(/[/?#]/)[1] ?? '', token))
      return Promise.resolve(plainAnswer(403, 'open the address that was printed: it holds the token.'));
    return handled(options.handler, { message, response, origin });
  };
  server.on(
    'request',
    (message, response) =>
      void exchange(message, response, { answer, onError: options.onError ?? ((): void => undefined) }),
  );
  return {
    url: `${origin}/${token === undefined ? '' : `${token}/`}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly origin: string;
}

async function handled(handler: PageHandler, { message, response, origin }: Exchange): Promise<Response> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const request = await requestOf(message, origin, gone.signal);
  return request === undefined
    ? plainAnswer(413, 'that is more than a form of ours holds.')
    : handler(request);
}

async function exchange(
  message: IncomingMessage,
  response: ServerResponse,
  {
    answer,
    onError,
  }: {
    readonly answer: (message: IncomingMessage, response: ServerResponse) => Promise<Response>;
    readonly onError: (message: string) => void;
  },
): Promise<void> {
  try {
    const answered = await answer(message, response);
    // the rest of a refused request is not awaited
    if (!message.complete) answered.headers.set('connection', 'close');
    await send(answered, response, { withBody: message.method !== 'HEAD' });
  } catch (thrown) {
    if (response.destroyed) return; // the client is gone
    onError(messageOf(thrown));
    if (response.headersSent) response.destroy();
    else
      await send(plainAnswer(500, 'something failed here; the terminal of the server says what.'), response, {
        withBody: true,
      });
  }
}
