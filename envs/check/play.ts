import { setImmediate as nextTurn } from 'node:timers/promises';
import { forkContext, StepContext, type Context } from '../core/context.ts';
import { messageOf } from '../core/errors.ts';
import type { Rng } from '../core/rng.ts';
import type { Opening, StepResult } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import type { Examiner } from './examine.ts';
import type { Keeper } from './keeper.ts';
import type { FindingPlace } from './report.ts';
import { copy, difference, look, textOf, type TurnView } from './turn-view.ts';
import {
  CallFailed,
  type AnyActingTurn,
  type AnyEnv,
  type AnyHost,
  type AnySearcher,
  type Subject,
} from './subject.ts';

/** The player of a recording. */
export type Style = 'planner' | 'random' | 'mixed' | 'searcher';

/** An episode to play. Its label seeds its chance. */
export interface Script {
  readonly task: TaskRef;
  readonly label: string;
  readonly style: Style;
}

export interface Move {
  /** A copy through JSON where possible, as a stored trajectory would return it. */
  readonly action: unknown;
  /** The action as canonical text. */
  readonly text: string;
  /** Whether it came from the options of the check. */
  readonly given: boolean;
  readonly after: TurnView;
}

/** An episode as it was played first. Replays repeat its moves. */
export interface Recording extends Script {
  readonly opening: TurnView;
  /** The instruction of the opening. */
  readonly instruction: string;
  readonly moves: readonly Move[];
  readonly end: 'ended' | 'cut' | 'crashed';
}

/** A point of a recording: before its move `step`. */
export interface EpisodePoint {
  readonly recording: Recording;
  readonly step: number;
}

/** The call that returned the view after `steps` steps. */
export const callBefore = (task: TaskRef, steps: number): FindingPlace & { readonly task: TaskRef } =>
  steps === 0 ? { task, step: 0, call: 'reset' } : { task, step: steps - 1, call: 'step' };

/** The view of a recording after `steps` steps. */
export const viewAfter = (recording: Recording, steps: number): TurnView =>
  steps === 0 ? recording.opening : (recording.moves[steps - 1]?.after ?? recording.opening);

export const viewAt = ({ recording, step }: EpisodePoint): TurnView => viewAfter(recording, step);

/** The episodes to play: each style in turn, as far as the env and the options allow it. */
export function scriptsFor(subject: Subject, host: AnyHost, tasks: readonly TaskRef[]): readonly Script[] {
  const styles: Style[] = [];
  const planned = host.experts?.planner !== undefined;
  if (planned) styles.push('planner');
  styles.push('random');
  if (planned) styles.push('mixed');
  if (host.experts?.searcher !== undefined) styles.push('searcher');
  return tasks.flatMap((task) =>
    Array.from({ length: subject.plan.episodes }, (_, index) => ({
      task,
      label: `${task.panel}/${task.index}/${index}`,
      style: styles[index % styles.length] as Style,
    })),
  );
}

/** The most extra random episodes per planned episode. */
const extraEpisodes = 8;
/** The total time in milliseconds after which no episode is added, because steps are slow. */
const extraMs = 2_000;

/**
 * Plays all scripts, and then random episodes until there are `plan.leastSteps` steps. Without them a few
 * short episodes would check almost nothing. None is added in a slow world, after a crash, or where nobody
 * can choose an action.
 *
 * @param play plays one script and keeps the recording
 */
export async function playOn(
  subject: Subject,
  scripts: readonly Script[],
  play: (script: Script) => Promise<Recording>,
): Promise<void> {
  const { signal } = subject.run('play-on');
  const late = AbortSignal.timeout(extraMs); // an env may compute here, so its time counts
  let steps = 0;
  for (const script of scripts) steps += (await play(script)).moves.length;
  const tasks = [...new Map(scripts.map(({ task }) => [`${task.panel}/${task.index}`, task])).values()];
  for (let extra = 0; extra < extraEpisodes * scripts.length && steps < subject.plan.leastSteps; extra += 1) {
    // an env that computes without waiting would block the rest of the process during the check
    await nextTurn();
    if (signal.aborted || late.aborted || subject.report.isBroken('crash')) return;
    const task = tasks[extra % tasks.length] as TaskRef;
    const { moves } = await play({
      task,
      label: `${task.panel}/${task.index}/${subject.plan.episodes + Math.floor(extra / tasks.length)}`,
      style: 'random',
    });
    if (moves.length === 0) return;
    steps += moves.length;
  }
}

/** What a first play of episodes needs. */
export interface Player {
  readonly host: AnyHost;
  readonly run: Context;
  readonly examiner: Examiner;
  readonly keeper: Keeper;
  /** Tasks in which an action was tried that had been listed before and no longer is. */
  readonly stale: Set<string>;
}

/** Plays a script for the first time. It examines every turn, and records what was done and seen. */
export async function record(subject: Subject, on: Player, script: Script): Promise<Recording> {
  const { task, label } = script;
  const env = await subject.create(on.host, on.run);
  const episode = forkContext(on.run, label);
  const moves: Move[] = [];
  let opening: Opening<unknown, unknown> | undefined;
  let end: Recording['end'] = 'cut';
  try {
    opening = await reset(subject, env, task, episode);
    on.keeper.keepTurn(opening, 'the opening', { task, step: 0, call: 'reset' });
    on.examiner.opening(opening, { task, step: 0, call: 'reset' });
    const chooser = new Chooser(subject, on.host, script, on.stale);
    const luck = new StepContext(episode);
    let turn: AnyActingTurn = opening;
    for (let step = 0; step < subject.plan.maxSteps; step += 1) {
      const where = { task, step, call: 'step' };
      const choice = chooser.choose(turn);
      if (choice === undefined) break;
      if (!choice.listed) on.examiner.action(choice.action, { ...where, call: script.style });
      const action = copy(choice.action);
      on.keeper.keep(action, 'the action', where);
      const result: StepResult<unknown, unknown> = await stepEnv(
        subject,
        { env, luck, at: { task, step } },
        action,
      );
      on.keeper.keepTurn(result, 'the result', where);
      on.examiner.result(result, turn, choice.listed, where);
      moves.push({
        action: copy(choice.action),
        text: textOf(choice.action),
        given: choice.given,
        after: subject.look(result),
      });
      if (result.kind !== 'ongoing') {
        end = 'ended';
        break;
      }
      turn = result;
    }
  } catch (thrown) {
    if (thrown instanceof CallFailed && thrown.kind === 'hang') throw thrown; // nothing more can be played
    subject.failed(thrown);
    end = 'crashed';
  } finally {
    episode[Symbol.dispose]();
  }
  if (end === 'crashed') await subject.closeEnvs();
  else await subject.close(env, on.run);
  on.keeper.endEpisode(subject.report);
  return {
    ...script,
    opening: opening === undefined ? look({}) : subject.look(opening),
    instruction: opening?.instruction ?? '',
    moves,
    end,
  };
}

/** Resets `env` to a task under the deadline. */
export async function reset(
  subject: Subject,
  env: AnyEnv,
  task: TaskRef,
  context: Context,
): Promise<Opening<unknown, unknown>> {
  const where = { task, step: 0, call: 'reset' };
  return shaped(where, await subject.call(context, where, (own) => env.reset(task, own)));
}

/** Performs the action under the deadline, with the random stream of step `at.step`. */
export async function stepEnv(
  subject: Subject,
  on: {
    readonly env: AnyEnv;
    readonly luck: StepContext;
    readonly at: { readonly task: TaskRef; readonly step: number };
  },
  action: unknown,
): Promise<StepResult<unknown, unknown>> {
  const where = { ...on.at, call: 'step' };
  on.luck.advance(on.at.step);
  return shaped(where, await subject.call(on.luck, where, (context) => on.env.step(action, context)));
}

/** Refuses a value that is no object. */
function shaped<T>(where: FindingPlace, returned: T): T {
  if (typeof returned === 'object' && returned !== null) return returned;
  throw new CallFailed('crash', where, `it returned ${String(returned)}`);
}

/**
 * Replays the moves of a recording with the random stream of `run`. `after` receives each view and the
 * returned value. The replay stops when it returns false.
 */
export async function replay(
  subject: Subject,
  on: { readonly env: AnyEnv; readonly run: Context; readonly pause?: () => Promise<void> },
  recording: Recording,
  after: (
    sight: TurnView,
    step: number,
    returned: Opening<unknown, unknown> | StepResult<unknown, unknown>,
  ) => boolean | void,
): Promise<void> {
  const episode = forkContext(on.run, recording.label);
  try {
    const luck = new StepContext(episode);
    const opening = await reset(subject, on.env, recording.task, episode);
    if (after(subject.look(opening), 0, opening) === false) return;
    for (const [step, move] of recording.moves.entries()) {
      await on.pause?.();
      const result = await stepEnv(
        subject,
        { env: on.env, luck, at: { task: recording.task, step } },
        copy(move.action),
      );
      // another random stream may end it earlier
      if (after(subject.look(result), step + 1, result) === false || result.kind !== 'ongoing') return;
    }
  } finally {
    episode[Symbol.dispose]();
  }
}

/** The actions that a view lists, parsed. */
export function listedIn(sight: TurnView): readonly unknown[] {
  try {
    const actions: unknown = JSON.parse(sight.admissible);
    return Array.isArray(actions) ? (actions as readonly unknown[]) : [];
  } catch {
    return [];
  }
}

/** Neither an expert nor a list offers an action. */
const nobody = Symbol('nobody');

/** Chooses the actions of a recording. */
class Chooser {
  readonly #subject: Subject;
  readonly #task: TaskRef;
  readonly #rng: Rng;
  readonly #plan: readonly unknown[]; // actions of the planner, used up from the front
  readonly #searcher: AnySearcher | undefined;
  readonly #seen = new Map<string, unknown>(); // actions that were listed in this episode, by their canonical texts
  readonly #stale: Set<string>;
  #step = 0;

  constructor(subject: Subject, host: AnyHost, script: Script, stale: Set<string>) {
    this.#stale = stale;
    this.#subject = subject;
    this.#task = script.task;
    this.#rng = subject.rng.fork(`play-${script.label}`);
    this.#plan = planFor(host, script, this.#rng);
    const searches = script.style === 'searcher';
    const begin = (): AnySearcher | undefined => host.experts?.searcher?.(searcherRng(subject, script.label));
    this.#searcher = searches ? expertly({ task: script.task, call: 'searcher' }, begin) : undefined;
  }

  /**
   * The next action, whether the turn listed it, and whether it came from the options. Undefined where
   * nothing offers an action.
   */
  choose(
    turn: AnyActingTurn,
  ): { readonly action: unknown; readonly listed: boolean; readonly given: boolean } | undefined {
    const { action, given } = this.#pick(turn);
    if (action === undefined) return undefined;
    const text = textOf(action);
    return {
      action,
      listed: turn.admissible?.some((candidate) => textOf(candidate) === text) ?? false,
      given,
    };
  }

  #pick(turn: AnyActingTurn): { readonly action: unknown; readonly given: boolean } {
    const step = this.#step;
    this.#step += 1;
    const own = this.#pickOwn(turn, step);
    return own === nobody
      ? { action: this.#fromOptions(turn, step), given: true }
      : { action: own, given: false };
  }

  /** Chooses an action of an expert or of the list. {@link nobody} where neither offers one. */
  #pickOwn(turn: AnyActingTurn, step: number): unknown {
    if (this.#searcher !== undefined)
      return askSearcher(this.#subject, this.#searcher, turn, { task: this.#task, step });
    if (step < this.#plan.length) return this.#plan[step];
    const { admissible } = turn;
    if (admissible === undefined || admissible.length === 0) return nobody;
    return this.#staleOf(admissible) ?? this.#rng.pick(admissible);
  }

  /**
   * An action that was listed before and no longer is. It is tried at the first opportunity in a task, and
   * later at random.
   */
  #staleOf(admissible: readonly unknown[]): unknown {
    const { panel, index } = this.#task;
    const due = this.#rng.int(10) === 0 || !this.#stale.has(`${panel}/${index}`);
    const listed = due ? new Set(admissible.map(textOf)) : undefined;
    const stale = [...this.#seen].flatMap(([text, action]) => (listed?.has(text) === false ? [action] : []));
    for (const action of admissible.slice(0, 50)) this.#seen.set(textOf(action), action);
    if (stale.length === 0) return undefined;
    this.#stale.add(`${panel}/${index}`);
    return this.#rng.pick(stale);
  }

  #fromOptions(turn: AnyActingTurn, step: number): unknown {
    return expertly({ task: this.#task, step, call: 'options.actions' }, () =>
      this.#subject.actions?.(turn, this.#rng),
    );
  }
}

/** All actions of the planner; the first part of them for a mixed episode; none for others. */
function planFor(host: AnyHost, { task, style }: Script, rng: Rng): readonly unknown[] {
  if (style !== 'planner' && style !== 'mixed') return [];
  const plan = expertly({ task, call: 'planner' }, () => host.experts?.planner?.(task)) ?? [];
  return style === 'planner' ? plan : plan.slice(0, rng.int(plan.length + 1));
}

/** The random stream of the searcher of one episode. */
export const searcherRng = (subject: Subject, label: string): Rng => subject.rng.fork(`searcher-${label}`);

/** Asks a searcher for an action, with a copy of the turn. The searcher must not change the copy. */
export function askSearcher(
  { report }: Subject,
  searcher: AnySearcher | undefined,
  turn: AnyActingTurn,
  at: { readonly task: TaskRef; readonly step: number },
): unknown {
  const where = { ...at, call: 'searcher' };
  const given = cloned(turn);
  const before = look(given);
  const action: unknown = expertly(where, () => searcher?.act(given));
  const after = look(given);
  const changed = difference(before, after)?.split(' ')[0];
  if (changed !== undefined)
    report.found({
      law: 'experts',
      where,
      what: `it changed ${changed} of the turn that it received.`,
      fix: 'Copy values before changing them.',
    });
  return action;
}

/**
 * A copy of the turn; the turn itself where it contains something that cannot be copied, which other laws
 * report.
 */
function cloned(turn: AnyActingTurn): AnyActingTurn {
  try {
    return structuredClone(turn);
  } catch {
    return turn;
  }
}

/** Calls an expert. An exception is a crash of the expert. */
export function expertly<T>(where: FindingPlace, ask: () => T): T {
  try {
    return ask();
  } catch (thrown) {
    throw new CallFailed('crash', where, `it threw: ${messageOf(thrown)}`, { cause: thrown });
  }
}
