import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { z } from 'zod';

/** A request as it arrived. */
export interface Arrived<Body> {
  /** Counted from 0 over the whole server. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Body;
}

/** What the server does with a request. */
export type Conduct =
  | {
      readonly kind: 'json';
      readonly body: unknown;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly delayMs?: number;
      readonly after?: Promise<void>;
    }
  | {
      readonly kind: 'text';
      readonly body: string;
      readonly type: string;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection is reset before anything is answered. */
  | { readonly kind: 'reset' }
  /** Promises more bytes than it sends, then hangs up. */
  | { readonly kind: 'half-body' }
  /** One byte at a time, and never the last. */
  | { readonly kind: 'drip' }
  /** As many bytes as the client takes. */
  | { readonly kind: 'flood' }
  /** Never answers. */
  | { readonly kind: 'silence' }
  /** Server-sent events that never end. */
  | { readonly kind: 'open-stream' }
  /** JSON in bytes that are no UTF-8. */
  | { readonly kind: 'latin-1' };

export interface Stub<Body> extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly host: string;
  readonly requests: readonly Arrived<Body>[];
  /** Connections now, and the most there ever were. */
  readonly connections: { readonly now: number; readonly most: number };
  /** Requests now under way, and the most there ever were. */
  readonly underWay: { readonly now: number; readonly most: number };
}

/** A server on loopback that does what its script says, as badly as it says. It lists its models, with what it says of them, where it is not posted to. */
export async function startServer<Body>(
  schema: z.ZodType<Body>,
  script: (request: Arrived<Body>) => Conduct,
  models: readonly string[] | ((path: string) => readonly { readonly id: string }[]),
): Promise<Stub<Body>> {
  const listed = typeof models === 'function' ? models : () => models.map((id) => ({ id }));
  const requests: Arrived<Body>[] = [];
  const connections = { now: 0, most: 0 };
  const underWay = { now: 0, most: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'GET') {
        sendJson(response, 200, {
          object: 'list',
          data: listed(request.url ?? '').map((model) => ({ ...model, object: 'model' })),
        });
        return;
      }
      count(underWay);
      response.on('close', () => (underWay.now -= 1));
      const body = schema.parse(JSON.parse(Buffer.concat(chunks).toString()));
      const arrived = {
        number: requests.length,
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body,
      };
      requests.push(arrived);
      perform(script(arrived), request, response);
    });
  });
  server.on('connection', (socket) => {
    count(connections);
    socket.on('close', () => (connections.now -= 1));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    url: `http://${host}/v1`,
    host,
    requests,
    connections,
    underWay,
    [Symbol.asyncDispose]: () => stop(server),
  };
}

function count(gauge: { now: number; most: number }): void {
  gauge.now += 1;
  gauge.most = Math.max(gauge.most, gauge.now);
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function perform(answer: Conduct, request: IncomingMessage, response: ServerResponse): void {
  switch (answer.kind) {
    case 'json':
      void (answer.after ?? Promise.resolve()).then(() =>
        setTimeout(
          () => sendJson(response, answer.status ?? 200, answer.body, answer.headers),
          answer.delayMs ?? 0,
        ),
      );
      break;
    case 'text':
      response
        .writeHead(answer.status ?? 200, { 'content-type': answer.type, ...answer.headers })
        .end(answer.body);
      break;
    case 'reset':
      request.socket.resetAndDestroy();
      break;
    case 'half-body':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"choices": [{"mess', () => setTimeout(() => request.socket.destroy(), 5));
      break;
    case 'drip': {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
      break;
    }
    case 'flood':
      response.writeHead(200, { 'content-type': 'application/json' });
      flood(response);
      break;
    case 'silence':
      break;
    case 'open-stream':
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write('data: {}\n\n');
      break;
    case 'latin-1':
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(Buffer.from('{"choices": "caf\u00e9"}', 'latin1'));
      break;
    default:
      throw new Error(`no such answer: ${String(answer satisfies never)}`);
  }
}

function flood(response: ServerResponse): void {
  if (response.destroyed) return;
  response.write(' '.repeat(65_536), () => flood(response));
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
