import { join } from 'node:path';
import { openTrajectoryStore } from '../../../agents/rollout/store/store.ts';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { describeFault, RunError, type Fault } from '../../../envs/core/errors.ts';
import { faultTolerance } from '../../results/episode-statistics.ts';
import type { EvaluationResult } from '../../results/result.ts';
import { configName } from '../../run/run-document.ts';
import type { TrainingRun } from '../setup/training-setup.ts';
import type { TrainState } from '../train-state.ts';

/** How often the env failed in a run: faults that remained after all retries. */
export interface RunFaults {
  readonly training: { readonly episodes: number; readonly count: number; readonly share: number };
  /** The largest share of faulted episodes in an evaluation on `dev`, including those of the warm start. */
  readonly dev: { readonly share: number };
  /** The final evaluations in which too many episodes faulted. */
  readonly final: readonly { readonly agent: string; readonly panel: string; readonly share: number }[];
  /**
   * True if one of them, or a final evaluation, exceeds 1 %. The numbers are then unreliable and the command
   * exits with 1.
   */
  readonly excessive: boolean;
}

/** The faults of a run up to `state`, with the results of its final evaluations. */
export function faultsOf(
  state: Pick<TrainState, 'episodes' | 'faulted' | 'devFaults'>,
  results: readonly EvaluationResult[],
): RunFaults {
  const share = shareOfFaults(state);
  const final = results.flatMap(({ agent, panel, faults }) =>
    faults.excessive ? [{ agent, panel: panel.name, share: faults.share }] : [],
  );
  return {
    training: { episodes: state.episodes, count: state.faulted, share },
    dev: { share: state.devFaults },
    final,
    excessive: isExcessive(share) || isExcessive(state.devFaults) || final.length > 0,
  };
}

/** Share of the training episodes so far. */
export function shareOfFaults({ episodes, faulted }: Pick<TrainState, 'episodes' | 'faulted'>): number {
  return faulted / Math.max(1, episodes);
}

/** Whether a share of faulted episodes is too large for reliable numbers. */
export function isExcessive(share: number): boolean {
  return share > faultTolerance;
}

/** The first fault among groups, in their order. */
export function firstFault(groups: readonly TrajectoryGroup[]): Fault | undefined {
  for (const { stop } of groups.flatMap(({ members }) => members))
    if (stop.kind === 'faulted') return stop.fault;
  return undefined;
}

/** True if all episodes faulted. */
export function allFaulted(groups: readonly TrajectoryGroup[]): boolean {
  return groups.every(({ members }) => members.every(({ stop }) => stop.kind === 'faulted'));
}

/** Name of the store for the episodes that stopped a run. */
const faultedStore = 'faulted';

/**
 * The error of a run in which every episode faults. The episodes are written into the run folder, where
 * `cairn-gym inspect` shows them, and replace those of an earlier stop.
 */
export async function worldFailed(
  { run, config }: Pick<TrainingRun, 'run' | 'config'>,
  failed: { readonly what: string; readonly groups: readonly TrajectoryGroup[] },
): Promise<RunError> {
  const maxBytes = Math.round(config.trajectories.maxMegabytes * 2 ** 20);
  await using store = await openTrajectoryStore({
    folder: run.paths.trajectories,
    name: faultedStore,
    maxFileBytes: maxBytes,
    maxTotalBytes: maxBytes,
    resumeAt: { file: 1, bytes: 0 },
  });
  for (const group of failed.groups) await store.append(group);
  const see = `\`npx cairn-gym inspect ${run.folder} --store ${faultedStore} --group 0 --member 0\` shows it`;
  const server = config.policy.kind === 'token' ? config.policy.sampler?.url : undefined;
  const isOfServer = server !== undefined && isOfPolicy(failed.groups);
  return new RunError({
    where: `${failed.what} of ${run.folder}`,
    what: describeAll(failed.groups),
    fix: `${see}. ${isOfPolicy(failed.groups) ? anew(run.folder, isOfServer ? ofSampler : ofContext) : ''}${isOfServer ? `Check the server at ${server}` : 'Fix the environment'}, then resume with \`npx cairn-gym train --resume ${run.folder}${isOfServer || config.envModules.length === 0 ? '' : ' --accept-changed-env'}\`: all finished work is kept.`,
  });
}

/** Whether the policy failed rather than the env. A resumed run keeps its settings. */
const isOfPolicy = (groups: readonly TrajectoryGroup[]): boolean =>
  firstFault(groups)?.kind === 'sampler-failed';

const anew = (folder: string, settings: string): string =>
  `If a setting is the cause, start a new run with another value: \`npx cairn-gym train --config ${join(folder, configName)} --with KEY=VALUE --run FOLDER\` (${settings}). `;
const ofContext = '`--with policy.contextLength=N`, `--with policy.maxTokens=N`';
/** The error for a prompt that is too long names these settings. */
const ofSampler = 'set how the server was started with `--with policy.sampler.KEY=VALUE`';

/** `all 128 episodes faulted; in the first …`, for the error of an env in which every episode faults. */
export function describeAll(groups: readonly TrajectoryGroup[]): string {
  const fault = firstFault(groups);
  const count = groups.reduce((sum, { members }) => sum + members.length, 0);
  return `all ${count} episodes faulted${fault === undefined ? '' : `; in the first ${describeFault(fault)}`}.`;
}
