import { FaultError, RunError, UsageError } from '../../../envs/core/errors.ts';
import type { RequestContext, ServerQuestion, RemoteServer } from '../remote-server.ts';

/** What a server is told about an adapter. */
export interface AdapterRequest<Result> {
  /** What it means where it fails. */
  readonly what: string;
  /** How the server must have been started for it. */
  readonly fix: string;
  readonly question: ServerQuestion<Result>;
}

/**
 * Tells it to the server. What goes wrong with an adapter is no fault of an episode, and no wrong use of the address.
 * @throws RunError
 */
export async function requestAdapter<Result>(
  server: RemoteServer,
  { what, fix, question }: AdapterRequest<Result>,
  context: RequestContext,
): Promise<Result> {
  const refuse = (why: string, how: string, cause?: unknown): never => {
    throw new RunError({ where: server.where, what: `${what}: ${why}`, fix: how }, { cause });
  };
  try {
    const came = await server.ask(question, context);
    return came.kind === 'usable' ? came.result : refuse(`${came.why}.`, fix);
  } catch (thrown) {
    context.signal.throwIfAborted();
    if (FaultError.is(thrown)) return refuse(`${thrown.message}.`, fix, thrown);
    if (UsageError.is(thrown) || RunError.is(thrown))
      return refuse(
        thrown.parts.what,
        [thrown.parts.fix, fix].filter((each) => each !== '').join(' '),
        thrown,
      );
    throw thrown;
  }
}
