import type { TaskRef } from '../../core/task.ts';
import type { ToolCall } from './action.ts';
import type { SavedShown, SavedWorld, WorldPart } from './episode-state.ts';
import type { EpisodeWorld, HeardByWorld, RequestEnd } from './episode-world.ts';
import { goldEnds } from './gold.ts';
import type { Grade, Grader } from './grader.ts';
import { hearUser, openUser, type UserSurroundings } from './hear-user.ts';
import { lackOf, lacks } from './rewards/outcome.ts';
import { containsResults } from './rewards/turn-results.ts';
import type { ToolRules } from './rules.ts';
import { runCall, type CallResult } from './run-call.ts';
import { stableText } from './stable-text.ts';
import type { ReadTask, ToolRequest } from './task.ts';
import type { TableSchemas } from './tables.ts';
import type { RunnableTool } from './tool.ts';
import type { UserAnswer, UserTurn } from './user.ts';
import { allKeys, Transaction, type WorldState } from './world.ts';

/** The world of an episode as tables in memory. Ends are judged by a replay of the gold calls, or by the world's own grader. */
export class TableWorld implements EpisodeWorld {
  readonly tools: ReadonlyMap<string, RunnableTool>;
  readonly checks: readonly string[];
  readonly #rules: ToolRules;
  readonly #ref: TaskRef;
  readonly #task: ReadTask;
  readonly #swapped: SavedWorld['swapped'];
  readonly #swappedText: string;
  readonly #world: WorldState;
  /** What the grader remembers, sorted. */
  #marks: readonly string[];

  constructor(
    rules: ToolRules,
    ref: TaskRef,
    saved?: { readonly world: SavedWorld; readonly episode: SavedShown },
  ) {
    this.#rules = rules;
    this.#ref = { panel: ref.panel, index: ref.index };
    this.#task = rules.task(ref);
    this.tools = rules.toolsWithout(this.#task.withheld);
    this.#swapped = saved?.world.swapped ?? {};
    this.#swappedText = stableText(this.#swapped);
    this.#world = rules.worldOf(this.#task, this.#swapped, saved);
    this.checks = rules.grader?.checks ?? lacks;
    this.#marks = saved?.world.marks ?? [...(rules.grader?.marksAtStart?.(this.#ref) ?? [])].sort();
  }

  call(call: ToolCall, signal: AbortSignal): CallResult | Promise<CallResult> {
    return runCall(call, { tools: this.tools, world: this.#world, limits: this.#rules.limits, signal });
  }

  note(call: ToolCall): void {
    this.#mark(this.#rules.grader?.marksOfCall(this.#ref, call, 'agent'));
  }

  open(at: Pick<UserTurn, 'ref' | 'request'>, signal: AbortSignal): Promise<UserAnswer | undefined> {
    return openUser(at, this.#surroundings(signal));
  }

  hear(heard: HeardByWorld, signal: AbortSignal): Promise<UserAnswer> {
    this.#mark(this.#rules.grader?.marksOfMessage(this.#ref, heard.text));
    return hearUser({ ...heard, marks: new Set(this.#marks) }, this.#surroundings(signal));
  }

  async judge(ended: RequestEnd, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const { request, end, rule, told, results } = ended;
    const gold = await goldEnds(this.#rules, this.#task, { ref: this.#ref, swapped: this.#swapped, signal });
    const { grader, settings } = this.#rules;
    if (grader !== undefined) return failedChecks(this.#grade(grader, gold[request]?.changes ?? ''));
    const lack = lackOf(this.#request(request), {
      end,
      rule,
      changes: this.#world.changesText(),
      goldChanges: gold[request]?.changes ?? '',
      told,
      read: this.#rowsRead(request),
    });
    if (lack !== undefined) return [lack];
    if (settings.grading !== 'results') return undefined;
    const wanted = gold.slice(0, request + 1).flatMap((one) => one.results);
    return containsResults(wanted, results) ? undefined : ['results'];
  }

  stateText(request: number): string {
    return `${this.#marks.join()}|${this.#rowsRead(request).join()}|${this.#swappedText}|${this.#world.changesText()}`;
  }

  changedText(): string {
    return this.#world.changedColumns();
  }

  save(request: number): WorldPart {
    const { put, removed } = this.#world.changes();
    const reads = [...this.#world.reads].sort();
    const [swapped, marks] = [this.#swapped, this.#marks];
    return { swapped, put, removed, read: this.#rowsRead(request), marks, reads };
  }

  /** Grades by the world's own rules, on a copy of the world: what is read for it counts as no read. */
  #grade(grader: Grader, goldChanges: string): Grade {
    const world = this.#rules.worldOf(this.#task, this.#swapped, {
      world: this.#world.changes(),
      episode: { reads: [] },
    });
    const transaction = new Transaction(world);
    const grade = grader.grade({
      ref: this.#ref,
      marks: new Set(this.#marks),
      isGoldState: this.#world.changesText() === goldChanges,
      world: transaction.view<TableSchemas>(),
    });
    transaction.rollBack();
    return grade;
  }

  /** Adds marks of the world's own grader. */
  #mark(marks: readonly string[] = []): void {
    const fresh = marks.filter((mark) => !this.#marks.includes(mark));
    if (fresh.length > 0) this.#marks = [...new Set([...this.#marks, ...fresh])].sort();
  }

  #surroundings(signal: AbortSignal): UserSurroundings {
    const noteCall: UserSurroundings['noteCall'] = (call) =>
      this.#mark(this.#rules.grader?.marksOfCall(this.#ref, call, 'user'));
    return { rules: this.#rules, world: this.#world, signal, noteCall };
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

/** The names of the checks that do not hold; undefined where all hold. */
function failedChecks({ checks }: Grade): readonly string[] | undefined {
  const failed = Object.entries(checks).flatMap(([name, holds]) => (holds ? [] : [name]));
  return failed.length === 0 ? undefined : failed;
}
