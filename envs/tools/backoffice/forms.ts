import type { Rng } from '../../core/rng.ts';
import type { RowOf, TableRows } from '../../engines/tools/tables.ts';
import { gold, inShare, type Form, type Share } from '../form.ts';
import { drawAddress, wrongId } from '../names.ts';
import {
  act,
  call,
  done,
  findAmong,
  forbidden,
  listIn,
  lookUp,
  tell,
  type Asked,
  type Fields,
} from '../procedure.ts';
import { cancelReasons, refundWays, type ShopTables } from './tables.ts';
import { returnDays } from './tools.ts';

type Rows = TableRows<ShopTables>;
type Order = RowOf<ShopTables, 'orders'>;

export const shopRules = {
  not_pending: 'Only an order that is pending can be cancelled or readdressed.',
  too_late: 'No refund or exchange after the return window has closed.',
  out_of_stock: 'No exchange for a product that is sold_out.',
  gold_only: 'More than 20 euros of credit only for gold customers.',
};

const usualCredit = 20;

const orderSlot = { name: 'order', label: 'order id', wrong: (rng: Rng) => wrongId(rng, 'ord') };
const emailSlot = { name: 'email', label: 'email address', wrong: () => 'no.body@mail.example' };

function drawOrder(rng: Rng, rows: Rows, share: Share, fits: (order: Order) => boolean): Order {
  return rng.pick(inShare(rows.orders, share).filter(fits));
}

const customerOf = (rows: Rows, order: Order) =>
  rows.customers.find(({ id }) => id === order.customer) ?? { id: '', email: '' };

/** Gold look-ups of an order by its owner's email address. */
const byEmail = (rows: Rows, order: Order) => {
  const { email } = customerOf(rows, order);
  return [
    gold('find_customer', { email }),
    gold('list_orders', { customer: order.customer }),
    gold('get_order', { order: order.id }),
  ];
};

/** Finds the order of an item by the email address of its owner. */
function* findOrder(asked: Asked) {
  const { found } = yield* lookUp(asked, emailSlot, { tool: 'find_customer', argument: 'email' });
  const orders = listIn(yield* call('list_orders', { customer: found['customer'] ?? '' }), 'orders');
  const order = yield* findAmong(
    asked,
    orders,
    { tool: 'get_order', argument: 'order' },
    ({ item }) => item === asked.values['item'],
  );
  return order ?? { id: '', found: {} as Fields };
}

const isLate = ({ window }: Fields): boolean => window === 'closed';

const cancel: Form<ShopTables> = {
  name: 'cancel',
  kind: 'act',
  wordings: [
    'Please cancel my order[ {order}]. The reason is {reason}.',
    'I want to cancel an order[, it is {order}]. Reason: {reason}.',
    'Could you stop an order for me[: {order}]? It was {reason}.',
  ],
  slot: orderSlot,
  needs: 'cancel_order',
  isRuled: true,
  draw: (rng, { share, isForbidden, rows }) => {
    const order = drawOrder(rng, rows, share, ({ status }) => (status === 'pending') !== isForbidden);
    const reason = rng.pick(cancelReasons);
    return {
      values: { order: order.id, reason },
      lookUps: [gold('get_order', { order: order.id })],
      acts: [gold('cancel_order', { order: order.id, reason })],
      read: [`orders/${order.id}`],
      ...(isForbidden ? { rule: 'not_pending' } : {}),
    };
  },
  *solve(asked) {
    const { value, found } = yield* lookUp(asked, orderSlot, { tool: 'get_order', argument: 'order' });
    if (found['status'] !== 'pending') return forbidden('not_pending');
    yield* act(asked, 'cancel_order', { order: value, reason: asked.values['reason'] ?? '' });
    return done;
  },
};

const refund: Form<ShopTables> = {
  name: 'refund',
  kind: 'act',
  wordings: [
    'I sent back the "{item}". Please pay me back by {to}.[ My email address is {email}.]',
    '[I am {email}. ]I do not like my "{item}", so refund it by {to}.',
    '[This is {email}. ]The "{item}" was not for me; I would like my money as {to}.',
  ],
  slot: emailSlot,
  needs: 'refund_order',
  isRuled: true,
  draw: (rng, { share, isForbidden, rows }) => {
    const order = drawOrder(
      rng,
      rows,
      share,
      ({ status, days }) => status === 'delivered' && days > returnDays === isForbidden,
    );
    const to = rng.pick(refundWays);
    return {
      values: { item: order.item, to, email: customerOf(rows, order).email },
      lookUps: byEmail(rows, order),
      acts: [gold('refund_order', { order: order.id, to })],
      read: [`orders/${order.id}`],
      ...(isForbidden ? { rule: 'too_late' } : {}),
    };
  },
  *solve(asked) {
    const { id, found } = yield* findOrder(asked);
    if (isLate(found)) return forbidden('too_late');
    yield* act(asked, 'refund_order', { order: id, to: asked.values['to'] ?? '' });
    return done;
  },
};

const address: Form<ShopTables> = {
  name: 'address',
  kind: 'act',
  wordings: [
    'Please send my order[ {order}] to "{address}".',
    'I have moved. The new address for an order[, {order},] is "{address}".',
    'An order of mine[ ({order})] must go to "{address}" instead.',
  ],
  slot: orderSlot,
  needs: 'change_address',
  isRuled: true,
  draw: (rng, { share, isForbidden, rows }) => {
    const order = drawOrder(rng, rows, share, ({ status }) => (status === 'pending') !== isForbidden);
    const to = drawAddress(rng);
    return {
      values: { order: order.id, address: to },
      lookUps: [gold('get_order', { order: order.id })],
      acts: [gold('change_address', { order: order.id, address: to })],
      read: [`orders/${order.id}`],
      ...(isForbidden ? { rule: 'not_pending' } : {}),
    };
  },
  *solve(asked) {
    const { value, found } = yield* lookUp(asked, orderSlot, { tool: 'get_order', argument: 'order' });
    if (found['status'] !== 'pending') return forbidden('not_pending');
    yield* act(asked, 'change_address', { order: value, address: asked.values['address'] ?? '' });
    return done;
  },
};

const exchange: Form<ShopTables> = {
  name: 'exchange',
  kind: 'act',
  wordings: [
    'Please exchange my "{item}" for the "{other}".[ My email address is {email}.]',
    '[I am {email}. ]Instead of my "{item}" I want the "{other}".',
    '[This is {email}. ]Could you swap the "{item}" that I got with a "{other}"?',
  ],
  slot: emailSlot,
  needs: 'exchange_order',
  isRuled: true,
  draw: (rng, { share, isForbidden, rows }) => {
    const isLateOne = isForbidden && rng.int(2) === 0;
    const order = drawOrder(
      rng,
      rows,
      share,
      ({ status, days }) => status === 'delivered' && days > returnDays === isLateOne,
    );
    const other = rng.pick(
      rows.products.filter(
        ({ id, stock }) => id !== order.product && (stock === 0) === (isForbidden && !isLateOne),
      ),
    );
    const lookUps = [
      ...byEmail(rows, order),
      ...(isLateOne
        ? []
        : [gold('find_product', { name: other.name }), gold('get_product', { product: other.id })]),
    ];
    return {
      values: { item: order.item, other: other.name, email: customerOf(rows, order).email },
      lookUps,
      acts: [gold('exchange_order', { order: order.id, product: other.id })],
      read: [`orders/${order.id}`, ...(isLateOne ? [] : [`products/${other.id}`])],
      ...(isForbidden ? { rule: isLateOne ? 'too_late' : 'out_of_stock' } : {}),
    };
  },
  *solve(asked) {
    const { id, found } = yield* findOrder(asked);
    if (isLate(found)) return forbidden('too_late');
    const product = (yield* call('find_product', { name: asked.values['other'] ?? '' }))?.['product'] ?? '';
    const wanted = yield* call('get_product', { product });
    if (wanted?.['supply'] === 'sold_out') return forbidden('out_of_stock');
    yield* act(asked, 'exchange_order', { order: id, product });
    return done;
  },
};

const credit: Form<ShopTables> = {
  name: 'credit',
  kind: 'act',
  wordings: [
    'My parcel came late. I want {amount} euros of credit.[ My email address is {email}.]',
    '[I am {email}. ]For the trouble, give me a credit of {amount} euros.',
    '[This is {email}. ]Please add {amount} euros to what I can spend.',
  ],
  slot: emailSlot,
  needs: 'add_credit',
  isRuled: true,
  draw: (rng, { share, isForbidden, rows }) => {
    const isMuch = isForbidden || rng.int(2) === 0;
    const customer = rng.pick(
      inShare(rows.customers, share).filter(({ tier }) => !isMuch || (tier === 'gold') !== isForbidden),
    );
    const amount = isMuch ? usualCredit + 5 + rng.int(50) : 5 + rng.int(usualCredit - 4);
    return {
      values: { amount: String(amount), email: customer.email },
      lookUps: [
        gold('find_customer', { email: customer.email }),
        gold('get_customer', { customer: customer.id }),
      ],
      acts: [gold('add_credit', { customer: customer.id, amount })],
      read: [`customers/${customer.id}`],
      ...(isForbidden ? { rule: 'gold_only' } : {}),
    };
  },
  *solve(asked) {
    const { found } = yield* lookUp(asked, emailSlot, { tool: 'find_customer', argument: 'email' });
    const customer = found['customer'] ?? '';
    const amount = Number(asked.values['amount']);
    const about = yield* call('get_customer', { customer });
    if (amount > usualCredit && about?.['tier'] !== 'gold') return forbidden('gold_only');
    yield* act(asked, 'add_credit', { customer, amount });
    return done;
  },
};

const status: Form<ShopTables> = {
  name: 'status',
  kind: 'tell',
  wordings: [
    'What is the status of my order[ {order}]?',
    'Tell me the status of an order[, {order}].',
    'I would like to know the status of something[: {order}].',
  ],
  slot: orderSlot,
  needs: 'get_order',
  isRuled: false,
  draw: (rng, { share, rows }) => {
    const order = drawOrder(rng, rows, share, () => true);
    return {
      values: { order: order.id },
      lookUps: [gold('get_order', { order: order.id })],
      acts: [],
      tell: [order.status],
      read: [`orders/${order.id}`],
    };
  },
  *solve(asked) {
    const { found } = yield* lookUp(asked, orderSlot, { tool: 'get_order', argument: 'order' });
    yield* tell('status', found['status']);
    return done;
  },
};

const total: Form<ShopTables> = {
  name: 'total',
  kind: 'tell',
  wordings: [
    'What was the total for the "{item}" that I bought?[ My email address is {email}.]',
    '[I am {email}. ]Tell me the total of my order of the "{item}".',
    '[This is {email}. ]I need the total that I paid for the "{item}".',
  ],
  slot: emailSlot,
  needs: 'get_order',
  isRuled: false,
  draw: (rng, { share, rows }) => {
    const order = drawOrder(rng, rows, share, () => true);
    return {
      values: { item: order.item, email: customerOf(rows, order).email },
      lookUps: byEmail(rows, order),
      acts: [],
      tell: [String(order.total)],
      read: [`orders/${order.id}`],
    };
  },
  *solve(asked) {
    const { found } = yield* findOrder(asked);
    yield* tell('total', found['total']);
    return done;
  },
};

export const shopForms = [cancel, refund, address, exchange, credit, status, total];
