import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../../envs/core/errors.ts';
import {
  programLimits,
  startGuardedServer,
  type Admission,
  type ListenOptions,
} from '../http/guarded-server.ts';
import { refused, type ApiAnswer, type SearchApi } from './search-api.ts';

export interface SearchServerOptions extends ListenOptions {
  readonly api: SearchApi;
  readonly onError?: (message: string) => void;
}

export interface SearchServer {
  /** The address that clients get, without a slash at the end: `/retrieve` follows it. */
  readonly url: string;
  /** Closes all connections at once. */
  close(): Promise<void>;
}

const mostConnections = 4_096;
/** Bytes of a request: some ten thousand queries. */
const mostBodyBytes = 8 * 2 ** 20;

/**
 * Serves a search engine to programs.
 *
 * @throws UsageError if it cannot listen there, or would be reachable by others without a token
 */
export async function startSearchServer(options: SearchServerOptions): Promise<SearchServer> {
  const { token } = options;
  const { origin, close } = await startGuardedServer(
    options,
    { limits: programLimits, mostConnections },
    (message, response, { admission }) => void exchange(message, response, options, admission),
  );
  return { url: token === undefined ? origin : `${origin}/${token}`, close };
}

async function exchange(
  message: IncomingMessage,
  response: ServerResponse,
  options: SearchServerOptions,
  admission: Admission,
): Promise<void> {
  let answer: ApiAnswer;
  try {
    answer = await answerTo(message, response, options.api, admission);
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
  api: SearchApi,
  admission: Admission,
): Promise<ApiAnswer> {
  if (admission.refused !== undefined) return refused(admission.refused, admission.why);
  const { path } = admission;
  const { method = 'GET' } = message;
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
