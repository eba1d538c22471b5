import { UsageError } from '../../envs/core/errors.ts';
import { policyContestant } from '../../trainers/evaluate/evaluate.ts';
import { openBackend } from '../../trainers/model/backend/open-backend.ts';
import { openChoiceModel } from '../../trainers/model/choice/choice-model.ts';
import { ChoicePolicy } from '../../trainers/model/choice-policy.ts';
import type { Workbench } from '../../trainers/workbench.ts';
import type { OpenedContestant } from './contestants.ts';
import type { EvaluationOptions } from './options.ts';
import type { StoredRun } from './stored-run.ts';
import { trainedOn } from './trained-on.ts';

/** The policy of a run's checkpoint, decoded as the options say and else as the run itself does. */
export async function openPolicy(
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
  const model = await openChoiceModel({ backend, folder: run.weights, weightsOnly: true });
  const kind = options.decoding ?? run.evaluation.decoding;
  const decoding = kind === 'greedy' ? { kind } : { kind, temperature };
  return {
    contestant: policyContestant(bench, new ChoicePolicy(model), { name, checkpoint: run.checkpoint, decoding, trainedOn: trainedOn(run, bench) }),
    versions: () => ({ backend: backend.name }),
    [Symbol.asyncDispose]: () => model.dispose(),
  };
}

function noTemperature(): UsageError {
  return new UsageError({ where: '--temperature default', what: 'it goes with language models, and a run plays too.', mend: 'Give a number, or evaluate them one by one.' });
}
