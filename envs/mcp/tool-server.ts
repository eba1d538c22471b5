import type { CallToolResult, Client, PriorDiscovery, Tool, Transport } from '@modelcontextprotocol/client';
import { FaultError, firstCause, messageOf, type ToolServerFaultCode } from '../core/errors.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import { abortable, openDeadline, openScope, settlesWithin } from '../core/waiting.ts';
import { shortDigest } from '../kit/short-digest.ts';
import { Flood } from './byte-limit.ts';
import type { McpSdk } from './load-sdk.ts';

/** A way to a server, which ends with it. */
export interface Connection {
  readonly transport: Transport;
  /** How it ended, for messages. */
  readonly obituary?: () => string;
  /** Whether it has ended by itself. */
  hasEnded?(): boolean;
  /** Ends a session that the server keeps, if it keeps one. */
  farewell?(): Promise<unknown>;
  /** Ends everything at once: processes, connections. */
  kill(): Promise<void>;
}

/** Makes a way to a server. The client starts it. */
export type Connect = (flood: Flood) => Connection;

export interface ToolServerOptions {
  readonly name: string;
  readonly sdk: McpSdk;
  readonly connect: Connect;
  /** Milliseconds to start and to list the tools. */
  readonly startMs: number;
  /** Milliseconds of a call. */
  readonly callMs: number;
  /** Bytes of the answer to a call. */
  readonly answerBytes: number;
  /** The era of the protocol that the server was found to speak before. */
  readonly prior?: PriorDiscovery | undefined;
}

/** What a server answered to a call: a result, or an error of the protocol, which the model sees. */
export type Answered =
  | { readonly kind: 'result'; readonly result: CallToolResult }
  | { readonly kind: 'rejected'; readonly code: number; readonly message: string };

/** Most tools of one server. */
const mostTools = 1_000;
/** Milliseconds that a server gets to end well. */
const closingMs = 3_000;
const unknownMethod = -32_601;
const invalidParameters = -32_602;
const invalidRequest = -32_600;

/**
 * A running server of tools. A server that dies, hangs, floods or breaks the protocol is a fault and is ended at
 * once; its later calls reject with the same fault.
 */
export class ToolServer {
  readonly #options: ToolServerOptions;
  readonly #client: Client;
  readonly #connection: Connection;
  readonly #flood: Flood;
  /** Aborts with the fault that broke the server. */
  readonly #life = openScope();
  #tools: readonly Tool[] = [];
  #digest = '';
  #mayHaveChanged = false;
  #hasStarted = false;
  #isClosing = false;

  private constructor(options: ToolServerOptions) {
    const { sdk, name, connect, answerBytes, startMs } = options;
    this.#options = options;
    this.#flood = new Flood(answerBytes, () =>
      this.#break('too-large', `it sent more than ${answerBytes} bytes for one call`),
    );
    this.#connection = connect(this.#flood);
    this.#client = new sdk.Client(
      { name: 'cairn-gym', version: '1' },
      { versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.ceil(startMs / 3) } } },
    );
    this.#client.onclose = () => {
      // while it starts, the client reports the end itself, and closes the transport after any other error
      if (this.#hasStarted && !this.#isClosing)
        this.#break('died', this.#connection.obituary?.() ?? 'the connection ended');
    };
    this.#client.setNotificationHandler('notifications/tools/list_changed', () => {
      this.#mayHaveChanged = true;
    });
    this.#life.signal.addEventListener('abort', () => void this.#kill(), { once: true });
    this.name = name;
  }

  readonly name: string;

  /** The tools that it listed when it was opened. */
  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** Identifies the tools. */
  get digest(): string {
    return this.#digest;
  }

  get isBroken(): boolean {
    return this.#life.signal.aborted;
  }

  /** The era of the protocol, for the next start of the same server. */
  get prior(): PriorDiscovery {
    const discover = this.#client.getDiscoverResult();
    return discover === undefined ? { kind: 'legacy' } : { kind: 'modern', discover };
  }

  /**
   * Starts a server and lists its tools.
   *
   * @throws FaultError where it does not start in time
   */
  static async open(options: ToolServerOptions, signal: AbortSignal): Promise<ToolServer> {
    try {
      return await ToolServer.#start(options, signal);
    } catch (thrown) {
      // a server of the old era may end when it is asked for the new one
      const isEnd = FaultError.is(thrown) && thrown.fault.kind === 'tool-server-failed';
      if (!isEnd || thrown.fault.kind !== 'tool-server-failed' || thrown.fault.code !== 'start') throw thrown;
      if (options.prior !== undefined || signal.aborted) throw thrown;
      return await ToolServer.#start({ ...options, prior: { kind: 'legacy' } }, signal);
    }
  }

  static async #start(options: ToolServerOptions, signal: AbortSignal): Promise<ToolServer> {
    const { startMs, prior } = options;
    const server = new ToolServer(options);
    using deadline = openDeadline(signal, { where: `start of ${options.name}`, ms: startMs });
    try {
      const connecting = server.#client.connect(server.#connection.transport, {
        signal: deadline.signal,
        timeout: startMs,
        ...(prior === undefined ? {} : { prior }),
      });
      await server.#within(deadline.signal, connecting);
      server.#tools = await server.#list(deadline.signal);
      server.#digest = digestOf(server.#tools);
      server.#hasStarted = true;
      if (server.#connection.hasEnded?.() === true) throw new Error('it ended');
      return server;
    } catch (thrown) {
      await server.#kill();
      if (signal.aborted) throw signal.reason;
      if (deadline.signal.aborted) throw server.#fault('start', `it did not start within ${startMs} ms`);
      const first = firstCause(thrown);
      if (FaultError.is(first)) throw first;
      const ended = server.#connection.obituary?.();
      throw server.#fault('start', `${messageOf(first)}${ended === undefined ? '' : ` (${ended})`}`);
    }
  }

  /**
   * Calls a tool.
   *
   * @throws FaultError where the server failed; it is ended then
   * @throws the signal's reason when it aborts; the server is ended too, because the call may still run
   */
  async call(tool: string, given: Readonly<Record<string, Json>>, signal: AbortSignal): Promise<Answered> {
    const { callMs } = this.#options;
    this.#flood.restart();
    using deadline = openDeadline(signal, { where: `${this.name}.${tool}`, ms: callMs });
    try {
      if (this.#mayHaveChanged) await this.#assertSame(deadline.signal);
      // a definition without an output schema: results are validated by the caller, which caches the validators
      const toolDefinition = { name: tool, inputSchema: { type: 'object' as const } };
      const calling = this.#client.callTool(
        { name: tool, arguments: given },
        { signal: deadline.signal, timeout: callMs + 1_000, toolDefinition },
      );
      return { kind: 'result', result: await this.#within(deadline.signal, calling) };
    } catch (thrown) {
      if (signal.aborted) {
        this.#life.abort(signal.reason);
        throw signal.reason;
      }
      if (deadline.signal.aborted) throw this.#break('late', `${tool} did not answer within ${callMs} ms`);
      return await this.#rejectedOrBroken(thrown, deadline.signal);
    }
  }

  /** Lists the tools again. @throws FaultError where they differ from those at the start */
  async assertSame(signal: AbortSignal): Promise<void> {
    this.#flood.restart();
    using deadline = openDeadline(signal, { where: `list of ${this.name}`, ms: this.#options.startMs });
    try {
      await this.#assertSame(deadline.signal);
    } catch (thrown) {
      if (signal.aborted) throw signal.reason;
      if (deadline.signal.aborted) throw this.#break('late', 'it did not list its tools in time');
      if (FaultError.is(thrown)) throw thrown;
      throw this.#break('protocol', messageOf(thrown));
    }
  }

  /** Ends the server: well where it does so in time, and else at once. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (!this.isBroken) await settlesWithin(closingMs, this.#leave());
    await this.#kill();
  }

  async #leave(): Promise<void> {
    await this.#connection.farewell?.();
    await this.#client.close();
  }

  async #list(signal: AbortSignal): Promise<readonly Tool[]> {
    const { startMs } = this.#options;
    const listing = this.#client.listTools(undefined, { signal, timeout: startMs, cacheMode: 'refresh' });
    const { tools } = await this.#within(signal, listing);
    if (tools.length > mostTools) throw this.#break('too-large', `it lists ${tools.length} tools`);
    return tools;
  }

  async #assertSame(signal: AbortSignal): Promise<void> {
    this.#mayHaveChanged = false;
    if (digestOf(await this.#list(signal)) !== this.#digest)
      throw this.#break('changed', 'its tools are no longer those that it listed at first');
  }

  /** What the client threw: an error that the server answered, or the end of the server. */
  async #rejectedOrBroken(thrown: unknown, signal: AbortSignal): Promise<Answered> {
    const { sdk } = this.#options;
    const first = firstCause(thrown);
    if (FaultError.is(first)) throw first;
    if (sdk.ProtocolError.isInstance(first)) {
      const { code, message } = first;
      if (code === invalidRequest) throw this.#break('protocol', message);
      if (code === invalidParameters || code === unknownMethod) await this.#assertSame(signal);
      if (code === unknownMethod) throw this.#break('protocol', message);
      return { kind: 'rejected', code, message };
    }
    if (sdk.SdkHttpError.isInstance(first)) {
      if (first.status === 404) throw this.#break('died', `the session is gone: ${first.message}`);
      throw this.#break('protocol', `status ${first.status}: ${first.message}`);
    }
    if (!sdk.SdkError.isInstance(first)) throw this.#break('died', messageOf(first));
    switch (first.code) {
      case sdk.SdkErrorCode.ConnectionClosed:
      case sdk.SdkErrorCode.NotConnected:
      case sdk.SdkErrorCode.SendFailed:
        throw this.#break('died', this.#connection.obituary?.() ?? first.message);
      case sdk.SdkErrorCode.InputRequiredRoundsExceeded:
      case sdk.SdkErrorCode.CapabilityNotSupported:
        return { kind: 'rejected', code: 0, message: 'The tool asks for input that cannot be given here.' };
      default:
        throw this.#break('protocol', first.message);
    }
  }

  /** Waits for the client, and no longer than the server works. */
  #within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
    return abortable(this.#life.signal, abortable(signal, work));
  }

  #fault(code: ToolServerFaultCode, message: string): FaultError {
    const retryable = code === 'start' || code === 'died' || code === 'late';
    return new FaultError({ kind: 'tool-server-failed', server: this.name, code, message, retryable });
  }

  /** Marks the server as broken and ends it. Returns the fault: the first one, where there are several. */
  #break(code: ToolServerFaultCode, message: string): Error {
    this.#life.abort(this.#fault(code, message));
    return this.#life.signal.reason as Error;
  }

  async #kill(): Promise<void> {
    this.#isClosing = true;
    await this.#connection.kill();
  }
}

/** Identifies a list of tools. Their order does not count. */
function digestOf(tools: readonly Tool[]): string {
  const lines = tools.map(({ name, description, inputSchema, outputSchema }) =>
    canonicalJson(JSON.parse(JSON.stringify({ name, description, inputSchema, outputSchema })) as Json),
  );
  return shortDigest(lines.sort().join('\n'));
}
