import type { ShopPlace } from './place.ts';
import type { ShopSession } from './session.ts';
import type { ShopTask } from './task.ts';

/** The whole world in one line. Worlds have equal keys exactly when they are equal. */
export function stateKeyOf({ statePrefix }: ShopTask, { place, visited }: ShopSession): string {
  const opened = visited.size === 0 ? '' : `|${[...visited].toSorted((a, b) => a - b).join()}`;
  return `${statePrefix}${placeKey(place)}${opened}`;
}

/** The key of the world after buying. */
export const soldKeyOf = (task: ShopTask, session: ShopSession): string =>
  `${stateKeyOf(task, session)}|sold`;

/** Queries come last and quoted, so that they cannot be confused with anything else. */
function placeKey(place: ShopPlace): string {
  switch (place.kind) {
    case 'start':
      return 'start';
    case 'results':
      return `results|${place.page}|${JSON.stringify(place.query)}`;
    case 'item':
      return `item|${place.product}|${place.page}|${JSON.stringify([...place.options, place.query])}`;
    case 'sub-page':
      return `${place.name}|${place.product}|${place.page}|${JSON.stringify([...place.options, place.query])}`;
    default:
      return place satisfies never;
  }
}
