import { FaultError, RunError, UsageError } from '../../../envs/core/errors.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Reading } from '../judge.ts';
import type { Asking, RemoteServer } from '../remote-server.ts';
import type { AdapterRoutes } from './dialect.ts';

/** Where adapters are loaded and unloaded. */
export interface AdapterHost {
  readonly server: RemoteServer;
  readonly endpoint: Endpoint;
  readonly routes: AdapterRoutes;
}

/**
 * Loads an adapter under a name that nobody else gives: where there is one already, a try whose answer was lost has loaded it.
 * @throws UsageError where the server takes none while it runs; RunError where it fails
 */
export async function loadAdapter(host: AdapterHost, name: string, folder: string, asking: Asking): Promise<void> {
  const refused = (words: string) => (/already (?:been |exists|loaded)/i.test(words) ? 'loaded' : undefined);
  const reading = { form: 'success', result: 'loaded', refused } as const;
  await post(host, { route: 'load', what: `adapter ${name} could not be loaded from ${folder}`, body: { lora_name: name, lora_path: folder }, reading }, asking);
}

/**
 * Unloads an adapter, where it is there.
 * @throws RunError where the server fails
 */
export async function unloadAdapter(host: AdapterHost, name: string, asking: Asking): Promise<void> {
  const refused = (words: string) => (/cannot be found|not found|does not exist|not (?:been )?loaded/i.test(words) ? 'gone' : undefined);
  await post(host, { route: 'unload', what: `adapter ${name} could not be unloaded`, body: { lora_name: name }, reading: { form: 'success', result: 'gone', refused } }, asking);
}

interface Order<Result> {
  readonly route: 'load' | 'unload';
  /** What it means where it fails. */
  readonly what: string;
  readonly body: object;
  readonly reading: Reading<Result>;
}

/** What goes wrong with an adapter is no fault of an episode, and no wrong use of the address. */
async function post<Result>({ server, endpoint, routes }: AdapterHost, { route, what, body, reading }: Order<Result>, asking: Asking): Promise<Result> {
  if (routes.paths === undefined) throw new UsageError({ where: server.where, what: `${what}: it takes adapters only when it is started.`, mend: routes.mend });
  const path = routes.paths(endpoint)[route];
  const refuse = (why: string, mend: string, cause?: unknown): never => {
    throw new RunError({ where: server.where, what: `${what}: ${why}`, mend }, { cause });
  };
  try {
    const came = await server.ask({ path, body: JSON.stringify(body), reading }, asking);
    return came.kind === 'usable' ? came.result : refuse(`${came.why}.`, routes.mend);
  } catch (thrown) {
    asking.signal.throwIfAborted();
    if (FaultError.is(thrown)) return refuse(`${thrown.message}.`, routes.mend, thrown);
    if (UsageError.is(thrown)) return refuse(thrown.parts.what, `${thrown.parts.mend} ${routes.mend}`, thrown);
    throw thrown;
  }
}
