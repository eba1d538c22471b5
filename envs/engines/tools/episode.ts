import type { Snapshot } from '../../core/env.ts';
import { canonicalJson, type Json } from '../../core/json.ts';
import { reward, type StepResult, type Turn } from '../../core/step.ts';
import type { TaskRef } from '../../core/task.ts';
import { shortDigest } from '../../kit/short-digest.ts';
import type { End, ToolAction, ToolCall } from './action.ts';
import { ActionListing } from './candidates.ts';
import { printAction } from './call-text.ts';
import { savePoint, type EpisodeLog, type SavedShown, type SavedWorld } from './episode-state.ts';
import { goldEnds } from './gold.ts';
import type { ToolObservation } from './observation.ts';
import { errorPenalty } from './rewards/error-classes.ts';
import { gradedMatch } from './rewards/graded-match.ts';
import { hierarchicalReward } from './rewards/hierarchy.ts';
import { lackOf, tells, type Lack } from './rewards/outcome.ts';
import { containsResults } from './rewards/turn-results.ts';
import type { ToolRules } from './rules.ts';
import { runCall, type CallResult } from './run-call.ts';
import { SeenValues } from './seen-values.ts';
import type { ReadTask, ToolRequest } from './task.ts';
import type { Grade, Grader } from './grader.ts';
import type { TableSchemas } from './tables.ts';
import type { RunnableTool } from './tool.ts';
import { hearUser, openUser, type UserSurroundings } from './hear-user.ts';
import { allKeys, Transaction, type WorldState } from './world.ts';

const emptyLog: EpisodeLog = { calls: [], names: [], hasWrongForm: false, results: [] };

type Step = StepResult<ToolObservation, ToolAction>;

/** One task, from the first request to the end of the last. */
export class ToolEpisode {
  readonly #rules: ToolRules;
  readonly #ref: TaskRef;
  readonly #task: ReadTask;
  readonly #tools: ReadonlyMap<string, RunnableTool>;
  readonly #swapped: SavedWorld['swapped'];
  readonly #swappedText: string;
  readonly #world: WorldState;
  readonly #seen: SeenValues;
  readonly #knowledge: Map<string, string>;
  readonly #answers: Set<string>;
  #request: number;
  #told: number[];
  #failed: Readonly<Record<string, number>>;
  #user: Json | undefined;
  #marks: readonly string[];
  #log: EpisodeLog;
  #observation: ToolObservation;
  /** The list of actions, until something new is shown. */
  #listed: readonly ToolAction[] | undefined;
  readonly #listing = new ActionListing();

  /** Starts a task. Where the user speaks first, it is heard. */
  static async open(rules: ToolRules, ref: TaskRef, signal: AbortSignal): Promise<ToolEpisode> {
    const episode = new ToolEpisode(rules, ref);
    const at = { ref: episode.#ref, request: episode.#current() };
    const answer = await openUser(at, episode.#surroundings(signal));
    if (answer === undefined) return episode;
    episode.#user = answer.state;
    episode.#answers.add(answer.says);
    episode.#learn('', answer.says);
    episode.#observation = { ...episode.#observation, user: answer.says };
    return episode;
  }

  constructor(
    rules: ToolRules,
    ref: TaskRef,
    saved?: { readonly world: SavedWorld; readonly episode: SavedShown; readonly from: Snapshot },
  ) {
    this.#rules = rules;
    this.#ref = { panel: ref.panel, index: ref.index };
    this.#task = rules.task(ref);
    this.#tools = rules.toolsWithout(this.#task.withheld);
    this.#swapped = saved?.world.swapped ?? {};
    this.#swappedText = textOf(this.#swapped);
    this.#world = rules.worldOf(this.#task, this.#swapped, saved);
    this.#seen = new SeenValues(saved?.episode.seen);
    this.#knowledge = new Map(Object.entries(saved?.episode.knowledge ?? {}));
    this.#answers = new Set(saved?.episode.answers);
    this.#request = saved?.world.request ?? 0;
    this.#told = [...(saved?.world.told ?? [])];
    this.#failed = saved?.world.failed ?? {};
    this.#user = saved?.world.user;
    this.#marks = saved?.world.marks ?? [...(rules.grader?.marksAtStart?.(this.#ref) ?? [])].sort();
    this.#log = saved?.world.log ?? emptyLog;
    const list = saved === undefined ? undefined : lists.get(saved.from.episode as object);
    if (list?.rules === rules) this.#listed = list.actions;
    this.#observation = saved?.episode.observation ?? { tools: [...this.#tools.keys()], results: [] };
  }

  turn(): Turn<ToolObservation, ToolAction> {
    return {
      observation: this.#observation,
      stateKey: this.stateKey(),
      anchorKey: this.#anchorKey(),
      admissible: this.#rules.settings.listed ? (this.#listed ??= this.#list()) : undefined,
      stepsLeft: undefined,
      seat: 0,
    };
  }

  stateKey(): string {
    const { panel, index } = this.#ref;
    const rare = [this.#failed, this.#user, this.#log].map((part) =>
      part === undefined ? '' : textOf(part),
    );
    return shortDigest(
      `${panel}/${index}/${this.#request}|${this.#told.join()}|${this.#marks.join()}|${this.#rowsRead().join()}|${rare.join('|')}|${this.#swappedText}|${this.#world.changesText()}`,
    );
  }

  save(): Snapshot {
    const snapshot = savePoint(this.#saveWorld(), {
      observation: this.#observation,
      knowledge: Object.fromEntries([...this.#knowledge].sort(([a], [b]) => (a < b ? -1 : 1))),
      seen: this.#seen.save(),
      answers: [...this.#answers].sort(),
      reads: [...this.#world.reads].sort(),
    });
    if (this.#listed !== undefined)
      lists.set(snapshot.episode as object, { rules: this.#rules, actions: this.#listed });
    return snapshot;
  }

  async act(action: ToolAction, signal: AbortSignal): Promise<Step> {
    switch (action.kind) {
      case 'calls':
        return await this.#call(action.calls, signal);
      case 'say':
        return await this.#say(action.text, signal);
      case 'refuse':
        return Object.hasOwn(this.#rules.rules, action.rule)
          ? await this.#end('refuse', action.rule, signal)
          : this.#goOn(
              { results: [], notice: `The policy has no rule ${JSON.stringify(action.rule)}.` },
              { inadmissible: true },
            );
      default:
        return await this.#end(action.kind, undefined, signal);
    }
  }

  async #call(calls: readonly ToolCall[], signal: AbortSignal): Promise<Step> {
    const results: CallResult[] = [];
    for (const call of calls) {
      const result = await this.#callOne(call, signal);
      results.push(result);
      this.#note(call, result);
      this.#mark(this.#rules.grader?.marksOfCall(this.#ref, call, 'agent'));
    }
    const errors = results.flatMap((result) => (result.kind === 'error' ? [result.error] : []));
    return this.#goOn(
      { results: results.map((result, index) => this.#shown(calls[index] as ToolCall, result)) },
      {
        inadmissible: errors.some((error) => error !== 'refused'),
        errors: errorPenalty(errors),
        metrics: { calls: calls.length, failedCalls: errors.length },
      },
    );
  }

  #callOne(call: ToolCall, signal: AbortSignal): CallResult | Promise<CallResult> {
    const limit = Object.hasOwn(this.#task.failures, call.name) ? (this.#task.failures[call.name] ?? 0) : 0;
    const failed = this.#failed[call.name] ?? 0;
    if (failed < limit && this.#tools.has(call.name)) {
      this.#failed = { ...this.#failed, [call.name]: failed + 1 };
      return {
        kind: 'error',
        error: 'refused',
        code: 'unavailable',
        message: 'The service is busy. Try again.',
      };
    }
    const { limits } = this.#rules;
    return runCall(call, { tools: this.#tools, world: this.#world, limits, signal });
  }

  /** Remembers a call: what it showed, and what rewards need. */
  #note(call: ToolCall, result: CallResult): void {
    const text =
      result.kind === 'done' || this.#rules.wordError !== undefined
        ? this.#shown(call, result).text
        : `${result.code}: ${result.message}`;
    this.#learn(printAction({ kind: 'calls', calls: [call] }), text);
    if (result.kind === 'done' && result.value !== undefined) {
      const kinds = this.#tools.get(call.name)?.kinds;
      if (kinds !== undefined && this.#seen.add(result.value, kinds)) this.#listed = undefined;
    }
    const { weights, grading } = this.#rules.settings;
    const log = this.#log;
    this.#log = {
      calls: weights.match > 0 ? [...log.calls, call] : log.calls,
      names:
        weights.hierarchy > 0 && !log.names.includes(call.name)
          ? [...log.names, call.name].sort()
          : log.names,
      hasWrongForm:
        log.hasWrongForm || (weights.hierarchy > 0 && result.kind === 'error' && result.error !== 'refused'),
      results: grading === 'results' && result.kind === 'done' ? [...log.results, text].sort() : log.results,
    };
  }

  async #say(text: string, signal: AbortSignal): Promise<Step> {
    const { tell = [] } = this.#current();
    for (const [at, wanted] of tell.entries())
      if (!this.#told.includes(at) && tells(text, wanted))
        this.#told = [...this.#told, at].sort((a, b) => a - b);
    this.#mark(this.#rules.grader?.marksOfMessage(this.#ref, text));
    const answer = await hearUser(
      {
        text,
        ref: this.#ref,
        request: this.#current(),
        state: this.#user,
        marks: new Set(this.#marks),
        isReached: async () => (await this.#lackAt('done', undefined, signal)) === undefined,
      },
      this.#surroundings(signal),
    );
    this.#user = answer.state;
    if (answer.ends === true) return await this.#end('done', undefined, signal, answer);
    this.#learn(`say ${text.trim().toLowerCase()}`, answer.says);
    if (!this.#answers.has(answer.says)) {
      this.#answers.add(answer.says);
      this.#listed = undefined;
    }
    return this.#goOn(
      { results: [], user: answer.says },
      { metrics: { messages: 1, userMistakes: answer.isMistake === true ? 1 : 0 } },
    );
  }

  /** Ends the request, after the agent ended it or the user with its last words. */
  async #end(
    end: End,
    rule: string | undefined,
    signal: AbortSignal,
    last?: { readonly says: string; readonly isMistake?: boolean },
  ): Promise<Step> {
    const lack = await this.#lackAt(end, rule, signal);
    const next = this.#task.requests[this.#request + 1];
    if (lack !== undefined || next === undefined) return this.#terminate(lack, last);
    this.#request += 1;
    [this.#told, this.#user, this.#listed] = [[], undefined, undefined];
    this.#learn(`request ${this.#request}`, next.says);
    return this.#goOn({ results: [], user: next.says }, { metrics: { requests: 1 } });
  }

  /** What the request would lack if it ended now. */
  async #lackAt(end: End, rule: string | undefined, signal: AbortSignal): Promise<Lacks | undefined> {
    const request = this.#current();
    const gold = await goldEnds(this.#rules, this.#task, { ref: this.#ref, swapped: this.#swapped, signal });
    const expected = gold[this.#request];
    if (this.#rules.grader !== undefined) return lacksOf(this.#grade(expected?.changes ?? ''));
    const lack = lackOf(request, {
      end,
      rule,
      changes: this.#world.changesText(),
      goldChanges: expected?.changes ?? '',
      told: this.#told,
      read: this.#rowsRead(),
    });
    if (lack !== undefined) return [lack];
    if (this.#rules.settings.grading !== 'results') return undefined;
    const wanted = gold.slice(0, this.#request + 1).flatMap(({ results }) => results);
    return containsResults(wanted, this.#log.results) ? undefined : ['results'];
  }

  /** Grades by the world's own rules, on a copy of the world: what is read for it counts as no read. */
  #grade(goldChanges: string): Grade {
    const world = this.#rules.worldOf(this.#task, this.#swapped, {
      world: this.#saveWorld(),
      episode: { reads: [] },
    });
    const transaction = new Transaction(world);
    const grade = (this.#rules.grader as Grader).grade({
      ref: this.#ref,
      marks: new Set(this.#marks),
      isGoldState: this.#world.changesText() === goldChanges,
      world: transaction.view<TableSchemas>(),
    });
    transaction.rollBack();
    return grade;
  }

  #terminate(lack: Lacks | undefined, last?: { readonly says: string; readonly isMistake?: boolean }): Step {
    const { weights } = this.#rules.settings;
    const isSolved = lack === undefined;
    const { calls, names, hasWrongForm } = this.#log;
    const gold = this.#task.requests.flatMap((request) => request.gold.filter(({ by }) => by === undefined));
    const terms = {
      ...(weights.outcome > 0 ? { outcome: isSolved ? weights.outcome : 0 } : {}),
      ...(weights.match > 0 ? { match: weights.match * gradedMatch(gold, calls) } : {}),
      ...(weights.hierarchy > 0
        ? {
            hierarchy:
              weights.hierarchy * hierarchicalReward({ isSolved, hasWrongForm, tools: names.length }),
          }
        : {}),
    };
    return {
      kind: 'terminated',
      outcome: isSolved ? 'solved' : 'failed',
      observation: {
        results: [],
        ...(last === undefined ? {} : { user: last.says }),
        notice: 'The conversation is over.',
      },
      reward: reward(terms),
      inadmissible: false,
      metrics: {
        requests: isSolved ? 1 : 0,
        ...(last?.isMistake === true ? { userMistakes: 1 } : {}),
        // at least one of them is 1, where the episode failed
        ...Object.fromEntries(
          (this.#rules.grader?.checks ?? lacks).map((name) => [
            `wrong-${name}`,
            lack?.includes(name) === true ? 1 : 0,
          ]),
        ),
      },
      stateKey: `${this.stateKey()}|ended`,
    };
  }

  #goOn(
    observation: ToolObservation,
    of: {
      readonly inadmissible?: boolean;
      readonly errors?: number;
      readonly metrics?: Readonly<Record<string, number>>;
    } = {},
  ): Step {
    this.#observation = observation;
    const { errors } = this.#rules.settings.weights;
    const terms =
      errors > 0 && of.errors !== undefined && of.errors < 0 ? { errors: errors * of.errors } : {};
    return {
      kind: 'ongoing',
      ...this.turn(),
      reward: reward(terms),
      inadmissible: of.inadmissible === true,
      ...(of.metrics === undefined ? {} : { metrics: of.metrics }),
    };
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

  #shown(call: ToolCall, result: CallResult): ToolObservation['results'][number] {
    const { name } = call;
    if (result.kind === 'done') return { name, text: result.text };
    const { wordError } = this.#rules;
    return wordError === undefined
      ? { name, error: result.code, text: result.message }
      : { name, text: wordError({ call, tool: this.#tools.get(name), ...result }) };
  }

  #learn(question: string, answer: string): void {
    this.#knowledge.set(question, answer.length <= 32 ? answer : shortDigest(answer, 16));
  }

  #current(): ToolRequest {
    return this.#task.requests[this.#request] as ToolRequest; // the last request ends the episode
  }

  #rowsRead(): number[] {
    const { read = [] } = this.#current();
    return read.flatMap((row, at) =>
      this.#world.reads.has(row) || this.#world.reads.has(`${row.slice(0, row.indexOf('/') + 1)}${allKeys}`)
        ? [at]
        : [],
    );
  }

  #list(): readonly ToolAction[] {
    const requests = this.#task.requests.slice(0, this.#request + 1).map(({ says }) => says);
    return this.#listing.list({
      tools: [...this.#tools.values()],
      userTools: this.#rules.userTools,
      seen: this.#seen,
      heard: [...[...this.#answers].sort(), ...requests],
      slots: this.#rules.slots,
      rules: Object.keys(this.#rules.rules),
      ends: this.#rules.ends,
    });
  }

  #saveWorld(): SavedWorld {
    const { put, removed } = this.#world.changes();
    return {
      ...this.#ref,
      swapped: this.#swapped,
      put,
      removed,
      request: this.#request,
      told: [...this.#told],
      read: this.#rowsRead(),
      failed: this.#failed,
      marks: this.#marks,
      ...(this.#user === undefined ? {} : { user: this.#user }),
      log: this.#log,
    };
  }

  /** The task, what was shown, in any order, and what the agent changed. */
  #anchorKey(): string {
    const knowledge = [...this.#knowledge].map(([question, answer]) => `${question}\n${answer}`).sort();
    return shortDigest(
      `${this.#ref.panel}/${this.#ref.index}/${this.#request}\n${knowledge.join('\n')}\n${this.#world.changedColumns()}`,
    );
  }
}

/** The lists of snapshots that are still in memory, by what they have shown: to list again costs more than the rest of a restore. */
const lists = new WeakMap<object, { readonly rules: ToolRules; readonly actions: readonly ToolAction[] }>();

/** Canonical JSON of parts that are mostly the same few objects. */
const textOf = (part: Json | object): string => {
  let text = texts.get(part as object);
  if (text === undefined) {
    text = canonicalJson(part);
    if (typeof part === 'object' && part !== null) texts.set(part, text);
  }
  return text;
};
const texts = new WeakMap<object, string>();

const lacks: readonly Lack[] = ['end', 'rule', 'state', 'told', 'read', 'results'];

/** The checks that do not hold; undefined where all do. */
type Lacks = readonly string[];

function lacksOf({ checks }: Grade): Lacks | undefined {
  const wrong = Object.entries(checks).flatMap(([name, holds]) => (holds ? [] : [name]));
  return wrong.length === 0 ? undefined : wrong;
}
