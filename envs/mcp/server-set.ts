import type { PriorDiscovery } from '@modelcontextprotocol/client';
import { FaultError, UsageError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { openScope } from '../core/waiting.ts';
import type { ServerConfig } from './config.ts';
import { readResult } from './read-result.ts';
import type { McpTask } from './task.ts';
import type { Answered, Connect, ToolServer } from './tool-server.ts';
import { WorkFolder } from './work-folder.ts';

/** How a server is started, again and again. */
export interface ServerPlan {
  readonly name: string;
  readonly config: ServerConfig;
  /** Identifies its tools; undefined until they were listed. */
  digest: string | undefined;
  /** The era of the protocol that it speaks; undefined until it is known. */
  prior: PriorDiscovery | undefined;
  /** Starts it. `folder` is the work folder, where it needs one. */
  open(folder: string | undefined, signal: AbortSignal): Promise<ToolServer>;
}

/** Makes the way to a server. */
export type Connector = (name: string, config: ServerConfig, folder: string | undefined) => Connect;

/** Whether the server gets the path of the work folder. */
export const usesFolder = (config: ServerConfig): boolean =>
  config.type === 'stdio' &&
  [...config.args, ...Object.values(config.env)].some((part) => part.includes('{folder}'));

/** A call by its name `server.tool`. */
export interface NamedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, Json>>;
}

/** The result of a call with the shown path of the work folder. */
export interface RunResult {
  readonly text: string;
  readonly value: unknown;
  /** What the server put beside the texts, as it came. */
  readonly structured: unknown;
  /** The code of the error, where the call failed. */
  readonly error: string | undefined;
}

/** The servers of one env. They live as long as an episode, or as long as the env where their state is reset. */
export class ServerSet {
  readonly #plans: readonly ServerPlan[];
  readonly #folder = new WorkFolder();
  readonly #servers = new Map<string, ToolServer>();
  readonly #life = openScope();
  /** The last preparation, which `close` waits for. */
  #preparing: Promise<unknown> = Promise.resolve();

  constructor(plans: readonly ServerPlan[]) {
    this.#plans = plans;
  }

  /**
   * Makes the state of a new episode: files, servers, resets, set-up calls.
   *
   * @throws FaultError where a server does not start, has other tools than before, or a call fails
   */
  async prepare(task: Pick<McpTask, 'files' | 'setup'>, signal: AbortSignal): Promise<void> {
    using scope = openScope(signal);
    const end = (): void => scope.abort(this.#life.signal.reason);
    if (this.#life.signal.aborted) end();
    this.#life.signal.addEventListener('abort', end, { once: true });
    const preparing = this.#prepare(task, scope.signal);
    this.#preparing = preparing.catch(() => undefined);
    try {
      await preparing;
    } finally {
      this.#life.signal.removeEventListener('abort', end);
    }
  }

  /** Calls a tool of a server. Errors that the server answers are results. */
  async run(call: NamedCall, signal: AbortSignal): Promise<RunResult> {
    const at = call.name.indexOf('.');
    const server = this.#servers.get(call.name.slice(0, at));
    if (server === undefined) throw new TypeError(`there is no server for ${call.name}`);
    const answered = await server.call(call.name.slice(at + 1), this.#folder.toReal(call.arguments), signal);
    return this.#shown(answered);
  }

  /** Ends all servers and removes the work folder. */
  async close(): Promise<void> {
    this.#life.abort(
      new UsageError({ where: 'mcp-v1', what: 'the environment was closed.', fix: 'Open it.' }),
    );
    await this.#preparing;
    await this.#stop(this.#plans.map(({ name }) => name));
    await this.#folder.remove();
  }

  async #prepare({ files, setup }: Pick<McpTask, 'files' | 'setup'>, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const old = this.#plans.filter(
      ({ name, config }) => config.reset === 'restart' || this.#servers.get(name)?.isBroken === true,
    );
    await this.#stop(old.map(({ name }) => name));
    const folder =
      Object.keys(files).length > 0 || this.#plans.some(({ config }) => usesFolder(config))
        ? await this.#folder.fill(files)
        : undefined;
    const starts = await Promise.allSettled(this.#plans.map((plan) => this.#start(plan, folder, signal)));
    const failed = starts.find((start) => start.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    for (const { name, config } of this.#plans) {
      if (typeof config.reset === 'string') continue;
      const { tool, arguments: given } = config.reset;
      await this.#mustWork({ name: `${name}.${tool}`, arguments: given }, 'the reset', signal);
    }
    for (const call of setup) await this.#mustWork(call, 'the set-up', signal);
  }

  async #start(plan: ServerPlan, folder: string | undefined, signal: AbortSignal): Promise<void> {
    const running = this.#servers.get(plan.name);
    if (running !== undefined) {
      await running.assertSame(signal);
      return;
    }
    const server = await plan.open(folder, signal);
    this.#servers.set(plan.name, server);
    plan.prior ??= server.prior;
    plan.digest ??= server.digest;
    if (server.digest === plan.digest) return;
    await this.#stop([plan.name]);
    throw new FaultError({
      kind: 'tool-server-failed',
      server: plan.name,
      code: 'changed',
      message: 'it has other tools than when the environment was opened',
      retryable: false,
    });
  }

  async #mustWork(call: NamedCall, what: string, signal: AbortSignal): Promise<void> {
    const { error, text } = await this.run(call, signal);
    if (error !== undefined)
      throw new FaultError({
        kind: 'task-broken',
        where: `${what} call of ${call.name}`,
        message: text.slice(0, 500),
      });
  }

  #shown(answered: Answered): RunResult {
    if (answered.kind === 'rejected') {
      const error = answered.code === -32_602 ? 'bad_argument' : 'tool_error';
      return { text: this.#folder.toShown(answered.message), value: undefined, structured: undefined, error };
    }
    const { text, value } = readResult(answered.result);
    return {
      text: this.#folder.toShown(text),
      value: this.#folder.valueToShown(value),
      structured: answered.result.structuredContent,
      error: answered.result.isError === true ? 'tool_error' : undefined,
    };
  }

  async #stop(names: readonly string[]): Promise<void> {
    const ending = names.flatMap((name) => this.#servers.get(name) ?? []);
    for (const name of names) this.#servers.delete(name);
    await Promise.all(ending.map((server) => server.close()));
  }
}
