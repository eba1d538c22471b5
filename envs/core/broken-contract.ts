import { UsageError } from './errors.ts';

/** The error of an env that gave back what its contract does not allow; `call` says which call, on what. */
export function brokenContract(env: string, call: string, flaw: string): UsageError {
  return new UsageError({
    where: `${env}, ${call}`,
    what: `${flaw}.`,
    mend: `Mend the environment: \`cairn check ${env}\` tells what else of the contract it breaks.`,
  });
}
