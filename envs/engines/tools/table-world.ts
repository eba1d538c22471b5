import type { TaskRef } from '../../core/task.ts';
import type { ToolCall } from './action.ts';
import type { SavedShown, SavedWorld, WorldPart } from './episode-state.ts';
import type { EpisodeWorld, RequestEnd } from './episode-world.ts';
import { goldEnds } from './gold.ts';
import { hearUser } from './hear-user.ts';
import { lackOf, type Lack } from './rewards/outcome.ts';
import { containsResults } from './rewards/turn-results.ts';
import type { ToolRules } from './rules.ts';
import { runCall, type CallResult } from './run-call.ts';
import { stableText } from './stable-text.ts';
import type { ReadTask, ToolRequest } from './task.ts';
import type { RunnableTool } from './tool.ts';
import type { Heard, UserAnswer } from './user.ts';
import { allKeys, type WorldState } from './world.ts';

/** The world of an episode as tables in memory. Ends are judged by a replay of the gold calls. */
export class TableWorld implements EpisodeWorld {
  readonly tools: ReadonlyMap<string, RunnableTool>;
  readonly #rules: ToolRules;
  readonly #ref: TaskRef;
  readonly #task: ReadTask;
  readonly #swapped: SavedWorld['swapped'];
  readonly #swappedText: string;
  readonly #world: WorldState;

  constructor(
    rules: ToolRules,
    ref: TaskRef,
    saved?: { readonly world: SavedWorld; readonly episode: SavedShown },
  ) {
    this.#rules = rules;
    this.#ref = ref;
    this.#task = rules.task(ref);
    this.tools = rules.toolsWithout(this.#task.withheld);
    this.#swapped = saved?.world.swapped ?? {};
    this.#swappedText = stableText(this.#swapped);
    this.#world = rules.worldOf(this.#task, this.#swapped, saved);
  }

  call(call: ToolCall, signal: AbortSignal): CallResult | Promise<CallResult> {
    return runCall(call, { tools: this.tools, world: this.#world, limits: this.#rules.limits, signal });
  }

  hear(heard: Pick<Heard, 'text' | 'request' | 'state'>, signal: AbortSignal): Promise<UserAnswer> {
    return hearUser(heard, { rules: this.#rules, world: this.#world, signal });
  }

  async judge(ended: RequestEnd, signal: AbortSignal): Promise<Lack | undefined> {
    const { request, end, rule, told, results } = ended;
    const gold = await goldEnds(this.#rules, this.#task, { ref: this.#ref, swapped: this.#swapped, signal });
    const lack = lackOf(this.#request(request), {
      end,
      rule,
      changes: this.#world.changesText(),
      goldChanges: gold[request]?.changes ?? '',
      told,
      read: this.#rowsRead(request),
    });
    if (lack !== undefined || this.#rules.settings.grading !== 'results') return lack;
    const wanted = gold.slice(0, request + 1).flatMap((one) => one.results);
    return containsResults(wanted, results) ? undefined : 'results';
  }

  stateText(request: number): string {
    return `${this.#rowsRead(request).join()}|${this.#swappedText}|${this.#world.changesText()}`;
  }

  changedText(): string {
    return this.#world.changedColumns();
  }

  save(request: number): WorldPart {
    const { put, removed } = this.#world.changes();
    const reads = [...this.#world.reads].sort();
    return { swapped: this.#swapped, put, removed, read: this.#rowsRead(request), reads };
  }

  /** Which of the rows that the request asks for were read. */
  #rowsRead(request: number): number[] {
    const { read = [] } = this.#request(request);
    return read.flatMap((row, at) =>
      this.#world.reads.has(row) || this.#world.reads.has(`${row.slice(0, row.indexOf('/') + 1)}${allKeys}`)
        ? [at]
        : [],
    );
  }

  #request(at: number): ToolRequest {
    return this.#task.requests[at] as ToolRequest; // the episode ends with the last request
  }
}
