import type { AnyEnvDefinition } from './core/env.ts';
import { createRegistry, type Registry } from './core/registry.ts';
import { withMixtures } from './mixture/mixture-registry.ts';
import { retryAnyEnv } from './retry/retry.ts';

/**
 * A registry that also understands references to derived envs: `retry:puzzle-sudoku` is `puzzle-sudoku` whose tasks may be tried again, and
 * `mix:household=2,game-maze=1` is a mixture. It finds them by their own ids as well, such as `retry-puzzle-sudoku-v1`, which runs record. An
 * env that is registered by that name comes first.
 *
 * @throws UsageError as {@link createRegistry} does
 */
export function createReferences<const Definitions extends readonly AnyEnvDefinition[]>(
  definitions: Definitions,
): Registry<Definitions> {
  const registry = createRegistry(definitions);
  const isKnown = (name: string): boolean =>
    definitions.some(({ id }) => id === name || id.replace(/-v\d+$/, '') === name);
  const find = (reference: string): AnyEnvDefinition => {
    const retried = retriedBy(reference);
    return retried === undefined || isKnown(reference)
      ? registry.find(reference)
      : retryAnyEnv(find(retried));
  };
  return withMixtures({ ...registry, find });
}

/** The env of which `reference` is the form with several attempts; undefined where it is no such form. */
function retriedBy(reference: string): string | undefined {
  if (reference.startsWith('retry:')) return reference.slice('retry:'.length);
  const [, scope = '', name] = /^([^/:]*\/)?retry-(.+)$/.exec(reference) ?? [];
  return name === undefined ? undefined : `${scope}${name}`;
}
