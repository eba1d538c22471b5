import type * as client from '@modelcontextprotocol/client';
import type * as validators from '@modelcontextprotocol/client/validators/ajv';
import { codeOf, messageOf, UsageError } from '../core/errors.ts';

/** The official client of the protocol, as a module. */
export type McpSdk = typeof client;

/** The validator of results that the client brings, as a module. */
type SchemaValidators = typeof validators;

/**
 * Loads the client of the protocol, an optional dependency.
 *
 * @throws UsageError where it is not installed
 */
export async function loadMcpSdk(): Promise<McpSdk & Pick<SchemaValidators, 'AjvJsonSchemaValidator'>> {
  try {
    const sdk = await import('@modelcontextprotocol/client');
    const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/client/validators/ajv');
    return { ...sdk, AjvJsonSchemaValidator };
  } catch (thrown) {
    const isMissing = codeOf(thrown) === 'ERR_MODULE_NOT_FOUND';
    throw new UsageError(
      {
        where: 'mcp-v1',
        what: isMissing
          ? 'the package @modelcontextprotocol/client is not installed: it is an optional dependency.'
          : `the package @modelcontextprotocol/client cannot be loaded: ${messageOf(thrown)}.`,
        fix: '`npm install @modelcontextprotocol/client@2` brings it.',
      },
      { cause: thrown },
    );
  }
}
