import { UsageError } from '../../../envs/core/errors.ts';
import type { LoraApi, LoraHost } from './server-protocol.ts';

/** Refuses every adapter, for a server that cannot load any at run time. `fix` names the alternative. */
export function noAdapters({ server: { where } }: Pick<LoraHost, 'server'>, fix: string): LoraApi {
  const refuse = (name: string): Promise<never> =>
    Promise.reject(
      new UsageError({
        where,
        what: `adapter ${name} could not be loaded: the server takes adapters only at start.`,
        fix,
      }),
    );
  return { load: refuse, unload: refuse };
}
