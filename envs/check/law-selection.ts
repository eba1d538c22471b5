import { UsageError } from '../core/errors.ts';
import { didYouMean, nearest } from '../core/near-miss.ts';
import { laws, type Law } from './laws.ts';

const allLaws = Object.keys(laws) as readonly Law[];

/** Without these nothing can be played, so every selection includes them. */
const always: readonly Law[] = ['definition', 'panels', 'playable', 'crash', 'hang'];

/** Two worlds can be compared only where an episode can be played again. */
const steady: readonly Law[] = ['repeat', 'reuse', 'concurrency'];

const prerequisites: Readonly<Partial<Record<Law, readonly Law[]>>> = {
  mutation: [...steady, 'snapshot'], // snapshots are restored and played on, which must not change them
  snapshot: steady,
  'state-key-alias': [...steady, 'snapshot'],
  'state-key-split': steady,
  'anchor-key': [...steady, 'hidden'], // hidden facts are swapped to see whether the key holds them
  hidden: [...steady, 'anchor-key'],
  experts: steady,
};

/**
 * The laws to check for the laws that were asked for: these, what they depend on, and what nothing can be played without. All laws when
 * `names` is undefined.
 *
 * @throws UsageError as {@link readLaws} does.
 */
export function selectLaws(names: readonly string[] | undefined): ReadonlySet<Law> {
  if (names === undefined) return new Set(allLaws);
  const asked = readLaws(names, 'options of checkEnv, laws');
  return new Set([...always, ...asked.flatMap((law) => [law, ...(prerequisites[law] ?? [])])]);
}

/** @throws UsageError, which begins with `where`, for a name that no law has and for an empty list. */
export function readLaws(names: readonly string[], where: string): readonly Law[] {
  const wrong = names.find((name) => !isLaw(name));
  if (wrong === undefined && names.length > 0) return names.filter(isLaw);
  throw new UsageError({
    where,
    what: wrong === undefined ? 'the list of laws is empty.' : `there is no law "${wrong}".`,
    fix: `${wrong === undefined ? '' : didYouMean(nearest(wrong, allLaws))}The laws are ${allLaws.join(', ')}.`,
  });
}

const isLaw = (name: string): name is Law => Object.hasOwn(laws, name);
