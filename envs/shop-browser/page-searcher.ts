import type { Searcher } from '../core/env.ts';
import type { Ongoing, Opening } from '../core/step.ts';
import { buttons } from '../shop/pages/page.ts';
import { readPageWords, type SpokenNode } from './page-words.ts';

/** Lets the shop's own searcher, which reads the mode `text`, play by the mode `page` alone. */
export class PageSearcher implements Searcher<string, string> {
  readonly #searcher: Searcher<string, string>;

  constructor(searcher: Searcher<string, string>) {
    this.#searcher = searcher;
  }

  act(turn: Opening<string, string> | Ongoing<string, string>): string {
    return this.#searcher.act({
      ...turn,
      observation: textsOf(readPageWords(turn.observation)).join(' [SEP] '),
    });
  }
}

/** The texts of a page in the order of the mode `text`, as far as a searcher uses them. */
function textsOf(page: readonly SpokenNode[]): readonly string[] {
  const main = page.slice(page.findIndex(({ role }) => role === 'main') + 1);
  const rows = partsOf(main, 'listitem').filter((row) => row.some(isButton));
  if (main.some((node) => isButton(node) && node.words === buttons.buy)) return itemTexts(main);
  if (rows.length > 0) return rows.flatMap(rowTexts);
  return [
    buttons.previous,
    ...main
      .slice(1)
      .map(({ words }) => words)
      .filter((words) => words !== ''),
  ];
}

const isButton = ({ role }: SpokenNode): boolean => role === 'button';
const wordsOf = (nodes: readonly SpokenNode[], role: string): readonly string[] =>
  nodes.filter((node) => node.role === role).map(({ words }) => words);

/** Id, title and price of a product. */
const rowTexts = (row: readonly SpokenNode[]): readonly string[] => [
  ...wordsOf(row, 'button'),
  ...wordsOf(row, 'heading'),
  ...wordsOf(row, 'text').slice(0, 1),
];

function itemTexts(main: readonly SpokenNode[]): readonly string[] {
  const [title = ''] = wordsOf(main, 'heading');
  const price = wordsOf(main, 'text').find((words) => words.startsWith('Price: ')) ?? '';
  const groups = partsOf(main, 'group').flatMap((group) => [
    group[0]?.words ?? '',
    ...wordsOf(group, 'button'),
  ]);
  return [buttons.previous, ...groups, title, price.split(' Rating: ')[0] ?? ''];
}

/** Each node of that role, with all its content. */
function partsOf(nodes: readonly SpokenNode[], role: string): readonly (readonly SpokenNode[])[] {
  return nodes.flatMap((node, place) => {
    if (node.role !== role) return [];
    const after = nodes.findIndex((other, at) => at > place && other.depth <= node.depth);
    return [nodes.slice(place, after < 0 ? nodes.length : after)];
  });
}
