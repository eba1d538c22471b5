import type { z } from 'zod';
import { createContext, deriveContext, type Context } from '../core/context.ts';
import type { AnyEnvDefinition, Env, EnvHost, Searcher } from '../core/env.ts';
import { FaultError, messageOf, placedMessageOf, UsageError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import type { Logger } from '../core/log.ts';
import { createRng, type Rng } from '../core/rng.ts';
import type { ActingTurn } from '../core/step.ts';
import { abortable, openDeadline, settlesWithin } from '../core/waiting.ts';
import type { Law } from './laws.ts';
import type { Opener, CheckPlan } from './options.ts';
import type { FindingPlace, ReportWriter } from './report.ts';
import { look, type TurnView } from './turn-view.ts';
import { TimerWatch } from './timer-watch.ts';

export type AnyEnv = Env<unknown, unknown>;
export type AnyHost = EnvHost<unknown, unknown>;
export type AnySearcher = Searcher<unknown, unknown>;
export type AnyActingTurn = ActingTurn<unknown, unknown>;
export type ActionSource = (turn: AnyActingTurn, rng: Rng) => unknown;

/** A call on the env that threw or did not return. The law that made it stops there. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  readonly where: FindingPlace;
  readonly kind: 'crash' | 'hang';

  constructor(kind: 'crash' | 'hang', where: FindingPlace, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.where = where;
  }
}

/** The outcome of a call where an exception is one of the expected outcomes. */
export type Answer<T> =
  | { readonly kind: 'returned'; readonly value: T }
  | { readonly kind: 'threw'; readonly thrown: unknown };

/** The env under check. It opens hosts, creates envs, calls them under a deadline, and closes everything. */
export class Subject {
  readonly definition: AnyEnvDefinition;
  /** The parsed config. */
  readonly config: Json;
  readonly plan: CheckPlan;
  readonly report: ReportWriter;
  readonly actions: ActionSource | undefined;
  /** The random stream of the check itself. Episodes use the stream of {@link Subject.run}. */
  readonly rng: Rng;
  /** Knows the timers that the env's calls start. */
  readonly timers = new TimerWatch();
  readonly #input: z.input<z.ZodType>;
  readonly #opener: Opener;
  readonly #signal: AbortSignal;
  readonly #envs = new Set<AnyEnv>();
  readonly #hosts = new Set<AnyHost>();
  /** Notes once what an opening env counts, such as questions that it leaves out. */
  readonly #tallies: Logger = {
    event: (_path, event) => {
      if (event.type === 'opening-tally')
        this.#noted.add(`opening, ${event.part}: ${event.name}: ${event.count}`);
    },
  };
  readonly #noted = new Set<string>();

  constructor(parts: {
    readonly definition: AnyEnvDefinition;
    readonly input: unknown;
    readonly config: Json;
    readonly plan: CheckPlan;
    readonly report: ReportWriter;
    readonly opener: Opener;
    readonly actions: ActionSource | undefined;
    readonly signal: AbortSignal;
  }) {
    this.definition = parts.definition;
    this.config = parts.config;
    this.plan = parts.plan;
    this.report = parts.report;
    this.actions = parts.actions;
    this.rng = createRng(parts.plan.seed).fork('check-env');
    this.#input = parts.input;
    this.#opener = parts.opener;
    this.#signal = parts.signal;
  }

  /**
   * The context of one run over the episodes. Runs with one `luck` have equal random streams. Each run has
   * its own clock with another time and another speed, which exposes an env that reads the clock.
   */
  run(name: string, luck = 'luck'): Context {
    const seed = createRng(this.plan.seed).fork(luck).int(4_294_967_296);
    const clock = createRng(this.plan.seed).fork(`clock-${name}`);
    const pace = 1 + clock.int(7);
    let time = clock.int(1_000_000);
    return createContext({ seed, now: () => (time += pace), signal: this.#signal, path: luck });
  }

  /** Records what a call returned, with the words of the definition. */
  look(returned: object): TurnView {
    return look(returned, this.definition.text);
  }

  async open(context: Context): Promise<AnyHost> {
    const host = await this.call(context, { call: 'open' }, (own) =>
      this.#opener(this.definition, this.#input, { ...own, log: this.#tallies }),
    );
    if (this.#hosts.size === 0) for (const note of this.#noted) this.report.note(note);
    this.#hosts.add(host);
    return host;
  }

  async create(host: AnyHost, context: Context): Promise<AnyEnv> {
    const env = await this.call(context, { call: 'create' }, () => host.create());
    this.#envs.add(env);
    return env;
  }

  /**
   * Whether the host allows two concurrent episodes. Where it does not, the law that needs them is marked as
   * unchecked.
   */
  hasRoomForTwo(host: AnyHost, law: Law): boolean {
    const room = (host.maxConcurrency ?? 2) >= 2;
    if (!room)
      this.report.unchecked(
        law,
        'it takes two episodes side by side, and by its maxConcurrency the host has one at once',
      );
    return room;
  }

  async close(what: AnyEnv | AnyHost, context: Context): Promise<void> {
    const isHost = 'create' in what;
    if (isHost) this.#hosts.delete(what);
    else this.#envs.delete(what);
    await this.call(context, { call: isHost ? 'close of the host' : 'close' }, () => what.close());
  }

  /** Closes the envs that an interrupted law left open. The host may allow no more envs beside them. */
  async closeEnvs(): Promise<void> {
    await this.#closeThese([...this.#envs]);
  }

  /**
   * Closes everything that is still open, even after the caller has cancelled. Failures are reported, and
   * none stops the rest.
   */
  async closeAll(): Promise<void> {
    await this.closeEnvs();
    await this.#closeThese([...this.#hosts]);
  }

  async #closeThese(these: readonly (AnyEnv | AnyHost)[]): Promise<void> {
    const context = createContext({ seed: this.plan.seed, now: () => 0 });
    const ends = await Promise.allSettled(these.map((what) => this.close(what, context)));
    for (const end of ends) if (end.status === 'rejected') this.failed(end.reason);
  }

  /** Calls the env under the deadline. An exception or a hang becomes a {@link CallFailed}. */
  async call<T>(context: Context, where: FindingPlace, work: (context: Context) => Promise<T>): Promise<T> {
    this.report.checked('crash');
    const answer = await this.attempt(context, where, work);
    if (answer.kind === 'returned') return answer.value;
    const message = withoutPlace(this.definition.id, where, placedMessageOf(answer.thrown));
    throw new CallFailed('crash', where, `it threw: ${message}`, { cause: answer.thrown });
  }

  /** Calls the env under the deadline and returns the outcome. A hang still becomes a {@link CallFailed}. */
  async attempt<T>(
    context: Context,
    where: FindingPlace,
    work: (context: Context) => Promise<T>,
  ): Promise<Answer<T>> {
    const deadline = openDeadline(context.signal, { where: context.path, ms: this.plan.deadlineMs });
    const working = this.timers.surround(() =>
      startNow(() => work(deriveContext(context, { signal: deadline.signal }))),
    );
    this.report.checked('hang');
    try {
      return { kind: 'returned', value: await abortable(deadline.signal, working) };
    } catch (thrown) {
      if (context.signal.aborted) throw context.signal.reason as Error;
      if (deadline.signal.aborted && isDeadline(thrown)) throw await this.#hang(where, working);
      return { kind: 'threw', thrown };
    } finally {
      deadline[Symbol.dispose]();
    }
  }

  /**
   * Reports why a law had to stop: a failed call, or a value that could not be examined. Cancellation and
   * usage errors are thrown on.
   */
  failed(thrown: unknown): CallFailed['kind'] {
    if (UsageError.is(thrown) || (this.#signal.aborted && thrown === this.#signal.reason)) throw thrown;
    if (thrown instanceof CallFailed && thrown.kind === 'hang') {
      const fix = 'Make every wait end by itself and observe context.signal.';
      this.report.found({ law: 'hang', where: thrown.where, what: thrown.message, fix });
      return 'hang';
    }
    const refused = thrown instanceof CallFailed && UsageError.is(thrown.cause);
    this.report.found({
      law: 'crash',
      where: thrown instanceof CallFailed ? thrown.where : {},
      what:
        thrown instanceof CallFailed
          ? thrown.message.replace(/\.?$/, '.')
          : `what the env returned could not be examined: ${messageOf(thrown)}.`,
      fix: refused
        ? 'Fix the cause that the message names. The call was correct, and an env may refuse only wrong calls.'
        : 'Return a result for everything that an agent may do. Throw a FaultError only when the world behind the env fails.',
    });
    return 'crash';
  }

  async #hang(where: FindingPlace, working: Promise<unknown>): Promise<CallFailed> {
    const settled = await settlesWithin(Math.min(this.plan.graceMs, 250), working);
    const heed = settled
      ? 'It stopped when its signal aborted.'
      : 'It ignores its signal and is still running.';
    return new CallFailed('hang', where, `it did not return within ${this.plan.deadlineMs} ms. ${heed}`);
  }
}

async function startNow<T>(work: () => Promise<T>): Promise<T> {
  return work();
}

/**
 * Removes the env, task and step at the start of a message. The finding names them anyway, and the message
 * counts steps in its own way.
 */
function withoutPlace(id: string, { task }: FindingPlace, message: string): string {
  const place = task === undefined ? `${id}, ` : `${id}, task ${task.panel}/${task.index}, `;
  return message.startsWith(place) ? message.slice(place.length).replace(/^step \d+, /, '') : message;
}

const isDeadline = (thrown: unknown): boolean =>
  FaultError.is(thrown) && thrown.fault.kind === 'deadline-passed';
