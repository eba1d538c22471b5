import type { Snapshot } from '../../core/env.ts';
import type { Json } from '../../core/json.ts';
import { reward, type StepResult, type Turn } from '../../core/step.ts';
import type { TaskRef } from '../../core/task.ts';
import { shortDigest } from '../../kit/short-digest.ts';
import type { End, ToolAction, ToolCall } from './action.ts';
import { ActionListing } from './candidates.ts';
import { printAction } from './call-text.ts';
import { UsageError } from '../../core/errors.ts';
import { savePoint, type EpisodeLog, type SavedShown, type SavedWorld } from './episode-state.ts';
import type { EpisodeWorld } from './episode-world.ts';
import type { ToolObservation } from './observation.ts';
import { describeFailed } from './failed-checks.ts';
import { errorPenalty } from './rewards/error-classes.ts';
import { gradedMatch } from './rewards/graded-match.ts';
import { hierarchicalReward } from './rewards/hierarchy.ts';
import { tells } from './rewards/outcome.ts';
import type { EpisodeRules } from './rules.ts';
import type { CallResult } from './run-call.ts';
import { SeenValues } from './seen-values.ts';
import type { ReadTask, ToolRequest } from './task.ts';
import { stableText } from './stable-text.ts';
import type { UserAnswer } from './user.ts';

const emptyLog: EpisodeLog = { calls: [], names: [], hasWrongForm: false, results: [] };

type Step = StepResult<ToolObservation, ToolAction>;

/** One task, from the first request to the end of the last. */
export class ToolEpisode {
  readonly #rules: EpisodeRules;
  readonly #ref: TaskRef;
  readonly #task: ReadTask;
  readonly #world: EpisodeWorld;
  readonly #seen: SeenValues;
  readonly #knowledge: Map<string, string>;
  readonly #answers: Set<string>;
  #request: number;
  #told: number[];
  #failed: Readonly<Record<string, number>>;
  #user: Json | undefined;
  #log: EpisodeLog;
  #observation: ToolObservation;
  /** The list of actions, until something new is shown. */
  #listed: readonly ToolAction[] | undefined;
  readonly #listing = new ActionListing();

  /** Starts a task. Where the user speaks first, it is heard. */
  static async open(
    rules: EpisodeRules,
    of: { readonly ref: TaskRef; readonly world: EpisodeWorld },
    signal: AbortSignal,
  ): Promise<ToolEpisode> {
    const episode = new ToolEpisode(rules, of);
    const at = { ref: episode.#ref, request: episode.#current() };
    const answer = await of.world.open?.(at, signal);
    if (answer === undefined) return episode;
    episode.#user = answer.state;
    episode.#answers.add(answer.says);
    episode.#learn('', answer.says);
    episode.#observation = { ...episode.#observation, user: answer.says };
    return episode;
  }

  constructor(
    rules: EpisodeRules,
    of: {
      readonly ref: TaskRef;
      readonly world: EpisodeWorld;
      readonly saved?: {
        readonly world: SavedWorld;
        readonly episode: SavedShown;
        readonly from: Snapshot;
      };
    },
  ) {
    const { ref, world, saved } = of;
    this.#rules = rules;
    this.#ref = { panel: ref.panel, index: ref.index };
    this.#task = rules.task(ref);
    this.#world = world;
    this.#seen = new SeenValues(saved?.episode.seen);
    this.#knowledge = new Map(Object.entries(saved?.episode.knowledge ?? {}));
    this.#answers = new Set(saved?.episode.answers);
    this.#request = saved?.world.request ?? 0;
    this.#told = [...(saved?.world.told ?? [])];
    this.#failed = saved?.world.failed ?? {};
    this.#user = saved?.world.user;
    this.#log = saved?.world.log ?? emptyLog;
    const list = saved === undefined ? undefined : lists.get(saved.from.episode as object);
    if (list?.rules === rules) this.#listed = list.actions;
    this.#observation = saved?.episode.observation ?? { tools: [...world.tools.keys()], results: [] };
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

  stateKey(): string | undefined {
    const world = this.#world.stateText(this.#request);
    if (world === undefined) return undefined;
    const { panel, index } = this.#ref;
    const rare = [this.#failed, this.#user, this.#log].map((part) =>
      part === undefined ? '' : stableText(part),
    );
    return shortDigest(`${panel}/${index}/${this.#request}|${this.#told.join()}|${rare.join('|')}|${world}`);
  }

  save(): Snapshot {
    const { reads, ...world } = this.#saveWorld();
    const snapshot = savePoint(world, {
      observation: this.#observation,
      knowledge: Object.fromEntries([...this.#knowledge].sort(([a], [b]) => (a < b ? -1 : 1))),
      seen: this.#seen.save(),
      answers: [...this.#answers].sort(),
      reads,
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
      this.#world.note?.(call);
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
    if (failed < limit && this.#world.tools.has(call.name)) {
      this.#failed = { ...this.#failed, [call.name]: failed + 1 };
      return {
        kind: 'error',
        error: 'refused',
        code: 'unavailable',
        message: 'The service is busy. Try again.',
      };
    }
    return this.#world.call(call, signal);
  }

  /** Remembers a call: what it showed, and what rewards need. */
  #note(call: ToolCall, result: CallResult): void {
    const text =
      result.kind === 'done' || this.#rules.wordError !== undefined
        ? this.#shown(call, result).text
        : `${result.code}: ${result.message}`;
    this.#learn(printAction({ kind: 'calls', calls: [call] }), text);
    if (result.kind === 'done' && result.value !== undefined) {
      const kinds = this.#world.tools.get(call.name)?.kinds;
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
    const answer = await this.#world.hear(
      {
        text,
        ref: this.#ref,
        request: this.#current(),
        state: this.#user,
        isReached: async () => (await this.#judge('done', undefined, signal)) === undefined,
      },
      signal,
    );
    this.#user = answer.state;
    this.#learn(`say ${text.trim().toLowerCase()}`, answer.says);
    if (!this.#answers.has(answer.says)) {
      this.#answers.add(answer.says);
      this.#listed = undefined;
    }
    return answer.ends === true
      ? await this.#end('done', undefined, signal, answer)
      : this.#goOn({ results: [], user: answer.says }, { metrics: countsOf(answer) });
  }

  /** Ends the request, after the agent ended it or the user with its last words. */
  async #end(end: End, rule: string | undefined, signal: AbortSignal, last?: LastWords): Promise<Step> {
    const failed = await this.#judge(end, rule, signal);
    const next = this.#task.requests[this.#request + 1];
    if (failed !== undefined || next === undefined) return this.#terminate(failed, last);
    this.#request += 1;
    [this.#told, this.#user, this.#listed] = [[], undefined, undefined];
    this.#learn(`request ${this.#request}`, next.says);
    return this.#goOn(
      { results: [], user: last === undefined ? next.says : `${last.says}\n${next.says}` },
      { metrics: { requests: 1, ...(last === undefined ? {} : countsOf(last)) } },
    );
  }

  /** The checks that the request would fail if it ended now. */
  #judge(end: End, rule: string | undefined, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const [told, { results }] = [this.#told, this.#log];
    return this.#world.judge({ request: this.#request, end, rule, told, results }, signal);
  }

  #terminate(failed: readonly string[] | undefined, last?: LastWords): Step {
    const { weights } = this.#rules.settings;
    const isSolved = failed === undefined;
    const stateKey = this.stateKey();
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
        ...(last === undefined ? {} : countsOf(last)),
        // at least one of them is 1, where the episode failed
        ...Object.fromEntries(
          this.#world.checks.map((name) => [`wrong-${name}`, failed?.includes(name) === true ? 1 : 0]),
        ),
      },
      ...(failed === undefined ? {} : { feedback: describeFailed(failed) }),
      stateKey: stateKey === undefined ? undefined : `${stateKey}|ended`,
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

  #shown(call: ToolCall, result: CallResult): ToolObservation['results'][number] {
    const { name } = call;
    if (result.kind === 'done') return { name, text: result.text };
    const { wordError } = this.#rules;
    return wordError === undefined
      ? { name, error: result.code, text: result.message }
      : { name, text: wordError({ call, tool: this.#world.tools.get(name), ...result }) };
  }

  #learn(question: string, answer: string): void {
    this.#knowledge.set(question, answer.length <= 32 ? answer : shortDigest(answer, 16));
  }

  #current(): ToolRequest {
    return this.#task.requests[this.#request] as ToolRequest; // the last request ends the episode
  }

  #list(): readonly ToolAction[] {
    const requests = this.#task.requests.slice(0, this.#request + 1).map(({ says }) => says);
    return this.#listing.list({
      tools: [...this.#world.tools.values()],
      userTools: this.#rules.userTools,
      seen: this.#seen,
      heard: [...[...this.#answers].sort(), ...requests],
      slots: this.#rules.slots,
      rules: Object.keys(this.#rules.rules),
      ends: this.#rules.ends,
    });
  }

  #saveWorld(): SavedWorld & Pick<SavedShown, 'reads'> {
    const part = this.#world.save?.(this.#request);
    if (part === undefined)
      throw new UsageError({
        where: `snapshot of ${this.#rules.id}`,
        what: 'the world of this environment cannot be saved.',
        fix: 'Replay the actions instead.',
      });
    return {
      ...this.#ref,
      ...part,
      request: this.#request,
      told: [...this.#told],
      failed: this.#failed,
      ...(this.#user === undefined ? {} : { user: this.#user }),
      log: this.#log,
    };
  }

  /** The task, what was shown, in any order, and what the agent changed. */
  #anchorKey(): string {
    const knowledge = [...this.#knowledge].map(([question, answer]) => `${question}\n${answer}`).sort();
    return shortDigest(
      `${this.#ref.panel}/${this.#ref.index}/${this.#request}\n${knowledge.join('\n')}\n${this.#world.changedText()}`,
    );
  }
}

/** The lists of snapshots that are still in memory, by what they have shown: to list again costs more than the rest of a restore. */
const lists = new WeakMap<
  object,
  { readonly rules: EpisodeRules; readonly actions: readonly ToolAction[] }
>();

type LastWords = Pick<UserAnswer, 'says' | 'isMistake'>;

/** What an answered message counts. */
const countsOf = ({ isMistake }: LastWords): Readonly<Record<string, number>> => ({
  messages: 1,
  userMistakes: isMistake === true ? 1 : 0,
});
