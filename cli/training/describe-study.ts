import type { RecordedStudy } from '../../trainers/recipes/recorded.ts';
import { layOut } from '../table.ts';

/** What other ways of training came to when they were measured, to read the table beside. */
export function describeStudy(study: RecordedStudy | undefined): readonly string[] {
  if (study === undefined) return [];
  const percent = (share: number): string => (100 * share).toFixed(1);
  const rows = Object.entries(study.success).map(([method, { mean, low, high }]) => [method, percent(mean), `[${percent(low)}, ${percent(high)}]`]);
  return [
    `Recorded on ${study.date} (${study.source}), success on ${study.panel.name} in %, mean of ${study.seeds} seeds with 95 % intervals over seeds and tasks:`,
    ...layOut(rows, { right: [1, 2], indent: 2 }),
    '',
  ];
}
