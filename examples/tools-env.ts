import { createRng, defineTool, defineToolEnv, from, refuse } from 'cairn-gym/envs';
import { z } from 'zod';

const tables = {
  customers: z.strictObject({ id: z.string(), name: z.string() }),
  orders: z.strictObject({
    id: z.string(),
    customer: z.string(),
    item: z.string(),
    broken: z.boolean(),
    status: z.enum(['delivered', 'refunded']),
  }),
};

const order = from('orders.id', z.string().describe('its id'));

const tools = [
  defineTool(tables, {
    name: 'find_orders',
    description: 'lists the orders of a customer',
    input: z.strictObject({ customer: z.string().describe('first name') }),
    output: z.strictObject({ orders: z.array(order) }),
    run: ({ customer }, world) => {
      const [found] = world.where('customers', 'name', customer);
      if (found === undefined) return refuse('not_found', `There is no customer ${customer}.`);
      return { orders: world.where('orders', 'customer', found.id).map(({ id }) => id) };
    },
  }),
  defineTool(tables, {
    name: 'read_order',
    description: 'says what was ordered and how it arrived',
    input: z.strictObject({ order }),
    output: z.strictObject({ item: z.string(), arrived: z.enum(['broken', 'whole']) }),
    run: (args, world) => {
      const row = world.get('orders', args.order);
      if (row === undefined) return refuse('not_found', `There is no order ${args.order}.`);
      return { item: row.item, arrived: row.broken ? 'broken' : 'whole' } as const;
    },
  }),
  defineTool(tables, {
    name: 'refund',
    description: 'pays an order back',
    input: z.strictObject({ order }),
    output: z.strictObject({ status: z.literal('refunded') }),
    run: (args, world) => {
      if (world.get('orders', args.order) === undefined)
        return refuse('not_found', `There is no order ${args.order}.`);
      world.update('orders', args.order, { status: 'refunded' });
      return { status: 'refunded' } as const;
    },
  }),
];

const desk = defineToolEnv({
  id: 'my-lab/desk-v1',
  summary: 'Find the broken order with tools and refund it',
  world: {
    tables,
    tools,
    panels: { train: 200, dev: 50, unseen: 50 },
    /** Two customers have three orders each, and of each customer one has arrived broken. */
    task: ({ panel, index }) => {
      const rng = createRng(0).fork(panel).fork(index);
      const ids = rng.shuffle([...'abcdefghijklmnopqrst']);
      const customers = rng
        .shuffle(['Ada', 'Ben', 'Cleo', 'Dan', 'Eve'])
        .slice(0, 2)
        .map((name, at) => ({ id: `customer_${at}`, name }));
      const orders = customers.flatMap((customer) => {
        const broken = rng.int(3);
        return rng.shuffle(['lamp', 'kettle', 'radio']).map((item, at) => ({
          id: `order_${ids.pop()}`,
          customer: customer.id,
          item,
          broken: at === broken,
          status: 'delivered' as const,
        }));
      });
      const name = customers[0]?.name ?? '';
      const broken = orders.find((one) => one.broken)?.id ?? '';
      return {
        start: { customers, orders },
        requests: [
          {
            says: `I am "${name}". One of my orders arrived broken. Find out which, and refund it.`,
            gold: [
              { name: 'find_orders', arguments: { customer: name } },
              { name: 'read_order', arguments: { order: broken } },
              { name: 'refund', arguments: { order: broken } },
            ],
          },
        ],
      };
    },
  },
});

export const environments = [desk];
