import { html, type Markup } from '../pages/markup.ts';

/** The parts around the content of every page. */
export interface Layout {
  /** The title of the page. The shop's name is appended. */
  readonly title: string;
  /** Address of the style sheet. */
  readonly stylesheet: string;
  /** A search field in the head. */
  readonly search: Markup | readonly Markup[];
  /** At the right of the head, such as the number of steps. */
  readonly aside: Markup | readonly Markup[];
  /** The instruction, above the content of every page of a task. */
  readonly instruction: string | undefined;
  /** A message at the top. */
  readonly notice: string | undefined;
  /** Navigation above the content. */
  readonly navigation: Markup | readonly Markup[];
  /** Starts with the only heading of the first level. */
  readonly content: Markup;
}

/** A complete document: landmarks, a skip link for the keyboard, and the content. */
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
