import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { UsageError } from '../../envs/core/errors.ts';
import { hasTwoHosts } from '../../envs/engines/browser/page/refused-request.ts';
import { listen } from './listen.ts';
import { isLoopback, refusalOf } from './request-guard.ts';
import { isSameToken } from './token.ts';

/** Where a server listens, and who may ask it. */
export interface ListenOptions {
  /** An address of this machine, or its name. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** First segment of every path. Without a token a server listens only on loopback. */
  readonly token?: string | undefined;
}

export interface GuardedServer {
  /** `http://host:port`, without a slash at the end. */
  readonly origin: string;
  /** Closes all connections at once. */
  readonly close: () => Promise<void>;
}

/** Why a request is refused, or its path. */
export type Admission =
  | { readonly refused: 400 | 403; readonly why: string }
  | { readonly refused?: undefined; readonly path: string };

/** Limits of servers that programs ask. */
export const programLimits: ServerOptions = {
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
};

/**
 * Starts a server that others reach only with the token. `answer` gets the admission of each request: requests with two
 * `Host` headers, from another site or without the token are refused, and without a token those with another host name. The path of an admitted
 * request lacks the token and the query.
 *
 * @throws UsageError if it cannot listen there, or would be reachable by others without a token
 */
export async function startGuardedServer(
  { host, port, token }: ListenOptions,
  settings: { readonly limits: ServerOptions; readonly mostConnections: number },
  answer: (
    message: IncomingMessage,
    response: ServerResponse,
    to: { readonly admission: Admission; readonly origin: string },
  ) => void,
): Promise<GuardedServer> {
  if (!isLoopback(host) && token === undefined)
    throw new UsageError({
      where: `the address ${host}`,
      what: 'other machines can reach it, and there is no token.',
      fix: 'Set a token, or bind 127.0.0.1.',
    });
  const server = createServer(settings.limits);
  server.maxConnections = settings.mostConnections;
  await listen(server, host, port);
  const at = { host, port: (server.address() as AddressInfo).port, hasToken: token !== undefined };
  const origin = `http://${isIPv6(host) ? `[${host}]` : host}:${at.port}`;
  server.on('request', (message, response) =>
    answer(message, response, { admission: admit(message, at, token), origin }),
  );
  return {
    origin,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function admit(
  { method = 'GET', headers, url = '/', rawHeaders }: IncomingMessage,
  at: Parameters<typeof refusalOf>[1],
  token: string | undefined,
): Admission {
  if (hasTwoHosts(rawHeaders)) return { refused: 400, why: 'it has two Host headers.' };
  const refusal = refusalOf({ method, headers }, at);
  if (refusal !== undefined) return { refused: 403, why: refusal };
  const [, first = '', ...rest] = (url.split(/[?#]/)[0] ?? '').split('/');
  if (token === undefined) return { path: `/${[first, ...rest].join('/')}` };
  return isSameToken(first, token)
    ? { path: `/${rest.join('/')}` }
    : { refused: 403, why: 'open the address that was printed: it holds the token.' };
}
