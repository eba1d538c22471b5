import type { Comparison } from '../evaluate/compare.ts';
import { describeComparison } from '../evaluate/describe-comparison.ts';
import type { RateEstimate } from '../evaluate/estimate.ts';
import { describeFaults, describeShown, shortFingerprint } from '../evaluate/table.ts';
import { percentDigits } from '../evaluate/percent.ts';
import type { EvaluationResult, Shown } from '../evaluate/result.ts';
import { compareWithStart } from '../loop/before-after.ts';
import { warmStartName } from '../loop/checkpoint-names.ts';
import { markup, type Markup } from './markup.ts';

const kinds: readonly (readonly [Shown['kind'], string])[] = [
  ['choice', 'Choice agents pick among listed actions'],
  ['text', 'Text agents write their actions'],
  ['scripted', 'Scripted agents are not trained'],
];

/** A table for each panel and kind of agent: choice and text agents never share one. Under them what training came to there. */
export function resultTables(results: readonly EvaluationResult[]): Markup {
  const panels = [...new Set(results.map((result) => result.panel.fingerprint))];
  return markup`${panels.flatMap((fingerprint) => {
    const onPanel = results.filter((result) => result.panel.fingerprint === fingerprint);
    const tables = kinds.flatMap(([kind, title]) => {
      const members = startFirst(onPanel.filter((result) => result.shown.kind === kind));
      return members.length === 0 ? [] : [panelTable(title, members)];
    });
    return [...tables, ...compareWithStart(onPanel).map(beforeAfter)];
  })}`;
}

/** What training began with stands above what it came to. */
function startFirst(results: readonly EvaluationResult[]): readonly EvaluationResult[] {
  const isStart = ({ shown }: EvaluationResult): boolean => shown.checkpoint === warmStartName;
  return [...results.filter(isStart), ...results.filter((result) => !isStart(result))];
}

function beforeAfter(comparison: Comparison): Markup {
  return markup`<p class="finding"><b>Before and after training by reward</b>, task by task. ${describeComparison(comparison)}</p>
`;
}

function panelTable(title: string, results: readonly EvaluationResult[]): Markup {
  const [first] = results as readonly [EvaluationResult];
  const families = [...new Set(results.flatMap((result) => Object.keys(result.byFamily)))].toSorted();
  return markup`<p>${first.env}, panel <b>${first.panel.name}</b> <code title="${first.panel.fingerprint}">${shortFingerprint(first.panel.fingerprint)}</code>, ${first.panel.tasks} tasks. ${title}.</p>
<div class="scroll"><table class="data">
<thead><tr><th>agent</th>${families.map((family) => markup`<th>${family} <small>${familyTasks(results, family)}</small></th>`)}<th>All <small>${first.panel.tasks}</small></th><th>score</th><th>turns</th></tr></thead>
<tbody>${results.map((result) => resultRow(result, families))}</tbody>
</table></div>
${results.map(
    (result) => markup`<p class="note"><b>${result.agent}</b>: ${describeShown(result)}.${faultNote(result)}</p>
`,
  )}`;
}

function resultRow(result: EvaluationResult, families: readonly string[]): Markup {
  const { mean, low, high } = result.score;
  return markup`<tr><td>${result.agent}</td>${families.map((family) => rateCell(result.byFamily[family]))}${rateCell(result.success)}<td>${mean.toFixed(3)}<br><small>${low.toFixed(3)} to ${high.toFixed(3)}</small></td><td>${result.meanTurns?.toFixed(1) ?? '–'}</td></tr>
`;
}

/** A share in percent over its interval. */
export function rateCell(rate: RateEstimate | undefined): Markup {
  if (rate === undefined) return markup`<td>–</td>`;
  return markup`<td>${percentDigits(rate.rate)}<br><small>${percentDigits(rate.low)} to ${percentDigits(rate.high)}</small></td>`;
}

/** How many tasks of a family there are: the same for all agents of a panel. */
export function familyTasks(rows: readonly { readonly byFamily: Readonly<Record<string, { readonly tasks: number }>> }[], family: string): number {
  return Math.max(...rows.map(({ byFamily }) => byFamily[family]?.tasks ?? 0));
}

function faultNote(result: EvaluationResult): Markup {
  const described = describeFaults(result);
  if (described === undefined) return markup``;
  return result.faults.excessive ? markup` <span class="warn">${described}</span>` : markup` ${described}`;
}
