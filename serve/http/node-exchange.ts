import type { IncomingMessage, ServerResponse } from 'node:http';

/** The forms are short. */
const mostBodyBytes = 64 * 1024;

/** The request as handlers take it; undefined if its body is larger than `limit` bytes, which is more than any of our forms has. */
export async function requestOf(
  message: IncomingMessage,
  origin: string,
  signal: AbortSignal,
  limit = mostBodyBytes,
): Promise<Request | undefined> {
  const body = await bodyOf(message, limit);
  if (body === undefined) return undefined;
  const { method = 'GET', url = '/' } = message;
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const hasBody = body.length > 0 && method !== 'GET' && method !== 'HEAD';
  return new Request(origin + url, { method, headers, signal, ...(hasBody ? { body } : {}) });
}

async function bodyOf(message: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  if (Number(message.headers['content-length'] ?? 0) > limit) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    // the refusal still has to be sent
    bytes += chunk.length;
    if (bytes > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Sends the answer, unless the client is gone. */
export async function send(
  answer: Response,
  response: ServerResponse,
  { withBody }: { readonly withBody: boolean },
): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  if (response.destroyed) return;
  response.writeHead(answer.status, {
    'x-content-type-options': 'nosniff',
    ...Object.fromEntries(answer.headers),
    'content-length': body.length,
  });
  response.end(withBody ? body : undefined);
}
