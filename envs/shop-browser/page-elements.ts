import { FaultError } from '../core/errors.ts';
import { nodesOf, type PageNode } from '../engines/browser/view/page-tree.ts';
import { clickOn } from '../shop/command.ts';
import type { SiteReading } from './read-site.ts';

/** A clickable element and its action. */
export interface ActionButton {
  readonly element: string;
  readonly action: string;
}

/** The elements that can be acted on. */
export interface PageElements {
  /** Keyed by the words of clicks, in the order in which the shop lists them. */
  readonly buttons: ReadonlyMap<string, ActionButton>;
  /** The field for the words of a search. */
  readonly searchField: string | undefined;
}

/**
 * The elements of a page with their actions. The browser's tree decides what is clickable. The texts of the
 * document decide which action it is, because an accessible name of `a b` has only one blank.
 */
export function elementsOf(
  content: PageNode['children'],
  { buttons }: Pick<SiteReading, 'buttons'>,
): PageElements {
  const nodes = [...nodesOf(content)];
  const seen = nodes.filter(({ role, states }) => role === 'button' && !states.includes('disabled'));
  if (seen.length !== buttons.length)
    throw new FaultError({
      kind: 'env-crashed',
      where: 'the page of shop-browser-v1',
      message: `of its ${buttons.length} buttons ${seen.length} are to be seen.`,
    });
  const clicks = buttons.flatMap(({ text, name, value }, place) => {
    const target = text.toLowerCase();
    const element = seen[place]?.id;
    return name !== 'click' || element === undefined ? [] : [{ number: Number(value), target, element }];
  });
  return {
    buttons: new Map(
      clicks
        .toSorted((one, other) => one.number - other.number)
        .map(({ target, element }) => [target, { element, action: clickOn(target) }]),
    ),
    searchField: nodes.find(({ role }) => role === 'searchbox')?.id,
  };
}
