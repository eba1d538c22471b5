import type { PanelInfo } from '../../envs/core/task.ts';
import { html, type Markup } from '../../envs/shop/pages/markup.ts';
import { sitePaths } from '../../envs/shop/site/draw-site-page.ts';
import { siteDocument } from '../../envs/shop/site/site-layout.ts';

/** Goals on one page of the list. */
export const goalsAPage = 20;

export interface DeskView {
  readonly root: string;
  readonly panels: readonly PanelInfo[];
  /** The panel whose goals are listed. */
  readonly panel: PanelInfo;
  /** Number of the first listed goal. */
  readonly from: number;
  readonly goals: readonly { readonly index: number; readonly instruction: string }[];
}

const plain = { search: [], aside: [], instruction: undefined, notice: undefined } as const;

/** The page on which to choose a goal. */
export function drawDesk({ root, panels, panel, from, goals }: DeskView): Markup {
  const action = `${root}/visits`;
  const address = (name: string, first: number): string =>
    `${root}/?panel=${encodeURIComponent(name)}&from=${first}`;
  const links = panels.map(
    ({
      name,
      size,
    }) => html`<a href="${address(name, 0)}"${name === panel.name ? html` aria-current="page"` : []}>${name} (${size} goals)</a>
`,
  );
  const hidden = html`<input type="hidden" name="panel" value="${panel.name}">`;
  const pages = [
    ...(from > 0
      ? [html`<a href="${address(panel.name, Math.max(0, from - goalsAPage))}">Goals before</a>`]
      : []),
    ...(from + goalsAPage < panel.size
      ? [html`<a href="${address(panel.name, from + goalsAPage)}">Goals after</a>`]
      : []),
  ];
  return siteDocument({
    ...plain,
    title: `Goals of ${panel.name}`,
    stylesheet: root + sitePaths.style,
    navigation: html`<nav class="row" aria-label="Panels">
${links}</nav>
`,
    content: html`<h1>Pick a goal to shop for</h1>
<p>You are told what to buy. Search, compare, choose options, buy one product; it is scored from 0 to 1 by how well it fits.</p>
<div class="row pick">
<form method="post" action="${action}">${hidden}<button class="main" name="goal" value="any">Any goal of ${panel.name}</button></form>
<form class="row" method="post" action="${action}">${hidden}
<label for="goal">Goal number</label>
<input id="goal" type="number" name="goal" min="0" max="${panel.size - 1}" required><button class="plain">Shop for it</button></form>
</div>
<h2>Goals ${from} to ${from + goals.length - 1} of ${panel.name}</h2>
<ul class="goals">
${goals.map(
  ({
    index,
    instruction,
  }) => html`<li><p id="goal-${index}" dir="auto">${instruction}</p><form method="post" action="${action}">${hidden}<button class="plain" name="goal" value="${index}" aria-describedby="goal-${index}">Goal ${index}</button></form></li>
`,
)}</ul>
${pages.length === 0 ? [] : html`<nav class="row" aria-label="More goals">${pages}</nav>`}`,
  });
}

/** The answer for a visit that is not kept. */
export const drawNoVisit = (root: string, mostVisits: number): Markup =>
  siteDocument({
    ...plain,
    title: 'This visit is over',
    stylesheet: root + sitePaths.style,
    navigation: [],
    content: html`<h1>This visit is not kept any more</h1>
<p>At most ${mostVisits} visits are kept at once, and the one used least lately makes room for a new one. A server that was started anew knows none of before.</p>
<p><a href="${root}/">Pick a goal</a></p>`,
  });
