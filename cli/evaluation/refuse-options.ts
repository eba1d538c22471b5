import { UsageError } from '../../envs/core/errors.ts';
import { flagOf } from '../options/option-values.ts';
import type { PlayerSpec } from '../../lab/players/player-spec.ts';
import type { StoredRun } from '../../lab/players/stored-run.ts';
import type { EvaluationOptions } from './options.ts';
import { textOptions, type TextOptions } from './text-options.ts';

/** Kinds of players that have no temperature. */
const without: readonly string[] = ['random', 'expert', 'noisy', 'baseline', 'own'];

/** Which tokens are sampled from. */
const filters = ['topK', 'topP', 'minP'] as const;

/** Refuses policy options that no player uses. */
export function refuseRunOptions(options: EvaluationOptions, players: readonly PlayerSpec[]): void {
  const runs = players.flatMap((player) => (player.kind === 'run' ? [player] : []));
  const hasModel = players.some(({ kind }) => kind === 'model');
  const none = 'it applies to the policy of a run, and no run plays.';
  const leave = 'Remove it, or add --run FOLDER.';
  const ofRuns = hasModel
    ? (['checkpoint'] as const)
    : (['checkpoint', 'decoding', 'backend', ...filters] as const);
  const given = ofRuns.find((name) => options[name] !== undefined);
  if (given !== undefined && runs.length === 0)
    throw new UsageError({ where: flagOf(given), what: none, fix: leave });
  if (options.checkpoint !== undefined && runs.every(({ checkpoint }) => checkpoint !== undefined)) {
    throw new UsageError({
      where: '--checkpoint',
      what: 'the players are named with their checkpoints.',
      fix: 'Remove it, or name only the run.',
    });
  }
  if (options.temperature === undefined || players.some(({ kind }) => !without.includes(kind))) return;
  throw new UsageError({
    where: '--temperature',
    what: 'it applies to the policy of a run and to language models, and none plays.',
    fix: 'Remove it, or add --run FOLDER or --agent openai:MODEL@URL.',
  });
}

/** Refuses token filters if a player samples no tokens. */
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
      what: `it applies to tokens, and the policy of ${choosing.name} chooses whole actions.`,
      fix: 'Remove it, or evaluate runs one by one.',
    });
  const isCold = options.temperature === 0; // temperature 0 is deterministic
  const greedy = runs.find(
    ({ evaluation }) => isCold || (options.decoding ?? evaluation.decoding) === 'greedy',
  );
  const isModelGreedy =
    (isCold || options.decoding === 'greedy') && players.some(({ kind }) => kind === 'model');
  if (greedy === undefined && !isModelGreedy) return;
  const who = greedy === undefined ? 'the model' : `the policy of ${greedy.name}`;
  throw new UsageError({
    where,
    what: `it applies to sampling, and ${who} decodes greedily.`,
    fix: isCold ? 'Give a --temperature above 0, or remove it.' : 'Add --decoding sampled, or remove it.',
  });
}

/** Refuses a temperature if nothing samples: no server plays, and all policies play greedily. */
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
    what: 'it applies to sampling, and the policies decode greedily.',
    fix: 'Add --decoding sampled, or remove it.',
  });
}

/** Options that a model in a folder uses as well as one behind a server. */
const ofAnyModel: readonly string[] = ['prompt', 'history', 'maxTokens'];

const ofStoredModels = ['restricted', 'slots', 'contextLength', 'precision'] as const;

/**
 * Refuses options of language models that no player uses.
 * @param plays whether models behind servers play, and models in folders
 */
export function refuseTextOptions(
  options: TextOptions,
  plays: { readonly served: boolean; readonly stored: boolean },
): void {
  const own = ofStoredModels.find((name) => options[name] !== undefined);
  if (own !== undefined && !plays.stored) {
    throw new UsageError({
      where: flagOf(own),
      what: 'it applies to language models in a folder, and none plays.',
      fix: 'Remove it, or add --agent FOLDER.',
    });
  }
  if (plays.served) return;
  const given = Object.keys(textOptions).find(
    (name) =>
      options[name as keyof TextOptions] !== undefined &&
      !(plays.stored && (ofStoredModels.some((stored) => stored === name) || ofAnyModel.includes(name))),
  );
  if (given === undefined) return;
  throw new UsageError({
    where: flagOf(given),
    what: plays.stored
      ? 'it applies to language models behind a server, and none plays.'
      : 'it applies to language models, and none plays.',
    fix: 'Remove it, or add --agent openai:MODEL@URL.',
  });
}
