import type { z } from 'zod';
import { brokenContract } from './core/broken-contract.ts';
import { closeInTime } from './core/closing.ts';
import { describeConfigKeys } from './core/config-keys.ts';
import type { ResetContext } from './core/context.ts';
import type { Env, EnvDefinition, EnvHost, EnvId } from './core/env.ts';
import { boundary, boundaryNow, messageOf, UsageError, type Fault } from './core/errors.ts';
import { flawOfEnv, flawOfHost, flawOfTask, flawOfTurnLimit } from './core/host-shape.ts';
import { describeIssues } from './core/issues.ts';
import type { Logger } from './core/log.ts';
import { mapHost } from './core/map-env.ts';
import { assertTask } from './core/task.ts';
import { abortable, openDeadline, type Deadline } from './core/waiting.ts';
import { ActionGuard } from './wrappers/action-guard.ts';
import { OrderGuard } from './wrappers/order-guard.ts';
import { DeadEndGuard, ResultGuard } from './wrappers/result-guard.ts';
import type { ResultStage } from './wrappers/result-stage.ts';
import { TurnLimit } from './wrappers/turn-limit.ts';

/** The config with its defaults filled in, or a `UsageError` that names each wrong key. */
export function parseEnvConfig<Config extends z.ZodType>(
  definition: Pick<EnvDefinition<EnvId, Config, unknown, unknown>, 'id' | 'config'>,
  config: unknown,
): z.output<Config> {
  const parsed = definition.config.safeParse(config);
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where: `config of ${definition.id}`,
    what: `${describeIssues(parsed.error, { value: config, keys: describeConfigKeys(definition.config) })}.`,
    fix: 'Fix the keys named, or leave them out for their defaults.',
  });
}

/**
 * Opens an env for use: its config and tasks checked, its calls kept in order, its own turn limit applied, and what it gives back
 * held to the shape of the contract. Close it after its last env.
 *
 * What its envs are given is held to the contract, too: an action that the turn does not list and that does not fit the definition's `action`
 * is refused with a `UsageError` and never reaches the env, whose episode goes on as it was. A `reset` or `step` whose context's signal aborts, by its deadline or by its caller, rejects
 * with the signal's reason at once, whether the env heeds the signal or not; an env that does not can then only be closed.
 *
 * @throws UsageError for a config that is wrong, and for a turn limit, a host, an env, a task or a result that is none; a FaultError when the
 * env's own code throws, or has neither opened nor told of progress for ten minutes; the signal's reason when it is aborted
 */
export async function openEnv<Config extends z.ZodType, Obs, Act>(
  definition: EnvDefinition<EnvId, Config, Obs, Act>,
  config: z.input<Config>,
  context: ResetContext,
): Promise<EnvHost<Obs, Act>> {
  const { id } = definition;
  const parsed = parseEnvConfig(definition, config);
  const limit = readTurnLimit(definition, parsed);
  const host = await boundary(crashedIn(id, 'open'), context.signal, () =>
    openInTime(id, context, async (own) => definition.open(parsed, own)),
  );
  refuse(id, 'open', () => flawOfHost(host));
  const guarded = mapHost(host, {
    describeTask: (task) => {
      const info = boundaryNow(crashedIn(id, 'describeTask'), () => host.describeTask(task));
      refuse(id, `describeTask of ${task.panel}/${task.index}`, () => flawOfTask(info));
      return info;
    },
    create: async () => {
      const env = await host.create();
      refuse(id, 'create', () => flawOfEnv(env));
      return env;
    },
  });
  return inOrder({
    id,
    limit,
    host: guarded,
    guards: {
      results: [new ResultGuard<Obs, Act>(id, definition.text), new DeadEndGuard<Obs, Act>(id)],
      actions: new ActionGuard(id, definition.action),
    },
  });
}

/** Opening may read a catalogue, start a browser or try thousands of solutions: it may take so long without telling of progress, and must still end. */
const openingMs = 600_000;

/** What was given up may take so long to put away what it has begun, such as half a file, before the process perhaps ends. */
const puttingAwayMs = 2_000;

/** A host that comes after nobody waits for it any more is closed when it comes. */
async function openInTime<Obs, Act>(
  env: string,
  { signal, log, ...context }: ResetContext,
  open: (context: ResetContext) => Promise<EnvHost<Obs, Act>>,
): Promise<EnvHost<Obs, Act>> {
  using deadline = openDeadline(signal, { where: `${env}.open`, ms: openingMs });
  const opening = open({ ...context, signal: deadline.signal, log: renewing(log, deadline, env) });
  try {
    return await abortable(deadline.signal, opening);
  } catch (thrown) {
    if (deadline.signal.aborted) await putAway(env, opening);
    throw thrown; // what is reported is why nobody waited
  }
}

/** The log, whose progress gives the opening more time: what gets on does not hang. The same told again is no progress. */
function renewing(log: Logger, deadline: Deadline, env: string): Logger {
  const reached = new Map<string, number>();
  return {
    event: (path, event) => {
      log.event(path, event);
      if (event.type !== 'opening-advance' || event.done <= (reached.get(event.part) ?? -1)) return;
      const { part, done, total, without } = event;
      reached.set(part, done);
      deadline.renew(
        `${env}.open, which last told of ${done} of ${total} ${part}${without === undefined ? '' : ` (${without} leaves that out)`},`,
      );
    },
  };
}

async function putAway<Obs, Act>(env: string, opening: Promise<EnvHost<Obs, Act>>): Promise<void> {
  await closeInTime(async () => (await opening).close(), { where: `${env}.open`, ms: puttingAwayMs });
}

/**
 * The same without a look at what the env gives back: for `checkEnv`, which says of everything that is wrong which law it breaks.
 */
export async function openUnguarded<Config extends z.ZodType, Obs, Act>(
  definition: EnvDefinition<EnvId, Config, Obs, Act>,
  config: z.input<Config>,
  context: ResetContext,
): Promise<EnvHost<Obs, Act>> {
  const parsed = parseEnvConfig(definition, config);
  const limit = readTurnLimit(definition, parsed);
  return inOrder({ id: definition.id, limit, host: await definition.open(parsed, context) });
}

/** The steps after which an episode has failed. It is asked before anything is opened that would have to be closed again. */
function readTurnLimit<Config extends z.ZodType>(
  definition: Pick<EnvDefinition<EnvId, Config, unknown, unknown>, 'id' | 'turnLimit'>,
  config: z.output<Config>,
): number | undefined {
  const { id } = definition;
  let limit: number | undefined;
  const flaw = boundaryNow(crashedIn(id, 'turnLimit'), () =>
    flawOfTurnLimit(definition, () => (limit = definition.turnLimit?.(config))),
  );
  if (flaw !== undefined) throw brokenContract(id, 'turnLimit', flaw);
  return limit;
}

/** The host with its tasks checked, its calls kept in order, and what it gives back passed through its own turn limit, between the guards. */
function inOrder<Obs, Act>(options: {
  readonly id: EnvId;
  readonly limit: number | undefined;
  readonly host: EnvHost<Obs, Act>;
  readonly guards?: {
    /** Of what the env gives back, before its limit and after it. */
    readonly results: readonly [ResultStage<Obs, Act>, ResultStage<Obs, Act>];
    readonly actions: ActionGuard<Act>;
  };
}): EnvHost<Obs, Act> {
  const { id, limit, host, guards } = options;
  const [before, after] = guards?.results ?? [];
  const counted = limit === undefined ? undefined : new TurnLimit<Obs, Act>({ limit, of: 'task' });
  const stages = [before, counted, after].filter((stage) => stage !== undefined);
  return mapHost(host, {
    describeTask: (task) => {
      assertTask(host, id, task);
      return host.describeTask(task);
    },
    create: async (): Promise<Env<Obs, Act>> => {
      const env = await host.create();
      return new OrderGuard(env, id, {
        stages,
        assertTask: (task) => assertTask(host, id, task),
        ...(guards === undefined ? {} : { actions: guards.actions, heedsSignal: true }),
      });
    },
  });
}

const crashedIn =
  (env: string, call: string) =>
  (message: string): Fault => ({ kind: 'env-crashed', where: `${env}.${call}`, message });

function refuse(env: string, call: string, flawOf: () => string | undefined): void {
  const flaw = flawInReading(flawOf);
  if (flaw !== undefined) throw brokenContract(env, call, flaw);
}

/** The flaw that is found, or that what was given back throws when it is looked at, as a getter may. */
function flawInReading(flawOf: () => string | undefined): string | undefined {
  try {
    return flawOf();
  } catch (thrown) {
    return `it gave back what throws when it is read: ${messageOf(thrown)}`;
  }
}
