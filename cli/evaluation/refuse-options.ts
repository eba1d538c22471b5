import { UsageError } from '../../envs/core/errors.ts';
import { flagOf } from '../options/option-values.ts';
import type { PlayerSpec } from '../../lab/players/player-spec.ts';
import type { StoredRun } from '../../lab/players/stored-run.ts';
import type { EvaluationOptions } from './options.ts';
import { textOptions, type TextOptions } from './text-options.ts';

/** Which tokens are drawn from. */
const filters = ['topK', 'topP', 'minP'] as const;

/** Refuses options of policies that nobody who plays heeds. */
export function refuseRunOptions(options: EvaluationOptions, players: readonly PlayerSpec[]): void {
  const runs = players.flatMap((player) => (player.kind === 'run' ? [player] : []));
  const hasModel = players.some(({ kind }) => kind === 'model');
  const none = 'it goes with the policy of a run, and none plays.';
  const leave = 'Leave it out, or give --run FOLDER.';
  const ofRuns = hasModel
    ? (['checkpoint'] as const)
    : (['checkpoint', 'decoding', 'backend', ...filters] as const);
  const given = ofRuns.find((name) => options[name] !== undefined);
  if (given !== undefined && runs.length === 0)
    throw new UsageError({ where: flagOf(given), what: none, fix: leave });
  if (options.checkpoint !== undefined && runs.every(({ checkpoint }) => checkpoint !== undefined)) {
    throw new UsageError({
      where: '--checkpoint',
      what: 'those who play are named with their checkpoints.',
      fix: 'Leave it out, or name the run alone.',
    });
  }
  if (options.temperature === undefined || players.some(({ kind }) => kind !== 'random' && kind !== 'expert'))
    return;
  throw new UsageError({
    where: '--temperature',
    what: 'it goes with the policy of a run and with language models, and none plays.',
    fix: 'Leave it out, or give --run FOLDER or --agent openai:MODEL@URL.',
  });
}

/** Refuses filters of tokens where a policy that plays draws none. */
export function refuseFilters(
  options: EvaluationOptions,
  players: readonly PlayerSpec[],
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
      fix: 'Leave it out, or evaluate runs one by one.',
    });
  const isCold = options.temperature === 0; // which leaves nothing to chance
  const greedy = runs.find(
    ({ evaluation }) => isCold || (options.decoding ?? evaluation.decoding) === 'greedy',
  );
  const isModelGreedy =
    (isCold || options.decoding === 'greedy') && players.some(({ kind }) => kind === 'model');
  if (greedy === undefined && !isModelGreedy) return;
  const who = greedy === undefined ? 'the model' : `the policy of ${greedy.name}`;
  throw new UsageError({
    where,
    what: `it goes with sampling, and ${who} decodes greedily.`,
    fix: isCold
      ? 'Give a --temperature above 0, or leave it out.'
      : 'Give --decoding sampled too, or leave it out.',
  });
}

/** Refuses a temperature where nobody samples: no server, and all policies play greedily. */
export function refuseTemperature(
  { temperature, decoding }: EvaluationOptions,
  players: readonly PlayerSpec[],
  runs: readonly StoredRun[],
): void {
  const usual = [
    ...runs.map(({ evaluation }) => evaluation.decoding),
    ...players.flatMap(({ kind }) => (kind === 'model' ? ['sampled'] : [])),
  ];
  if (
    typeof temperature !== 'number' ||
    players.some(({ kind }) => kind === 'openai') ||
    usual.length === 0 ||
    usual.some((kind) => (decoding ?? kind) === 'sampled')
  )
    return;
  throw new UsageError({
    where: '--temperature',
    what: 'it goes with sampling, and the policies decode greedily.',
    fix: 'Give --decoding sampled too, or leave it out.',
  });
}

/** Those that a model in a folder heeds, as one behind a server does. */
const ofAnyModel: readonly string[] = ['prompt', 'history', 'maxTokens'];

const ofStoredModels = 'restricted';

/**
 * Refuses options of language models where none plays that heeds them.
 * @param plays whether models behind servers do, and models in folders
 */
export function refuseTextOptions(
  options: TextOptions,
  plays: { readonly served: boolean; readonly stored: boolean },
): void {
  if (options[ofStoredModels] !== undefined && !plays.stored) {
    throw new UsageError({
      where: flagOf(ofStoredModels),
      what: 'it goes with language models in a folder, and none plays.',
      fix: 'Leave it out, or give --agent FOLDER.',
    });
  }
  if (plays.served) return;
  const given = Object.keys(textOptions).find(
    (name) =>
      options[name as keyof TextOptions] !== undefined &&
      !(plays.stored && (name === ofStoredModels || ofAnyModel.includes(name))),
  );
  if (given === undefined) return;
  throw new UsageError({
    where: flagOf(given),
    what: plays.stored
      ? 'it goes with language models behind a server, and none plays.'
      : 'it goes with language models, and none plays.',
    fix: 'Leave it out, or give --agent openai:MODEL@URL.',
  });
}
