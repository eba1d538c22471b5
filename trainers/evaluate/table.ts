import { terminalLine } from '../../envs/core/terminal-text.ts';
import { assertSamePanel } from './compare.ts';
import { describeDecoding, type RateEstimate } from './estimate.ts';
import type { EvaluationResult, Shown } from './result.ts';

export interface TableOptions {
  /** Bold heads for terminals; without it the text holds no control codes. */
  readonly bold?: boolean;
}

const sections: readonly { readonly kind: Shown['kind']; readonly title: string }[] = [
  { kind: 'choice', title: 'Choice agents: pick among listed actions' },
  { kind: 'text', title: 'Text agents: write their actions' },
  { kind: 'scripted', title: 'Scripted agents: not trained' },
];

/**
 * Results on one panel as text: a row for each agent, a column for each family and for all. Choice, text and scripted agents
 * stand in sections of their own, each under what its agents were shown. Refuses results of different panels.
 */
export function renderTable(results: readonly EvaluationResult[], options: TableOptions = {}): string {
  const [first] = results;
  if (first === undefined) return 'No results.\n';
  assertSamePanel(results);
  const bold = (text: string): string => (options.bold === true ? `\u001b[1m${text}\u001b[22m` : text);
  const { rows, marks } = layOut(results);
  const lines = [
    bold(`${terminalLine(first.env)}, panel ${terminalLine(first.panel.name)} (${shortFingerprint(first.panel.fingerprint)}), ${first.panel.tasks} tasks`),
    'Success in %, with 95 % intervals; faults that are left count as failures.',
  ];
  for (const { kind, title } of sections) {
    const members = results.flatMap((result, index) => (result.shown.kind === kind ? [{ result, row: rows[index + 1] ?? '' }] : []));
    if (members.length === 0) continue;
    lines.push('', bold(title), ...describeMembers(members.map(({ result }) => result)), rows[0] ?? '', ...members.map(({ row }) => row));
  }
  return `${[...lines, ...(marks.length === 0 ? [] : ['', ...marks])].join('\n')}\n`;
}

/** The first digits of a fingerprint, enough for people to tell panels apart. */
export function shortFingerprint(fingerprint: string): string {
  return fingerprint.slice(0, 'sha256:'.length + 12);
}

/** `93.3 [87.7, 96.4]`: percent, one digit. */
export function formatRate({ rate, low, high }: RateEstimate): string {
  return `${percent(rate)} [${percent(low)}, ${percent(high)}]`;
}

/** What an agent was shown, how it decided and with which weights and seeds, in words. */
export function describeShown({ shown, seeds, episodesPerTask }: Pick<EvaluationResult, 'shown' | 'seeds' | 'episodesPerTask'>): string {
  return [
    `admissible actions ${shown.admissible ? 'shown' : 'not shown'}`,
    `history: ${terminalLine(shown.history)}`,
    `decoding: ${describeDecoding(shown.decoding)}`,
    `checkpoint: ${terminalLine(shown.checkpoint ?? 'none')}`,
    `${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}`,
    episodesPerTask === 1 ? 'one episode a task' : `${episodesPerTask} episodes a task`,
  ].join('; ');
}

/** A fault sentence for each agent that had faults. */
export function describeFaults({ agent, faults }: EvaluationResult): string | undefined {
  if (faults.count === 0 && faults.retried === 0) return undefined;
  const bounds = `success ${percent(faults.rateLow)} % with faults as failures, ${faults.rateHigh === undefined ? 'unknown' : `${percent(faults.rateHigh)} %`} without them`;
  const verdict = faults.excessive ? '; that is above 1 %: mend the world before you use these numbers' : '';
  return `${terminalLine(agent)}: ${faults.count} faults left (${percent(faults.share)} % of episodes) after ${faults.retried} retries; ${bounds}${verdict}.`;
}

const percent = (share: number): string => (100 * share).toFixed(1);

/** One line where all agents of a section were treated alike, else one each. */
function describeMembers(results: readonly EvaluationResult[]): readonly string[] {
  const described = results.map(describeShown);
  if (new Set(described).size === 1) return [`  ${described[0] ?? ''}`];
  return results.map((result, index) => `  ${terminalLine(result.agent)}: ${described[index] ?? ''}`);
}

/** The head and a row a result, aligned across all sections, and the remarks below the table. */
function layOut(results: readonly EvaluationResult[]): { readonly rows: readonly string[]; readonly marks: readonly string[] } {
  const families = [...new Set(results.flatMap((result) => Object.keys(result.byFamily)))].toSorted();
  const tasksOf = (family: string): number => Math.max(...results.map((result) => result.byFamily[family]?.tasks ?? 0));
  const head = ['agent', ...families.map((family) => `${family} (${tasksOf(family)})`), 'All', 'score', 'turns'];
  const cells = results.map((result) => [
    result.faults.excessive ? `${result.agent} (!)` : result.agent,
    ...families.map((family) => {
      const rate = result.byFamily[family];
      return rate === undefined ? '-' : formatRate(rate);
    }),
    formatRate(result.success),
    result.score.mean.toFixed(3),
    result.meanTurns === undefined ? '-' : result.meanTurns.toFixed(1),
  ]);
  return {
    rows: align([head, ...cells]),
    marks: results.flatMap((result) => describeFaults(result) ?? []),
  };
}

/** Cells in columns: the first to the left, the others to the right, two spaces apart. */
function align(rows: readonly (readonly string[])[]): readonly string[] {
  const clean = rows.map((row) => row.map(terminalLine));
  const widths = (clean[0] ?? []).map((_, column) => Math.max(...clean.map((row) => row[column]?.length ?? 0)));
  return clean.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
}
