import type { SidesComparison } from '../compare/compare-sides.ts';
import {
  describeNotCompared,
  describeSettingsApart,
  describeSteps,
  isPooled,
  stepsHead,
} from '../compare/describe-sides.ts';
import { meanCurve, panelOfCurves } from '../compare/learning-curve.ts';
import { figuresBySeed, type Side } from '../compare/side.ts';
import {
  describeComparison,
  describeScopes,
  describeSeveral,
} from '../../trainers/results/describe-comparison.ts';
import { percentDigits } from '../../trainers/results/number-words.ts';
import type { EvaluationLine } from '../../trainers/run/metrics-schema.ts';
import type { CurvePoint } from '../compare/learning-curve.ts';
import { chartOf, type Chart, type Look } from './chart.ts';
import { markup, type Markup } from './markup.ts';
import { buildPage } from './page.ts';
import { panelTable, tone } from './result-tables.ts';

/** A comparison as a page that needs nothing from anywhere: tables, findings, and the learning curves of all runs over each other. */
export function renderComparison(comparison: SidesComparison): Promise<string> {
  const { sides, comparisons, settings, steps, notes } = comparison;
  const charts = curveCharts(sides);
  const several = describeSeveral(comparisons.filter((one) => 'pairs' in one));
  const body = markup`<h1>${sides.map(({ name }) => name).join(' against ')}</h1>
<p class="muted">A comparison by cairn-gym. Success in %, with 95 % intervals below; faults that are left count as failures.</p>
${notes.map(
  (note) => markup`<p class="notice"><b>Note:</b> ${note}</p>
`,
)}<h2>Results</h2>
${panelTable(sides.map(({ result }) => result))}
<h2>Differences</h2>
${comparisons.map((one) =>
  'pairs' in one
    ? markup`<p class="${tone(one)}">${describeComparison(one)}</p>
`
    : markup`<p class="finding">${describeNotCompared(one)}</p>
`,
)}${describeScopes(comparisons.filter((one) => 'pairs' in one)).map(
    (scope) => markup`<p class="note">${scope}</p>
`,
  )}${
    several === undefined
      ? ''
      : markup`<p class="note">${several}</p>
`
  }${settings.map(
    (one) => markup`<p class="note">${describeSettingsApart(one)}</p>
`,
  )}
${seedTable(sides)}
${
  steps === undefined
    ? ''
    : markup`<h2>${stepsHead(steps)}</h2>
<ul>${steps.sides.map(
        (side) => markup`<li><b>${side.name}</b>: ${describeSteps(side)}</li>
`,
      )}</ul>
`
}<h2>Learning curves</h2>
${charts.length === 0 ? markup`<p class="muted">No side is a run: results in files have no curves.</p>` : markup`<noscript><p>The curves need JavaScript; the tables do not.</p></noscript>`}
<div class="charts large">
${charts.map(
  (
    chart,
    index,
  ) => markup`<figure><h3>${chart.title}</h3><p class="note">${chart.note}</p><div class="plot" data-chart="${index}"></div></figure>
`,
)}</div>`;
  return buildPage({
    title: `${sides.map(({ name }) => name).join(' against ')} – Cairn comparison`,
    body,
    charts,
  });
}

/** What each seed came to, where several are pooled. */
function seedTable(sides: readonly Side[]): Markup {
  const pooled = sides.filter(isPooled);
  if (pooled.length === 0) return markup``;
  const rows = pooled.flatMap(({ name, result }) =>
    figuresBySeed(result).map((figures) => ({ name, ...figures })),
  );
  return markup`<h2>Each seed</h2>
<div class="scroll"><table class="data">
<thead><tr><th>agent</th><th>seed</th><th>run</th><th>checkpoint</th><th>success</th><th>score <small>× 100</small></th></tr></thead>
<tbody>${rows.map(
    ({
      name,
      seed,
      run,
      checkpoint,
      success,
      score,
    }) => markup`<tr><td>${name}</td><td>${seed}</td><td>${run ?? '–'}</td><td>${checkpoint ?? '–'}</td><td>${percentDigits(success)}</td><td>${percentDigits(score)}</td></tr>
`,
  )}</tbody>
</table></div>`;
}

/** What is drawn of an evaluation, and along which axis. */
interface Curves {
  readonly xLabel: string;
  readonly placeOf: (line: EvaluationLine) => number;
  readonly valueOf: (line: EvaluationLine) => number;
}

/** Learning curves on `dev`: of each seed thin, and of the mean over seeds thick, by iterations and by environment steps. */
export function curveCharts(sides: readonly Side[]): readonly Chart[] {
  const panel = panelOfCurves(sides);
  if (panel === undefined) return [];
  const lines = sides.flatMap(({ members }) => members.flatMap(({ evaluations = [] }) => evaluations));
  const isScored = lines.some(({ score, success }) => score.mean !== success.rate);
  const axes = [
    { xLabel: 'iterations', placeOf: ({ iteration }: EvaluationLine) => iteration },
    { xLabel: 'environment steps', placeOf: ({ environmentSteps }: EvaluationLine) => environmentSteps },
  ];
  const several = sides.some(({ members }) => members.length > 1);
  const note = several
    ? `Thin lines are seeds, thick ones their mean; bands are 95 % intervals of the mean over seeds (Student’s). Success stays within 0 and 100 %.`
    : 'One run a side.';
  const charts = axes.flatMap((axis) => [
    chartOf(
      { title: `Success on ${panel} by ${axis.xLabel}`, note, unit: 'share', xLabel: axis.xLabel },
      linesOf(sides, { ...axis, valueOf: ({ success }) => success.rate }, { low: 0, high: 1 }),
    ),
    isScored
      ? chartOf(
          { title: `Score on ${panel} by ${axis.xLabel}`, note, unit: 'number', xLabel: axis.xLabel },
          linesOf(sides, { ...axis, valueOf: ({ score }) => score.mean }, { low: -Infinity, high: Infinity }),
        )
      : undefined,
  ]);
  return charts.filter((chart) => chart !== undefined);
}

/** Thin lines first, so that none lies over a mean. */
function linesOf(
  sides: readonly Side[],
  { placeOf, valueOf }: Curves,
  within: { readonly low: number; readonly high: number },
): readonly (readonly [string, readonly CurvePoint[], Look])[] {
  const bySide = sides.map(({ name, members }, colour) => {
    const curves = members.flatMap(({ evaluations = [] }) =>
      evaluations.length === 0 ? [] : [evaluations.map((line) => ({ x: placeOf(line), y: valueOf(line) }))],
    );
    const seeds =
      curves.length < 2 ? [] : curves.map((curve) => ['', curve, { colour, faint: true }] as const);
    const label = curves.length < 2 ? name : `${name}, mean of ${curves.length} seeds`;
    return { seeds, mean: [label, meanCurve(curves, within), { colour }] as const };
  });
  return [...bySide.flatMap(({ seeds }) => seeds), ...bySide.map(({ mean }) => mean)];
}
