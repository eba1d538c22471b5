import { siteOrigin } from '../page/site-origin.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf } from '../../../core/errors.ts';
import { cookieByClock } from '../scripts/cookie-script.ts';
import { plainAnswer, type PageHandler } from '../page/page-handler.ts';
import { hasTwoHosts, isServable, methodRefusal } from '../page/refused-request.ts';

/** The most bytes of one request of a page: forms and their texts. */
const mostRequestBytes = 4 * 2 ** 20;

/**
 * The most bytes that the pages of one episode may send and receive in total. Pages need far less, and a
 * machine has far more.
 */
const mostSent = 16 * 2 ** 20;
const mostLoaded = 256 * 2 ** 20;

/** Audio and video load and play at their own pace, whatever their source. */
const noMedia = "media-src 'none'";

/**
 * The whole network of one episode: a proxy on loopback with its own port, which all traffic of the context
 * goes through. It resolves no name and opens no connection. The handler answers requests for the pages'
 * address, and everything else is refused. So a page cannot reach another episode, another port of this
 * machine or the internet, with any protocol or form of address.
 */
export class Gateway {
  readonly #server: Server;
  readonly #refused: (what: string) => void;
  readonly #tunnels = new Set<Duplex>();
  #handler: PageHandler | undefined;
  #sent = 0;
  #loaded = 0;

  private constructor(refused: (what: string) => void) {
    this.#refused = refused;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on('connect', (request: IncomingMessage, socket: Duplex) =>
      this.#refuseTunnel(request, socket),
    );
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex) =>
      this.#refuseTunnel(request, socket),
    );
    this.#server.on('clientError', (_error: Error, socket: Duplex) => socket.destroy());
  }

  /**
   * Listens on a free port of loopback, and refuses everything until `serve`. `refused` is called with each
   * request that was not for a page.
   */
  static async open(refused: (what: string) => void = () => undefined): Promise<Gateway> {
    const gateway = new Gateway(refused);
    await new Promise<void>((resolve, reject) => {
      gateway.#server.once('error', reject);
      gateway.#server.listen(0, '127.0.0.1', resolve);
    });
    return gateway;
  }

  /** The proxy address for a browser. */
  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on the handler answers requests for the pages' address. Without a handler nobody does. */
  serve(handler?: PageHandler): void {
    this.#handler = handler;
    this.#sent = 0;
    this.#loaded = 0;
  }

  async close(): Promise<void> {
    this.serve();
    for (const socket of this.#tunnels) socket.destroy();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await this.#handle(request, response).catch((thrown: unknown) =>
      plainAnswer(500, messageOf(thrown)),
    );
    if (response.destroyed) return;
    try {
      const body = Buffer.from(await answer.arrayBuffer());
      this.#loaded += body.length;
      // pages could read the time from it, for example as the time of last modification
      response.sendDate = false;
      const policies = [answer.headers.get('content-security-policy'), noMedia].filter(
        (policy) => policy !== null,
      );
      response.writeHead(answer.status, {
        'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT',
        ...Object.fromEntries(answer.headers),
        'content-security-policy': policies.join(', '),
        'set-cookie': answer.headers.getSetCookie().map(cookieByClock),
        'content-length': body.length,
        'cache-control': 'no-store',
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    } catch {
      response.destroy(); // the page sees an aborted request
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<Response> {
    const url = absoluteUrl(request.url);
    const handler = this.#handler;
    if (hasTwoHosts(request.rawHeaders)) return plainAnswer(400, 'it has two Host headers.');
    if (!isServable(request.method)) return methodRefusal(request.method);
    if (url?.origin !== siteOrigin || handler === undefined) {
      this.#refused(`${request.method} ${request.url}`);
      return plainAnswer(403, 'there is nothing but the pages of this episode.');
    }
    if (this.#loaded >= mostLoaded)
      return plainAnswer(429, 'the pages of this episode have loaded as much as they may.');
    if (this.#sent >= mostSent)
      return plainAnswer(429, 'the pages of this episode have sent as much as they may.');
    const body = await bodyOf(request, (bytes) => (this.#sent += bytes));
    if (body === undefined) return plainAnswer(413, 'that is more than a page may send.');
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { method = 'GET' } = request;
    return handler(
      new Request(url, {
        method,
        headers: headersOf(request),
        signal: gone.signal,
        ...(body.length === 0 ? {} : { body }),
      }),
    );
  }

  #refuseTunnel(request: IncomingMessage, socket: Duplex): void {
    this.#refused(`${request.method} ${request.url}`);
    this.#tunnels.add(socket);
    socket.once('close', () => this.#tunnels.delete(socket));
    socket.on('error', () => undefined); // the client may be gone
    socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  }
}

/**
 * The URL of a request to a proxy, which is absolute. A request with a path alone was meant for a server and
 * is refused.
 */
function absoluteUrl(text = ''): URL | undefined {
  return URL.canParse(text) && text.startsWith('http://') ? new URL(text) : undefined;
}

/** The body of a request; undefined where it exceeds the limit. `count` receives the size of every part. */
async function bodyOf(request: IncomingMessage, count: (bytes: number) => void): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    count(chunk.length);
    if (bytes > mostRequestBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const hopHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
]);

function headersOf({ headers }: IncomingMessage): Headers {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopHeaders.has(name)) continue;
    kept.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return kept;
}
