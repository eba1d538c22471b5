import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { messageOf } from '../../envs/core/errors.ts';
import {
  programLimits,
  startGuardedServer,
  type Admission,
  type ListenOptions,
} from '../http/guarded-server.ts';
import { requestOf, send } from '../http/node-exchange.ts';

export interface McpHttpOptions extends ListenOptions {
  /** Answers the requests of the protocol. */
  readonly handle: (request: Request) => Promise<Response>;
  readonly onError?: (message: string) => void;
}

export interface McpHttpServer {
  /** The address that clients get. */
  readonly url: string;
  /** Closes all connections at once. */
  close(): Promise<void>;
}

const mostConnections = 1_024;
/** Bytes of a request: the longest action, and some more. */
const mostBodyBytes = 4 * 2 ** 20;

/**
 * Serves the protocol over streamable HTTP, under `/mcp`.
 *
 * @throws UsageError if it cannot listen there, or would be reachable by others without a token
 */
export async function startMcpHttpServer(options: McpHttpOptions): Promise<McpHttpServer> {
  const { token, handle, onError } = options;
  const { origin, close } = await startGuardedServer(
    options,
    { limits: programLimits, mostConnections },
    (message, response, to) => {
      exchange(message, response, { ...to, handle }).catch((thrown: unknown) => {
        response.destroy();
        onError?.(messageOf(thrown));
      });
    },
  );
  return { url: `${origin}${token === undefined ? '' : `/${token}`}/mcp`, close };
}

interface Place extends Pick<McpHttpOptions, 'handle'> {
  readonly admission: Admission;
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
  const { admission, origin, handle } = place;
  if (admission.refused !== undefined) return new Response(admission.why, { status: admission.refused });
  if (admission.path !== '/mcp') return new Response('there is only /mcp.', { status: 404 });
  const request = await requestOf(message, origin, signal, mostBodyBytes);
  return request === undefined
    ? new Response(`a request has at most ${mostBodyBytes} bytes.`, { status: 413 })
    : await handle(request);
}
