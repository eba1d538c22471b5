import { clickOn } from '../command.ts';
import { html, type Markup } from '../pages/markup.ts';
import {
  buttons,
  type DonePage,
  type ItemPage,
  type OptionGroup,
  type Page,
  type ResultsPage,
  type SubPage,
  type SubPageContent,
} from '../pages/page.ts';
import type { Reward } from '../../core/step.ts';
import { PageControls } from './page-controls.ts';
import { siteDocument } from './site-layout.ts';

/** Everything that a page of the site depends on. */
export interface SiteView {
  readonly page: Page;
  /** The clickable elements as actions. */
  readonly clicks: readonly string[];
  /** Steps done so far. Forms of this page are for the next step. */
  readonly step: number;
  /** The total number of steps, where people should know it. */
  readonly stepLimit: number | undefined;
  /** The last action. */
  readonly lastAction: string | undefined;
  readonly notice: string | undefined;
  /** The reward of the purchase, where it is shown. */
  readonly reward: Reward | undefined;
  /** The prefix of all addresses of the site. */
  readonly base: string;
  /** A link out of the site. */
  readonly exit: SiteExit | undefined;
  /** Whether every page before a purchase has a search field. */
  readonly searchAnywhere: boolean;
}

export interface SiteExit {
  readonly href: string;
  readonly words: string;
}

/** The paths, below the base of a site, to which forms are sent and where the style sheet is. */
export const sitePaths = { act: '/act', style: '/shop.css' } as const;

/** The page of a view as a complete document. Equal views give equal pages. */
export function drawSitePage(view: SiteView): Markup {
  const { page, base, step, notice } = view;
  const controls = new PageControls(view.clicks);
  const navigation = page.kind === 'start' || page.kind === 'done' ? [] : navigationOf(page, controls);
  const drawn = drawContent(view, controls);
  return siteDocument({
    title: titleOf(page),
    stylesheet: base + sitePaths.style,
    search:
      view.searchAnywhere && page.kind !== 'start' && page.kind !== 'done' ? searchForm(view, 'find') : [],
    aside: asideOf(view),
    instruction: page.kind === 'done' ? undefined : page.instruction,
    notice,
    navigation: page.kind === 'done' ? [] : [controls.form(base + sitePaths.act, step), ...navigation],
    content: drawn,
  });
}

/** The page of an episode without steps left. */
export const drawSpentPage = (
  view: Omit<SiteView, 'page' | 'clicks' | 'lastAction' | 'reward' | 'searchAnywhere'>,
  instruction: string,
): Markup =>
  siteDocument({
    title: 'No steps left',
    stylesheet: view.base + sitePaths.style,
    search: [],
    aside: asideOf(view),
    instruction,
    notice: view.notice,
    navigation: [],
    content: html`<h1>No steps are left</h1>
<p>All ${view.step} steps are done and nothing was bought: the score is 0.</p>`,
  });

function titleOf(page: Page): string {
  switch (page.kind) {
    case 'start':
      return 'Search';
    case 'results':
      return `Results, page ${page.number}`;
    case 'item':
      return page.title;
    case 'sub-page':
      return `${page.content.name} of ${page.title}`;
    case 'done':
      return 'Thank you';
    default:
      return page satisfies never;
  }
}

function asideOf({
  step,
  stepLimit,
  exit,
}: Pick<SiteView, 'step' | 'stepLimit' | 'exit'>): readonly Markup[] {
  const count =
    stepLimit === undefined ? [] : [html`<span class="steps">${step} of ${stepLimit} steps</span>`];
  return [...count, ...(exit === undefined ? [] : [html`<a href="${exit.href}">${exit.words}</a>`])];
}

function navigationOf(page: ResultsPage | ItemPage | SubPage, controls: PageControls): readonly Markup[] {
  const words =
    page.kind !== 'results'
      ? [buttons.previous]
      : page.number > 1
        ? [buttons.previous, buttons.next]
        : [buttons.next];
  return [
    html`<nav class="row" aria-label="Shop">
${[buttons.backToSearch, ...words].map(
  (name) => html`${controls.button(name, { look: 'plain' })}
`,
)}</nav>
`,
  ];
}

function drawContent(view: SiteView, controls: PageControls): Markup {
  const { page } = view;
  switch (page.kind) {
    case 'start':
      return html`<h1>Search the shop</h1>
${searchForm(view, 'search')}`;
    case 'results':
      return drawResults(page, controls);
    case 'item':
      return drawItem(page, controls, view.lastAction);
    case 'sub-page':
      return html`<h1>${page.content.name}</h1>
<p class="of" dir="auto">${page.title}</p>
${drawSubPage(page.content)}`;
    case 'done':
      return drawReceipt(page, view.reward);
    default:
      return page satisfies never;
  }
}

const searchForm = (
  { base, step }: Pick<SiteView, 'base' | 'step'>,
  look: 'search' | 'find',
): Markup => html`<form class="${look}" role="search" method="post" action="${base + sitePaths.act}">
<input type="hidden" name="step" value="${step}">
<label for="search">Words to search for</label>
<div class="field"><input id="search" type="search" name="search" required autocomplete="off"><button class="main">${buttons.search}</button></div>
</form>`;

const drawResults = (page: ResultsPage, controls: PageControls): Markup => html`<h1>Results</h1>
<p>Page ${page.number} (Total results: ${page.total})</p>
${
  page.rows.length === 0
    ? html`<p>Nothing is on this page.</p>`
    : html`<ol class="products">
${page.rows.map(
  ({ asin, title, price, visited }, index) => html`<li>
<h2 id="product-${index}" dir="auto">${title}</h2>
<p class="price">${price}</p>
<p class="open">${controls.button(asin, { look: 'link', describedBy: `product-${index}` })}${visited ? html` <span class="seen">opened before</span>` : []}</p>
</li>
`,
)}</ol>`
}`;

function drawItem(page: ItemPage, controls: PageControls, lastAction: string | undefined): Markup {
  const about = page.subPages.map(
    (name) => html`${controls.button(name, { look: 'plain' })}
`,
  );
  const buy = controls.button(buttons.buy, { look: 'main' });
  return html`<h1 dir="auto">${page.title}</h1>
<p class="price">Price: ${page.price}</p>
<p>Rating: ${page.rating}</p>
${drawOptions(page.options, controls, lastAction)}
<section class="row" aria-label="About the product">
${about}</section>
<p class="buy">${buy}</p>`;
}

/** Of repeated values the last one can be chosen, as in the original. The others are plain text. */
function drawOptions(
  groups: readonly OptionGroup[],
  controls: PageControls,
  lastAction: string | undefined,
): readonly Markup[] {
  const last = new Map<string, string>();
  for (const [group, { values }] of groups.entries())
    for (const [index, value] of values.entries()) last.set(value, `${group} ${index}`);
  const one = (value: string, place: string, chosen: string | undefined): Markup =>
    last.get(value) === place
      ? controls.button(value, {
          look: 'option',
          pressed: value === chosen,
          focused: clickOn(value) === lastAction,
        })
      : html`<span class="gone" dir="auto">${value}</span>`;
  return groups.map(
    ({ name, values, chosen }, group) => html`<fieldset>
<legend dir="auto">${name}</legend>
<div class="row">
${values.map(
  (value, index) => html`${one(value, `${group} ${index}`, chosen)}
`,
)}</div>
</fieldset>
`,
  );
}

function drawSubPage(content: SubPageContent): Markup {
  switch (content.name) {
    case 'Description':
      return html`<p class="text" dir="auto">${content.description}</p>`;
    case 'Features':
      return bullets(content.bulletPoints);
    case 'Reviews':
      return content.reviews.length === 0
        ? html`<p>There are no reviews.</p>`
        : html`${content.reviews.map(
            ({ title, score, body }) => html`<article class="review">
<h2 dir="auto">${title}</h2>
<p class="price">Score: ${score}</p>
<p class="text" dir="auto">${body}</p>
</article>
`,
          )}`;
    case 'Attributes':
      return html`${bullets(content.attributes)}
<p dir="auto">${content.category}</p>
<p dir="auto">${content.query}</p>
<p dir="auto">${content.productCategory}</p>`;
    default:
      return content satisfies never;
  }
}

const bullets = (points: readonly string[]): Markup => html`<ul>
${points.map(
  (point) => html`<li dir="auto">${point}</li>
`,
)}</ul>`;

/** The purchase and, where it is shown, its reward; never the required product. */
function drawReceipt({ asin, options }: DonePage, reward: Reward | undefined): Markup {
  const bought: readonly (readonly [string, string])[] = [['product', asin], ...options];
  return html`<h1>Thank you for shopping with us!</h1>
<h2>Bought</h2>
<dl>
${bought.map(
  ([name, value]) => html`<div><dt dir="auto">${name}</dt><dd dir="auto">${value}</dd></div>
`,
)}</dl>${reward === undefined ? [] : drawReward(reward)}`;
}

const drawReward = ({ total, terms }: Reward): Markup => html`
<h2>Your score</h2>
<p class="score">${points(total)}</p>
<p>out of 1, made of</p>
<dl>
${Object.entries(terms).map(
  ([name, value]) => html`<div><dt>${termWords[name] ?? name}</dt><dd>${points(value)}</dd></div>
`,
)}</dl>`;

const termWords: Readonly<Record<string, string>> = {
  attributes: 'attributes asked for',
  options: 'options asked for',
  price: 'price',
  type: 'taken off for the kind of product',
};

const points = (value: number): string => String(Math.round(value * 100) / 100).replace('-', '\u2212');
