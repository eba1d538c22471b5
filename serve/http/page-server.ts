import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../../envs/core/errors.ts';
import { plainAnswer, type PageHandler } from '../../envs/engines/browser/page/page-handler.ts';
import { isServable, methodRefusal } from '../../envs/engines/browser/page/refused-request.ts';
import { startGuardedServer, type Admission, type ListenOptions } from './guarded-server.ts';
import { requestOf, send } from './node-exchange.ts';

export interface PageServerOptions extends ListenOptions {
  readonly handler: PageHandler;
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
 * Serves a handler's pages to people. Refuses requests from another site and without the token. A server without a token
 * refuses other host names. Requests that are too large or too slow are refused as well.
 *
 * @throws UsageError if it cannot listen there, or would be reachable by others without a token
 */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const { handler, token, onError = ignore } = options;
  const { origin, close } = await startGuardedServer(
    options,
    { limits, mostConnections },
    (message, response, { admission, origin: at }) => {
      const answer = (): Promise<Response> =>
        Promise.resolve(refusalOf(message, admission)).then(
          (refusal) => refusal ?? handled(handler, { message, response, origin: at }),
        );
      void exchange(message, response, { answer, onError });
    },
  );
  return { url: `${origin}/${token === undefined ? '' : `${token}/`}`, close };
}

const ignore = (): void => undefined;

/** The answer to a request that no handler gets. */
function refusalOf(
  { method = 'GET', url = '/' }: IncomingMessage,
  admission: Admission,
): Response | undefined {
  if (admission.refused !== undefined) return plainAnswer(admission.refused, admission.why);
  if (!isServable(method)) return methodRefusal(method);
  return url.startsWith('/') ? undefined : plainAnswer(400, 'a path is wanted.');
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
    readonly answer: () => Promise<Response>;
    readonly onError: (message: string) => void;
  },
): Promise<void> {
  try {
    const answered = await answer();
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
