import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { jsonMarkup, Markup, markup } from './markup.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import type { Chart } from './chart.ts';

/**
 * A self-contained page: styles, scripts and data are inside. Its content policy allows exactly those scripts
 * and styles by their digests, so injected text cannot run.
 */
export async function buildPage(content: {
  readonly title: string;
  readonly body: Markup;
  readonly charts: readonly Chart[];
}): Promise<string> {
  const load = createRequire(import.meta.url);
  const style = `${await readFile(load.resolve('uplot/dist/uPlot.min.css'), 'utf8')}${pageStyle}`;
  const scripts =
    content.charts.length === 0
      ? []
      : [await readFile(load.resolve('uplot/dist/uPlot.iife.min.js'), 'utf8'), pageScript];
  const policy = [
    "default-src 'none'",
    `style-src ${digestOf(style)}`,
    `script-src ${scripts.length === 0 ? "'none'" : scripts.map(digestOf).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${Markup.trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${content.title}</title>
<style>${Markup.trusted(style)}</style>
</head>
<body>
<main>
${content.body}
</main>
<script type="application/json" id="charts">${jsonMarkup(content.charts)}</script>
${scripts.map((script) => markup`<script>${Markup.trusted(script)}</script>\n`)}</body>
</html>
`.html;
}

function digestOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
