import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { defaultPanel } from '../../lab/evaluate/default-panel.ts';
import type { PlayerSpec } from '../../lab/players/player-spec.ts';
import { parsePlayer } from '../../lab/players/parse-player.ts';
import type { CommandContext } from '../command.ts';
import { evaluationOptions } from '../evaluation/options.ts';
import type { ExportOptions } from './options.ts';

const evaluation = z.strictObject(evaluationOptions);

/** What `graded` stands for: five grades from the expert to the random player. */
const graded = ['expert', 'noisy:0.25', 'noisy:0.5', 'noisy:0.75', 'random'];

/** Players that need no model, no server and no options. */
const scripted: readonly PlayerSpec['kind'][] = ['random', 'expert', 'noisy', 'baseline'];

const where = 'cairn-gym export, --play';

/** Reads the players of `--play`. @throws UsageError for a text that names none, and for players that are not scripted */
function readPlayers(play: string, say: (line: string) => void): readonly PlayerSpec[] {
  const words = play.split(',').flatMap((word) => (word.trim() === 'graded' ? graded : [word.trim()]));
  return words.map((word) => {
    const spec = parsePlayer(word, { where, log: say });
    if (scripted.includes(spec.kind)) return spec;
    throw new UsageError({
      where,
      what: `${word} is no scripted player.`,
      fix: `Name random, expert, noisy:SHARE or baseline:NAME, or play ${word} with cairn-gym eval --keep FOLDER and export that folder.`,
    });
  });
}

/**
 * Plays an environment with the players of `--play`, and passes the folders of their episodes to `use`, one for each player, in order. The
 * folders are temporary.
 *
 * @throws UsageError for players that do not fit the env, and for episodes of which each one faulted
 */
export async function withPlayed<Result>(
  chosen: ExportOptions & { readonly play: string },
  session: CommandContext,
  use: (folders: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const say = (line: string): void => session.progress.say(line);
  const players = readPlayers(chosen.play, say).map((spec) => ({ spec }));
  const { withNamedEvaluation } = await import('../evaluation/evaluation.ts');
  const keep = await mkdtemp(path.join(os.tmpdir(), 'cairn-export-'));
  const kept: string[] = [];
  try {
    const { run: env, panel, tasks, episodes, seed, set, envModule } = chosen;
    await withNamedEvaluation(
      {
        players,
        presetPanel: (panels) =>
          defaultPanel(panels, { usual: 'train', names: [], purposes: ['train', 'dev'], say }),
      },
      evaluation.parse({ env, panel, tasks, episodes, seed, set, envModule, keep }),
      session,
      async ({ players: named, folders, play }) => {
        for (const player of named) {
          const { result, mishap } = await play(player);
          if (mishap !== undefined) throw mishap;
          say(`${player.name}: ${result.episodes.length} episodes`);
        }
        kept.push(...named.flatMap((player) => folders.get(player) ?? []));
      },
    );
    return await use(kept);
  } finally {
    await rm(keep, { recursive: true, force: true });
  }
}
