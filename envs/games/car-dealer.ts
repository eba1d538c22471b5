import { z } from 'zod';
import type { Rng } from '../core/rng.ts';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { gameCatalogue, gameRecipes } from './recipes.ts';

const types = ['sedan', 'van', 'truck', 'coupe', 'wagon'] as const;
const brands = ['Altor', 'Borea', 'Cedra', 'Dunmore', 'Elvas'] as const;
const extras = ['heated seats', 'a tow bar', 'a sunroof', 'a camera', 'winter tyres'] as const;
const topics = ['type', 'brand', 'extra', 'budget'] as const;
type Topic = (typeof topics)[number];

interface Car {
  readonly type: string;
  readonly brand: string;
  readonly extra: string;
  /** The price on its sign, in units of money. */
  readonly price: number;
}

interface Buyer {
  readonly type: string;
  readonly brand: string;
  readonly extra: string;
  readonly budget: number;
  /** `plain` takes the first price that it can take, `haggler` refuses the first two offers for a car, `hurried` leaves early. */
  readonly manner: (typeof manners)[number];
}
const manners = ['plain', 'haggler', 'hurried'] as const;

interface Sale {
  readonly cars: readonly Car[];
  readonly buyer: Buyer;
  /** What the seller said so far. */
  readonly said: readonly string[];
}

/** Prices that can be offered, in percent of the price on the sign. */
const percents = [100, 96, 92, 88, 84, 80, 76, 72] as const;
const carCount = 5;
const turns = 16;
/** Turns after which a buyer in a hurry leaves. */
const hurry = 9;
/** Offers for one car that a haggler refuses before it takes one. */
const refusals = 2;

const config = z.strictObject({});

const titleOf = ({ brand, type, extra }: Car): string => `${brand} ${type} with ${extra}`;
const offerOf = (car: number, price: number): string => `offer car ${car + 1} for ${price}`;
const priceAt = ({ price }: Car, percent: number): number => Math.round((price * percent) / 10_000) * 100;

/** What a buyer would pay for a car, at most: the price on its sign where all wishes are met, and less for each wish that is not. */
function limitOf(buyer: Omit<Buyer, 'manner'>, car: Car): number {
  const fit =
    0.76 +
    (car.type === buyer.type ? 0.14 : 0) +
    (car.brand === buyer.brand ? 0.06 : 0) +
    (car.extra === buyer.extra ? 0.06 : 0);
  return Math.min(buyer.budget, Math.floor(car.price * fit));
}

function drawBuyer(rng: Rng, cars: readonly Car[]): Buyer {
  const wanted = rng.pick(cars);
  return {
    type: rng.uniform() < 0.7 ? wanted.type : rng.pick(types),
    brand: rng.uniform() < 0.5 ? wanted.brand : rng.pick(brands),
    extra: rng.pick(extras),
    budget: Math.round((wanted.price * (0.8 + 0.4 * rng.uniform())) / 100) * 100,
    manner: rng.pick(manners),
  };
}

function draw(rng: Rng): Sale {
  const cars = Array.from({ length: carCount }, () => ({
    type: rng.pick(types),
    brand: rng.pick(brands),
    extra: rng.pick(extras),
    price: 100 * (80 + rng.int(320)),
  }));
  return { cars, buyer: drawBuyer(rng, cars), said: [] };
}

const readOffer = (text: string): readonly [car: number, price: number] | undefined => {
  const [, car, price] = /^offer car (\d+) for (\d+)$/.exec(text) ?? [];
  return car === undefined ? undefined : [Number(car) - 1, Number(price)];
};

interface Answer {
  readonly text: string;
  readonly ends?: 'sold' | 'left';
}

/** The scripted buyer's answer to what the seller says after `said`. */
function answer(
  { cars, buyer }: Pick<Sale, 'cars' | 'buyer'>,
  said: readonly string[],
  text: string,
): Answer {
  const reply = answerInTime({ cars, buyer }, said, text);
  const isLate = said.length + 1 >= (buyer.manner === 'hurried' ? hurry : turns);
  return reply.ends === undefined && isLate ? { text: `${reply.text} I must go now.`, ends: 'left' } : reply;
}

function answerInTime(
  { cars, buyer }: Pick<Sale, 'cars' | 'buyer'>,
  said: readonly string[],
  text: string,
): Answer {
  const topic = text.startsWith('ask about the ')
    ? (text.slice('ask about the '.length) as Topic)
    : undefined;
  if (topic === 'budget')
    return { text: `I would not like to pay more than ${Math.round(buyer.budget * 0.009) * 100}.` };
  if (topic !== undefined)
    return {
      text:
        topic === 'type'
          ? `I want a ${buyer.type}.`
          : `I would like ${topic === 'brand' ? `a car of ${buyer.brand}` : buyer.extra}.`,
    };
  const [at, price] = readOffer(text) ?? [0, 0];
  const car = cars[at];
  if (car === undefined) return { text: 'Which car?' };
  const limit = limitOf(buyer, car);
  if (price > limit) {
    if (price > buyer.budget) return { text: 'That is more than I can pay.' };
    return {
      text: car.type === buyer.type ? 'That is too much for this car.' : 'That is not the car that I want.',
    };
  }
  const before = said.filter((one) => readOffer(one)?.[0] === at).length;
  return buyer.manner === 'haggler' && before < refusals
    ? { text: 'You can do better than that.' }
    : { text: 'I take it.', ends: 'sold' };
}

/** What the seller can say: questions that were not asked, and lower offers than before for each car. */
function wordsOf({ cars, said }: Pick<Sale, 'cars' | 'said'>): string[] {
  const questions = topics.map((topic) => `ask about the ${topic}`).filter((text) => !said.includes(text));
  const offers = cars.flatMap((car, at) => {
    const least = Math.min(
      ...said.flatMap((text) => {
        const offer = readOffer(text);
        return offer?.[0] === at ? [offer[1]] : [];
      }),
      Number.POSITIVE_INFINITY,
    );
    return percents
      .map((percent) => priceAt(car, percent))
      .filter((price) => price < least)
      .map((price) => offerOf(at, price));
  });
  return [...questions, ...offers];
}

/** The dialogue as the seller sees it. */
function describe({ cars, buyer, said }: Sale): string {
  const lines = said.map(
    (text, at) => `You: ${text}\nBuyer: ${answer({ cars, buyer }, said.slice(0, at), text).text}`,
  );
  return ['Your cars:', ...cars.map((car, at) => `${at + 1}. ${titleOf(car)}, ${car.price}`), ...lines].join(
    '\n',
  );
}

/** What a seller knows from the dialogue. */
function read(observation: string) {
  const cars = [...observation.matchAll(/^\d\. (\S+) (\S+) with (.+), (\d+)$/gm)].map(
    ([, brand = '', type = '', extra = '', price = '']): Car => ({
      brand,
      type,
      extra,
      price: Number(price),
    }),
  );
  const said = [...observation.matchAll(/^You: (.*)$/gm)].map(([, text = '']) => text);
  const known = {
    type: /Buyer: I want a (\w+)\./.exec(observation)?.[1] ?? '?',
    brand: /Buyer: I would like a car of (\w+)\./.exec(observation)?.[1] ?? '?',
    extra: extras.find((extra) => observation.includes(`Buyer: I would like ${extra}.`)) ?? '?',
    budget: Number(/pay more than (\d+)\./.exec(observation)?.[1] ?? 0),
  };
  const [best] = cars
    .map((car, at) => ({ at, limit: limitOf({ ...known, budget: known.budget / 0.9 }, car) }))
    .toSorted((one, other) => other.limit - one.limit);
  return { cars, said, known, best };
}

/** Asks for all wishes, then offers the car that fetches most, at falling prices. */
function sell(observation: string): string {
  const { cars, said, best } = read(observation);
  const words = wordsOf({ cars, said });
  const [question] = words.filter((text) => text.startsWith('ask') && said.length < topics.length);
  if (question !== undefined || best === undefined) return question ?? '';
  const offers = words.filter((text) => readOffer(text)?.[0] === best.at);
  // a price of a little more than the limit finds out whether the budget was rounded down
  return (
    offers.find((text) => (readOffer(text)?.[1] ?? 0) <= best.limit * 1.04) ?? offers.at(-1) ?? words[0] ?? ''
  );
}

/** The best sale that this buyer would make, by offers alone. */
function bestSale({ cars, buyer, said }: Sale): readonly string[] {
  const sales = cars.flatMap((car, at) =>
    percents
      .map((percent) => priceAt(car, percent))
      .flatMap((price) => (price <= limitOf(buyer, car) ? [{ at, price }] : [])),
  );
  const lead = buyer.manner === 'haggler' ? refusals : 0;
  for (const { at, price } of sales.toSorted((one, other) => other.price - one.price)) {
    const higher = wordsOf({ cars, said }).filter((text) => {
      const offer = readOffer(text);
      return offer?.[0] === at && offer[1] > price;
    });
    if (higher.length >= lead) return [...higher.slice(higher.length - lead), offerOf(at, price)];
  }
  return [];
}

/**
 * Car Dealer after LMRL-Gym (2023): the player sells a car to a buyer with wishes, a budget and a manner of its own. A sale pays its price
 * in units of 10,000. LMRL-Gym's buyer is a language model. This one is a script.
 */
export const carDealerEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-car-dealer-v1',
    config,
    draw: (rng): Sale => {
      for (;;) {
        const sale = draw(rng);
        if (bestSale(sale).length > 0) return sale;
      }
    },
    instruction:
      'You sell cars. Find out what the buyer wants and can pay, and sell one car for as much as you can. An offer for a car must be lower than your last one for it. A buyer does not stay for ever.',
    family: ({ buyer }) => buyer.manner,
  }),
  summary: 'Selling a car to a scripted buyer with wishes, a budget and a manner, after LMRL-Gym',
  turnLimit: turns,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['text', 'dialogue', 'hidden-information']),
  unchecked: { secrets: 'the wishes of the buyer are words, and the cars for sale have them too' },
  observe: describe,
  actions: (sale) => {
    const words = wordsOf(sale);
    return words.length === 0 ? ['ask about the budget'] : words;
  },
  step: (sale, text) => {
    const { ends } = answer(sale, sale.said, text);
    const state = { ...sale, said: [...sale.said, text] };
    if (ends === undefined) return { state };
    const [, price = 0] = readOffer(text) ?? [];
    return ends === 'sold'
      ? { state, outcome: 'solved', reward: { sale: price / 10_000 } }
      : { state, outcome: 'failed' };
  },
  information: (sale) => describe(sale),
  features: (observation) => {
    const { said, known } = read(observation);
    return { fields: { said: said.length, ...known } };
  },
  target: (text) => {
    const offer = readOffer(text);
    return offer === undefined
      ? { verb: 'ask', value: text.slice('ask about the '.length) }
      : { verb: 'offer', value: `car ${offer[0] + 1}`, fields: { budget: offer[1] } };
  },
  experts: {
    planner: (sale) => bestSale(sale),
    searcher: () => ({ act: ({ observation }) => sell(observation) }),
  },
  audit: {
    swapHidden: ({ cars, buyer, said }, rng) => {
      const before = describe({ cars, buyer, said });
      for (let attempt = 0; attempt < 40; attempt += 1) {
        const drawn = drawBuyer(rng, cars);
        const other = { ...drawn, manner: rng.uniform() < 0.5 ? buyer.manner : drawn.manner };
        const swapped = { cars, buyer: other, said };
        if (describe(swapped) !== before || JSON.stringify(other) === JSON.stringify(buyer)) continue;
        const differs = (text: string): boolean =>
          answer({ cars, buyer }, said, text).text !== answer(swapped, said, text).text;
        return { state: swapped, reveals: differs };
      }
      return undefined;
    },
  },
});
