import { creditKind } from './credit-kind.ts';
import { creditEstimators } from './estimators/list.ts';

/** The keys in `versions` of a run record for a module's file and its estimator's name. */
export const creditVersions = { file: creditKind.fileVersion, estimator: 'credit-estimator' } as const;

/** The table name of a built-in estimator by its kind; undefined for other kinds. */
export const builtInName = (kind: string): string | undefined =>
  creditEstimators.find((estimator) => estimator.kind === kind)?.name;

/** Names of other rows in the result tables. Two rows with one name would share a results file. */
const otherRows = ['random', 'searcher', 'cloned', 'untrained', 'as given', 'policy'];

const pattern = /^\p{L}[\p{L}\p{N} ._+()-]{0,59}$/u;

/** Why a user's estimator cannot have that name; undefined if it can. */
export function findNameProblem(name: string): string | undefined {
  if (!pattern.test(name) || name.endsWith(' '))
    return `its name ${JSON.stringify(name)} must begin with a letter, followed by at most 59 letters, digits, spaces and ._+()-`;
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
  const taken = [...creditEstimators.map((estimator) => estimator.name), ...otherRows].find(
    (other) => plain(other) === plain(name),
  );
  return taken === undefined
    ? undefined
    : `its name ${JSON.stringify(name)} is used by another row of the tables, ${taken}`;
}
