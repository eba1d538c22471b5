import { FaultError } from '../core/errors.ts';
import { shortDigest } from '../kit/short-digest.ts';
import type { ToolCall } from '../engines/tools/action.ts';
import type { EpisodeWorld, HeardByWorld, RequestEnd } from '../engines/tools/episode-world.ts';
import { hearUser } from '../engines/tools/hear-user.ts';
import { lackOf, lacks } from '../engines/tools/rewards/outcome.ts';
import type { EpisodeRules } from '../engines/tools/rules.ts';
import { runCall, type CallResult } from '../engines/tools/run-call.ts';
import { refuse, RunnableTool, TextResult, type Refusal } from '../engines/tools/tool.ts';
import type { ToolRequest } from '../engines/tools/task.ts';
import type { UserAnswer } from '../engines/tools/user.ts';
import { WorldState } from '../engines/tools/world.ts';
import { checksHold, type Judging } from './checks.ts';
import { z } from 'zod';
import { argumentFlaw, type OfferedTool } from './offered-tool.ts';
import type { ServerSet } from './server-set.ts';
import type { McpTask } from './task.ts';

/** What the worlds of an env share. */
export interface McpWorldParts {
  readonly rules: EpisodeRules;
  readonly offered: ReadonlyMap<string, OfferedTool>;
  readonly runnable: ReadonlyMap<string, RunnableTool>;
  readonly servers: ServerSet;
  readonly judging: Judging | undefined;
}

/** Milliseconds after the limit of a call by which a server must have been ended. */
const endingMs = 10_000;
/** No world of ours: calls of servers change no tables. */
const nothing = new WorldState({ schemas: {}, start: {}, facts: new Map() });

/** The world of an episode that lies behind servers. It can be neither read nor saved, so it has no state key. */
export class McpWorld implements EpisodeWorld {
  readonly tools: ReadonlyMap<string, RunnableTool>;
  readonly checks = lacks;
  readonly #parts: McpWorldParts;
  readonly #task: McpTask;
  readonly #where: string;
  #changes = '';

  constructor(parts: McpWorldParts, task: McpTask, where: string) {
    this.#parts = parts;
    this.#task = task;
    this.#where = where;
    const { withheld } = task.read;
    this.tools =
      withheld.size === 0
        ? parts.runnable
        : new Map([...parts.runnable].filter(([name]) => !withheld.has(name)));
  }

  async call(call: ToolCall, signal: AbortSignal): Promise<CallResult> {
    const { limits } = this.#parts.rules;
    const result = await runCall(call, {
      tools: this.tools,
      world: nothing,
      limits: { ...limits, timeMs: limits.timeMs + endingMs },
      signal,
    });
    this.#note(call, result);
    return result;
  }

  hear(heard: HeardByWorld, signal: AbortSignal): Promise<UserAnswer> {
    return hearUser({ ...heard, marks: new Set() }, { rules: this.#parts.rules, world: nothing, signal });
  }

  async judge(
    { request, end, rule, told }: RequestEnd,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    const wanted = this.#task.read.requests[request] as ToolRequest; // the episode ends with the last request
    const lack = lackOf(wanted, { end, rule, changes: '', goldChanges: '', told, read: [] });
    if (lack !== undefined) return [lack];
    const { servers, judging } = this.#parts;
    const isRight = await checksHold(this.#task.checks[request] ?? [], {
      run: (call, own) => servers.run(call, own),
      judging,
      where: this.#where,
      signal,
    });
    return isRight ? undefined : ['state'];
  }

  stateText(): undefined {
    return undefined;
  }

  changedText(): string {
    return this.#changes;
  }

  /** Calls that may have changed something count in their order, with their answers. */
  #note(call: ToolCall, result: CallResult): void {
    if (this.#parts.offered.get(call.name)?.isReadOnly !== false) return;
    if (result.kind === 'error' && result.error !== 'refused') return; // no server saw it
    const answer = result.kind === 'done' ? result.text : `${result.code}: ${result.message}`;
    this.#changes = shortDigest(`${this.#changes}\n${JSON.stringify(call)}\n${answer}`);
  }
}

/** The tools of an env, whose calls go to its servers. */
export function runnableTools(
  offered: ReadonlyMap<string, OfferedTool>,
  servers: ServerSet,
  resultCharacters: number,
): ReadonlyMap<string, RunnableTool> {
  return new Map(
    [...offered].map(([name, tool]) => {
      const { description, input, parameters } = tool;
      const parts = { name, description, input, parameters, output: z.unknown() };
      const run = runOn(servers, tool, resultCharacters);
      return [
        name,
        new RunnableTool(parts, (given, _world, context) => {
          const flaw = argumentFlaw(tool, given);
          return flaw === undefined
            ? { kind: 'ran', result: run(given as ToolCall['arguments'], context.signal) } // the schema of calls accepted it
            : { kind: 'invalid', ...flaw };
        }),
      ];
    }),
  );
}

function runOn(
  servers: ServerSet,
  { name, server, outputFlaw }: OfferedTool,
  resultCharacters: number,
): (given: ToolCall['arguments'], signal: AbortSignal) => Promise<TextResult | Refusal> {
  return async (given, signal) => {
    const { text, value, structured, error } = await servers.run({ name, arguments: given }, signal);
    if (error !== undefined) return refuse(error, text.slice(0, resultCharacters));
    const flaw = outputFlaw?.(structured);
    if (flaw === undefined) return new TextResult(text, value);
    const message = `the result of ${name} does not match its output schema: ${flaw}`;
    throw new FaultError({ kind: 'tool-server-failed', server, code: 'schema', message, retryable: false });
  };
}
