/** The style sheet of the report: readable in light and dark, in print and on small screens. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --text: #1b1f24; --muted: #5b6470; --grid: #e4e7eb; --warn: #a33a00; --bad: #b3261e;
  --line-0: #0b6bb3; --line-1: #c4570a; --line-2: #1c8a5a; --line-3: #8e44ad; --line-4: #a8791a; --line-5: #c2255c; --line-6: #4c5a67;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --card: #1d2126; --text: #e6e9ed; --muted: #9aa4b0; --grid: #2d333b; --warn: #ff9d5c; --bad: #ff7b72;
    --line-0: #5db0f0; --line-1: #f2994a; --line-2: #5cc994; --line-3: #c58be0; --line-4: #dcb75a; --line-5: #f27aa4; --line-6: #aab6c2;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 24px 20px 64px; }
h1 { font-size: 1.6rem; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 36px 0 10px; }
h3 { font-size: 0.98rem; margin: 0; }
p { margin: 0 0 8px; }
.muted, .note { color: var(--muted); }
.note { font-size: 0.83rem; margin: 0 0 6px; }
.warn { color: var(--warn); font-weight: 600; }
.figures { display: flex; flex-wrap: wrap; gap: 12px; margin: 16px 0 0; padding: 0; list-style: none; }
.figures li { background: var(--card); border: 1px solid var(--grid); border-radius: 8px; padding: 10px 16px; min-width: 130px; }
.figures b { display: block; font-size: 1.3rem; font-variant-numeric: tabular-nums; }
.figures span { color: var(--muted); font-size: 0.83rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(380px, 100%), 1fr)); gap: 14px; }
figure { margin: 0; background: var(--card); border: 1px solid var(--grid); border-radius: 8px; padding: 12px 14px 8px; min-width: 0; }
.charts.large { grid-template-columns: repeat(auto-fit, minmax(min(480px, 100%), 1fr)); }
.plot { min-height: 240px; }
.uplot .u-legend { font-size: 0.78rem; text-align: left; margin: 4px 0 0; color: var(--text); }
.u-legend.u-inline .u-series { margin-right: 12px; }
.u-legend.u-inline .u-series > * { padding: 1px 0; }
.u-legend .u-series th { font-weight: 500; }
.u-legend.u-inline .u-series th::after { content: none; }
.u-legend .u-series:first-child { color: var(--muted); }
.u-legend .u-series:first-child .u-marker { display: none; }
.u-legend .u-series[hidden] { display: none; }
.u-legend .u-value { font-variant-numeric: tabular-nums; }
.scroll + .note { margin-top: 8px; }
.note + p:not(.note) { margin-top: 18px; }
.notice { color: var(--warn); background: var(--card); border: 1px solid var(--grid); border-left: 4px solid var(--warn); border-radius: 8px; padding: 10px 14px; }
.finding { background: var(--card); border: 1px solid var(--grid); border-left: 4px solid var(--muted); border-radius: 8px; padding: 10px 14px; }
.finding.better { border-left-color: var(--line-2); }
.finding.worse { border-left-color: var(--bad); }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--grid); border-radius: 8px; margin: 0 0 12px; }
table.data { border-collapse: collapse; width: 100%; font-size: 0.86rem; font-variant-numeric: tabular-nums; }
table.data th, table.data td { padding: 6px 8px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--grid); }
table.data tr:last-child td, table.data tr:last-child th { border-bottom: 0; }
table.data th:first-child, table.data td:first-child { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 130px; }
table.data thead th { color: var(--muted); font-weight: 600; }
table.data tr.kind th { color: var(--muted); font-weight: 600; white-space: normal; border-top: 2px solid var(--grid); padding-top: 10px; }
table.data tr.kind span { position: sticky; left: 8px; }
table.data small { color: var(--muted); }
table.data td.wide { text-align: left; white-space: normal; overflow-wrap: anywhere; }
code, pre { font: 0.82rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre { background: var(--card); border: 1px solid var(--grid); border-radius: 8px; padding: 12px 14px; overflow: auto; max-height: 480px; margin: 0; }
details > summary { cursor: pointer; margin: 8px 0; }
@media (max-width: 920px) {
  table.data { font-size: 0.8rem; }
  table.data th, table.data td { padding: 5px 5px; }
  table.data tr.kind th { color: var(--muted); font-weight: 600; white-space: normal; border-top: 2px solid var(--grid); padding-top: 10px; }
table.data tr.kind span { position: sticky; left: 8px; }
table.data small { white-space: normal; }
  table.data th:first-child, table.data td:first-child { min-width: 90px; }
}
@media print { body { background: #fff; } figure, .scroll { break-inside: avoid; } }
`;
