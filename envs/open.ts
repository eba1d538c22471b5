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

/**
 * Fills in the defaults of a config.
 *
 * @throws UsageError that names each wrong key
 */
export function parseEnvConfig<Config extends z.ZodType>(
  definition: Pick<EnvDefinition<EnvId, Config, unknown, unknown>, 'id' | 'config'>,
  config: unknown,
): z.output<Config> {
  const parsed = definition.config.safeParse(config);
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where: `config of ${definition.id}`,
    what: `${describeIssues(parsed.error, { value: config, keys: describeConfigKeys(definition.config) })}.`,
    fix: 'Fix these keys, or remove them to use their defaults.',
  });
}

/**
 * Opens an env for use. Close the host after its last env.
 *
 * The returned host validates the config, the tasks, and the shape of everything that the env returns. It
 * keeps calls in order and applies the turn limit of the definition.
 *
 * Actions are validated too. An action that the turn does not list must match the definition's `action`
 * schema. Otherwise the call is rejected with a `UsageError`, the env does not receive the action, and the
 * episode continues unchanged.
 *
 * When the signal of a `reset` or `step` aborts, by its deadline or by its caller, the call rejects at once
 * with the signal's reason. An env that does not observe the signal can then only be closed.
 *
 * @throws UsageError for an invalid config, turn limit, host, env, task or result
 * @throws FaultError when the env's code throws, or when opening reports no progress for ten minutes
 * @throws the signal's reason when the signal aborts
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

/**
 * Time limit of opening without a report of progress. Opening may read a catalogue, start a browser or try
 * thousands of solutions.
 */
const openingMs = 600_000;

/** Time limit for an abandoned opening to clean up, such as a partial file, before the process may exit. */
const puttingAwayMs = 2_000;

/** Opens a host within the time limit. A host that arrives after the limit is closed. */
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
    throw thrown; // report the reason of the abort, not a failure of the cleanup
  }
}

/**
 * A log whose progress events extend the deadline of the opening. An event that repeats an earlier position
 * is not progress.
 */
function renewing(log: Logger, deadline: Deadline, env: string): Logger {
  const reached = new Map<string, number>();
  return {
    event: (path, event) => {
      log.event(path, event);
      if (event.type !== 'opening-advance' || event.done <= (reached.get(event.part) ?? -1)) return;
      const { part, done, total, without } = event;
      reached.set(part, done);
      deadline.renew(
        `${env}.open, which last reported ${done} of ${total} ${part}${without === undefined ? '' : ` (${without} skips this)`},`,
      );
    },
  };
}

async function putAway<Obs, Act>(env: string, opening: Promise<EnvHost<Obs, Act>>): Promise<void> {
  await closeInTime(async () => (await opening).close(), { where: `${env}.open`, ms: puttingAwayMs });
}

/** {@link openEnv} without validation of results. `checkEnv` uses it to report which law each flaw breaks. */
export async function openUnguarded<Config extends z.ZodType, Obs, Act>(
  definition: EnvDefinition<EnvId, Config, Obs, Act>,
  config: z.input<Config>,
  context: ResetContext,
): Promise<EnvHost<Obs, Act>> {
  const parsed = parseEnvConfig(definition, config);
  const limit = readTurnLimit(definition, parsed);
  return inOrder({ id: definition.id, limit, host: await definition.open(parsed, context) });
}

/**
 * The number of steps after which an episode fails. It is read before anything is opened that would have to
 * be closed.
 */
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

/**
 * Wraps the host: tasks are validated, calls are kept in order, and results pass through the turn limit
 * between the guards.
 */
function inOrder<Obs, Act>(options: {
  readonly id: EnvId;
  readonly limit: number | undefined;
  readonly host: EnvHost<Obs, Act>;
  readonly guards?: {
    /** Guards for results: one before the turn limit and one after it. */
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

/**
 * The flaw that `flawOf` finds. Reading a returned value may throw, for example in a getter. The error is
 * then the flaw.
 */
function flawInReading(flawOf: () => string | undefined): string | undefined {
  try {
    return flawOf();
  } catch (thrown) {
    return `reading what it returned throws: ${messageOf(thrown)}`;
  }
}
