import { z } from 'zod';
import { from } from '../../engines/tools/argument.ts';
import { dictionaryOf, rowOf } from '../rows.ts';

// The fields and their order are those of τ²-bench's models. `z.number()` stands for a float of Python, `z.int()` for an integer.

export const variant = z.object({
  item_id: z.string(),
  options: z.record(z.string(), z.string()),
  available: z.boolean(),
  price: z.number(),
});

export const product = z.object({
  name: z.string(),
  product_id: z.string(),
  variants: dictionaryOf(variant),
});

export const address = z.object({
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  country: z.string(),
  state: z.string(),
  zip: z.string(),
});

const methodId = from('payment_method_id', z.string());
const paymentMethod = z.discriminatedUnion('source', [
  z.object({ source: z.literal('credit_card'), id: methodId, brand: z.string(), last_four: z.string() }),
  z.object({ source: z.literal('gift_card'), id: methodId, balance: z.number() }),
  z.object({ source: z.literal('paypal'), id: methodId }),
]);

export const user = z.object({
  user_id: z.string(),
  name: z.object({ first_name: z.string(), last_name: z.string() }),
  address,
  email: z.string(),
  payment_methods: z.record(z.string(), paymentMethod),
  orders: z.array(from('order_id', z.string())),
});

export const order = z.object({
  order_id: z.string(),
  user_id: z.string(),
  address,
  items: z.array(
    z.object({
      name: z.string(),
      product_id: z.string(),
      item_id: z.string(),
      price: z.number(),
      options: z.record(z.string(), z.string()),
    }),
  ),
  status: z.enum([
    'processed',
    'pending',
    'pending (item modified)',
    'delivered',
    'cancelled',
    'exchange requested',
    'return requested',
  ]),
  fulfillments: z.array(
    z.object({ tracking_id: z.array(z.string()), item_ids: z.array(from('item_id', z.string())) }),
  ),
  payment_history: z.array(
    z.object({
      transaction_type: z.enum(['payment', 'refund']),
      amount: z.number(),
      payment_method_id: z.string(),
    }),
  ),
  cancel_reason: z.enum(['no longer needed', 'ordered by mistake']).nullable().default(null),
  exchange_items: z.array(z.string()).nullable().default(null),
  exchange_new_items: z.array(z.string()).nullable().default(null),
  exchange_payment_method_id: z.string().nullable().default(null),
  exchange_price_difference: z.number().nullable().default(null),
  return_items: z.array(z.string()).nullable().default(null),
  return_payment_method_id: z.string().nullable().default(null),
});

export const retailTables = { products: rowOf(product), users: rowOf(user), orders: rowOf(order) };
export type RetailTables = typeof retailTables;
export type Order = z.output<RetailTables['orders']>;
export type User = z.output<RetailTables['users']>;
