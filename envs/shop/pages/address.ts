import type { ItemPlace, ShopPlace } from '../place.ts';
import { pythonDict, pythonJson } from '../../engines/python-text/python-text.ts';

const server = 'http://127.0.0.1:3000';

/**
 * The address of a place in the original's format, without escapes: mode `url`. `asin` is the id of the
 * product there.
 *
 * @param session name of the shopper's session; the original names it by the number of the goal
 */
export function addressOf(place: ShopPlace, session: string, asin: string): string {
  switch (place.kind) {
    case 'start':
      return `${server}/${session}`;
    case 'results':
      return `${server}/search_results/${session}/${keywords(place.query)}/${place.page}`;
    case 'item':
      return `${server}/item_page/${session}/${asin}/${keywords(place.query)}/${place.page}/${pythonJson(place.options)}`;
    case 'sub-page':
      return `${server}/item_sub_page/${session}/${asin}/${keywords(place.query)}/${place.page}/${place.name}/${pythonDict(place.options)}`;
    default:
      return place satisfies never;
  }
}

/** The address of the page after buying. */
export const receiptAddress = ({ options }: ItemPlace, session: string, asin: string): string =>
  `${server}/done/${session}/${asin}/${pythonDict(options)}`;

const keywords = (query: string): string => query.replaceAll(' ', '+');
