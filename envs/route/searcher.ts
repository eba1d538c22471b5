import type { Searcher } from '../core/env.ts';
import type { Rng } from '../core/rng.ts';
import type { Ongoing, Opening } from '../core/step.ts';
import type { RouteAction } from './action.ts';
import type { RouteObservation } from './observation.ts';

type Turn = Opening<RouteObservation, RouteAction> | Ongoing<RouteObservation, RouteAction>;

/** What models say of themselves, from what to choose first. */
const levels = ['excellent', 'good', 'fair', 'poor'];
const prices = ['lowest', 'low', 'middle', 'high'];

/**
 * Reads what is said of the models. It asks for one fact after the other: the cheapest model that knows the topic well, then the
 * next one where that does not know. It answers with the name at the end of the chain.
 */
export class RouteSearcher implements Searcher<RouteObservation, RouteAction> {
  readonly #rng: Rng;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  act({ admissible = [] }: Turn): RouteAction {
    const answer = admissible.find(
      (action) => action.kind === 'answer' && action.where?.startsWith('at the end') === true,
    );
    if (answer !== undefined) return answer;
    const routes = this.#rng
      .shuffle(admissible.filter((action) => action.kind === 'route'))
      .toSorted((one, other) => rankOf(one) - rankOf(other));
    const [best] = routes;
    if (best !== undefined) return best;
    return admissible.find(({ kind }) => kind === 'answer') ?? { kind: 'answer', text: 'unknown' };
  }
}

/** From what to ask first: single facts, then knowledge, then the price, then whether the model admits what it does not know. */
function rankOf({ where = '' }: { readonly where?: string | undefined }): number {
  const level = levels.findIndex((word) => where.includes(word));
  const price = prices.findIndex((word) => where.includes(`price ${word}`));
  const query = where.startsWith('whole') ? 2 : where.startsWith('last fact') ? 1 : 0;
  return query * 1_000 + level * 100 + price * 10 + (where.includes('admits') ? 0 : 1);
}
