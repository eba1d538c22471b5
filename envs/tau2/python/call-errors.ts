import type { z } from 'zod';
import type { CallFailure } from '../../engines/tools/run-call.ts';

/**
 * Writes errors of calls as τ²-bench does: `Error: ` and the message of Python's exception. For arguments of a wrong type
 * Python has no check, and each tool would fail in a way of its own; there the message is the kit's.
 *
 * @param className the Python class of the tools, which is part of messages about arguments
 */
export function wordFailure(className: string, { call, error, message, tool }: CallFailure): string {
  const shape: Readonly<Record<string, z.ZodType>> = tool?.input.shape ?? {};
  const names = Object.keys(shape);
  switch (error) {
    case 'unknown-tool':
      return `Error: Tool '${call.name}' not found.`;
    case 'unknown-argument': {
      const unknown = Object.keys(call.arguments).find((name) => !names.includes(name)) ?? '';
      return `Error: ${className}.${call.name}() got an unexpected keyword argument '${unknown}'`;
    }
    case 'missing-argument': {
      const missing = names.filter(
        (name) => !Object.hasOwn(call.arguments, name) && shape[name]?.safeParse(undefined).success === false,
      );
      return `Error: ${className}.${call.name}() missing ${missing.length} required positional argument${missing.length === 1 ? '' : 's'}: ${listed(missing)}`;
    }
    default:
      return `Error: ${message}`;
  }
}

/** `'a'`, `'a' and 'b'`, or `'a', 'b', and 'c'`. */
function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  if (quoted.length < 3) return quoted.join(' and ');
  return `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`;
}
