import { forkContext, type Context } from '../../../envs/core/context.ts';
import { RunError, UsageError } from '../../../envs/core/errors.ts';
import type { TaskPanel } from '../../../envs/core/task.ts';
import { abortable } from '../../../envs/core/waiting.ts';
import type { EnvSession } from '../../env-session.ts';

/** A world that takes longer to begin is not waited for here, where nobody is told what is waited for. */
const patienceMs = 10_000;

/**
 * Begins one episode and refuses an env whose first turn lists no actions: a choice policy could not say a word in it, and that would
 * show only when the first evaluation is under way. Where the world fails or hangs meanwhile nothing is said: rollouts play such episodes again, and tell.
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
    what: `${definition.id} lists no admissible actions, and a choice policy picks among them.`,
    fix: 'Train a language model, which writes its actions (--policy token --model FOLDER), or have the environment list what can be done.',
  });
}
