import type { PageView } from '../engines/browser/view/page-view.ts';
import { candidateQueries } from '../shop/candidate-queries.ts';
import { searchFor } from '../shop/command.ts';
import type { BrowsingManner } from './host.ts';
import type { PageElements } from './page-elements.ts';
import { describePage } from './page-words.ts';
import { textOf } from './page-text.ts';
import type { SiteReading } from './read-site.ts';

/** The part of a page that an agent sees. */
export interface ShownPage {
  readonly observation: string;
  readonly admissible: readonly string[];
}

/** A page as the browser has it. */
interface BrowsedPage {
  readonly view: Pick<PageView, 'title' | 'content'>;
  readonly reading: SiteReading;
  readonly elements: PageElements;
}

/**
 * The clickable actions; on a page with only the search field, also the searches that the instruction
 * suggests.
 */
export function showPage(
  { view, reading, elements }: BrowsedPage,
  { observationMode, strict }: Pick<BrowsingManner, 'observationMode' | 'strict'>,
): ShownPage {
  const clicks = [...elements.buttons.values()].map(({ action }) => action);
  return {
    observation: observationMode === 'text' ? textOf(reading, { strict }) : describePage(view),
    admissible: reading.kind === 'start' ? candidateQueries(reading.instruction).map(searchFor) : clicks,
  };
}
