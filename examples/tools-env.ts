import { createRng, defineEnv, readReply, reward, type TaskRef } from 'cairn-gym/envs';
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

/** What the prompt says of the tools, from their schemas: a line each, and how a call is written. */
const manual = [
  'Tools:',
  ...call.options.map((tool) => {
    const takes = Object.entries(z.toJSONSchema(tool).properties ?? {}).flatMap(([name, given]) =>
      name === 'kind' || typeof given === 'boolean'
        ? []
        : [`${name} (${String(given.type)}, ${given.description ?? ''})`],
    );
    return `- ${tool.shape.kind.value}: ${tool.description ?? ''}; takes ${takes.join(', ')}`;
  }),
  'Write one call as JSON and nothing else, such as {"name": "find_orders", "arguments": {"customer": "Ada"}}.',
].join('\n');

interface Order {
  readonly customer: string;
  readonly item: string;
  readonly broken: boolean;
}

/** Two customers have three orders each, and of each customer one has arrived broken. */
function caseOf({ panel, index }: TaskRef) {
  const rng = createRng(0).fork(panel).fork(index);
  const customers = rng.shuffle(['Ada', 'Ben', 'Cleo', 'Dan', 'Eve']).slice(0, 2);
  const numbers = rng.shuffle(Array.from({ length: 900 }, (_, number) => 100 + number));
  const orders = new Map<number, Order>();
  for (const customer of customers) {
    const broken = rng.int(3);
    for (const [place, item] of rng.shuffle(['lamp', 'kettle', 'radio']).entries())
      orders.set(numbers.pop() ?? 0, { customer, item, broken: place === broken });
  }
  const asker = customers[0] ?? '';
  return {
    asker,
    orders,
    instruction: `${asker} says that an order has arrived broken. Find out which, and refund it.\n${manual}`,
  };
}

const desk = defineEnv({
  id: 'my-lab/desk-v1',
  summary: 'Find the broken order with tools and refund it',
  config: z.strictObject({}),
  observation: z.string(),
  action: call,
  deterministic: true,
  turnLimit: () => 12,
  text: {
    observation: (result) => result,
    action: ({ kind, ...given }) => JSON.stringify({ name: kind, arguments: given }),
    parse: (text) =>
      readReply(text, {
        schema: call,
        help: 'Write a call such as {"name": "read_order", "arguments": {"order": 123}}.',
      }),
    isSample: () => true, // a language model writes its calls by the manual; who can only choose has a list
  },
  open: async () => ({
    panels: [
      { name: 'train', size: 200, purpose: 'train', summary: '' },
      { name: 'dev', size: 50, purpose: 'dev', summary: '' },
      { name: 'unseen', size: 50, purpose: 'held-out', summary: '' },
    ],
    describeTask: (task) => {
      const { instruction, orders } = caseOf(task);
      return {
        family: 'refund',
        instruction,
        content: { instruction, orders: [...orders].map(([number, order]) => ({ number, ...order })) },
      };
    },
    create: async () => {
      let [now, seen, read, place] = [
        caseOf({ panel: 'train', index: 0 }),
        new Set<number>(),
        new Set<number>(),
        '',
      ];
      const see = (observation: string) => {
        const numbers = [...seen].toSorted((a, b) => a - b);
        const asked: readonly Call[] = seen.size === 0 ? [{ kind: 'find_orders', customer: now.asker }] : [];
        const ofOrders = numbers.flatMap((order): readonly Call[] => [
          ...(read.has(order) ? [] : [{ kind: 'read_order', order } as const]),
          { kind: 'refund', order },
        ]);
        const key = `${place}: ${numbers.join()} of which ${[...read].toSorted((a, b) => a - b).join()}`; // the task, and what has been shown of it
        return {
          observation,
          stateKey: key,
          anchorKey: key,
          admissible: [...asked, ...ofOrders],
          stepsLeft: undefined,
          seat: 0,
        };
      };
      /** What a tool says; undefined where the call cannot be done. */
      const answer = (action: Exclude<Call, { kind: 'refund' }>): string | undefined => {
        if (action.kind === 'find_orders') {
          const numbers = [...now.orders].flatMap(([number, { customer }]) =>
            customer === action.customer ? [number] : [],
          );
          for (const number of numbers) seen.add(number);
          return numbers.length === 0 ? undefined : `Orders: ${numbers.join(', ')}.`;
        }
        const order = now.orders.get(action.order);
        if (order === undefined || !seen.has(action.order)) return undefined;
        read.add(action.order);
        return `Order ${action.order}: ${order.customer}'s ${order.item}, which arrived ${order.broken ? 'broken' : 'whole'}.`;
      };
      return {
        reset: async (task) => {
          [now, seen, read, place] = [caseOf(task), new Set(), new Set(), `${task.panel}/${task.index}`];
          return { ...see('The desk is open.'), instruction: now.instruction };
        },
        step: async (action) => {
          const result = action.kind === 'refund' ? undefined : answer(action);
          if (result !== undefined)
            return { kind: 'ongoing', ...see(result), reward: reward({}), inadmissible: false };
          const order =
            action.kind === 'refund' && seen.has(action.order) ? now.orders.get(action.order) : undefined;
          if (order === undefined)
            return {
              kind: 'ongoing',
              ...see('There is no such customer, or no such order has been found.'),
              reward: reward({}),
              inadmissible: true,
            };
          const isRight = order.broken && order.customer === now.asker;
          return {
            kind: 'terminated',
            outcome: isRight ? 'solved' : 'failed',
            observation: 'Refunded.',
            stateKey: `${place}: over`,
            reward: reward(isRight ? { refunded: 1 } : {}),
            inadmissible: false,
          };
        },
        close: async () => undefined,
      };
    },
    close: async () => undefined,
    experts: {
      planner: (task): readonly Call[] => {
        const { asker, orders } = caseOf(task);
        const [order = 0] = [...orders].find(([, each]) => each.broken && each.customer === asker) ?? [];
        return [
          { kind: 'find_orders', customer: asker },
          { kind: 'read_order', order },
          { kind: 'refund', order },
        ];
      },
    },
  }),
});

export const environments = [desk];
