import {
  buttons,
  type DonePage,
  type ItemPage,
  type Page,
  type ResultsPage,
  type SubPageContent,
} from './page.ts';
import { pythonFloat, templateJson } from '../../engines/python-text/python-text.ts';

/** A piece of visible text and its element. */
export interface PageNode {
  readonly role: 'text' | 'button' | 'product' | 'option';
  readonly text: string;
  /** For a product: visited. For an option: chosen. */
  readonly marked: boolean;
}

/** The visible texts of a page in order, as the original's templates draw them, including blanks. */
export function nodesOf(page: Page): readonly PageNode[] {
  const nodes: PageNode[] = [];
  for (const node of drawnOn(page)) {
    if (!blank.test(node.text)) nodes.push(node);
    else if (node.text !== '' && !node.text.includes('\n')) nodes.push({ ...node, text: ' ' });
  }
  return nodes;
}

/** The original's parser turns such a text into one newline or one blank, and skips newlines. */
const blank = /^[ \n\t\f\r]*$/;

function drawnOn(page: Page): readonly PageNode[] {
  switch (page.kind) {
    case 'start':
      return [plain('WebShop'), plain('Instruction: '), plain(page.instruction), button(buttons.search)];
    case 'results':
      return [...headOf(page), ...resultsOf(page)];
    case 'item':
      return [...headOf(page), button(buttons.previous), ...itemOf(page)];
    case 'sub-page':
      return [...headOf(page), button(buttons.previous), ...contentOf(page.content).map(plain)];
    case 'done':
      return receiptOf(page).map(plain);
    default:
      return page satisfies never;
  }
}

const plain = (text: string): PageNode => ({ role: 'text', text, marked: false });
const button = (text: string): PageNode => ({ role: 'button', text, marked: false });

const headOf = ({ instruction }: { readonly instruction: string }): readonly PageNode[] => [
  plain('Instruction:'),
  plain(instruction),
  button(buttons.backToSearch),
];

function resultsOf(page: ResultsPage): readonly PageNode[] {
  const nodes = [plain(`Page ${page.number} (Total results: ${page.total})`)];
  if (page.number > 1) nodes.push(button(buttons.previous));
  nodes.push(button(buttons.next));
  for (const { asin, title, price, visited } of page.rows)
    nodes.push({ role: 'product', text: asin, marked: visited }, plain(title), plain(price));
  return nodes;
}

function itemOf(page: ItemPage): readonly PageNode[] {
  const nodes: PageNode[] = [];
  for (const { name, values, chosen } of page.options) {
    nodes.push(plain(name));
    for (const value of values) nodes.push({ role: 'option', text: value, marked: value === chosen });
  }
  nodes.push(plain(page.title), plain(`Price: ${page.price}`), plain(`Rating: ${page.rating}`));
  for (const name of page.subPages) nodes.push(button(name));
  nodes.push(button(buttons.buy));
  return nodes;
}

function contentOf(content: SubPageContent): readonly string[] {
  switch (content.name) {
    case 'Description':
      return [content.description];
    case 'Features':
      return content.bulletPoints.map((point) => ` ${point}`);
    case 'Reviews':
      return content.reviews.flatMap(({ title, score, body }) => [`"${title}"`, score, body]);
    case 'Attributes':
      return [
        ...content.attributes.map((attribute) => ` ${attribute}`),
        content.category,
        content.query,
        content.productCategory,
      ];
    default:
      return content satisfies never;
  }
}

/**
 * The original's block about the target contains only labels, as wherever the original's text env draws it.
 */
function receiptOf({ asin, options, score }: DonePage): readonly string[] {
  return [
    'Thank you for shopping with us!',
    'Your code: ',
    'None',
    ' (Paste it in your MTurk interface.)',
    'Purchased',
    'asin',
    asin,
    'options',
    templateJson(options),
    'attrs',
    'None',
    'category',
    'None',
    'query',
    'None',
    'product category',
    'None',
    'Target',
    'asin',
    'options',
    'attrs',
    'price upper',
    'instuction text',
    'category',
    'product category',
    'query',
    'Goal ',
    'None',
    'Reward',
    'Your score (min 0.0, max 1.0)',
    pythonFloat(score),
    'Reward Details ',
    'None',
  ];
}
