import { UsageError } from '../../envs/core/errors.ts';
import { flagOf } from '../options/option-words.ts';
import type { AgentSpec } from './agent-spec.ts';
import type { EvaluationOptions } from './options.ts';
import type { StoredRun } from './stored-run.ts';

/** Which tokens are drawn from. */
const filters = ['topK', 'topP', 'minP'] as const;

/** Refuses options of policies that nobody who plays heeds. */
export function refuseRunOptions(options: EvaluationOptions, agents: readonly AgentSpec[]): void {
  const runs = agents.flatMap((agent) => (agent.kind === 'run' ? [agent] : []));
  const hasModel = agents.some(({ kind }) => kind === 'model');
  const none = 'it goes with the policy of a run, and none plays.';
  const leave = 'Leave it out, or give --run FOLDER.';
  const ofRuns = hasModel
    ? (['checkpoint'] as const)
    : (['checkpoint', 'decoding', 'backend', ...filters] as const);
  const given = ofRuns.find((name) => options[name] !== undefined);
  if (given !== undefined && runs.length === 0)
    throw new UsageError({ where: flagOf(given), what: none, mend: leave });
  if (options.checkpoint !== undefined && runs.every(({ checkpoint }) => checkpoint !== undefined)) {
    throw new UsageError({
      where: '--checkpoint',
      what: 'those who play are named with their checkpoints.',
      mend: 'Leave it out, or name the run alone.',
    });
  }
  if (options.temperature === undefined || agents.some(({ kind }) => kind !== 'scripted')) return;
  throw new UsageError({
    where: '--temperature',
    what: 'it goes with the policy of a run and with language models, and none plays.',
    mend: 'Leave it out, or give --run FOLDER or --agent openai:MODEL@URL.',
  });
}

/** Refuses filters of tokens where a policy that plays draws none. */
export function refuseFilters(
  options: EvaluationOptions,
  agents: readonly AgentSpec[],
  runs: readonly StoredRun[],
): void {
  const given = filters.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  const where = flagOf(given);
  const choosing = runs.find(({ policy }) => policy.kind !== 'token');
  if (choosing !== undefined)
    throw new UsageError({
      where,
      what: `it goes with tokens, and the policy of ${choosing.name} picks among whole actions.`,
      mend: 'Leave it out, or evaluate runs one by one.',
    });
  const isCold = options.temperature === 0; // which leaves nothing to chance
  const greedy = runs.find(
    ({ evaluation }) => isCold || (options.decoding ?? evaluation.decoding) === 'greedy',
  );
  const isModelGreedy =
    (isCold || options.decoding === 'greedy') && agents.some(({ kind }) => kind === 'model');
  if (greedy === undefined && !isModelGreedy) return;
  const who = greedy === undefined ? 'the model' : `the policy of ${greedy.name}`;
  throw new UsageError({
    where,
    what: `it goes with sampling, and ${who} decodes greedily.`,
    mend: isCold
      ? 'Give a --temperature above 0, or leave it out.'
      : 'Give --decoding sampled too, or leave it out.',
  });
}

/** Refuses a temperature where nobody samples: no server, and all policies play greedily. */
export function refuseTemperature(
  { temperature, decoding }: EvaluationOptions,
  agents: readonly AgentSpec[],
  runs: readonly StoredRun[],
): void {
  const usual = [
    ...runs.map(({ evaluation }) => evaluation.decoding),
    ...agents.flatMap(({ kind }) => (kind === 'model' ? ['sampled'] : [])),
  ];
  if (
    typeof temperature !== 'number' ||
    agents.some(({ kind }) => kind === 'text') ||
    usual.length === 0 ||
    usual.some((kind) => (decoding ?? kind) === 'sampled')
  )
    return;
  throw new UsageError({
    where: '--temperature',
    what: 'it goes with sampling, and the policies decode greedily.',
    mend: 'Give --decoding sampled too, or leave it out.',
  });
}
