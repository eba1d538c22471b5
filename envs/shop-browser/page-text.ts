import { drawText } from '../shop/pages/draw-text.ts';
import type { Page, SubPageContent, SubPageName } from '../shop/pages/page.ts';
import type { SiteReading } from './read-site.ts';

/** The page in shop-v1's mode `text`. The last page has its own texts, because it shows no score. */
export function textOf(reading: SiteReading, manner: { readonly strict: boolean }): string {
  if (reading.kind === 'done') return [reading.heading, ...reading.bought].join(' [SEP] ');
  return drawText(pageOf(reading, reading.kind), manner);
}

const url = ''; // nothing shown depends on it

/** The content of the page as the shop represents it. */
function pageOf(reading: SiteReading, kind: Exclude<SiteReading['kind'], 'done'>): Page {
  const { instruction, heading, paragraphs, rows, options, buttons } = reading;
  switch (kind) {
    case 'start':
      return { kind, url, instruction };
    case 'results': {
      const [, number = '', total = ''] =
        /^Page (\d+) \(Total results: (\d+)\)$/.exec(paragraphs[0] ?? '') ?? [];
      return { kind, url, instruction, number: Number(number), total: Number(total), rows };
    }
    case 'item': {
      const [price = '', rating = ''] = paragraphs;
      const subPages = subPageNames.filter((name) => buttons.some(({ text }) => text === name));
      const groups = options.map(({ name, values, chosen }) => ({ name, values, chosen }));
      return {
        kind,
        url,
        instruction,
        title: heading,
        price: price.slice('Price: '.length),
        rating: rating.slice('Rating: '.length),
        options: groups,
        subPages,
      };
    }
    case 'sub-page':
      return { kind, url, instruction, title: paragraphs[0] ?? '', content: contentOf(reading) };
    default:
      return kind satisfies never;
  }
}

const subPageNames: readonly SubPageName[] = ['Description', 'Features', 'Reviews', 'Attributes'];

function contentOf({ heading, paragraphs, points, reviews }: SiteReading): SubPageContent {
  const name = subPageNames.find((one) => one === heading) ?? 'Description';
  const [, first = '', second = '', third = ''] = paragraphs; // the product's title precedes them
  switch (name) {
    case 'Description':
      return { name, description: first };
    case 'Features':
      return { name, bulletPoints: points };
    case 'Reviews':
      return {
        name,
        reviews: reviews.map(({ title, score, body }) => ({
          title,
          score: score.slice('Score: '.length),
          body,
        })),
      };
    case 'Attributes':
      return { name, attributes: points, category: first, query: second, productCategory: third };
    default:
      return name satisfies never;
  }
}
