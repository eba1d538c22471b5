import { z } from 'zod';
import { createRng } from '../../core/rng.ts';
import type { TableRows } from '../../engines/tools/tables.ts';
import { cities, drawAddress, drawMail, drawNames, firstNames, IdDrawer, lastNames } from '../names.ts';

export const orderStatuses = ['pending', 'shipped', 'delivered', 'cancelled', 'refunded'] as const;
export const refundWays = ['card', 'voucher'] as const;
export const cancelReasons = ['no_longer_needed', 'ordered_by_mistake'] as const;

export const shopTables = {
  customers: z.strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    city: z.string(),
    tier: z.enum(['standard', 'gold']),
    /** In euros. */
    credit: z.int(),
  }),
  products: z.strictObject({ id: z.string(), name: z.string(), price: z.int(), stock: z.int() }),
  orders: z.strictObject({
    id: z.string(),
    customer: z.string(),
    product: z.string(),
    item: z.string(),
    /** In euros. */
    total: z.int(),
    status: z.enum(orderStatuses),
    /** Days since delivery; 0 before it. */
    days: z.int(),
    address: z.string(),
    refund: z.enum(refundWays).exactOptional(),
    reason: z.enum(cancelReasons).exactOptional(),
    isArchived: z.boolean(),
  }),
  labels: z.strictObject({ id: z.string(), order: z.string() }),
};
export type ShopTables = typeof shopTables;

const productCount = 300;
const customerCount = 1_900;
const ordersEach = 4;

/** About 10,000 rows: 1,900 customers with four orders each, and 300 products. */
export function shopRows(seed: number): TableRows<ShopTables> {
  const rng = createRng(seed).fork('backoffice-rows');
  const ids = new IdDrawer(rng.fork('ids'));
  const products = drawNames(rng.fork('products'), productCount).map((name) => ({
    id: ids.draw('prd'),
    name,
    price: 5 + rng.int(90),
    stock: rng.int(3) === 0 ? 0 : 1 + rng.int(40),
  }));
  const customers = Array.from({ length: customerCount }, (_, index) => {
    const [first, last] = [rng.pick(firstNames), rng.pick(lastNames)];
    return {
      id: ids.draw('cus'),
      name: `${first} ${last}`,
      email: drawMail(first, last, index),
      city: rng.pick(cities),
      tier: rng.int(3) === 0 ? ('gold' as const) : ('standard' as const),
      credit: 0,
    };
  });
  const orders = customers.flatMap((customer) => {
    const address = drawAddress(rng);
    const bought = rng.shuffle(products).slice(0, ordersEach);
    return bought.map((product) => {
      const status = rng.pick([
        'pending',
        'pending',
        'shipped',
        'delivered',
        'delivered',
        'delivered',
      ] as const);
      return {
        id: ids.draw('ord'),
        customer: customer.id,
        product: product.id,
        item: product.name,
        total: product.price,
        status,
        days: status === 'delivered' ? 1 + rng.int(60) : 0,
        address,
        isArchived: false,
      };
    });
  });
  return { customers, products, orders, labels: [] };
}
