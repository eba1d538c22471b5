import { UsageError } from '../../../envs/core/errors.ts';
import type { LoraApi, LoraHost } from './server-protocol.ts';

/** Refuses every adapter, for a server that loads none while it runs. `fix` says what to use instead. */
export function noAdapters({ server: { where } }: Pick<LoraHost, 'server'>, fix: string): LoraApi {
  const refuse = (name: string): Promise<never> =>
    Promise.reject(
      new UsageError({
        where,
        what: `adapter ${name} could not be loaded: it takes adapters only when it is started.`,
        fix,
      }),
    );
  return { load: refuse, unload: refuse };
}
