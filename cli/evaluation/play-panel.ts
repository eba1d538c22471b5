import type { Context } from '../../envs/core/context.ts';
import { RunError } from '../../envs/core/errors.ts';
import { plural } from '../../trainers/results/number-words.ts';
import type { TaskPanel } from '../../envs/core/task.ts';
import { evaluate, type Player as Contestant } from '../../trainers/evaluate/evaluate.ts';
import { openKeptEpisodes, type KeptEpisodes } from '../../trainers/evaluate/kept-episodes.ts';
import type { EvaluationResult } from '../../trainers/results/result.ts';
import type { Workbench } from '../../trainers/workbench.ts';
import type { Session } from '../command.ts';
import { describeDamage } from '../../lab/inspect/describe-damage.ts';
import type { OpenedContestant } from './contestants.ts';
import { openEntrant, type Entrant } from './entrants.ts';
import { FirstWave } from './first-wave.ts';
import type { EvaluationOptions } from './options.ts';
import { identityOf } from './player-identity.ts';
import { refuseWave, warnOfInadmissible, warnOfUnread } from './unmeasured.ts';

/** What an entrant plays, and with what. */
export interface PanelGame {
  readonly bench: Workbench;
  readonly panel: TaskPanel;
  readonly options: EvaluationOptions;
  readonly session: Session;
  readonly context: Context;
  /** Where its episodes are kept, if they are. */
  readonly keepFolder: string | undefined;
}

/** A panel that was played to its end. */
export interface PlayedPanel {
  readonly result: EvaluationResult;
  /** Why its folder could not be closed, such as a disk that is full by now; undefined where nothing went wrong. */
  readonly mishap: unknown;
}

/** Plays the panel with one entrant. What is kept is said when it ends early. */
export async function playPanel(entrant: Entrant, game: PanelGame): Promise<PlayedPanel> {
  const { bench, panel, options, session } = game;
  await using opened = await openEntrant(entrant, game);
  const { contestant } = opened;
  await using kept =
    game.keepFolder === undefined
      ? undefined
      : await openKept(game.keepFolder, { entrant, contestant }, game);
  const versions = { 'cairn-gym': session.version, node: process.version };
  const wasAnswered = (kept?.rows.length ?? 0) + (kept?.replacedTokens?.replies ?? 0) > 0;
  const wave =
    opened.replies === undefined || wasAnswered
      ? undefined
      : new FirstWave(panel, { concurrency: bench.concurrency, episodesPerTask: options.episodes });
  try {
    const result = await evaluate({
      bench,
      player: contestant,
      panel,
      seed: options.seed,
      episodesPerTask: options.episodes,
      versions,
      onProgress: ({ episodesDone, episodesPlanned, stepsDone }) => {
        noteIn(kept, opened, versions);
        session.progress.report({
          label: contestant.name,
          done: episodesDone,
          total: episodesPlanned,
          note: `${stepsDone} ${plural(stepsDone, 'step')}`,
        });
      },
      onGroup: (group) => {
        const fault = wave?.hear(group);
        const isWhole = wave?.episodes === panel.tasks.length * options.episodes;
        if (fault !== undefined && !isWhole && opened.replies?.() === 0)
          throw refuseWave(contestant, wave?.episodes ?? 0, fault);
      },
      ...(kept === undefined ? {} : { kept }),
      context: game.context,
    });
    noteIn(kept, opened, versions);
    const whole = {
      ...result,
      ...readingWith(kept?.toolCallsOnly ?? opened.toolCallsOnly?.() ?? 0, result),
      versions: kept?.versions ?? { ...versions, ...opened.versions() },
    };
    for (const warning of [warnOfUnread(whole), warnOfInadmissible(whole)])
      if (warning !== undefined) session.progress.say(warning);
    const mishap: unknown = await kept?.close().catch((thrown: unknown) => thrown);
    return { result: whole, mishap };
  } catch (thrown) {
    noteIn(kept, opened, versions);
    if (session.signal.aborted || RunError.is(thrown) || (kept?.episodes ?? 0) > 0) sayWhatIsKept(kept, game);
    throw thrown;
  }
}

/** Notes what only the connection knows. */
function noteIn(
  kept: KeptEpisodes | undefined,
  opened: OpenedContestant,
  versions: Readonly<Record<string, string>>,
): void {
  kept?.noteVersions({ ...versions, ...opened.versions() });
  kept?.noteToolCallsOnly(opened.toolCallsOnly?.() ?? 0);
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

/** Names of agents and places of files are not in it: neither says what is evaluated. */
function openKept(
  folder: string,
  { entrant, contestant }: { readonly entrant: Entrant; readonly contestant: Contestant },
  { bench, panel, options, session }: PanelGame,
): Promise<KeptEpisodes> {
  const evaluation = {
    env: panel.env,
    config: bench.host.identity ?? bench.envConfig,
    panel: { name: panel.name, fingerprint: panel.fingerprint, tasks: panel.tasks.length },
    player: identityOf(entrant),
    shown: contestant.shown,
    seed: options.seed,
    episodes: options.episodes,
    version: session.version,
  };
  return openKeptEpisodes(
    folder,
    { evaluation, seed: options.seed, tasks: panel.tasks, episodesPerTask: options.episodes },
    {
      onTornTail: ({ file, bytes }) =>
        session.progress.say(`${file}: its last group was never finished, ${bytes} bytes are left out`),
      onDamage: (stretch) =>
        session.progress.say(`${describeDamage([stretch]).join(' ')} What is missing is played again.`),
    },
  );
}

function sayWhatIsKept(kept: KeptEpisodes | undefined, { panel, options, session }: PanelGame): void {
  const planned = panel.tasks.length * options.episodes;
  if (kept === undefined)
    session.progress.say('no episode is kept; --keep FOLDER writes them down as they end');
  else
    session.progress.say(
      `${kept.episodes} of ${planned} ${plural(planned, 'episode')} ${plural(kept.episodes, 'is', 'are')} kept in ${options.keep}; the same command goes on with the rest`,
    );
}
