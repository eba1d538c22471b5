import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Context } from '../../envs/core/context.ts';
import { RunError } from '../../envs/core/errors.ts';
import type { TaskPanel } from '../../envs/core/task.ts';
import { evaluate, type Contestant } from '../../trainers/evaluate/evaluate.ts';
import { openKeptEpisodes, type KeptEpisodes } from '../../trainers/evaluate/kept-episodes.ts';
import type { EvaluationResult } from '../../trainers/evaluate/result.ts';
import type { Workbench } from '../../trainers/workbench.ts';
import type { Session } from '../command.ts';
import type { OpenedContestant } from './contestants.ts';
import { openEntrant, type Entrant } from './entrants.ts';
import type { EvaluationOptions } from './options.ts';
import { warnOfUnread } from './unread-replies.ts';

/** What an entrant plays, and with what. */
export interface PanelGame {
  readonly bench: Workbench;
  readonly panel: TaskPanel;
  readonly options: EvaluationOptions;
  readonly session: Session;
  readonly context: Context;
  /** True where nobody else plays: then its episodes are kept in the folder itself. */
  readonly alone: boolean;
}

/** Plays the panel with one entrant. What is kept is said when it ends early. */
export async function playPanel(entrant: Entrant, game: PanelGame): Promise<EvaluationResult> {
  const { bench, panel, options, session } = game;
  await using opened = await openEntrant(entrant, game);
  const { contestant } = opened;
  const folder = folderOf(contestant, game);
  await using kept = folder === undefined ? undefined : await openKept(folder, contestant, game);
  const versions = { 'cairn-gym': session.version, node: process.version };
  try {
    const result = await evaluate({
      bench,
      contestant,
      panel,
      seed: options.seed,
      episodesPerTask: options.episodes,
      versions,
      onProgress: ({ episodesDone, episodesPlanned, stepsDone }) =>
        session.progress.report({ label: contestant.name, done: episodesDone, total: episodesPlanned, note: `${stepsDone} steps` }),
      ...(kept === undefined ? {} : { kept }),
      context: game.context,
    });
    kept?.noteVersions({ ...versions, ...opened.versions() });
    const whole = { ...result, ...readingWith(opened, result), versions: kept?.versions ?? { ...versions, ...opened.versions() } };
    const warning = warnOfUnread(whole);
    if (warning !== undefined) session.progress.say(warning);
    return whole;
  } catch (thrown) {
    kept?.noteVersions({ ...versions, ...opened.versions() });
    if (session.signal.aborted || RunError.is(thrown) || (kept?.episodes ?? 0) > 0) sayWhatIsKept(kept, game);
    throw thrown;
  }
}

/** What was read, with what only the connection knows. */
function readingWith({ toolCallsOnly }: OpenedContestant, { reading }: EvaluationResult): Pick<EvaluationResult, 'reading'> {
  const called = toolCallsOnly?.() ?? 0;
  return reading === undefined ? {} : { reading: { ...reading, ...(called === 0 ? {} : { toolCallsOnly: called }) } };
}

function openKept(folder: string, { name, shown }: Contestant, { bench, panel, options, session }: PanelGame): Promise<KeptEpisodes> {
  const evaluation = {
    env: panel.env,
    config: bench.envConfig,
    panel: { name: panel.name, fingerprint: panel.fingerprint, tasks: panel.tasks.length },
    agent: name,
    shown,
    seed: options.seed,
    episodes: options.episodes,
    version: session.version,
  };
  return openKeptEpisodes(folder, { evaluation, seed: options.seed, episodesPerTask: options.episodes }, ({ file, bytes }) =>
    session.progress.say(`${file}: its last group was never finished, ${bytes} bytes are left out`),
  );
}

/** A folder of its own for each of several; what is no plain name gets a digest, so that no two share one. */
function folderOf({ name }: Contestant, { options, alone }: PanelGame): string | undefined {
  if (options.keep === undefined || alone) return options.keep;
  const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return join(options.keep, plain === name ? plain : `${plain.slice(0, 60)}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`);
}

function sayWhatIsKept(kept: KeptEpisodes | undefined, { panel, options, session }: PanelGame): void {
  const planned = panel.tasks.length * options.episodes;
  if (kept === undefined) session.progress.say('no episode is kept; --keep FOLDER writes them down as they end');
  else session.progress.say(`${kept.episodes} of ${planned} episodes are kept in ${options.keep}; the same command goes on with the rest`);
}
