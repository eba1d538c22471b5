import type { Json } from '../../envs/core/json.ts';
import { readPanelInTurns, type PanelInfo, type TaskPanel } from '../../envs/core/task.ts';
import { benchPresetFor, type BenchPreset } from '../../trainers/recipes/bench-preset.ts';
import { openEnvSession, rolloutSettingsSchema, type EnvSession } from '../../trainers/env-session.ts';
import { baselinesOf } from '../players/kinds/baseline.ts';
import { hasExpert } from '../players/kinds/expert.ts';
import type { ResolveOptions } from '../players/player-kind.ts';
import type { PlayerSpec } from '../players/player-spec.ts';
import { resolvePlayers, type NamedPlayer } from '../players/resolve-players.ts';
import type { ChosenEnv } from './choose-env.ts';
import { keepFolders } from './keep-folders.ts';
import type { Pace } from './pace.ts';
import { playPanel, type PanelProgress, type PlayedPanel } from './play-panel.ts';

/** What is played, how often, and by whom. */
export interface EvaluationRequest extends ChosenEnv {
  readonly players: readonly RequestedPlayer[];
  /** Whether the baselines of the env play as well; default: only those among `players`. */
  readonly baselines?: boolean | undefined;
  /** The panel by its name, or chosen among the panels of the env. */
  readonly panel: string | ((panels: readonly PanelInfo[], preset: BenchPreset) => string);
  /** Plays only the first tasks of the panel; undefined: all. */
  readonly tasks: number | undefined;
  /** Plays only the tasks of these indices; undefined: all, or the first ones. */
  readonly indices?: readonly number[] | undefined;
  /** Episodes of each task. */
  readonly episodes: number;
  /** Seed of the episodes. */
  readonly seed: number;
  readonly pace: Pace;
  /** The folder in which episodes are kept as they end, if they are kept. */
  readonly keep: string | undefined;
}

export interface RequestedPlayer {
  readonly spec: PlayerSpec;
  /** An expert plays only where the env has one. */
  readonly ifThere?: true;
}

/** What an evaluation takes from its caller. */
export interface EvaluationSetting extends Pick<
  ResolveOptions,
  'context' | 'backend' | 'keyOf' | 'readRun' | 'watchAgent'
> {
  readonly log: (line: string) => void;
  readonly onProgress: (progress: PanelProgress) => void;
  /** Versions of this package and of Node, for results. */
  readonly versions: Readonly<Record<string, string>>;
}

/** An evaluation that is ready to be played. */
export interface Evaluation {
  readonly panel: TaskPanel;
  readonly preset: BenchPreset;
  readonly players: readonly NamedPlayer[];
  /** The folder of each player's kept episodes; empty where none are kept. */
  readonly folders: ReadonlyMap<NamedPlayer, string>;
  /** Plays the panel with one of the players. */
  readonly play: (player: NamedPlayer) => Promise<PlayedPanel>;
  readonly plan: EvaluationPlan;
}

/** What an evaluation would play. */
export interface EvaluationPlan {
  readonly dryRun: true;
  readonly env: string;
  readonly config: Json;
  readonly panel: { readonly name: string; readonly fingerprint: string; readonly tasks: number };
  readonly agents: readonly string[];
  readonly episodes: number;
}

/**
 * Opens the env, reads the panel, checks the players against both, and hands the evaluation to `use`. It closes the env at the end.
 * @throws UsageError for a player that does not fit, two players that play alike, and a `keep` folder of something else
 */
export async function withEvaluation<T>(
  request: EvaluationRequest,
  setting: EvaluationSetting,
  use: (evaluation: Evaluation) => Promise<T>,
): Promise<T> {
  const { definition, envConfig, pace } = request;
  const { context } = setting;
  const settings = rolloutSettingsSchema.parse({
    envConfig,
    concurrency: pace.concurrency,
    limits: { episodeSeconds: pace.episodeSeconds },
  });
  await using envSession = await openEnvSession(definition, settings, context);
  const preset = benchPresetFor(definition);
  const name =
    typeof request.panel === 'string' ? request.panel : request.panel(envSession.host.panels, preset);
  const panel = await readPanelInTurns(
    envSession.host,
    {
      env: definition.id,
      config: envSession.envConfig,
      name,
      ...(request.tasks === undefined ? {} : { limit: request.tasks }),
      ...(request.indices === undefined ? {} : { indices: request.indices }),
    },
    context.signal,
  );
  const players = await resolvePlayers(playing(request, envSession, setting.log), {
    ...setting,
    envSession,
    task: panel.tasks[0],
  });
  const folders =
    request.keep === undefined ? new Map<NamedPlayer, string>() : await keepFolders(request.keep, players);
  const game = { ...request, ...setting, envSession, panel };
  return await use({
    panel,
    preset,
    players,
    folders,
    play: (player) => playPanel(player, { ...game, keepFolder: folders.get(player) }),
    plan: {
      dryRun: true,
      env: definition.id,
      config: envSession.envConfig,
      panel: { name: panel.name, fingerprint: panel.fingerprint, tasks: panel.tasks.length },
      agents: players.map((player) => player.entry(player.name)),
      episodes: panel.tasks.length * request.episodes * players.length,
    },
  });
}

/** Leaves out an expert that was asked for only where there is one, and adds the baselines that were asked for. */
function playing(
  { players, baselines = false }: EvaluationRequest,
  { definition, host }: EnvSession,
  log: (line: string) => void,
): readonly PlayerSpec[] {
  const asked = players.flatMap(({ spec, ifThere }) => {
    if (ifThere !== true || hasExpert(host)) return [spec];
    log(`${definition.id} has no expert, so there is no ceiling to read the others beside`);
    return [];
  });
  const isAsked = (name: string): boolean =>
    asked.some((spec) => spec.kind === 'baseline' && spec.name === name);
  const added = baselines ? baselinesOf(host).filter((name) => !isAsked(name)) : [];
  return [...asked, ...added.map((name): PlayerSpec => ({ kind: 'baseline', name }))];
}
