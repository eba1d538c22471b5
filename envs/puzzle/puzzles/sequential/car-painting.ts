import { z } from 'zod';
import { definePuzzle } from '../../define-puzzle.ts';
import { boardOf } from '../../grid-text.ts';

const palette = ['red', 'blue', 'green', 'white', 'black'] as const;
const colour = z.enum(palette);
const shop = {
  /** The colour of each car, in the order in which the cars wait. */
  colours: z.array(colour).min(2).max(30),
  /** A car may leave at most this many places earlier or later than it waits. */
  reach: z.int().min(1).max(4),
  /** The most changes of colour. */
  most: z.int().min(0),
};
const question = z.strictObject(shop);
/** `order` has the cars that were painted, numbered from 1. */
const state = z.strictObject({ ...shop, order: z.array(z.int().min(1)) });
interface Shop {
  readonly colours: readonly string[];
  readonly reach: number;
}

/** Cars that may be painted next, numbered from 0. A car whose last place this is comes alone. */
function candidates({ colours, reach }: Shop, place: number, isUsed: (car: number) => boolean): number[] {
  const due = place - reach;
  if (due >= 0 && !isUsed(due)) return [due];
  const open: number[] = [];
  for (let car = Math.max(0, due); car <= Math.min(colours.length - 1, place + reach); car += 1)
    if (!isUsed(car)) open.push(car);
  return open;
}

function changes({ colours }: Shop, order: readonly number[]): number {
  let count = 0;
  for (let place = 1; place < order.length; place += 1)
    if (colours[order[place] as number] !== colours[order[place - 1] as number]) count += 1;
  return count;
}

interface Best {
  readonly changes: number;
  readonly next: number;
}

/**
 * Completes an order with the fewest changes, by dynamic programming. A state is the place, the painted cars in reach and the last
 * colour. `used` has bit `c` for car `c`.
 */
function best(given: Shop, begun: readonly number[]): { readonly order: number[]; readonly states: number } {
  const { colours, reach } = given;
  const memory = new Map<string, Best>();
  const from = (place: number, used: number, last: string | undefined): Best => {
    if (place === colours.length) return { changes: 0, next: -1 };
    const key = `${place} ${used >>> Math.max(0, place - reach)} ${last}`;
    const known = memory.get(key);
    if (known !== undefined) return known;
    let found: Best = { changes: Infinity, next: -1 };
    for (const car of candidates(given, place, (each) => ((used >> each) & 1) === 1)) {
      const own = colours[car];
      const rest = from(place + 1, used | (1 << car), own).changes;
      const total = rest + (last === undefined || last === own ? 0 : 1);
      if (total < found.changes) found = { changes: total, next: car };
    }
    memory.set(key, found);
    return found;
  };
  const order = [...begun];
  let used = 0;
  for (const car of order) used |= 1 << car;
  while (order.length < colours.length) {
    const last = order.at(-1);
    const { next } = from(order.length, used, last === undefined ? undefined : colours[last]);
    if (next < 0) break;
    order.push(next);
    used |= 1 << next;
  }
  return { order, states: memory.size };
}

const describe = ({ colours, reach, most }: Shop & { readonly most: number }): string =>
  [
    `Cars: ${colours.map((each, car) => `${car + 1} ${each}`).join(', ')}`,
    `Most places away: ${reach}`,
    `Most changes of colour: ${most}`,
  ].join('\n');
const write = (order: readonly number[]): string => order.map((car) => car + 1).join(' ');

export const carPainting = definePuzzle({
  name: 'car-painting',
  category: 'sequential',
  summary: 'Car painting: reorder a line of cars so that the colour changes least often',
  question,
  levels: [
    { cars: 8, hues: 3, reach: 2 },
    { cars: 11, hues: 3, reach: 2 },
    { cars: 14, hues: 4, reach: 3 },
    { cars: 18, hues: 5, reach: 3 },
  ],
  generate: (rng, { cars, hues, reach }) => {
    for (;;) {
      const colours = Array.from({ length: cars }, () => palette[rng.int(hues)] ?? 'red');
      const { order } = best({ colours, reach }, []);
      const most = changes({ colours, reach }, order);
      const waiting = changes(
        { colours, reach },
        Array.from({ length: cars }, (_, car) => car),
      );
      if (most + 2 <= waiting) return { question: { colours, reach, most }, solution: order };
    }
  },
  rules:
    'Cars wait in a line before a paint shop. Choose the order in which they are painted: each car once, no car more places earlier or later than is allowed, and the colour changes from one car to the next at most as often as is allowed. No order has fewer changes.',
  render: describe,
  answer: {
    format: 'the numbers of all cars in the order of painting, with blanks between them.',
    write,
    read: (text, { colours }) => {
      const parts = text.split(/[\s,]+/);
      if (parts.length !== colours.length || !parts.every((part) => /^\d{1,2}$/.test(part))) return undefined;
      return parts.map((part) => Number(part) - 1);
    },
  },
  verify: ({ colours, reach, most }, order) =>
    order.length === colours.length &&
    new Set(order).size === order.length &&
    order.every((car, place) => car >= 0 && car < colours.length && Math.abs(car - place) <= reach) &&
    changes({ colours, reach }, order) <= most,
  solve: (given) => {
    const { order, states } = best(given, []);
    return { answers: [order], effort: states };
  },
  audit: {
    guess: (given, rng) => {
      const order: number[] = [];
      while (order.length < given.colours.length) {
        const open = candidates(given, order.length, (car) => order.includes(car));
        order.push(rng.pick(open));
      }
      return order;
    },
    chance: (level) => [0.25, 0.06, 0.01, 0.005][level - 1] ?? 0,
    mutants: (order, { colours, reach }) => ({
      'as they wait': colours.map((_colour, car) => car),
      backwards: order.toReversed().some((car, place) => Math.abs(car - place) > reach)
        ? order.toReversed()
        : undefined,
      'a car twice': [...order.slice(0, -1), order[0] as number],
    }),
    equivalents: (order) => ({ commas: order.map((car) => car + 1).join(', ') }),
    variety: (level) => [2_500, 60_000, 1e8, 1e9][level - 1] ?? 1,
  },
  moves: {
    rules: 'A move paints a car: "paint 3". It is listed only if the order can still reach all cars in time.',
    state,
    start: (given) => ({ ...given, order: [] }),
    render: (at) => `${describe(at)}\nPainted: ${at.order.length === 0 ? 'none' : at.order.join(' ')}`,
    list: (at) =>
      candidates(at, at.order.length, (car) => at.order.includes(car + 1)).map((car) => `paint ${car + 1}`),
    play: (at, move) => ({ ...at, order: [...at.order, Number(move.slice(6))] }),
    isSolved: (at) => at.order.length === at.colours.length && isWithin(at),
    isLost: (at) => !isWithin(at),
    plan: (_question, order) => order.map((car) => `paint ${car + 1}`),
    next: (at) => {
      const { order } = best(
        at,
        at.order.map((car) => car - 1),
      );
      const car = order[at.order.length];
      return car === undefined ? undefined : `paint ${car + 1}`;
    },
    turnLimit: ({ cars }) => cars,
    features: ({ colours, order, most, ...given }) => {
      const last = colours[(order.at(-1) ?? 0) - 1];
      const cars = colours.map((each, at) => (order.includes(at + 1) ? 'painted' : each));
      const used = changes(
        { colours, ...given },
        order.map((car) => car - 1),
      );
      return {
        grid: boardOf(cars, cars.length),
        fields: { left: most - used, ...(last === undefined ? {} : { last }) },
      };
    },
    target: (move) => ({ verb: 'paint', cell: [0, Number(move.slice(6)) - 1] }),
  },
});

function isWithin({
  order,
  most,
  ...given
}: Shop & { readonly most: number; readonly order: readonly number[] }): boolean {
  return (
    changes(
      given,
      order.map((car) => car - 1),
    ) <= most
  );
}
