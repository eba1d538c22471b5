import { z } from 'zod';
import { browserFault } from '../engines/browser/page/page-faults.ts';

/**
 * Reads a page of the shop's site in the browser: its texts verbatim, with blanks that accessible names do
 * not keep, and its buttons in document order. The site has no scripts that could interfere.
 */
export const siteReading = `(() => {
  const main = document.querySelector('main');
  const all = (selector, within = main) => [...within.querySelectorAll(selector)];
  const text = (selector, within = main) => within.querySelector(selector)?.textContent ?? '';
  const texts = (selector, within = main) => all(selector, within).map((each) => each.textContent);
  return {
    instruction: text('.instruction > span', document),
    buttons: all('button', document).map(({ textContent, name, value }) => ({ text: textContent, name, value })),
    kind: main.querySelector('form.search') ? 'start' : main.querySelector('.buy') ? 'item' : main.querySelector('.of') ? 'sub-page' : main.querySelector('dl') ? 'done' : 'results',
    heading: text('h1'),
    paragraphs: texts(':scope > p'),
    rows: all('ol.products > li').map((row) => ({ title: text('h2', row), price: text('.price', row), asin: text('.open > :first-child', row), visited: row.querySelector('.seen') !== null })),
    options: all('fieldset').map((group) => ({
      name: text('legend', group),
      values: all('button, span.gone', group).map(({ textContent }) => textContent),
      chosen: group.querySelector('[aria-pressed="true"]')?.textContent,
    })),
    points: texts('ul > li'),
    reviews: all('article.review').map((review) => ({ title: text('h2', review), score: text('.price', review), body: text('.text', review) })),
    bought: all('dl > div').flatMap((row) => [text('dt', row), text('dd', row)]),
  };
})()`;

const text = z.string();

const readingSchema = z.object({
  instruction: text,
  buttons: z.array(z.object({ text, name: text, value: text })),
  kind: z.enum(['start', 'results', 'item', 'sub-page', 'done']),
  heading: text,
  /** Those directly in the main part. */
  paragraphs: z.array(text),
  rows: z.array(z.object({ title: text, price: text, asin: text, visited: z.boolean() })),
  options: z.array(z.object({ name: text, values: z.array(text), chosen: text.optional() })),
  points: z.array(text),
  reviews: z.array(z.object({ title: text, score: text, body: text })),
  /** Names and values alternate. */
  bought: z.array(text),
});

/** A page of the site as it was read. */
export type SiteReading = Readonly<z.output<typeof readingSchema>>;

/**
 * Parses a page.
 *
 * @throws FaultError for a page that does not belong to the site
 */
export function readSite(value: unknown): SiteReading {
  const parsed = readingSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw browserFault('reading the page', new Error('it is no page of the shop'));
}
