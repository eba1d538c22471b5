import type { Context } from '../../envs/core/context.ts';
import { RunError } from '../../envs/core/errors.ts';
import type { TaskPanel } from '../../envs/core/task.ts';
import { evaluate } from '../../trainers/evaluate/evaluate.ts';
import { openKeptEpisodes, type KeptEpisodes } from '../../trainers/evaluate/kept-episodes.ts';
import { envModulesIn } from '../../trainers/plugins/env-modules.ts';
import { plural } from '../../trainers/results/number-words.ts';
import type { EvaluationResult } from '../../trainers/results/result.ts';
import type { EnvSession } from '../../trainers/env-session.ts';
import { describeDamage } from '../inspect/describe-damage.ts';
import type { OpenedPlayer } from '../players/player-kind.ts';
import type { NamedPlayer } from '../players/resolve-players.ts';
import { FirstWave } from './first-wave.ts';
import { refuseWave, warnOfInadmissible, warnOfUnread } from './unmeasured.ts';

/** What a player plays, and with what. */
export interface PanelGame {
  readonly context: Context;
  readonly envSession: EnvSession;
  readonly panel: TaskPanel;
  readonly seed: number;
  /** Episodes of each task. */
  readonly episodes: number;
  /** The folder of all kept episodes, as the user names it. */
  readonly keep: string | undefined;
  /** The folder of this player in it. */
  readonly keepFolder: string | undefined;
  readonly log: (line: string) => void;
  readonly onProgress: (progress: PanelProgress) => void;
  /** Of this package and of Node. */
  readonly versions: Readonly<Record<string, string>>;
}

/** How many episodes of the panel are done. */
export interface PanelProgress {
  /** The name of the player. */
  readonly player: string;
  readonly done: number;
  readonly total: number;
  /** Steps of this session. */
  readonly steps: number;
}

/** A panel that was played to its end. */
export interface PlayedPanel {
  readonly result: EvaluationResult;
  /** Why its folder could not be closed, such as a disk that is full by now; undefined where nothing went wrong. */
  readonly mishap: unknown;
}

/** Plays the panel with one player. Where it ends early, `log` receives how many episodes are kept. */
export async function playPanel(named: NamedPlayer, game: PanelGame): Promise<PlayedPanel> {
  const { envSession, panel, seed, episodes, versions, context, log } = game;
  await using player = await named.open(named.name);
  await using kept =
    game.keepFolder === undefined ? undefined : await openKept(game.keepFolder, { named, player }, game);
  const wasAnswered = (kept?.rows.length ?? 0) + (kept?.replacedTokens?.replies ?? 0) > 0;
  const wave =
    player.replies === undefined || wasAnswered
      ? undefined
      : new FirstWave(panel, { concurrency: envSession.concurrency, episodesPerTask: episodes });
  try {
    const result = await evaluate({
      envSession,
      player,
      panel,
      seed,
      episodesPerTask: episodes,
      versions,
      onProgress: ({ episodesDone, episodesPlanned, stepsDone }) => {
        noteIn(kept, player, versions);
        game.onProgress({
          player: player.name,
          done: episodesDone,
          total: episodesPlanned,
          steps: stepsDone,
        });
      },
      onGroup: (group) => {
        const fault = wave?.hear(group);
        const isWhole = wave?.episodes === panel.tasks.length * episodes;
        if (fault !== undefined && !isWhole && player.replies?.() === 0)
          throw refuseWave(player, wave?.episodes ?? 0, fault);
      },
      ...(kept === undefined ? {} : { kept }),
      context,
    });
    noteIn(kept, player, versions);
    const whole = {
      ...result,
      ...readingWith(kept?.toolCallsOnly ?? player.toolCallsOnly?.() ?? 0, result),
      versions: kept?.versions ?? { ...versions, ...player.versions() },
    };
    for (const warning of [warnOfUnread(whole), warnOfInadmissible(whole)])
      if (warning !== undefined) log(warning);
    const mishap: unknown = await kept?.close().catch((thrown: unknown) => thrown);
    return { result: whole, mishap };
  } catch (thrown) {
    noteIn(kept, player, versions);
    if (context.signal.aborted || RunError.is(thrown) || (kept?.episodes ?? 0) > 0) logKept(kept, game);
    throw thrown;
  }
}

/** Notes what only the connection knows. */
function noteIn(
  kept: KeptEpisodes | undefined,
  player: OpenedPlayer,
  versions: Readonly<Record<string, string>>,
): void {
  kept?.noteVersions({ ...versions, ...player.versions() });
  kept?.noteToolCallsOnly(player.toolCallsOnly?.() ?? 0);
}

/** What was read, with what episodes do not say. Of episodes that an interruption cut off replies were counted too, and came again. */
function readingWith(
  toolCallsOnly: number,
  { reading }: EvaluationResult,
): Pick<EvaluationResult, 'reading'> {
  if (reading === undefined) return {};
  const called = Math.min(toolCallsOnly, reading.unreadable);
  return { reading: { ...reading, ...(called === 0 ? {} : { toolCallsOnly: called }) } };
}

/** The record says what is evaluated, so it holds no names of players and no places of files. */
function openKept(
  folder: string,
  { named, player }: { readonly named: NamedPlayer; readonly player: OpenedPlayer },
  { envSession, panel, seed, episodes, versions, log }: PanelGame,
): Promise<KeptEpisodes> {
  const modules = envModulesIn(versions);
  const evaluation = {
    env: panel.env,
    config: envSession.host.identity ?? envSession.envConfig,
    panel: { name: panel.name, fingerprint: panel.fingerprint, tasks: panel.tasks.length },
    player: named.identity,
    shown: player.shown,
    seed,
    episodes,
    version: versions['cairn-gym'],
    ...(modules.length === 0 ? {} : { envModules: modules }),
  };
  return openKeptEpisodes(
    folder,
    { evaluation, seed, tasks: panel.tasks, episodesPerTask: episodes },
    {
      onTornTail: ({ file, bytes }) =>
        log(`${file}: its last group was never finished, ${bytes} bytes are left out`),
      onDamage: (stretch) => log(`${describeDamage([stretch]).join(' ')} What is missing is played again.`),
    },
  );
}

function logKept(kept: KeptEpisodes | undefined, { panel, episodes, keep, log }: PanelGame): void {
  const planned = panel.tasks.length * episodes;
  if (kept === undefined) log('no episode is kept; --keep FOLDER writes them down as they end');
  else
    log(
      `${kept.episodes} of ${planned} ${plural(planned, 'episode')} ${plural(kept.episodes, 'is', 'are')} kept in ${keep}; the same command goes on with the rest`,
    );
}
