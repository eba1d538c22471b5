import type { AnyEnvDefinition } from './core/env.ts';
import { UsageError } from './core/errors.ts';
import { isMixtureId } from './core/mixture-name.ts';
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
    if (retried === undefined || isKnown(reference)) return registry.find(reference);
    assertRetriable(reference, retried);
    return retryAnyEnv(find(retried));
  };
  return withMixtures({ ...registry, find });
}

/** @throws UsageError for several attempts at a mixture, or at what has several attempts already */
function assertRetriable(reference: string, retried: string): void {
  const where = `env "${reference}"`;
  if (isMixtureId(retried))
    throw new UsageError({
      where,
      what: 'a mixture cannot be retried as a whole.',
      fix: 'Retry the environments in it: mix:retry:puzzle-hanoi=1,retry:puzzle-sudoku=1.',
    });
  if (retriedBy(retried) !== undefined)
    throw new UsageError({
      where,
      what: 'its tasks would be retried twice.',
      fix: 'Write retry: once, and set the number of attempts with --set retry.attempts=10.',
    });
}

/** The env of which `reference` is the form with several attempts; undefined where it is no such form. */
function retriedBy(reference: string): string | undefined {
  if (reference.startsWith('retry:')) return reference.slice('retry:'.length);
  const [, scope = '', name] = /^([^/:]*\/)?retry-(.+)$/.exec(reference) ?? [];
  return name === undefined ? undefined : `${scope}${name}`;
}
