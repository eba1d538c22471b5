import { z } from 'zod';
import { describeDecoding } from '../../trainers/results/estimate.ts';
import { percentDigits, percentOf, plural } from '../../trainers/results/number-words.ts';
import { shortFingerprint } from '../../trainers/results/table.ts';
import { startsAndEnds } from '../../trainers/run/before-after.ts';
import { trainConfigSchema } from '../../trainers/config/config.ts';
import { methodName } from '../../trainers/run/lineage.ts';
import { describeSamplerGap, findSamplerGap } from '../../trainers/loop/health/sampler-gap.ts';
import { describeStall, findStalls } from '../../trainers/loop/health/stalls.ts';
import { writeFileAtomically } from '../../files/atomic-write.ts';
import type { EvaluationLine, MetricsLine } from '../../trainers/run/metrics-schema.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import type { RunDocument } from '../../trainers/run/run-document.ts';
import { markup, type Markup } from './markup.ts';
import { buildPage } from './page.ts';
import { damageOf, readRun, type RunContent } from '../read/read-run.ts';
import { familyTasks, rateCell, resultTables, scoreCell, scoreHead } from './result-tables.ts';
import { runCharts, undrawnFigures } from './run-charts.ts';

/** Makes `report.html` of a run from what its folder holds, finished or not, and returns its path. */
export async function writeReport(folder: string): Promise<string> {
  const { report } = runPaths(folder);
  await writeFileAtomically(report, await renderReport(await readRun(folder)));
  return report;
}

/** The page as text. Everything from outside is escaped in it. */
export function renderReport(run: RunContent): Promise<string> {
  const charts = runCharts(run.metrics, run.timings);
  const body = markup`<h1>${run.name}</h1>
<p class="muted">${subtitle(run.document)}</p>
${headline(run)}
${iterationWarnings(run)}
${resultWarnings(run)}
${evaluationSection(run)}
<h2>Curves</h2>
${charts.length === 0 ? markup`<p class="muted">No iteration is done yet.</p>` : markup`<noscript><p>The curves need JavaScript; the tables do not.</p></noscript>`}
<div class="charts">
${charts.map(
  (
    chart,
    index,
  ) => markup`<figure><h3>${chart.title}</h3><p class="note">${chart.note}</p><div class="plot" data-chart="${index}"></div></figure>
`,
)}</div>
${lastFigures(run.metrics)}
${facts(run.document)}`;
  return buildPage({ title: `${run.name} – Cairn run`, body, charts });
}

const headSchema = z.object({
  env: z.string(),
  seed: z.number(),
  credit: z.object({ kind: z.string(), anchor: z.string().optional() }).optional(),
});

/** What was trained, how and with which seed, as far as the config says. */
function subtitle({ config, versions }: RunDocument): string {
  const by = `A training run of cairn-gym ${versions['cairn-gym']}`;
  const head = headSchema.safeParse(config);
  if (!head.success) return `${by}.`;
  const { env, seed, credit } = head.data;
  const method = credit === undefined ? '' : `, by ${methodName(credit, versions)}`;
  const anchor = credit?.anchor === undefined ? '' : ` with steps grouped by ${credit.anchor}`;
  return `${by} on ${env}${method}${anchor}, seed ${seed}.`;
}

/** The figures that a reader looks for first: the effect of the run, then its size. */
function headline({ metrics, results }: RunContent): Markup {
  const last = metrics.findLast((line) => line.kind === 'iteration');
  const evaluated = metrics.findLast((line) => line.kind === 'evaluation');
  const figures: readonly (readonly [string, string])[] = [
    ...startsAndEnds(results).map(
      ({ start, end }) =>
        [
          `success on ${end.panel.name}, before and after`,
          `${percentDigits(start.success.rate)} → ${percentOf(end.success.rate)}`,
        ] as const,
    ),
    ...(evaluated === undefined
      ? []
      : [[`success on ${evaluated.panel}, last evaluation`, percentOf(evaluated.success.rate)] as const]),
    ...(last?.success === undefined
      ? []
      : [['success in training, last iteration', percentOf(last.success)] as const]),
    ['iterations', String(last?.iteration ?? 0)],
    ['environment steps', (last?.environmentSteps ?? 0).toLocaleString('en')],
    ['episodes', (last?.episodes ?? 0).toLocaleString('en')],
  ];
  return markup`<ul class="figures">${figures.map(([name, value]) => markup`<li><b>${value}</b><span>${name}</span></li>`)}</ul>`;
}

/** What the run said of its iterations: that they taught nothing, or that a server sampled from something else. */
function iterationWarnings({ document, metrics }: RunContent): Markup {
  const config = trainConfigSchema.safeParse(document.config);
  if (!config.success) return markup``;
  const lines = metrics.filter((line) => line.kind === 'iteration');
  const gap = findSamplerGap(lines, config.data);
  const warnings = [
    ...findStalls(lines).map((stall) => describeStall(stall, config.data)),
    ...(gap === undefined ? [] : [describeSamplerGap(gap, config.data)]),
  ];
  return markup`${warnings.map(
    (warning) => markup`<p class="notice"><b>Warning:</b> ${warning}</p>
`,
  )}`;
}

/** What is wrong with the results below. */
function resultWarnings(run: RunContent): Markup {
  return markup`${damageOf(run).map(
    (message) => markup`<p class="notice"><b>Warning:</b> ${message}</p>
`,
  )}`;
}

/** Said where nothing is to be played at the end. */
function noTable({ config }: RunDocument): Markup {
  const parsed = trainConfigSchema.safeParse(config);
  if (!parsed.success || parsed.data.finalPanels === undefined || parsed.data.finalPanels.length > 0)
    return markup``;
  return markup`<p class="note">No table of before and after: this run plays no held-out panel at its end (<code>finalPanels</code> is empty). <code>--final-panel NAME</code> names one.</p>
`;
}

function evaluationSection({ results, metrics, document }: RunContent): Markup {
  const lines = metrics.filter((line) => line.kind === 'evaluation');
  if (results.length > 0) {
    return markup`<h2>Final results</h2>
<p class="muted">Success in %, with 95 % intervals below; small figures in the head count tasks. Faults that are left count as failures.</p>
${resultTables(results)}`;
  }
  if (lines.length === 0) return noTable(document);
  return markup`<h2>Last evaluations</h2>
<p class="muted">In the course of training. Success in %, with 95 % intervals.</p>
${lineTables(lines)}${noTable(document)}`;
}

/** The last evaluation of each agent and decoding, panel by panel. */
function lineTables(lines: readonly EvaluationLine[]): Markup {
  const last = new Map(
    lines.map((line) => [JSON.stringify([line.fingerprint, line.agent, line.decoding]), line]),
  );
  const panels = [...new Set([...last.values()].map((line) => line.fingerprint))];
  return markup`${panels.map((fingerprint) => {
    const rows = [...last.values()].filter((line) => line.fingerprint === fingerprint);
    const families = [...new Set(rows.flatMap((line) => Object.keys(line.byFamily)))].toSorted();
    const graded = rows.some((line) => line.score.mean !== line.success.rate);
    return markup`<p>Panel <b>${rows[0]?.panel ?? ''}</b> <code title="${fingerprint}">${shortFingerprint(fingerprint)}</code></p>
<div class="scroll"><table class="data">
<thead><tr><th>agent</th><th>decoding</th><th>iteration</th><th>All</th>${families.map((family) => markup`<th>${family} <small>${familyTasks(rows, family)}</small></th>`)}${graded ? scoreHead : ''}</tr></thead>
<tbody>${rows.map(
      (
        line,
      ) => markup`<tr><td>${line.agent}</td><td>${describeDecoding(line.decoding)}</td><td>${line.iteration}</td>${rateCell(line.success)}${families.map(
        (family) => rateCell(line.byFamily[family]),
      )}${graded ? scoreCell(line.score) : ''}</tr>
`,
    )}</tbody>
</table></div>
`;
  })}`;
}

function lastFigures(metrics: readonly MetricsLine[]): Markup {
  const last = metrics.findLast((line) => line.kind === 'iteration');
  if (last === undefined) return markup``;
  const names = undrawnFigures(last);
  if (names.length === 0) return markup``;
  return markup`<details><summary>Other figures of iteration ${last.iteration}</summary>
<div class="scroll"><table class="data"><tbody>${names.map(
    (name) => markup`<tr><td>${name}</td><td>${Number((last.figures[name] ?? 0).toPrecision(6))}</td></tr>
`,
  )}</tbody></table></div></details>`;
}

function facts({ panels, versions, config }: RunDocument): Markup {
  const rows = (entries: readonly (readonly [string, string])[]): readonly Markup[] =>
    entries.map(
      ([name, value]) => markup`<tr><td>${name}</td><td class="wide"><code>${value}</code></td></tr>
`,
    );
  return markup`<h2>Panels and versions</h2>
<div class="scroll"><table class="data"><tbody>
${rows(Object.entries(panels).map(([name, { fingerprint, tasks }]) => [`panel ${name}, ${tasks} ${plural(tasks, 'task')}`, fingerprint]))}${rows(Object.entries(versions))}</tbody></table></div>
<h2>Configuration</h2>
<pre>${JSON.stringify(config, undefined, 2)}</pre>`;
}
