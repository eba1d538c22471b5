import type { ObservationMode } from '../observation.ts';
import { buttons } from '../pages/page.ts';

/** A page as a player sees it: from the observation and the listed actions alone. */
export type SeenPage =
  | { readonly kind: 'start'; readonly searches: readonly string[] }
  | { readonly kind: 'results'; readonly rows: readonly SeenRow[]; readonly next: string | undefined }
  | SeenItem
  | { readonly kind: 'sub-page'; readonly texts: readonly string[]; readonly back: string };

export interface SeenRow {
  /** The action that opens it. */
  readonly open: string;
  /** Title; empty where the observation has none. */
  readonly title: string;
  readonly price: string;
}

export interface SeenItem {
  readonly kind: 'item';
  readonly title: string;
  readonly price: string;
  /**
   * Values, each with the action that chooses it. One group without a name where the observation shows no
   * names.
   */
  readonly groups: readonly SeenGroup[];
  /** Actions of other buttons by their words, in lower case. */
  readonly buttons: ReadonlyMap<string, string>;
}

export interface SeenGroup {
  readonly name: string;
  readonly values: readonly { readonly value: string; readonly choose: string }[];
}

const lower = (words: string): string => words.toLowerCase();
const [next, previous, buy, back] = [buttons.next, buttons.previous, buttons.buy, buttons.backToSearch].map(
  lower,
) as [string, string, string, string];
const onItem = new Set([back, previous, buy, 'description', 'features', 'reviews', 'attributes']);

/** Parses a page. */
export function readPage(
  observation: string,
  admissible: readonly string[],
  mode: ObservationMode,
): SeenPage {
  const clicks = new Map<string, string>();
  for (const action of admissible)
    if (action.startsWith('click[')) clicks.set(action.slice('click['.length, -1), action);
  const texts = textsOf(observation, mode);
  const previousPage = clicks.get(previous);
  if (clicks.size === 0) return { kind: 'start', searches: admissible };
  if (clicks.has(buy)) return readItem(texts, clicks);
  if (!clicks.has(next) && previousPage !== undefined)
    return { kind: 'sub-page', texts: texts.slice(endOfHead(texts)), back: previousPage };
  return { kind: 'results', rows: readRows(texts, clicks), next: clicks.get(next) };
}

/** The visible texts in order. */
function textsOf(observation: string, mode: ObservationMode): readonly string[] {
  switch (mode) {
    case 'text':
      return observation.split(' [SEP] ');
    case 'text_rich':
      return observation
        .split('\n')
        .map((line) => line.replaceAll(/\[(?:clicked )?button_?\]/g, '').trim())
        .filter((text) => text !== '');
    case 'html': {
      const body = observation.slice(observation.indexOf('<main>'));
      return body
        .split(/<[^>]*>/)
        .map((text) => unescapeHtml(text).trim())
        .filter((text) => text !== '');
    }
    case 'url':
      return [];
    default:
      return mode satisfies never;
  }
}

const unescapeHtml = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (reference) => characters[reference] ?? reference);

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Id, title and price of a product follow one another. */
function readRows(texts: readonly string[], clicks: ReadonlyMap<string, string>): readonly SeenRow[] {
  const rows: SeenRow[] = [];
  const isLink = (text: string | undefined): boolean => text !== undefined && isProduct(lower(text), clicks);
  for (const [index, text] of texts.entries()) {
    if (!isLink(text)) continue;
    const about: string[] = [];
    for (let at = index + 1; at < texts.length && !isLink(texts[at]); at += 1) about.push(texts[at] ?? '');
    rows.push({
      open: clicks.get(lower(text)) ?? '',
      title: about.slice(0, -1).join(' '),
      price: about.at(-1) ?? '',
    });
  }
  if (rows.length > 0) return rows;
  return [...clicks]
    .filter(([name]) => isProduct(name, clicks))
    .map(([, open]) => ({ open, title: '', price: '' }));
}

const isProduct = (name: string, clicks: ReadonlyMap<string, string>): boolean =>
  name !== back && name !== next && name !== previous && clicks.has(name);

/** The start of the product's texts, after the instruction and the links back. */
const endOfHead = (texts: readonly string[]): number =>
  texts.findIndex((words) => lower(words) === previous) + 1;

/** Options are between the links back and the title. The title precedes the price. */
function readItem(texts: readonly string[], clicks: ReadonlyMap<string, string>): SeenItem {
  const choices = new Map([...clicks].filter(([name]) => !onItem.has(name)));
  const others = new Map([...clicks].filter(([name]) => onItem.has(name)));
  const priceAt = texts.findIndex((text) => text.startsWith('Price: '));
  if (priceAt < 1) {
    const values = [...choices].map(([value, choose]) => ({ value, choose }));
    return {
      kind: 'item',
      title: '',
      price: '',
      groups: values.length === 0 ? [] : [{ name: '', values }],
      buttons: others,
    };
  }
  const groups: { name: string; values: { value: string; choose: string }[] }[] = [];
  for (const text of texts.slice(endOfHead(texts), priceAt - 1)) {
    const choose = choices.get(text);
    if (choose === undefined) groups.push({ name: lower(text), values: [] });
    else groups.at(-1)?.values.push({ value: text, choose });
  }
  return {
    kind: 'item',
    title: texts[priceAt - 1] ?? '',
    price: (texts[priceAt] ?? '').slice('Price: '.length),
    groups,
    buttons: others,
  };
}
