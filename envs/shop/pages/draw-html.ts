import { html, type Markup } from './markup.ts';
import {
  buttons,
  type DonePage,
  type ItemPage,
  type OptionGroup,
  type Page,
  type ResultsPage,
  type SubPage,
  type SubPageContent,
} from './page.ts';
import { pythonFloat, templateJson } from '../../engines/python-text/python-text.ts';

/**
 * Mode `html`: a page of our own, for agents. Its visible texts are those of mode `text`, in that order. The
 * elements that are clickable by the original's rules are the clickable ones. `site/` draws the pages for
 * browsers.
 */
export function drawHtml(page: Page): string {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>WebShop</title>
</head>
<body class="${page.kind}">
<main>
${draw(page)}
</main>
</body>
</html>
`.source;
}

function draw(page: Page): Markup {
  switch (page.kind) {
    case 'start':
      return start(page.instruction);
    case 'results':
      return results(page);
    case 'item':
      return item(page);
    case 'sub-page':
      return subPage(page);
    case 'done':
      return receipt(page);
    default:
      return page satisfies never;
  }
}

function start(instruction: string): Markup {
  const bar = html`<input id="search_input" type="search" name="search" aria-label="Search the shop" placeholder="Search..." required autofocus>
<button class="btn" type="submit">${buttons.search}</button>`;
  return html`<h1>WebShop</h1>
<h2 id="instruction-text">Instruction: <br>${instruction}</h2>
${form(bar, 'search')}`;
}

function results(page: ResultsPage): Markup {
  return html`${head(page.instruction)}
<h1>Page ${page.number} (Total results: ${page.total})</h1>
<nav aria-label="Pages">
${page.number > 1 ? button(buttons.previous) : []}${button(buttons.next)}</nav>
<ol class="products">
${page.rows.map(
  (row, index) => html`<li>
${form(html`<button class="product-link" type="submit" name="click" value="${row.asin.toLowerCase()}" aria-describedby="product-${index}"${row.visited ? html` data-visited` : []}>${row.asin}</button>`)}
<h2 id="product-${index}">${row.title}</h2>
<p class="price">${row.price}</p>
</li>
`,
)}
</ol>`;
}

function item(page: ItemPage): Markup {
  return html`${head(page.instruction)}
${button(buttons.previous)}
<div class="options">
${page.options.map((group, index) => options(group, index))}</div>
<h1>${page.title}</h1>
<p class="price">Price: ${page.price}</p>
<p class="rating">Rating: ${page.rating}</p>
<nav aria-label="About the product">
${page.subPages.map((name) => button(name))}</nav>
${button(buttons.buy, 'purchase')}`;
}

function options({ name, values, chosen }: OptionGroup, group: number): Markup {
  const inputs = values.map(
    (
      value,
      index,
    ) => html`<input type="radio" id="option-${group}-${index}" name="click" value="${value}"${value === chosen ? html` checked` : []}>
<label for="option-${group}-${index}">${value}</label>
`,
  );
  return form(html`<fieldset>
<legend>${name}</legend>
${inputs}
<button class="choose" type="submit" aria-label="Choose ${name}"></button>
</fieldset>`);
}

function subPage({ instruction, content }: SubPage): Markup {
  return html`${head(instruction)}
${button(buttons.previous)}
<article aria-label="${content.name}">
${about(content)}
</article>`;
}

function head(instruction: string): Markup {
  return html`<h2 id="instruction-text">Instruction:<br>${instruction}</h2>
${button(buttons.backToSearch)}`;
}

function button(words: string, kind = ''): Markup {
  const classes = kind === '' ? 'btn' : `btn ${kind}`;
  return form(
    html`<button class="${classes}" type="submit" name="click" value="${words.toLowerCase()}">${words}</button>`,
  );
}

const form = (
  content: Markup,
  role?: 'search',
): Markup => html`<form method="post"${role === undefined ? [] : html` role="${role}"`}>
${content}
</form>
`;

function about(content: SubPageContent): Markup {
  switch (content.name) {
    case 'Description':
      return html`<p>${content.description}</p>`;
    case 'Features':
      return bullets(content.bulletPoints);
    case 'Reviews':
      return html`${content.reviews.map(
        ({ title, score, body }) => html`<section class="review">
<h3>"${title}"</h3>
<p class="stars">${score}</p>
<p>${body}</p>
</section>
`,
      )}`;
    case 'Attributes':
      return html`${bullets(content.attributes)}
<p>${content.category}</p>
<p>${content.query}</p>
<p>${content.productCategory}</p>`;
    default:
      return content satisfies never;
  }
}

const bullets = (points: readonly string[]): Markup => html`<ul>
${points.map(
  (point) => html`<li> ${point}</li>
`,
)}
</ul>`;

/**
 * The hidden block has the labels of the original, which text observations show, and nothing about the
 * required product.
 */
function receipt({ asin, options, score }: DonePage): Markup {
  const bought = {
    asin,
    options: templateJson(options),
    attrs: 'None',
    category: 'None',
    query: 'None',
    'product category': 'None',
  };
  const target = [
    'asin',
    'options',
    'attrs',
    'price upper',
    'instuction text',
    'category',
    'product category',
    'query',
  ];
  return html`<h1>Thank you for shopping with us!</h1>
<div hidden>
<h2>Your code: </h2>
<p><code>None</code> (Paste it in your MTurk interface.)</p>
<h2>Purchased</h2>
${Object.entries(bought).map(
  ([name, value]) => html`<p>${name}<code>${value}</code></p>
`,
)}
<h2>Target</h2>
${target.map(
  (name) => html`<p>${name}</p>
`,
)}
<p>Goal <code>None</code></p>
<h2>Reward</h2>
</div>
<h2 id="reward">Your score (min 0.0, max 1.0)<output>${pythonFloat(score)}</output></h2>
<p hidden>Reward Details <code>None</code></p>`;
}
