import { describeDecoding } from '../../trainers/results/estimate.ts';
import type { MetricsLine } from '../../trainers/run/metrics-schema.ts';

type Cells = ReadonlyMap<string, string | number>;

/**
 * Metrics as CSV (RFC 4180): a row for each line, a column for each number, nested names joined by dots, such as
 * `success.low`; figures under their own names. What a line does not have stays empty.
 */
export function exportCsv(metrics: readonly MetricsLine[]): string {
  const rows = metrics.map(cellsOf);
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ''))];
  return rows.length === 0 ? '' : lines.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('');
}

function cellsOf(line: MetricsLine): Cells {
  const cells = new Map<string, string | number>();
  for (const [name, value] of Object.entries(line)) {
    if (name === 'decoding' && line.kind === 'evaluation') cells.set(name, describeDecoding(line.decoding));
    else addCells(cells, name === 'figures' ? '' : name, value);
  }
  return cells;
}

function addCells(cells: Map<string, string | number>, name: string, value: unknown): void {
  if (typeof value === 'string' || typeof value === 'number') cells.set(name, value);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value))
      addCells(cells, name === '' ? key : `${name}.${key}`, item);
  }
}

/** Text that a spreadsheet would run as a formula gets an apostrophe in front. */
function cellText(cell: string | number): string {
  if (typeof cell === 'number') return String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
