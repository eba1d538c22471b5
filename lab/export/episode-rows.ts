import { retell } from '../../agents/prompt/retell.ts';
import { retokenise } from '../../agents/policy/retokenise.ts';
import { rowsOf, type TokenRow } from '../../agents/render/rows.ts';
import { scoreOf, type Trajectory, type TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { Context } from '../../envs/core/context.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { ValidatedEstimator } from '../../trainers/credit/validation/validated-estimator.ts';
import type { BatchCredit } from '../../trainers/credit/estimator.ts';
import { chatLine } from './export-chat.ts';
import { tokenRows } from './export-token-rows.ts';
import type { Retelling, TokenWords } from './retelling.ts';
import type { Row } from './row.ts';
import type { StoredEpisode } from './stored-source.ts';
import type { Tally } from './tally.ts';

/** Makes the rows of an episode, and notes what is to be reported about it. */
export type EpisodeRows = (episode: StoredEpisode) => readonly Row[] | Promise<readonly Row[]>;

export const episodeRow: EpisodeRows = ({ trajectory }) => {
  const { path, env, task, family, agent, steps, stop } = trajectory;
  return [
    {
      path,
      env: env.id,
      panel: task.panel,
      task: task.index,
      family,
      agent,
      steps: steps.length,
      score: scoreOf(trajectory),
      stop,
    },
  ];
};

export const stepRows: EpisodeRows = ({ trajectory: { path, agent, steps, stop } }) =>
  steps.map((step, index) => ({
    path,
    agent,
    step: index,
    ...step,
    ...(index === steps.length - 1 ? { stop } : {}),
  }));

/** A line of chat for each episode. */
export function chatRows({
  retelling,
  hasTokenizer,
  tally,
}: {
  readonly retelling: Retelling;
  readonly hasTokenizer: boolean;
  readonly tally: Tally;
}): EpisodeRows {
  return async ({ trajectory, place }) => {
    const options = await retelling.optionsFor(trajectory);
    const { prompt } = options;
    if (prompt.actions.shown === 'always') {
      throw new UsageError({
        where: `prompt ${prompt.name}, --what chat`,
        what: 'it always lists the admissible actions in the newest message, and of a whole episode only one message is the newest.',
        fix: 'Take another prompt, such as plain, or --what token-rows, in which each step has its list.',
      });
    }
    const { messages, charactersCut } = retell(trajectory, options);
    if (charactersCut > 0) tally.cutEpisodes += 1;
    if (!hasTokenizer && isOfTokens(trajectory)) tally.undecoded += 1;
    return [chatLine(trajectory, { messages, prompt: prompt.name, place })];
  };
}

/**
 * Rows of tokens with masks and advantages, which are those of training: they compare within the group alone. `unheard` is an option that
 * was given, and would do nothing to episodes that have their tokens: they are refused.
 */
export function tokenRowsOf(
  {
    retelling,
    tokens,
    estimator,
    tally,
    unheard,
  }: {
    readonly retelling: Retelling;
    readonly tokens: TokenWords | undefined;
    readonly estimator: ValidatedEstimator;
    readonly tally: Tally;
    readonly unheard: string | undefined;
  },
  context: Context,
): EpisodeRows {
  let of: { readonly group: TrajectoryGroup; readonly credit: BatchCredit } | undefined;
  return async ({ trajectory, group, place }) => {
    if (of?.group !== group) of = { group, credit: estimator.assign([group]) };
    const earned = of.credit.groups[0]?.[place.member];
    if (earned === undefined)
      throw new RangeError(`group ${place.group} has no credit for member ${place.member}`);
    if (of.credit.verdicts[0] !== 'credited') tally.alone += 1;
    const isRetokenised = !isOfTokens(trajectory);
    if (!isRetokenised && unheard !== undefined) throw hasItsTokens(trajectory, unheard);
    const rows = isRetokenised
      ? await retokenised(trajectory, { retelling, tokens, tally }, context)
      : rowsOf(trajectory);
    return tokenRows({ trajectory, rows, credit: earned, place, isRetokenised });
  };
}

function hasItsTokens({ path, agent }: Trajectory, option: string): UsageError {
  return new UsageError({
    where: `--what token-rows, --${option}, trajectory ${path}`,
    what: `${agent} played it token by token, and the rows are of the very tokens that were sampled.`,
    fix: 'Leave it out; --what chat tells episodes in other words.',
  });
}

async function retokenised(
  trajectory: Trajectory,
  {
    retelling,
    tokens,
    tally,
  }: { readonly retelling: Retelling; readonly tokens: TokenWords | undefined; readonly tally: Tally },
  context: Context,
): Promise<readonly TokenRow[]> {
  if (tokens === undefined) {
    throw new UsageError({
      where: `--what token-rows, trajectory ${trajectory.path}`,
      what: `${trajectory.agent} did not play it token by token, so that it has no tokens.`,
      fix: 'Give --tokenizer FOLDER, a checkpoint whose tokenizer and chat template make them.',
    });
  }
  const options = await retelling.optionsFor(trajectory);
  const told = await retokenise(trajectory, { ...options, ...tokens }, context);
  if (told.steps.some(({ decision }) => decision?.kind === 'tokens' && decision.charactersCut !== undefined))
    tally.cutEpisodes += 1;
  if (
    options.prompt.actions.shown !== false &&
    trajectory.steps.some(({ decision }) => decision?.kind !== 'choice')
  )
    tally.unlisted += 1;
  return rowsOf(told);
}

const isOfTokens = ({ steps }: Trajectory): boolean =>
  steps.every(({ decision }) => decision?.kind === 'tokens');
