import { terminalText } from '../../envs/core/terminal-text.ts';
import type { Context, ResetContext } from '../../envs/core/context.ts';
import type {
  AnyEnvDefinition,
  Audit,
  Env,
  EnvHost,
  Experts,
  Searcher,
  Snapshots,
} from '../../envs/core/env.ts';
import { flawOfEnv, flawOfHost } from '../../envs/core/host-shape.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { Opening, StepResult } from '../../envs/core/step.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { CallPlace, CallWatch } from './call-watch.ts';
import { mark } from './watch-program.ts';

type AnyHost = EnvHost<unknown, unknown>;
type AnyEnv = Env<unknown, unknown>;
type AnyExperts = Experts<unknown, unknown>;
type AnySearcher = Searcher<unknown, unknown>;

/** How long a call may compute without letting anything else run, and what else to say of how to mend it. */
export interface ComputingLimit {
  readonly ms: number;
  /** Of opening, which may read and index much; `ms` unless given. */
  readonly openMs?: number;
  readonly mend?: string;
}

/** How long the event loop may stand: a call that computes on after an await of its own is seen by that alone, and much else may hold the loop. */
const stallMs = ({ ms, openMs }: ComputingLimit): number => openMs ?? 10 * ms;

const nowhere: CallPlace = { panel: -1, index: -1, step: 0 };

/**
 * The same definition, its calls under the watch: each is made on the author's own object, and what an object lacks stays lacking.
 * What is no host and no env goes through as it is, to those who say so.
 */
export function watchEnv(
  definition: AnyEnvDefinition,
  watch: CallWatch,
  limit: ComputingLimit,
): AnyEnvDefinition {
  const calls = new Calls(definition.id, watch, limit);
  calls.watchLoop();
  const { id, summary, config, observation, action, deterministic, text } = definition;
  return {
    ...definition, // plain data, such as its recipes
    id,
    summary,
    config,
    observation,
    action,
    deterministic,
    text: {
      observation: calls.wrap('text.observation', (seen: unknown) => text.observation(seen)),
      action: calls.wrap('text.action', (act: unknown) => text.action(act)),
      parse: calls.wrap('text.parse', (words: string) => text.parse(words)),
      ...(text.isSample === undefined
        ? {}
        : { isSample: calls.wrap('text.isSample', (act: unknown) => text.isSample?.(act) === true) }),
    },
    ...(definition.turnLimit === undefined
      ? {}
      : {
          turnLimit: calls.wrap('turnLimit', (of: unknown) =>
            (definition.turnLimit as NonNullable<typeof definition.turnLimit>)(of),
          ),
        }),
    open: openWatched(definition, calls),
  };
}

function openWatched(definition: AnyEnvDefinition, calls: Calls): AnyEnvDefinition['open'] {
  const open = calls.wrap('open', (config: unknown, context: ResetContext) =>
    definition.open(config, context),
  );
  return async (config, context) => {
    const host = await open(config, context);
    return isSound(flawOfHost, host) ? watchHost(host, calls) : host;
  };
}

/** What throws when it is looked at is no more sound than what has a flaw. */
function isSound(flawOf: (value: unknown) => string | undefined, value: unknown): boolean {
  try {
    return flawOf(value) === undefined;
  } catch {
    return false;
  }
}

/** The calls of one env. */
class Calls {
  readonly watch: CallWatch;
  readonly #id: string;
  readonly #limit: ComputingLimit;

  constructor(id: string, watch: CallWatch, limit: ComputingLimit) {
    this.#id = id;
    this.watch = watch;
    this.#limit = limit;
  }

  /** The number of what is said of a call that does not end. */
  say(call: string): number {
    const { ms: most, openMs = most, mend } = this.#limit;
    const ms = call === 'open' ? openMs : most;
    const what = `it has computed for ${ms / 1000} s without letting anything else run.`;
    const says = `Let it end, or let it wait with await and heed context.signal${mend === undefined ? '' : `; ${mend}`}.`;
    const place = `${terminalText(this.#id)}, ${call}`;
    return this.watch.say(`error: ${place}: ${what} ${says}`, ms, place);
  }

  /** Of several envs the last is named, which is no claim that it was that one. */
  watchLoop(): void {
    const ms = stallMs(this.#limit);
    const what = `nothing else has run for ${ms / 1000} s: a call into it, or into another env of a module, computes without end after an await of its own.`;
    this.watch.watchLoop(
      this.watch.say(
        `error: ${terminalText(this.#id)}: ${what} Let it end, or let it heed context.signal.`,
        ms,
        terminalText(this.#id),
      ),
    );
  }

  /** A call that is made at no task. */
  wrap<Given extends readonly unknown[], T>(
    call: string,
    run: (...given: Given) => T,
  ): (...given: Given) => T {
    const said = this.say(call);
    return (...given) => this.watch.during(said, nowhere, () => run(...given));
  }

  /** A call that is told its task. */
  wrapTask<T>(call: string, run: (task: TaskRef) => T): (task: TaskRef) => T {
    const said = this.say(`${call} of ${mark.task}`);
    return (task) => this.watch.during(said, this.placeOf(task), () => run(task));
  }

  placeOf({ panel, index }: TaskRef): CallPlace {
    return { panel: this.watch.name(panel), index, step: 0 };
  }
}

function watchHost(host: AnyHost, calls: Calls): AnyHost {
  const create = calls.wrap('create', () => host.create());
  const said = sayOfEnv(calls);
  return {
    panels: host.panels,
    ...(host.identity === undefined ? {} : { identity: host.identity }),
    ...(host.emptied === undefined ? {} : { emptied: host.emptied }),
    describeTask: calls.wrapTask('describeTask', (task) => host.describeTask(task)),
    create: async () => {
      const env = await create();
      return isSound(flawOfEnv, env) ? new WatchedEnv(env, calls, said) : env;
    },
    close: calls.wrap('close of the host', () => host.close()),
    ...(host.mostAtOnce === undefined ? {} : { mostAtOnce: host.mostAtOnce }),
    ...(host.experts === undefined ? {} : { experts: watchExperts(host.experts, calls) }),
    ...(host.audit === undefined ? {} : { audit: watchAudit(host.audit, calls) }),
  };
}

function watchExperts(experts: AnyExperts, calls: Calls): AnyExperts {
  const act = calls.say('experts.searcher, act');
  const watchSearcher = (searcher: AnySearcher): AnySearcher => ({
    act: (turn) => calls.watch.during(act, nowhere, () => searcher.act(turn)),
  });
  const searcher = calls.wrap('experts.searcher', (rng: Rng) =>
    (experts.searcher as NonNullable<AnyExperts['searcher']>)(rng),
  );
  return {
    ...(experts.planner === undefined
      ? {}
      : {
          planner: calls.wrapTask('experts.planner', (task) =>
            (experts.planner as NonNullable<AnyExperts['planner']>)(task),
          ),
        }),
    ...(experts.searcher === undefined ? {} : { searcher: (rng) => watchSearcher(searcher(rng)) }),
  };
}

function watchAudit(audit: Audit<unknown>, calls: Calls): Audit<unknown> {
  type Swap = NonNullable<typeof audit.swapHidden>;
  const reveals = calls.say('audit.swapHidden, reveals');
  const swap = calls.wrap('audit.swapHidden', (...given: Parameters<Swap>) =>
    (audit.swapHidden as Swap)(...given),
  );
  const swapHidden: Swap = (...given) => {
    const swapped = swap(...given);
    if (typeof swapped !== 'object' || swapped === null) return swapped; // the check says so
    return {
      snapshot: swapped.snapshot,
      reveals: (action) => calls.watch.during(reveals, nowhere, () => swapped.reveals(action)),
    };
  };
  return {
    ...(audit.swapHidden === undefined ? {} : { swapHidden }),
    ...(audit.secrets === undefined
      ? {}
      : {
          secrets: calls.wrapTask('audit.secrets', (task) =>
            (audit.secrets as NonNullable<typeof audit.secrets>)(task),
          ),
        }),
  };
}

interface EnvCalls {
  readonly reset: number;
  readonly step: number;
  readonly take: number;
  readonly restore: number;
  readonly close: number;
}

const sayOfEnv = (calls: Calls): EnvCalls => ({
  reset: calls.say(`reset of task ${mark.task}`),
  step: calls.say(`step ${mark.step} of task ${mark.task}`),
  take: calls.say(`snapshots.take after step ${mark.step} of task ${mark.task}`),
  restore: calls.say(`snapshots.restore to step ${mark.step} of task ${mark.task}`),
  close: calls.say('close'),
});

/** An env under the watch. Its promises are passed on as they are: an episode waits no longer for them. */
class WatchedEnv implements AnyEnv {
  readonly #inner: AnyEnv;
  readonly #calls: Calls;
  readonly #said: EnvCalls;
  #place: CallPlace = { ...nowhere };
  readonly snapshots?: Snapshots<unknown, unknown>;

  constructor(inner: AnyEnv, calls: Calls, said: EnvCalls) {
    this.#inner = inner;
    this.#calls = calls;
    this.#said = said;
    if (inner.snapshots !== undefined) this.snapshots = this.#watchSnapshots(inner.snapshots);
  }

  reset(task: TaskRef, context: ResetContext): Promise<Opening<unknown, unknown>> {
    this.#place = this.#calls.placeOf(task);
    return this.#calls.watch.during(this.#said.reset, this.#place, () => this.#inner.reset(task, context));
  }

  step(action: unknown, context: Context): Promise<StepResult<unknown, unknown>> {
    this.#place.step += 1;
    return this.#calls.watch.during(this.#said.step, this.#place, () => this.#inner.step(action, context));
  }

  close(): Promise<void> {
    return this.#calls.watch.during(this.#said.close, nowhere, () => this.#inner.close());
  }

  #watchSnapshots(snapshots: Snapshots<unknown, unknown>): Snapshots<unknown, unknown> {
    const { watch } = this.#calls;
    return {
      take: () => watch.during(this.#said.take, this.#place, () => snapshots.take()),
      restore: (snapshot) => {
        this.#place = { ...this.#place, step: snapshot.steps };
        return watch.during(this.#said.restore, this.#place, () => snapshots.restore(snapshot));
      },
    };
  }
}
