import { creditKind } from './credit-kind.ts';
import { creditEstimators } from './estimators/list.ts';

/** Under what `versions` of a run record the file of a module and the name of its estimator. */
export const creditVersions = { file: creditKind.fileVersion, estimator: 'credit-estimator' } as const;

/** The name of a built-in estimator in tables, by its kind; undefined for other kinds. */
export const builtInName = (kind: string): string | undefined =>
  creditEstimators.find((estimator) => estimator.kind === kind)?.name;

/** Other rows of the result tables. Two rows of one name would share a file of results. */
const otherRows = ['random', 'searcher', 'cloned', 'untrained', 'as given', 'policy'];

const pattern = /^\p{L}[\p{L}\p{N} ._+()-]{0,59}$/u;

/** Why a user's estimator cannot have that name; undefined where it can. */
export function findNameProblem(name: string): string | undefined {
  if (!pattern.test(name) || name.endsWith(' '))
    return `its name ${JSON.stringify(name)} is not a letter with up to 59 letters, digits, spaces and ._+()- behind it`;
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
  const taken = [...creditEstimators.map((estimator) => estimator.name), ...otherRows].find(
    (other) => plain(other) === plain(name),
  );
  return taken === undefined
    ? undefined
    : `its name ${JSON.stringify(name)} is that of another row of the tables, ${taken}`;
}
