import { basename, join, resolve } from 'node:path';
import type { Agent } from '../../../agents/core/agent.ts';
import { canonicalJson, type Json } from '../../../envs/core/json.ts';
import type { TaskPanel } from '../../../envs/core/task.ts';
import {
  evaluate,
  baselinePlayer,
  expertPlayer,
  policyPlayer,
  randomPlayer,
  type Player,
} from '../../evaluate/evaluate.ts';
import type { Lineage } from '../../results/lineage.ts';
import type { EvaluationResult } from '../../results/result.ts';
import { FinalResults } from '../../run/final-results.ts';
import { finalName, policyFolder, warmStartName } from '../../run/checkpoint-names.ts';
import { decodingOf } from './dev-evaluation.ts';
import { lineageOf, nameOfStart } from '../../run/lineage.ts';
import type { TrainingSetup, TrainingRun } from '../setup/training-setup.ts';
import { FailedEpisodes } from './failed-episodes.ts';

/**
 * Plays each held-out panel once with the final policy, sampled and greedy, and with its baselines: random
 * actions, the policy before reinforcement learning, and the env's searcher as the ceiling. Results are
 * written into the run folder, with the episodes that the final policy failed. Existing results of the same checkpoint and panel are not replayed.
 */
export async function runFinalEvaluation(
  session: TrainingRun,
  onProgress: (label: string, done: number) => void,
): Promise<readonly EvaluationResult[]> {
  const { config, envSession, run, context, versions } = session;
  const kept = await FinalResults.open(run, finalName(config.iterations));
  const results: EvaluationResult[] = [];
  const weights = new LoadedWeights(session);
  const rows = session.panels.final.flatMap((panel) =>
    finalists(session).map((finalist) => ({ panel, finalist })),
  );
  for (const [index, { panel, finalist }] of rows.entries()) {
    const { name: agent, shown } = finalist;
    const label = `${agent} on ${panel.name}`;
    const name = `${panelFile(panel.name)}-${fileWords(agent)}`;
    const before = await kept.find(name);
    if (before !== undefined && isOf(before, panel, finalist)) {
      results.push(before);
      continue;
    }
    if (shown.checkpoint !== undefined) await weights.are(shown.checkpoint);
    await using failed =
      shown.checkpoint === finalName(config.iterations)
        ? await FailedEpisodes.begin(session, name)
        : undefined;
    const result = await evaluate({
      envSession,
      player: {
        name: agent,
        shown,
        agent: finalist.agent(),
        training: trainingOf(session, shown.checkpoint),
      },
      panel,
      seed: config.seed,
      episodesPerTask: 1,
      versions,
      onProgress: ({ episodesDone, episodesPlanned }) =>
        onProgress(label, (index + episodesDone / episodesPlanned) / rows.length),
      ...(failed === undefined ? {} : { onGroup: (group) => failed.keep(group) }),
      context,
    });
    await kept.save(name, result);
    results.push(result);
  }
  return results;
}

/** How a checkpoint of this run was trained; undefined for a player without one. */
function trainingOf(
  { config, versions, run }: TrainingRun,
  checkpoint: string | undefined,
): Lineage | undefined {
  if (checkpoint === undefined) return undefined;
  const iteration = checkpoint === warmStartName ? 0 : config.iterations;
  return lineageOf(
    { config: config as Json, versions },
    { name: basename(resolve(run.folder)), seed: config.seed, checkpoint, iteration },
  );
}

/** Whether a stored result is the wanted one and valid. One with too many faults is replayed. */
function isOf(
  { panel, agent, shown, faults }: EvaluationResult,
  wanted: TaskPanel,
  finalist: Finalist,
): boolean {
  const same =
    panel.fingerprint === wanted.fingerprint &&
    agent === finalist.name &&
    canonicalJson(shown) === canonicalJson(finalist.shown);
  return same && !faults.excessive;
}

/** The checkpoint whose weights are loaded. There is one policy in memory for all players. */
class LoadedWeights {
  readonly #session: TrainingRun;
  #checkpoint: string;

  constructor(session: TrainingRun) {
    this.#session = session;
    this.#checkpoint = finalName(session.config.iterations);
  }

  async are(checkpoint: string): Promise<void> {
    if (checkpoint === this.#checkpoint) return;
    const { policy, run } = this.#session;
    await policy.load(join(run.paths.checkpoints, checkpoint, policyFolder));
    this.#checkpoint = checkpoint;
  }
}

/** A player of a held-out panel. Its agent is created after the weights of its checkpoint are loaded. */
interface Finalist extends Omit<Player, 'agent'> {
  readonly agent: () => Agent<unknown, unknown>;
}

/**
 * The final policy is played as the run evaluates it on `dev`, to compare with the start, and with the other
 * decoding.
 */
export function finalists({ envSession, config, policy, estimator }: TrainingSetup): readonly Finalist[] {
  const { decoding } = config.evaluation;
  const start = {
    name: nameOfStart({ episodes: config.warmStart.episodes, model: config.policy.model }),
    checkpoint: warmStartName,
  };
  const trained = { name: estimator.name, checkpoint: finalName(config.iterations) };
  const end = config.iterations === 0 ? start : trained;
  const other = decoding === 'greedy' ? 'sampled' : 'greedy';
  const rows = [
    ...(end === start ? [] : [{ ...start, kind: decoding }]),
    { ...end, kind: decoding },
    { ...end, kind: other, name: `${end.name} ${other}` },
  ] as const;
  return [
    withoutWeights(randomPlayer()),
    ...rows.map(({ kind, ...of }) => {
      const player = (): Player => policyPlayer(policy, { ...of, decoding: decodingOf(config, kind) });
      return { ...player(), agent: () => player().agent };
    }),
    ...(envSession.host.experts?.searcher === undefined
      ? []
      : [withoutWeights(expertPlayer(envSession, 'searcher'))]),
    ...Object.keys(envSession.host.experts?.baselines ?? {}).map((name) =>
      withoutWeights(baselinePlayer(envSession, name)),
    ),
  ];
}

const withoutWeights = (player: Player): Finalist => ({
  ...player,
  agent: () => player.agent,
});

/** `unseen[0..32)` becomes `unseen-first-32`. */
const panelFile = (name: string): string => name.replace(/\[0\.\.(\d+)\)$/, '-first-$1');

const fileWords = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
