import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { Outcome, Session } from '../command.ts';
import { defineCommand } from '../define-command.ts';
import { rowKinds, type Row } from '../export/row.ts';
import { assertNew, writeNew } from '../new-file.ts';

const options = z.strictObject({
  run: z.string().min(1, 'a folder is wanted'),
  what: z.enum(rowKinds).default('metrics'),
  format: z.enum(['jsonl', 'csv', 'tensorboard']).default('jsonl'),
  store: z.string().optional(),
  out: z.string().min(1, 'a file or folder is wanted').optional(),
});
type Choice = z.output<typeof options>;

export const exportCommand = defineCommand({
  name: 'export',
  summary: "a run's numbers and episodes as JSON lines, CSV or for TensorBoard",
  arguments: [{ name: 'run', says: 'the folder of a run', required: true }],
  flags: [
    { flags: '--what <rows>', says: `${rowKinds.join(', ')} (default: metrics)` },
    { flags: '--format <format>', says: 'jsonl; of metrics also csv and tensorboard (default: jsonl)' },
    { flags: '--store <name>', says: 'which trajectories (default: those of the iterations)' },
    { flags: '--out <path>', says: 'a new file, not stdout; of tensorboard a folder' },
    { flags: '--config <file>', says: 'a JSON file of options; flags win' },
  ],
  examples: [
    { line: 'cairn export runs/first --format csv > curve.csv', says: 'the training curve for a plot' },
    { line: 'cairn export runs/first --format tensorboard --out events', says: 'for `tensorboard --logdir events`' },
    { line: 'cairn export runs/first --what steps --out steps.jsonl', says: 'every step that was kept, one a line' },
  ],
  options,
  run: exportRun,
});

async function exportRun(chosen: Choice, session: Session): Promise<Outcome> {
  if (chosen.format !== 'jsonl' && chosen.what !== 'metrics') {
    throw new UsageError({
      where: `cairn export, --format ${chosen.format}`,
      what: `${chosen.what} are not exported so.`,
      mend: 'Use --format jsonl, or --what metrics.',
    });
  }
  if (chosen.store !== undefined && chosen.what === 'metrics') {
    throw new UsageError({ where: 'cairn export, --store', what: 'metrics are not kept in stores of trajectories.', mend: 'Leave it out, or name other rows with --what.' });
  }
  if (chosen.format === 'csv' && chosen.out === undefined && session.json) {
    throw new UsageError({ where: 'cairn export, --format csv', what: 'with --json stdout holds one JSON document, and CSV is none.', mend: 'Name a file with --out, or leave --json or --format out.' });
  }
  if (chosen.format === 'tensorboard') return exportEvents(chosen);
  if (chosen.out !== undefined) await assertNew(chosen.out);
  const { exportRows } = await import('../export/rows.ts');
  const rows = exportRows(chosen.run, { what: chosen.what, store: chosen.store, say: (line) => session.progress.say(line), signal: session.signal });
  if (chosen.out === undefined && session.json) {
    const kept: Row[] = [];
    for await (const row of rows) kept.push(row);
    return { document: { rows: kept }, lines: [] };
  }
  const text = chosen.format === 'csv' ? csvOf(chosen.run) : toJsonLines(rows);
  if (chosen.out === undefined) {
    for await (const part of text) session.terminal.out.write(part);
    return { document: undefined, lines: [] };
  }
  await writeNew(chosen.out, text);
  return { document: { file: chosen.out }, lines: [chosen.out] };
}

async function exportEvents({ run, out }: Choice): Promise<Outcome> {
  if (out === undefined) {
    throw new UsageError({ where: 'cairn export, --format tensorboard', what: 'it is binary and goes to a folder.', mend: 'Name one with --out.' });
  }
  const { exportTensorBoard } = await import('../../trainers/report/export-tensorboard.ts');
  const file = await exportTensorBoard(run, { into: out });
  return { document: { file }, lines: [file] };
}

async function* csvOf(run: string): AsyncGenerator<string> {
  const { exportCsv } = await import('../../trainers/report/export-csv.ts');
  const { readRun } = await import('../../trainers/report/read-run.ts');
  yield exportCsv((await readRun(run)).metrics);
}

async function* toJsonLines(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}
