import { createBaselineAgent, createExpertAgent } from '../../agents/policy/expert.ts';
import { createNoisyAgent } from '../../agents/policy/noisy.ts';
import { createRandomAgent } from '../../agents/policy/random.ts';
import type { Agent } from '../../agents/core/agent.ts';
import type { RolloutProgress } from '../../agents/rollout/rollout-plan.ts';
import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import { forkContext, type Context } from '../../envs/core/context.ts';
import type { TaskPanel } from '../../envs/core/task.ts';
import type { PlayingPolicy } from '../update/policy.ts';
import { streamGroups, type EnvSession } from '../env-session.ts';
import type { PolicyDecoding } from '../results/estimate.ts';
import type { KeptEpisodes } from './kept-episodes.ts';
import type { Lineage } from '../results/lineage.ts';
import type { EpisodeRow, EvaluationResult, RetriedFault, Shown, TrainedOn } from '../results/result.ts';
import { episodeRow, retriedFault, summariseRows } from '../results/summarise.ts';
import { addTokens, tokensOf } from '../results/token-counts.ts';

/** A player of a panel: an agent, and its description for tables. */
export interface Player {
  /** Its name in tables, such as `GiGPO`. */
  readonly name: string;
  readonly agent: Agent<unknown, unknown>;
  readonly shown: Shown;
  /** How its weights were trained, if they were trained here. */
  readonly training?: Lineage | undefined;
}

/** The policy as a player. It plays with the policy's current weights. */
export function policyPlayer(
  policy: PlayingPolicy,
  of: {
    readonly name: string;
    readonly checkpoint: string;
    readonly decoding: PolicyDecoding;
    /** If that differs from what it plays. */ readonly trainedOn?: TrainedOn | undefined;
    readonly training?: Lineage | undefined;
  },
): Player {
  const { trainedOn, training } = of;
  return {
    name: of.name,
    agent: policy.agent(of.decoding),
    shown: {
      ...policy.shown,
      decoding: of.decoding,
      checkpoint: of.checkpoint,
      ...(trainedOn === undefined ? {} : { trainedOn }),
    },
    ...(training === undefined ? {} : { training }),
  };
}

/**
 * Wraps a user's untrained agent, named by its id by default. Tables list it as scripted and not trained. Use
 * `policyPlayer` for a policy that is trained here. The agent receives whole turns with the admissible actions,
 * and its player may remember them. If it uses less, has weights or writes text, declare that in `shown`.
 */
export function agentPlayer(
  agent: Agent<unknown, unknown>,
  as: { readonly name?: string; readonly shown?: Partial<Shown> } = {},
): Player {
  return {
    name: as.name ?? agent.id,
    agent,
    shown: {
      kind: 'scripted',
      admissible: true,
      history: 'all steps',
      decoding: { kind: 'none' },
      ...as.shown,
    },
  };
}

/** The floor: random admissible actions. */
export function randomPlayer(): Player {
  const shown: Shown = { kind: 'scripted', admissible: true, history: 'none', decoding: { kind: 'none' } };
  return { name: 'random', agent: createRandomAgent(), shown };
}

/**
 * The ceiling: the env's own searcher, which sees what agents see; or its planner, which sees the whole
 * state.
 */
export function expertPlayer(envSession: EnvSession, kind: 'searcher' | 'planner'): Player {
  const agent = createExpertAgent({
    kind,
    experts: envSession.host.experts,
    text: envSession.definition.text,
  });
  const history = kind === 'searcher' ? 'all steps' : 'everything, hidden facts too';
  return {
    name: kind,
    agent,
    shown: { kind: 'scripted', admissible: true, history, decoding: { kind: 'none' } },
  };
}

/** The env's searcher with a share of random turns, from 0 to 1: a player of graded skill. @throws UsageError for an env without a searcher */
export function noisyPlayer(envSession: EnvSession, share: number): Player {
  const { agent: expert, shown } = expertPlayer(envSession, 'searcher');
  const agent = createNoisyAgent({ expert, share, text: envSession.definition.text });
  return { name: agent.id, agent, shown };
}

/** A baseline of the env, which says itself what it looks at. @throws UsageError where the env has none of that name */
export function baselinePlayer(envSession: EnvSession, name: string): Player {
  const { experts } = envSession.host;
  const agent = createBaselineAgent({ name, experts, text: envSession.definition.text });
  const history = experts?.baselines?.[name]?.summary ?? '';
  return {
    name,
    agent,
    shown: { kind: 'scripted', admissible: true, history, decoding: { kind: 'none' } },
  };
}

/**
 * Plays the panel and returns a summary. Faulted episodes are retried as the session says; remaining faults
 * count as failures. Random numbers depend only on `seed`, the task and the player's decoding. With `kept`,
 * episodes played before are not replayed, and new ones are stored as soon as they end.
 */
export async function evaluate(options: {
  readonly envSession: EnvSession;
  readonly player: Player;
  readonly panel: TaskPanel;
  /** Seed of the episodes; 0 by default. */
  readonly seed?: number;
  /** 1 by default. */
  readonly episodesPerTask?: number;
  /** Versions of what computes, for the result; none by default. */
  readonly versions?: Readonly<Record<string, string>>;
  readonly onProgress?: (progress: RolloutProgress) => void;
  readonly kept?: KeptEpisodes;
  /** Called for each finished group; play waits until it is done. */
  readonly onGroup?: (group: TrajectoryGroup) => void | Promise<void>;
  readonly context: Context;
}): Promise<EvaluationResult> {
  const {
    envSession,
    player,
    panel,
    seed = 0,
    episodesPerTask = 1,
    versions = {},
    context,
    kept,
    onProgress,
  } = options;
  const began = context.now();
  const before = kept?.rows ?? [];
  const rows: EpisodeRow[] = [...before];
  let retried = kept?.retried ?? 0;
  let replacedTokens = kept?.replacedTokens;
  const retries: RetriedFault[] = [...(kept?.retries ?? [])];
  const secondsNow = (): number => (context.now() - began) / 1000;
  kept?.startClock(secondsNow);
  const tasks = kept === undefined ? panel.tasks : panel.tasks.filter((task) => !kept.isDone(task));
  using scope = forkContext(context, 'evaluation');
  const groups = streamGroups(
    envSession,
    {
      agent: player.agent,
      tasks,
      label: `seed-${seed}`,
      members: episodesPerTask,
      order: kept === undefined ? 'task' : 'completion',
      ...(onProgress === undefined
        ? {}
        : { onProgress: (progress) => onProgress(withEarlier(progress, before)) }),
    },
    scope,
  );
  try {
    for await (const result of groups) {
      const spent = addTokens(result.replaced.map(tokensOf));
      replacedTokens = addTokens([replacedTokens, spent]);
      kept?.noteReplaced(spent);
      await kept?.keep(result);
      await options.onGroup?.(result.group);
      rows.push(...result.group.members.map((member) => episodeRow(seed, member)));
      retried += result.replaced.length;
      retries.push(...result.replaced.flatMap((tried) => retriedFault(seed, tried) ?? []));
    }
  } finally {
    kept?.stopClock();
  }
  return summariseRows(rows, {
    agent: player.name,
    panel,
    shown: player.shown,
    ...(player.training === undefined ? {} : { training: player.training }),
    retried,
    replacedTokens,
    retries,
    seconds: (kept?.seconds ?? 0) + (tasks.length === 0 ? 0 : secondsNow()),
    versions,
    ...(envSession.host.identity === undefined ? {} : { identity: envSession.host.identity }),
  });
}

/** The progress including episodes played before. */
function withEarlier(progress: RolloutProgress, before: readonly EpisodeRow[]): RolloutProgress {
  return {
    episodesDone: progress.episodesDone + before.length,
    episodesPlanned: progress.episodesPlanned + before.length,
    stepsDone: progress.stepsDone + before.reduce((sum, row) => sum + row.turns, 0),
  };
}
