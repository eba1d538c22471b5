import type { FetchLike, Transport } from '@modelcontextprotocol/client';
import type { RequestInit as UndiciInit } from 'undici';
import { onAbort } from '../core/waiting.ts';
import type { Flood } from './byte-limit.ts';
import type { McpSdk } from './load-sdk.ts';

export interface HttpOptions {
  readonly sdk: McpSdk;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds until a connection stands. */
  readonly connectMs: number;
  /** Counts what the server sends. */
  readonly flood: Flood;
}

/** A transport over HTTP, whose connections end when it is disposed. */
export interface HttpTransport extends AsyncDisposable {
  readonly transport: Transport;
  /** Ends the session that the server keeps, if it keeps one. */
  farewell(): Promise<void>;
}

/** Opens a server behind an address. Answers are counted, and connections belong to this server alone. */
export function openHttpTransport({ sdk, url, headers, connectMs, flood }: HttpOptions): HttpTransport {
  const opened = openConnections(connectMs);
  opened.catch(() => undefined); // each request reports it
  const bounded: FetchLike = async (target, init = {}) => {
    const { agent, request } = await opened;
    // one signal for each request: the client gives many requests the same one, and Node warns of that
    const own = new AbortController(); // not `openScope`: undici cannot take a signal without a limit of listeners
    const listening = init.signal && onAbort(init.signal, () => own.abort(init.signal?.reason));
    const asked = { ...init, signal: own.signal, dispatcher: agent } as UndiciInit; // the same standard, declared twice
    const answer = await request(target, asked).catch((thrown: unknown) => {
      listening?.[Symbol.dispose]();
      throw thrown;
    });
    const body = answer.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          if (flood.accept(chunk.length)) controller.enqueue(chunk);
          else controller.terminate();
        },
        flush: () => listening?.[Symbol.dispose](),
      }),
    );
    if (body === undefined) listening?.[Symbol.dispose]();
    const { status, statusText } = answer;
    return new Response(body ?? null, { status, statusText, headers: [...answer.headers] });
  };
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    fetch: bounded,
    requestInit: { headers: { ...headers } },
  });
  return {
    transport,
    farewell: () => transport.terminateSession(),
    [Symbol.asyncDispose]: async () => (await opened).agent.destroy(),
  };
}

async function openConnections(connectMs: number) {
  // loaded on demand: a process that reaches no server over HTTP starts faster without it
  const { Agent, fetch: request } = await import('undici');
  return { agent: new Agent({ connect: { timeout: connectMs } }), request };
}
