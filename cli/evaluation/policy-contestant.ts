import { UsageError } from '../../envs/core/errors.ts';
import { policyPlayer } from '../../trainers/evaluate/evaluate.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import type { Lineage } from '../../trainers/results/lineage.ts';
import type { TrainedOn } from '../../trainers/results/result.ts';
import { openPolicy } from '../../trainers/policy/create-policy.ts';
import type { PolicyConfig } from '../../trainers/policy/policy-config.ts';
import type { Workbench } from '../../trainers/workbench.ts';
import type { OpenedContestant } from './contestants.ts';
import type { EvaluationOptions } from './options.ts';
import type { StoredModel } from './stored-model.ts';
import type { StoredRun } from './stored-run.ts';
import { trainedOn } from './trained-on.ts';

/** How it is decoded and computed; `name` is its name in tables. */
type PlayOptions = Pick<
  EvaluationOptions,
  'decoding' | 'temperature' | 'topK' | 'topP' | 'minP' | 'backend'
> & {
  readonly say: (line: string) => void;
  readonly environment: NodeJS.ProcessEnv;
};

/** The policy of a run's checkpoint, decoded as the options say and else as the run itself does. */
export async function openRunPolicy(
  bench: Workbench,
  { run, name }: { readonly run: StoredRun; readonly name: string },
  options: PlayOptions,
): Promise<OpenedContestant> {
  const { policy, weights, checkpoint, temperature, evaluation } = run;
  return openStored(
    bench,
    {
      name,
      policy: withOwnPrompt(policy),
      folder: weights,
      checkpoint,
      usual: { decoding: evaluation.decoding, temperature },
      trainedOn: trainedOn(run, bench),
      training: run.training,
    },
    options,
  );
}

/** A checkpoint has the prompt that it was trained with, wherever that came from. */
const withOwnPrompt = (policy: PolicyConfig): PolicyConfig =>
  policy.kind === 'token' ? { ...policy, prompt: undefined } : policy;

/** A model in a folder, which is sampled as it stands unless the options say otherwise. */
export async function openModelPolicy(
  bench: Workbench,
  { model: { policy, folder }, name }: { readonly model: StoredModel; readonly name: string },
  options: PlayOptions,
): Promise<OpenedContestant> {
  return openStored(
    bench,
    {
      name,
      policy,
      folder,
      checkpoint: 'as given',
      usual: { decoding: 'sampled', temperature: 1 },
      trainedOn: undefined,
      training: undefined,
    },
    options,
  );
}

interface Stored {
  readonly name: string;
  readonly policy: PolicyConfig;
  readonly folder: string;
  readonly checkpoint: string;
  readonly usual: { readonly decoding: 'sampled' | 'greedy'; readonly temperature: number };
  readonly trainedOn: TrainedOn | undefined;
  readonly training: Lineage | undefined;
}

async function openStored(
  bench: Workbench,
  { name, policy: config, folder, checkpoint, usual, trainedOn: other, training }: Stored,
  options: PlayOptions,
): Promise<OpenedContestant> {
  const temperature = options.temperature ?? usual.temperature;
  if (typeof temperature !== 'number') throw noTemperature();
  const backend = await openBackend(options.backend ?? 'auto', { environment: options.environment });
  options.say(`backend ${backend.name}: ${backend.why}`);
  const policy = await openPolicy({ config, folder, bench, backend });
  const kind = temperature === 0 ? 'greedy' : (options.decoding ?? usual.decoding);
  const { topK, topP, minP } = options;
  const decoding =
    kind === 'greedy'
      ? { kind }
      : {
          kind,
          temperature,
          ...(topK === undefined ? {} : { topK }),
          ...(topP === undefined ? {} : { topP }),
          ...(minP === undefined ? {} : { minP }),
        };
  return {
    contestant: policyPlayer(policy, { name, checkpoint, decoding, trainedOn: other, training }),
    versions: () => ({ backend: backend.name }),
    [Symbol.asyncDispose]: () => policy[Symbol.asyncDispose](),
  };
}

function noTemperature(): UsageError {
  return new UsageError({
    where: '--temperature default',
    what: 'it goes with language models behind a server, and others play too.',
    mend: 'Give a number, or evaluate them one by one.',
  });
}
