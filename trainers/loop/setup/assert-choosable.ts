import { forkContext, type Context } from '../../../envs/core/context.ts';
import { RunError, UsageError } from '../../../envs/core/errors.ts';
import type { TaskPanel } from '../../../envs/core/task.ts';
import { abortable } from '../../../envs/core/waiting.ts';
import type { EnvSession } from '../../env-session.ts';

/** Limit of this check: a slower env is not waited for here, because nothing is reported while it runs. */
const patienceMs = 10_000;

/**
 * Starts one episode and refuses an env whose first turn lists no actions. A choice policy could not act in
 * it, and that would otherwise show only in the first evaluation. Faults and timeouts are ignored here:
 * rollouts retry and report such episodes.
 */
export async function assertChoosable(
  { envs, limits, definition }: EnvSession,
  { tasks }: TaskPanel,
  context: Context,
): Promise<void> {
  const [task] = tasks;
  if (task === undefined) return;
  using opening = forkContext(context, 'first-turn', { deadlineMs: Math.min(limits.wallMs, patienceMs) });
  const reset = envs.use(opening, (env) => abortable(opening.signal, env.reset(task, opening)));
  const turn = await reset.catch((thrown: unknown) => {
    context.signal.throwIfAborted();
    if (UsageError.is(thrown) || RunError.is(thrown)) throw thrown;
  });
  if (turn === undefined || turn.admissible !== undefined) return;
  throw new UsageError({
    where: 'training config, policy.kind',
    what: `${definition.id} lists no admissible actions, and a choice policy chooses among them.`,
    fix: 'Train a language model, which writes its actions (--policy token --model FOLDER), or make the environment list its admissible actions.',
  });
}
