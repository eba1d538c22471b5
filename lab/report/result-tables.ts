import type { Comparison } from '../../trainers/results/compare.ts';
import { describeComparison, isOverTooFew } from '../../trainers/results/describe-comparison.ts';
import type { RateEstimate, ScoreEstimate } from '../../trainers/results/estimate.ts';
import {
  describeFaults,
  describeRetries,
  describeShown,
  shortFingerprint,
} from '../../trainers/results/table.ts';
import { isGraded, knownInterval, shownRate, shownScore } from '../../trainers/results/table-columns.ts';
import { percentDigits, plural } from '../../trainers/results/number-words.ts';
import type { EvaluationResult, Shown } from '../../trainers/results/result.ts';
import { compareWithStart } from '../../trainers/run/before-after.ts';
import { warmStartName } from '../../trainers/run/checkpoint-names.ts';
import { markup, type Markup } from './markup.ts';

const kinds: readonly (readonly [Shown['kind'], string])[] = [
  ['choice', 'Choice agents pick among listed actions'],
  ['text', 'Text agents write their actions'],
  ['own', 'Own agents come from files of the user'],
  ['scripted', 'Scripted agents are not trained'],
];

/** The results of a run: for each panel the effect of its training, then a table. */
export function resultTables(results: readonly EvaluationResult[]): Markup {
  const panels = [...new Set(results.map((result) => result.panel.fingerprint))];
  return markup`${panels.flatMap((fingerprint) => {
    const onPanel = startFirst(results.filter((result) => result.panel.fingerprint === fingerprint));
    return [...compareWithStart(onPanel).map(beforeAfter), panelTable(onPanel)];
  })}`;
}

/** What training began with stands above what it came to. */
function startFirst(results: readonly EvaluationResult[]): readonly EvaluationResult[] {
  const isStart = ({ shown }: EvaluationResult): boolean => shown.checkpoint === warmStartName;
  return [...results.filter(isStart), ...results.filter((result) => !isStart(result))];
}

function beforeAfter(comparison: Comparison): Markup {
  return markup`<p class="${tone(comparison)}"><b>Before and after training by reward</b>, task by task. ${describeComparison(comparison)}</p>
`;
}

/** Better or worse only where the interval of the difference says so. */
export function tone(comparison: Comparison): string {
  const { low, high } = comparison.success;
  if (isOverTooFew(comparison)) return 'finding';
  if (low > 0) return 'finding better';
  return high < 0 ? 'finding worse' : 'finding';
}

/**
 * The table of results on one panel, with a rule before each kind of agent. All tasks stand before their families:
 * a narrow window shows what begins a row.
 */
export function panelTable(results: readonly EvaluationResult[]): Markup {
  const [first] = results;
  if (first === undefined) return markup``;
  const families = [...new Set(results.flatMap((result) => Object.keys(result.byFamily)))].toSorted();
  const graded = isGraded(results);
  const columns = 3 + families.length + (graded ? 1 : 0);
  const sections = kinds.flatMap(([kind, title]) => {
    const members = results.filter((result) => result.shown.kind === kind);
    return members.length === 0 ? [] : [{ title, members }];
  });
  return markup`<p>${first.env}, panel <b>${first.panel.name}</b> <code title="${first.panel.fingerprint}">${shortFingerprint(first.panel.fingerprint)}</code>, ${first.panel.tasks} ${plural(first.panel.tasks, 'task')}.</p>
<div class="scroll"><table class="data">
<thead><tr><th>agent</th><th>All <small>${first.panel.tasks}</small></th>${families.map((family) => markup`<th>${family} <small>${familyTasks(results, family)}</small></th>`)}${graded ? scoreHead : ''}<th>turns</th></tr></thead>
${sections.map(
  ({
    title,
    members,
  }) => markup`<tbody><tr class="kind"><th colspan="${columns}"><span>${title}</span></th></tr>
${members.map((result) => resultRow(result, { families, graded }))}</tbody>
`,
)}</table></div>
${passTable(results)}${sections.flatMap(({ members }) =>
    members.map(
      (
        result,
      ) => markup`<p class="note"><b>${result.agent}</b>: ${describeShown(result)}.${faultNote(result)}</p>
`,
    ),
  )}`;
}

/** pass@k and pass^k of the results whose tasks were played several times, with their conventions. */
function passTable(results: readonly EvaluationResult[]): Markup {
  const repeated = results.flatMap((result) =>
    result.passes === undefined ? [] : [{ result, ...result.passes }],
  );
  const [first] = repeated;
  if (first === undefined) return markup``;
  const ks = [...new Set(repeated.flatMap(({ byK }) => byK.map(({ k }) => k)))].toSorted((a, b) => a - b);
  const hats = ks.filter((k) => k > 1); // at 1 both are the same
  return markup`<div class="scroll"><table class="data">
<thead><tr><th>agent</th>${ks.map((k) => markup`<th>pass@${k}</th>`)}${hats.map((k) => markup`<th>pass^${k}</th>`)}</tr></thead>
<tbody>${repeated.map(({ result, byK }) => {
    const at = (k: number): (typeof byK)[number] | undefined => byK.find((each) => each.k === k);
    const cell = (rate: RateEstimate | undefined): Markup =>
      rate === undefined ? rateCell(rate) : scoreCell(shownRate(result, rate));
    return markup`<tr><td>${result.agent}</td>${ks.map((k) => cell(at(k)?.passAtK))}${hats.map((k) => cell(at(k)?.passHatK))}</tr>
`;
  })}</tbody></table></div>
<p class="note">${first.conventions.passAtK}. ${first.conventions.passHatK}. Of n episodes of a task c solved it.</p>
`;
}

function resultRow(
  result: EvaluationResult,
  { families, graded }: { readonly families: readonly string[]; readonly graded: boolean },
): Markup {
  return markup`<tr><td>${result.agent}</td>${scoreCell(shownRate(result, result.success))}${families.map((family) => familyCell(result, family))}${graded ? scoreCell(shownScore(result, result.score)) : ''}<td>${result.meanTurns?.toFixed(1) ?? '–'}</td></tr>
`;
}

function familyCell(result: EvaluationResult, family: string): Markup {
  const rate = result.byFamily[family];
  return rate === undefined ? rateCell(rate) : scoreCell(shownRate(result, rate));
}

/** A share in percent over its interval. */
export function rateCell(rate: RateEstimate | undefined): Markup {
  return rate === undefined
    ? markup`<td>–</td>`
    : scoreCell({ mean: rate.rate, low: rate.low, high: rate.high });
}

/** The head of a column of {@link scoreCell}. */
export const scoreHead = markup`<th>score <small>× 100</small></th>`;

/** A score times 100 over its interval, or over a dash where it has none. */
export function scoreCell(estimate: ScoreEstimate): Markup {
  const interval = knownInterval(estimate);
  return markup`<td>${percentDigits(estimate.mean)}<br><small>${interval === undefined ? '–' : `${percentDigits(interval.low)} to ${percentDigits(interval.high)}`}</small></td>`;
}

/** How many tasks of a family there are: the same for all agents of a panel. */
export function familyTasks(
  rows: readonly { readonly byFamily: Readonly<Record<string, { readonly tasks: number }>> }[],
  family: string,
): number {
  return Math.max(...rows.map(({ byFamily }) => byFamily[family]?.tasks ?? 0));
}

function faultNote(result: EvaluationResult): Markup {
  const described = describeFaults(result);
  if (described === undefined) return markup``;
  const told = [described, ...describeRetries(result)].join(' ');
  return result.faults.excessive ? markup` <span class="warn">${told}</span>` : markup` ${told}`;
}
