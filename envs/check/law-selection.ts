import { UsageError } from '../core/errors.ts';
import { didYouMean, nearest } from '../core/near-miss.ts';
import { laws, type Law } from './laws.ts';

const allLaws = Object.keys(laws) as readonly Law[];

/** Nothing can be played without these, so every selection includes them. */
const always: readonly Law[] = ['definition', 'panels', 'playable', 'crash', 'hang'];

/** Two worlds can be compared only where episodes can be repeated. */
const steady: readonly Law[] = ['repeat', 'reuse', 'concurrency'];

const prerequisites: Readonly<Partial<Record<Law, readonly Law[]>>> = {
  mutation: [...steady, 'snapshot'], // snapshots are restored and played on, which must not change them
  snapshot: steady,
  'state-key-alias': [...steady, 'snapshot'],
  'state-key-split': steady,
  'anchor-key': [...steady, 'hidden'], // hidden facts are swapped to see whether the key contains them
  hidden: [...steady, 'anchor-key'],
  experts: steady,
};

/**
 * Returns the requested laws, the laws that they depend on, and the laws that are always checked. All laws
 * when `names` is undefined.
 *
 * @throws UsageError as {@link readLaws} does
 */
export function selectLaws(names: readonly string[] | undefined): ReadonlySet<Law> {
  if (names === undefined) return new Set(allLaws);
  const asked = readLaws(names, 'options of checkEnv, laws');
  return new Set([...always, ...asked.flatMap((law) => [law, ...(prerequisites[law] ?? [])])]);
}

/**
 * Validates names of laws.
 *
 * @throws UsageError, which begins with `where`, for an unknown name and for an empty list
 */
export function readLaws(names: readonly string[], where: string): readonly Law[] {
  const wrong = names.find((name) => !isLaw(name));
  if (wrong === undefined && names.length > 0) return names.filter(isLaw);
  throw new UsageError({
    where,
    what: wrong === undefined ? 'the list of laws is empty.' : `the law "${wrong}" does not exist.`,
    fix: `${wrong === undefined ? '' : didYouMean(nearest(wrong, allLaws))}The laws are ${allLaws.join(', ')}.`,
  });
}

const isLaw = (name: string): name is Law => Object.hasOwn(laws, name);
