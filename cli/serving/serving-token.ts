import { randomBytes } from 'node:crypto';
import { UsageError } from '../../envs/core/errors.ts';
import { isLoopback } from '../../serve/http/request-guard.ts';

/**
 * The token of a server. Loopback needs none. It is part of the address, so it must have only letters, digits, `-` and
 * `_`, and enough of them.
 *
 * @throws UsageError where the given token is not valid
 */
export function tokenFor(host: string, environment: NodeJS.ProcessEnv): string | undefined {
  if (isLoopback(host)) return undefined;
  const given = environment['CAIRN_SERVE_TOKEN'] ?? '';
  if (given === '') return randomBytes(18).toString('base64url');
  if (/^[\w-]{16,}$/.test(given)) return given;
  throw new UsageError({
    where: 'CAIRN_SERVE_TOKEN',
    what: 'it is not a valid token.',
    fix: 'It must have at least 16 letters, digits, hyphens and underscores. Unset it for a random token.',
  });
}

/** How other machines write an address that stands for every address of this machine; empty for other addresses. */
export const addressHint = (host: string): string =>
  host === '0.0.0.0' || host === '::'
    ? `; other machines write the name or an address of this machine in place of ${host === '::' ? '[::]' : host}`
    : '';

/** Resolves when the signal aborts. */
export const interruption = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
