import type * as server from '@modelcontextprotocol/server';
import type * as stdio from '@modelcontextprotocol/server/stdio';
import { codeOf, messageOf, UsageError } from '../../envs/core/errors.ts';

/** The official server of the protocol, as modules. */
export type ServerSdk = typeof server & typeof stdio;

/**
 * Loads the server of the protocol, an optional dependency.
 *
 * @throws UsageError where it is not installed
 */
export async function loadServerSdk(): Promise<ServerSdk> {
  try {
    const sdk = await import('@modelcontextprotocol/server');
    return { ...sdk, ...(await import('@modelcontextprotocol/server/stdio')) };
  } catch (thrown) {
    const isMissing = codeOf(thrown) === 'ERR_MODULE_NOT_FOUND';
    throw new UsageError(
      {
        where: 'cairn-gym serve --mcp',
        what: isMissing
          ? 'the package @modelcontextprotocol/server is not installed: it is an optional dependency.'
          : `the package @modelcontextprotocol/server cannot be loaded: ${messageOf(thrown)}.`,
        fix: '`npm install @modelcontextprotocol/server@2` brings it.',
      },
      { cause: thrown },
    );
  }
}
