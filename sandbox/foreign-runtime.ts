import { UsageError } from '../envs/core/errors.ts';

/** Runtimes that also run programs for Node, by their key in `process.versions`. */
const runtimes = [
  ['bun', 'Bun'],
  ['deno', 'Deno'],
] as const;

type Versions = Readonly<Record<string, string | undefined>>;

/** The runtime that is not Node, such as `Bun 1.4.5`; undefined in Node. */
function foreignRuntime(versions: Versions): string | undefined {
  const [found] = runtimes.flatMap(([key, name]) =>
    versions[key] === undefined ? [] : [`${name} ${versions[key]}`],
  );
  return found;
}

/**
 * Why a provider that talks to its programs over inherited file descriptors, or starts copies of Node, cannot be used here. Bun never
 * delivers what these programs send, and Deno does not start them. Undefined in Node.
 */
export function describeForeignRuntime(versions: Versions = process.versions): string | undefined {
  const runtime = foreignRuntime(versions);
  return runtime === undefined
    ? undefined
    : `it needs Node, and this is ${runtime}: run the same command with Node, or use docker`;
}

/** Refuses to open a sandbox at once. @throws UsageError in Bun and Deno */
export function assertNode(provider: string, versions: Versions = process.versions): void {
  const runtime = foreignRuntime(versions);
  if (runtime === undefined) return;
  throw new UsageError({
    where: `sandbox "${provider}"`,
    what: `it needs Node, and this is ${runtime}.`,
    fix: 'Run the same program with Node, or use docker, which works here too.',
  });
}
