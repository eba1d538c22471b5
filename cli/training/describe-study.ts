import type { Difference } from '../../envs/core/json-differences.ts';
import type { Json } from '../../envs/core/json.ts';
import { studyBeside } from '../../lab/compare/study.ts';
import { layOut } from '../terminal/table.ts';

/**
 * The figures of a recorded study on the panel, to compare a table with, and the settings in which this run
 * differs.
 */
export function describeStudy(...run: Parameters<typeof studyBeside>): readonly string[] {
  const beside = studyBeside(...run);
  if (beside === undefined) return [];
  const { study, iterations, differences } = beside;
  const percent = (share: number): string => (100 * share).toFixed(1);
  const rows = Object.entries(study.success).map(([method, { mean, low, high }]) => [
    method,
    percent(mean),
    `[${percent(low)}, ${percent(high)}]`,
  ]);
  return [
    `Recorded on ${study.date} (${study.source}) with the recipe's ${iterations} iterations, success on ${study.panel.name} in %, mean of ${study.seeds} seeds with 95 % intervals over seeds and tasks:`,
    ...layOut(rows, { right: [1, 2], indent: 2 }),
    ...describeDifferences(differences),
    '',
  ];
}

function describeDifferences(differences: readonly Difference[]): readonly string[] {
  const words = (value: Json | undefined): string =>
    value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value);
  const apart = differences.map(({ key, one, other }) => `${key} ${words(one)} (recipe: ${words(other)})`);
  return apart.length === 0 ? [] : [`This run had other settings: ${apart.join(', ')}.`];
}
