import { z } from 'zod';
import { defineTool, Refusal } from '../../engines/tools/tool.ts';
import { fail } from '../domain.ts';
import { roundToCents } from '../python/numbers.ts';
import { printModel } from '../python/print-model.ts';
import { countOf, draftOf, entryOf, sortedTexts } from '../rows.ts';
import { orderId, orderIn, userIn, variantIn, type RetailWorld } from './look-ups.ts';
import { order, retailTables, user, type Order, type User } from './models.ts';

const orderText = (value: z.output<typeof order>): string => printModel(order, value);
const itemIds = (of: string) =>
  z
    .array(z.string())
    .describe(`the item ids ${of}, each such as '1008292230'. There could be duplicate items.`);
const newItemIds = (of: string) =>
  z
    .array(z.string())
    .describe(
      `the item ids ${of}, each such as '1008292230'. Each must match the item id in the same position and be of the same product.`,
    );
const paymentMethodId = z
  .string()
  .describe(
    "the payment method id, such as 'gift_card_0000000' or 'credit_card_0000000', from the user or order details",
  );
const confirm =
  'Explain the details and ask for explicit user confirmation (yes/no) before. Returns the details after the change.';

const addressShape = {
  address1: z.string().describe("the first line of the address, such as '123 Main St'"),
  address2: z.string().describe("the second line of the address, such as 'Apt 1' or ''"),
  city: z.string().describe("the city, such as 'San Francisco'"),
  state: z.string().describe("the state, such as 'CA'"),
  country: z.string().describe("the country, such as 'USA'"),
  zip: z.string().describe("the zip code, such as '12345'"),
};

type Method = User['payment_methods'][string];

/** A user who may be changed, with one of their payment methods. */
function payerOf(
  world: RetailWorld,
  userId: string,
  methodId: string,
): { readonly payer: User; readonly method: Method } | Refusal {
  const row = userIn(world, userId);
  if (row instanceof Refusal) return row;
  const payer = draftOf<User>(row);
  const method = entryOf(payer.payment_methods, methodId);
  return method === undefined ? fail('Payment method not found') : { payer, method };
}

/** Adds to the balance of a gift card. Other payment methods have none. */
function credit(
  world: RetailWorld,
  { payer, method }: { payer: User; method: Method },
  amount: number,
): void {
  if (method.source !== 'gift_card') return;
  method.balance = roundToCents(method.balance + amount);
  world.put('users', payer);
}

const holds = (items: readonly string[], wanted: readonly string[]): string | undefined =>
  wanted.find((id) => countOf(wanted, id) > countOf(items, id));

/** The exact sum of price differences of an exchange, and the last variant. */
function priceDifference(
  world: RetailWorld,
  { items }: Pick<Order, 'items'>,
  of: { readonly from: readonly string[]; readonly to: readonly string[]; readonly mustDiffer: boolean },
) {
  let sum = 0;
  let last: { readonly price: number; readonly options: Readonly<Record<string, string>> } | undefined;
  for (const [at, itemId] of of.from.entries()) {
    const newItemId = of.to[at] ?? '';
    if (of.mustDiffer && itemId === newItemId)
      return fail('The new item id should be different from the old item id');
    const item = items.find(({ item_id }) => item_id === itemId);
    if (item === undefined) return fail(`Item ${itemId} not found`);
    const variant = variantIn(world, item.product_id, newItemId);
    if (variant instanceof Refusal) return variant;
    if (!variant.available) return fail(`New item ${newItemId} not found or available`);
    sum += variant.price - item.price;
    last = variant;
  }
  return { sum, last };
}

const cancelPendingOrder = defineTool(retailTables, {
  name: 'cancel_pending_order',
  description: `Cancels a pending order. An order that is processed or delivered cannot be cancelled. The payment is refunded: immediately to a gift card, otherwise in 5-7 business days. ${confirm}`,
  input: z.strictObject({
    order_id: orderId,
    reason: z
      .string()
      .describe("the reason, which must be either 'no longer needed' or 'ordered by mistake'"),
  }),
  output: order,
  run: ({ order_id, reason }, world) => {
    const row = orderIn(world, order_id);
    if (row instanceof Refusal) return row;
    if (row.status !== 'pending') return fail('Non-pending order cannot be cancelled');
    if (reason !== 'no longer needed' && reason !== 'ordered by mistake') return fail('Invalid reason');
    const refunds: Order['payment_history'] = [];
    for (const { amount, payment_method_id } of row.payment_history) {
      refunds.push({ transaction_type: 'refund', amount, payment_method_id });
      const payer = payerOf(world, row.user_id, payment_method_id);
      if (payer instanceof Refusal) return payer;
      credit(world, payer, amount);
    }
    return order.parse(
      world.update('orders', row.id, {
        status: 'cancelled',
        cancel_reason: reason,
        payment_history: [...row.payment_history, ...refunds],
      }),
    );
  },
  print: orderText,
});

const exchangeDeliveredOrderItems = defineTool(retailTables, {
  name: 'exchange_delivered_order_items',
  description: `Exchanges items in a delivered order to new items of the same product type. For a delivered order, return or exchange can be done only once. ${confirm}`,
  input: z.strictObject({
    order_id: orderId,
    item_ids: itemIds('to be exchanged'),
    new_item_ids: newItemIds('to be exchanged for'),
    payment_method_id: paymentMethodId,
  }),
  output: order,
  run: ({ order_id, item_ids, new_item_ids, payment_method_id }, world) => {
    const row = orderIn(world, order_id);
    if (row instanceof Refusal) return row;
    if (row.status !== 'delivered') return fail('Non-delivered order cannot be exchanged');
    const absent = holds(
      row.items.map(({ item_id }) => item_id),
      item_ids,
    );
    if (absent !== undefined) return fail(`Number of ${absent} not found.`);
    if (item_ids.length !== new_item_ids.length)
      return fail('The number of items to be exchanged should match.');
    const difference = priceDifference(world, draftOf<Order>(row), {
      from: item_ids,
      to: new_item_ids,
      mustDiffer: false,
    });
    if (difference instanceof Refusal) return difference;
    const price = roundToCents(difference.sum);
    const payer = payerOf(world, row.user_id, payment_method_id);
    if (payer instanceof Refusal) return payer;
    if (payer.method.source === 'gift_card' && payer.method.balance < price)
      return fail('Insufficient gift card balance to pay for the price difference');
    return order.parse(
      world.update('orders', row.id, {
        status: 'exchange requested',
        exchange_items: sortedTexts(item_ids),
        exchange_new_items: sortedTexts(new_item_ids),
        exchange_payment_method_id: payment_method_id,
        exchange_price_difference: price,
      }),
    );
  },
  print: orderText,
});

const modifyPendingOrderAddress = defineTool(retailTables, {
  name: 'modify_pending_order_address',
  description: `Modifies the shipping address of a pending order. ${confirm}`,
  input: z.strictObject({ order_id: orderId, ...addressShape }),
  output: order,
  run: ({ order_id, ...address }, world) => {
    const row = orderIn(world, order_id);
    if (row instanceof Refusal) return row;
    if (!row.status.includes('pending')) return fail('Non-pending order cannot be modified');
    return order.parse(world.update('orders', row.id, { address }));
  },
  print: orderText,
});

const modifyPendingOrderItems = defineTool(retailTables, {
  name: 'modify_pending_order_items',
  description: `Modifies items in a pending order to new items of the same product type. This can be done only once for a pending order. ${confirm}`,
  input: z.strictObject({
    order_id: orderId,
    item_ids: itemIds('to be modified'),
    new_item_ids: newItemIds('to be modified for'),
    payment_method_id: paymentMethodId,
  }),
  output: order,
  run: ({ order_id, item_ids, new_item_ids, payment_method_id }, world) => {
    const row = orderIn(world, order_id);
    if (row instanceof Refusal) return row;
    if (row.status !== 'pending') return fail('Non-pending order cannot be modified');
    const changed = draftOf<Order>(row);
    const absent = holds(
      changed.items.map(({ item_id }) => item_id),
      item_ids,
    );
    if (absent !== undefined) return fail(`${absent} not found`);
    if (item_ids.length !== new_item_ids.length)
      return fail('The number of items to be exchanged should match');
    const difference = priceDifference(world, changed, {
      from: item_ids,
      to: new_item_ids,
      mustDiffer: true,
    });
    if (difference instanceof Refusal) return difference;
    const { sum, last } = difference;
    const payer = payerOf(world, row.user_id, payment_method_id);
    if (payer instanceof Refusal) return payer;
    if (payer.method.source === 'gift_card' && payer.method.balance < sum)
      return fail('Insufficient gift card balance to pay for the new item');
    changed.payment_history.push({
      transaction_type: sum > 0 ? 'payment' : 'refund',
      amount: Math.abs(sum),
      payment_method_id,
    });
    credit(world, payer, -sum);
    for (const [at, itemId] of item_ids.entries()) {
      const item = changed.items.find(({ item_id }) => item_id === itemId);
      if (item === undefined || last === undefined) return fail(`Item ${itemId} not found`);
      item.item_id = new_item_ids[at] ?? '';
      // as in the original, all items get price and options of the last variant
      item.price = last.price;
      item.options = { ...last.options };
    }
    return order.parse(world.put('orders', { ...changed, status: 'pending (item modified)' }));
  },
  print: orderText,
});

const modifyPendingOrderPayment = defineTool(retailTables, {
  name: 'modify_pending_order_payment',
  description: `Modifies the payment method of a pending order. ${confirm}`,
  input: z.strictObject({ order_id: orderId, payment_method_id: paymentMethodId }),
  output: order,
  run: ({ order_id, payment_method_id }, world) => {
    const row = orderIn(world, order_id);
    if (row instanceof Refusal) return row;
    if (!row.status.includes('pending')) return fail('Non-pending order cannot be modified');
    const payer = payerOf(world, row.user_id, payment_method_id);
    if (payer instanceof Refusal) return payer;
    const [payment, ...others] = row.payment_history;
    if (payment === undefined || others.length > 0 || payment.transaction_type !== 'payment')
      return fail('There should be exactly one payment for a pending order');
    if (payment.payment_method_id === payment_method_id)
      return fail('The new payment method should be different from the current one');
    const { amount } = payment;
    if (payer.method.source === 'gift_card' && payer.method.balance < amount)
      return fail('Insufficient gift card balance to pay for the order');
    credit(world, payer, -amount);
    const before = payerOf(world, row.user_id, payment.payment_method_id);
    if (before instanceof Refusal) return before;
    credit(world, before, amount);
    return order.parse(
      world.update('orders', row.id, {
        payment_history: [
          payment,
          { transaction_type: 'payment', amount, payment_method_id },
          { transaction_type: 'refund', amount, payment_method_id: payment.payment_method_id },
        ],
      }),
    );
  },
  print: orderText,
});

const modifyUserAddress = defineTool(retailTables, {
  name: 'modify_user_address',
  description: `Modifies the default address of a user. ${confirm}`,
  input: z.strictObject({
    user_id: z.string().describe("the user id, such as 'sara_doe_496'"),
    ...addressShape,
  }),
  output: user,
  run: ({ user_id, ...address }, world) => {
    const row = userIn(world, user_id);
    return row instanceof Refusal ? row : user.parse(world.update('users', row.id, { address }));
  },
  print: (value) => printModel(user, value),
});

const returnDeliveredOrderItems = defineTool(retailTables, {
  name: 'return_delivered_order_items',
  description: `Returns some items of a delivered order. The status of the order becomes 'return requested', and the user gets an email about how to return the items. ${confirm}`,
  input: z.strictObject({
    order_id: orderId,
    item_ids: itemIds('to be returned'),
    payment_method_id: paymentMethodId,
  }),
  output: order,
  run: ({ order_id, item_ids, payment_method_id }, world) => {
    const row = orderIn(world, order_id);
    if (row instanceof Refusal) return row;
    if (row.status !== 'delivered') return fail('Non-delivered order cannot be returned');
    const payer = payerOf(world, row.user_id, payment_method_id);
    if (payer instanceof Refusal) return payer;
    if (payer.method.source !== 'gift_card') {
      const [payment] = row.payment_history;
      if (payment === undefined) return fail('list index out of range');
      if (payment.payment_method_id !== payment_method_id)
        return fail('Payment method should be the original payment method');
    }
    const absent = holds(
      row.items.map(({ item_id }) => item_id),
      item_ids,
    );
    if (absent !== undefined) return fail('Some item not found');
    return order.parse(
      world.update('orders', row.id, {
        status: 'return requested',
        return_items: sortedTexts(item_ids),
        return_payment_method_id: payment_method_id,
      }),
    );
  },
  print: orderText,
});

export const changes = [
  cancelPendingOrder,
  exchangeDeliveredOrderItems,
  modifyPendingOrderAddress,
  modifyPendingOrderItems,
  modifyPendingOrderPayment,
  modifyUserAddress,
  returnDeliveredOrderItems,
];
