import { FaultError, RunError, UsageError } from '../../../envs/core/errors.ts';
import type { Asking, Question, RemoteServer } from '../remote-server.ts';

/** What a server is told about an adapter. */
export interface AdapterOrder<Result> {
  /** What it means where it fails. */
  readonly what: string;
  /** How the server must have been started for it. */
  readonly mend: string;
  readonly question: Question<Result>;
}

/**
 * Tells it to the server. What goes wrong with an adapter is no fault of an episode, and no wrong use of the address.
 * @throws RunError
 */
export async function giveOrder<Result>(
  server: RemoteServer,
  { what, mend, question }: AdapterOrder<Result>,
  asking: Asking,
): Promise<Result> {
  const refuse = (why: string, how: string, cause?: unknown): never => {
    throw new RunError({ where: server.where, what: `${what}: ${why}`, mend: how }, { cause });
  };
  try {
    const came = await server.ask(question, asking);
    return came.kind === 'usable' ? came.result : refuse(`${came.why}.`, mend);
  } catch (thrown) {
    asking.signal.throwIfAborted();
    if (FaultError.is(thrown)) return refuse(`${thrown.message}.`, mend, thrown);
    if (UsageError.is(thrown) || RunError.is(thrown))
      return refuse(
        thrown.parts.what,
        [thrown.parts.mend, mend].filter((each) => each !== '').join(' '),
        thrown,
      );
    throw thrown;
  }
}
