import { UsageError } from '../../envs/core/errors.ts';
import { policyContestant } from '../../trainers/evaluate/evaluate.ts';
import { openBackend } from '../../trainers/model/backend/open-backend.ts';
import { openPolicy } from '../../trainers/policy/create-policy.ts';
import type { Workbench } from '../../trainers/workbench.ts';
import type { OpenedContestant } from './contestants.ts';
import type { EvaluationOptions } from './options.ts';
import type { StoredRun } from './stored-run.ts';
import { trainedOn } from './trained-on.ts';

/** The policy of a run's checkpoint, decoded as the options say and else as the run itself does. */
export async function openRunPolicy(
  bench: Workbench,
  { run, name }: { readonly run: StoredRun; /** In tables. */ readonly name: string },
  options: Pick<EvaluationOptions, 'decoding' | 'temperature' | 'backend'> & {
    readonly say: (line: string) => void;
    readonly environment: NodeJS.ProcessEnv;
  },
): Promise<OpenedContestant> {
  const temperature = options.temperature ?? run.temperature;
  if (typeof temperature !== 'number') throw noTemperature();
  const backend = await openBackend(options.backend ?? 'auto', { environment: options.environment });
  options.say(`backend ${backend.name}: ${backend.why}`);
  const policy = await openPolicy({ config: run.policy, folder: run.weights, bench, backend });
  const kind = options.decoding ?? run.evaluation.decoding;
  const decoding = kind === 'greedy' ? { kind } : { kind, temperature };
  return {
    contestant: policyContestant(policy, { name, checkpoint: run.checkpoint, decoding, trainedOn: trainedOn(run, bench) }),
    versions: () => ({ backend: backend.name }),
    [Symbol.asyncDispose]: () => policy[Symbol.asyncDispose](),
  };
}

function noTemperature(): UsageError {
  return new UsageError({ where: '--temperature default', what: 'it goes with language models, and a run plays too.', mend: 'Give a number, or evaluate them one by one.' });
}
