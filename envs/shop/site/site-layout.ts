import { html, type Markup } from '../pages/markup.ts';

/** What stands around the content of every page. */
export interface Layout {
  /** Of the page; the shop's name is put behind it. */
  readonly title: string;
  /** Address of the style sheet. */
  readonly stylesheet: string;
  /** A way to search, in the head. */
  readonly search: Markup | readonly Markup[];
  /** At the right of the head, such as how many steps are done. */
  readonly aside: Markup | readonly Markup[];
  /** What is wanted; it stands above the content of every page of a task. */
  readonly instruction: string | undefined;
  /** What has to be said before anything else. */
  readonly notice: string | undefined;
  /** The way around, above the content. */
  readonly navigation: Markup | readonly Markup[];
  /** Begins with the one heading of the first level. */
  readonly content: Markup;
}

/** A whole document: landmarks, a way past them for the keyboard, and the content. */
export const siteDocument = ({
  title,
  stylesheet,
  search,
  aside,
  instruction,
  notice,
  navigation,
  content,
}: Layout): Markup => html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} \u2013 WebShop</title>
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar"><div class="inner"><span class="brand">WebShop</span>${search}${aside}</div></header>
<div class="inner">
${
  instruction === undefined
    ? []
    : html`<aside class="instruction" aria-label="Instruction"><strong>Instruction:</strong> <span dir="auto">${instruction}</span></aside>
`
}${
  notice === undefined
    ? []
    : html`<p class="notice" role="status">${notice}</p>
`
}${navigation}<main id="content" tabindex="-1">
${content}
</main>
</div>
</body>
</html>
`;
