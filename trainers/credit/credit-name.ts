/** What tables call a policy that was trained by an estimator of ours. */
export const builtInNames = { gigpo: 'GiGPO', grpo: 'GRPO' } as const;

/** Under what `versions` of a run name the file of its own estimator, and what that calls itself. */
export const creditVersions = { file: 'credit-file', estimator: 'credit-estimator' } as const;

/** Rows of the last table that stand beside the trained policy; two of one name would be one file of results. */
const rowsBeside = ['random', 'searcher', 'cloned', 'untrained', 'as given', 'policy'];

const pattern = /^\p{L}[\p{L}\p{N} ._+()-]{0,59}$/u;

/** Why an estimator cannot be called so; undefined where it can. */
export function flawOfName(name: string): string | undefined {
  if (!pattern.test(name) || name.endsWith(' '))
    return `its name ${JSON.stringify(name)} is no letter with up to 59 letters, digits, spaces and ._+()- behind it`;
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
  const taken = [...Object.values(builtInNames), ...rowsBeside].find((other) => plain(other) === plain(name));
  return taken === undefined
    ? undefined
    : `its name ${JSON.stringify(name)} is that of another row of the tables, ${taken}`;
}
