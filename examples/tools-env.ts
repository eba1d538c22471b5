import { createRng, defineTextEnv, toolActions } from 'cairn-gym/envs';
import { z } from 'zod';

/** The tools, their arguments typed: an action is a call of one, and `kind` is its name. */
const call = z.discriminatedUnion('kind', [
  z
    .strictObject({ kind: z.literal('find_orders'), customer: z.string().describe('first name') })
    .describe('lists the numbers of what a customer has ordered'),
  z
    .strictObject({ kind: z.literal('read_order'), order: z.int().describe('its number') })
    .describe('says what was ordered and how it arrived'),
  z
    .strictObject({ kind: z.literal('refund'), order: z.int().describe('its number') })
    .describe('pays an order back, which ends the case'),
]);
type Call = z.output<typeof call>;
const tools = toolActions(call, { kind: 'find_orders', customer: 'Ada' });

const order = z.strictObject({ id: z.int(), customer: z.string(), item: z.string(), broken: z.boolean() });
const state = z.strictObject({
  asker: z.string(),
  orders: z.array(order),
  /** Orders whose numbers were listed, and orders that were read. */
  seen: z.array(z.int()),
  read: z.array(z.int()),
  says: z.string(),
});

/** Two customers have three orders each, and of each customer one has arrived broken. */
function ordersFor(panel: string, index: number): z.output<typeof state> {
  const rng = createRng(0).fork(panel).fork(index);
  const customers = rng.shuffle(['Ada', 'Ben', 'Cleo', 'Dan', 'Eve']).slice(0, 2);
  const numbers = rng.shuffle(Array.from({ length: 900 }, (_, number) => 100 + number));
  const orders = customers.flatMap((customer) => {
    const broken = rng.int(3);
    return rng
      .shuffle(['lamp', 'kettle', 'radio'])
      .map((item, place) => ({ id: numbers.pop() ?? 0, customer, item, broken: place === broken }));
  });
  return { asker: customers[0] ?? '', orders, seen: [], read: [], says: 'The desk is open.' };
}

const sorted = (numbers: readonly number[]): number[] => [...new Set(numbers)].toSorted((a, b) => a - b);

const desk = defineTextEnv({
  id: 'my-lab/desk-v1',
  summary: 'Find the broken order with tools and refund it',
  turnLimit: 12,
  panels: { train: 200, dev: 50, unseen: 50 },
  state,
  action: tools,
  task: ({ panel, index }) => {
    const start = ordersFor(panel, index);
    const wish = `${start.asker} says that an order has arrived broken. Find out which, and refund it.`;
    return { instruction: `${wish}\n${tools.manual}`, start, family: 'refund' };
  },
  observe: ({ says }) => says,
  actions: ({ asker, seen, read }) => [
    ...seen.flatMap((id): Call[] => [
      ...(read.includes(id) ? [] : [{ kind: 'read_order', order: id } as const]),
      { kind: 'refund', order: id },
    ]),
    ...(seen.length === 0 ? [{ kind: 'find_orders', customer: asker } as const] : []),
  ],
  /** Other customers can be asked for, and orders can be read again. */
  accepts: ({ orders, seen }, action) =>
    action.kind === 'find_orders'
      ? orders.some(({ customer }) => customer === action.customer)
      : action.kind === 'read_order' && seen.includes(action.order),
  step: (now, action) => {
    if (action.kind === 'find_orders') {
      const found = now.orders.filter(({ customer }) => customer === action.customer).map(({ id }) => id);
      return {
        state: { ...now, seen: sorted([...now.seen, ...found]), says: `Orders: ${found.join(', ')}.` },
      };
    }
    const { customer, item, broken } = now.orders.find(({ id }) => id === action.order) ?? { broken: false };
    if (action.kind === 'read_order') {
      const says = `Order ${action.order}: ${customer}'s ${item}, which arrived ${broken ? 'broken' : 'whole'}.`;
      return { state: { ...now, read: sorted([...now.read, action.order]), says } };
    }
    const state = { ...now, says: 'Refunded.' };
    return broken && customer === now.asker
      ? { state, outcome: 'solved', reward: { refunded: 1 } }
      : { state, outcome: 'failed' };
  },
  /** What was listed and what was read. */
  information: ({ asker, orders, seen, read }) => ({
    asker,
    seen,
    read: orders.filter(({ id }) => read.includes(id)),
  }),
  experts: {
    planner: ({ asker, orders }): Call[] => {
      const { id = 0 } = orders.find(({ customer, broken }) => broken && customer === asker) ?? {};
      return [
        { kind: 'find_orders', customer: asker },
        { kind: 'read_order', order: id },
        { kind: 'refund', order: id },
      ];
    },
  },
  audit: {
    /** Which of the asker's unread orders is broken. */
    swapHidden: (now, rng) => {
      const unread = now.orders.filter(
        ({ id, customer }) => customer === now.asker && !now.read.includes(id),
      );
      const [from, to] = [
        unread.find(({ broken }) => broken),
        rng.shuffle(unread).find(({ broken }) => !broken),
      ];
      if (from === undefined || to === undefined) return undefined;
      const orders = now.orders.map((it) =>
        it.id === from.id || it.id === to.id ? { ...it, broken: !it.broken } : it,
      );
      return {
        state: { ...now, orders },
        reveals: (action) => action.kind !== 'find_orders' && [from.id, to.id].includes(action.order),
      };
    },
  },
});

export const environments = [desk];
