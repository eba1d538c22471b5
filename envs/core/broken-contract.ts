import { UsageError } from './errors.ts';

/** The error for an env that returned what the contract does not allow. `call` names the call. */
export function brokenContract(env: string, call: string, flaw: string): UsageError {
  return new UsageError({
    where: `${env}, ${call}`,
    what: `${flaw}.`,
    fix: `Fix the environment: \`npx cairn-gym check ${env}\` lists everything that breaks the contract.`,
  });
}
