import type { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { Outcome, CommandContext } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { trainingLine } from '../../lab/export/json-line.ts';
import {
  exportFlags,
  exportOptions,
  refuseForeign,
  withRows,
  type ExportOptions,
} from '../export/options.ts';
import { withPlayed } from '../export/play.ts';
import { pour } from '../export/pour.ts';
import type { Row } from '../../lab/export/row.ts';
import type { Export } from '../../lab/export/rows.ts';
import { requireCredit } from '../inspect/tell-credit.ts';
import { loadRegistry } from '../options/named-env.ts';
import { damageNotes, describeDamage } from '../../lab/inspect/describe-damage.ts';
import { assertNew, writeNew } from '../options/new-file.ts';
import { findModulesOfRuns } from '../options/run-modules.ts';

export const exportCommand = defineCommand({
  arguments: [
    {
      name: 'run',
      says: "the folder of a run; for episodes also an agent's folder under --keep, or one file of trajectories; with --play the environment",
      required: true,
    },
  ],
  flags: exportFlags,
  examples: [
    {
      line: 'npx cairn-gym export runs/first --format csv > curve.csv',
      says: 'the training curve for a plot',
    },
    {
      line: 'npx cairn-gym export runs/first --format tensorboard --out events',
      says: 'for `tensorboard --logdir events`',
    },
    {
      line: 'npx cairn-gym export runs/first --what steps --out steps.jsonl',
      says: 'every stored step, one per line',
    },
    {
      line: 'npx cairn-gym export runs/first --what chat --prompt terse --successful --out chat.jsonl',
      says: 'solved episodes as conversations, one per line, for SFT',
    },
    {
      line: 'npx cairn-gym export runs/first --what token-rows --tokenizer models/nano --out rows.jsonl',
      says: 'tokens with masks and advantages, for other trainers',
    },
    {
      line: 'npx cairn-gym export game-maze --play graded --tasks 200 --out maze.jsonl',
      says: 'an offline data set: episodes of players from expert to random, as conversations with rewards',
    },
  ],
  options: exportOptions,
  run: exportRun,
});

async function exportRun(given: z.output<typeof exportOptions>, session: CommandContext): Promise<Outcome> {
  const chosen = withRows(given);
  refuseForeign(chosen, session.json);
  const { play } = chosen;
  if (chosen.format === 'tensorboard') return exportEvents(chosen);
  if (chosen.out !== undefined) await assertNew(chosen.out);
  if (chosen.format === 'csv') return writeOut(csvOf(chosen.run), chosen, session);
  if (play === undefined) return exportStored([chosen.run], chosen, session);
  const { panel: _played, ...rest } = chosen;
  return withPlayed({ ...chosen, play }, session, (folders) => exportStored(folders, rest, session));
}

/** Exports the episodes of these folders, one after the other. */
async function exportStored(
  folders: readonly string[],
  chosen: ExportOptions,
  session: CommandContext,
): Promise<Outcome> {
  const { exportRows } = await import('../../lab/export/rows.ts');
  const { now, signal } = session;
  const exported = await exportRows(
    chosen.what,
    { ...chosen, folders },
    {
      now,
      signal,
      log: (line) => session.progress.say(line),
      onProgress: progressOf(session),
      openRegistry: async () => loadRegistry(await findModules(chosen), signal),
      openCredit: (run) => requireCredit(run, { file: chosen.credit, signal }),
    },
  );
  if (chosen.out === undefined && session.json) return gather(exported, session);
  const { document, lines } = await writeOut(toJsonLines(exported), chosen, session);
  const { tally, damage } = exported;
  for (const line of describeDamage(damage)) session.progress.say(line);
  const named =
    chosen.out === undefined ? document : { file: chosen.out, ...tally?.document(), ...damageNotes(damage) };
  if (tally === undefined || (chosen.out === undefined && session.terminal.out.isClosed))
    return { document: named, lines };
  for (const line of tally.describe()) session.progress.say(line);
  return { document: named, lines };
}

/** The named env modules, or those of the run. @throws UsageError if one of those has changed */
async function findModules({ run, envModule, play }: ExportOptions): Promise<readonly string[]> {
  const { findEpisodes } = await import('../../lab/inspect/episode-place.ts');
  if (play !== undefined || envModule.length > 0 || (await findEpisodes(run)).kind !== 'run')
    return envModule;
  const { readRunDocument } = await import('../../trainers/run/run-document.ts');
  const { files, changes } = await findModulesOfRuns(
    [],
    [{ folder: run, document: await readRunDocument(run) }],
  );
  const [changed] = changes;
  if (changed === undefined) return files;
  throw new UsageError({
    where: `run ${run}`,
    what: changed.what,
    fix: `Restore ${changed.file}, or name the file to use with --env-module FILE.`,
  });
}

/** Exports shorter than this show no progress. */
const quietMs = 2_000;

function progressOf({ progress, now }: CommandContext): (done: number, total: number) => void {
  const start = now();
  return (done, total) => {
    if (now() - start >= quietMs) progress.report({ label: 'episodes', done, total });
  };
}

/** All rows as one document. */
async function gather({ rows, tally, damage }: Export, session: CommandContext): Promise<Outcome> {
  const kept: Row[] = [];
  for await (const row of rows) kept.push(row);
  for (const line of describeDamage(damage)) session.progress.say(line);
  return { document: { rows: kept, ...tally?.document(), ...damageNotes(damage) }, lines: [] };
}

/** Writes to the named file, or to stdout. */
async function writeOut(
  text: AsyncIterable<string>,
  { out }: ExportOptions,
  { terminal, signal }: CommandContext,
): Promise<Outcome> {
  if (out !== undefined) {
    await writeNew(out, text);
    return { document: { file: out }, lines: [out] };
  }
  await pour(text, terminal.out, signal);
  return { document: undefined, lines: [] };
}

async function exportEvents({ run, out }: ExportOptions): Promise<Outcome> {
  if (out === undefined) {
    throw new UsageError({
      where: 'cairn-gym export, --format tensorboard',
      what: 'it is binary and needs a folder.',
      fix: 'Name a folder with --out.',
    });
  }
  const { exportTensorBoard } = await import('../../lab/export/export-tensorboard.ts');
  const file = await exportTensorBoard(run, { into: out });
  return { document: { file }, lines: [file] };
}

async function* csvOf(run: string): AsyncGenerator<string> {
  const { exportCsv } = await import('../../lab/export/export-csv.ts');
  const { readRun } = await import('../../lab/read/read-run.ts');
  const { assertWhole } = await import('../../lab/export/rows.ts');
  const content = await readRun(run);
  assertWhole(content, 'metrics');
  yield exportCsv(content.metrics);
}

async function* toJsonLines({ rows, tally }: Export): AsyncGenerator<string> {
  for await (const row of rows) yield tally === undefined ? `${JSON.stringify(row)}\n` : trainingLine(row);
}
