import { FaultError, RunError, UsageError } from '../../../envs/core/errors.ts';
import type { RequestContext, ServerQuestion, RemoteServer } from '../remote-server.ts';

/** A request about an adapter. */
export interface AdapterRequest<Result> {
  /** The meaning of a failure. */
  readonly what: string;
  /** How to start the server so that the request works. */
  readonly fix: string;
  readonly question: ServerQuestion<Result>;
}

/**
 * Sends the request. A problem with an adapter is neither a fault of an episode nor a wrong address.
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
