import { z } from 'zod';
import { from } from '../../engines/tools/argument.ts';
import { defineTool, refuse, type Refusal } from '../../engines/tools/tool.ts';
import type { World } from '../../engines/tools/world.ts';
import { emailPattern, idPattern } from '../names.ts';
import { cancelReasons, orderStatuses, refundWays, shopTables, type ShopTables } from './tables.ts';

const orderId = from('orders.id', z.string().regex(idPattern('ord')).describe('id of an order'));
const customerId = from('customers.id', z.string().regex(idPattern('cus')).describe('id of a customer'));
const productId = from('products.id', z.string().regex(idPattern('prd')).describe('id of a product'));

type Shop = World<ShopTables>;

/** Days after delivery in which an order can be sent back. */
export const returnDays = 30;

const noOrder = (id: string): Refusal => refuse('not_found', `There is no order ${id}.`);
const noCustomer = (id: string): Refusal => refuse('not_found', `There is no customer ${id}.`);
const noProduct = (id: string): Refusal => refuse('not_found', `There is no product ${id}.`);

const changed = z.strictObject({ order: orderId, status: z.enum(orderStatuses) });
type OrderColumns = Parameters<Shop['update']>[2];

function change(world: Shop, id: string, columns: OrderColumns) {
  if (world.get('orders', id) === undefined) return noOrder(id);
  const { status } = world.update('orders', id, columns) as {
    readonly status: (typeof orderStatuses)[number];
  };
  return { order: id, status };
}

const lookUps = [
  defineTool(shopTables, {
    name: 'find_customer',
    description: 'finds the customer with an email address',
    input: z.strictObject({ email: z.string().regex(emailPattern).describe('email address') }),
    output: z.strictObject({ customer: customerId, name: z.string() }),
    run: ({ email }, world) => {
      const [found] = world.where('customers', 'email', email);
      return found === undefined ? noCustomer(email) : { customer: found.id, name: found.name };
    },
  }),
  defineTool(shopTables, {
    name: 'get_customer',
    description: 'shows tier, city and credit of a customer',
    input: z.strictObject({ customer: customerId }),
    output: z.strictObject({
      customer: customerId,
      email: z.string(),
      tier: z.enum(['standard', 'gold']),
      city: z.string(),
      credit: z.int(),
    }),
    run: ({ customer }, world) => {
      const row = world.get('customers', customer);
      if (row === undefined) return noCustomer(customer);
      const { email, tier, city, credit } = row;
      return { customer, email, tier, city, credit };
    },
  }),
  defineTool(shopTables, {
    name: 'list_orders',
    description: 'lists the orders of a customer',
    input: z.strictObject({ customer: customerId }),
    output: z.strictObject({ orders: z.array(orderId) }),
    run: ({ customer }, world) =>
      world.get('customers', customer) === undefined
        ? noCustomer(customer)
        : { orders: world.where('orders', 'customer', customer).map(({ id }) => id) },
  }),
  defineTool(shopTables, {
    name: 'get_order',
    description: 'shows item, total, status, days since delivery, return window and address of an order',
    input: z.strictObject({ order: orderId }),
    output: z.strictObject({
      order: orderId,
      item: z.string(),
      total: z.int(),
      status: z.enum(orderStatuses),
      days: z.int(),
      window: z.enum(['open', 'closed']).describe('whether it can still be sent back'),
      address: z.string(),
    }),
    run: ({ order }, world) => {
      const row = world.get('orders', order);
      if (row === undefined) return noOrder(order);
      const { item, total, status, days, address } = row;
      return {
        order,
        item,
        total,
        status,
        days,
        window: days > returnDays ? 'closed' : 'open',
        address,
      } as const;
    },
  }),
  defineTool(shopTables, {
    name: 'find_product',
    description: 'finds the product with a name',
    input: z.strictObject({ name: z.string().describe('its full name') }),
    output: z.strictObject({ product: productId }),
    run: ({ name }, world) => {
      const [found] = world.where('products', 'name', name);
      return found === undefined ? noProduct(name) : { product: found.id };
    },
  }),
  defineTool(shopTables, {
    name: 'get_product',
    description: 'shows name, price and stock of a product',
    input: z.strictObject({ product: productId }),
    output: z.strictObject({
      product: productId,
      name: z.string(),
      price: z.int(),
      stock: z.int(),
      supply: z.enum(['available', 'sold_out']),
    }),
    run: ({ product }, world) => {
      const row = world.get('products', product);
      if (row === undefined) return noProduct(product);
      const { name, price, stock } = row;
      return { product, name, price, stock, supply: stock > 0 ? 'available' : 'sold_out' } as const;
    },
  }),
];

const changes = [
  defineTool(shopTables, {
    name: 'cancel_order',
    description: 'cancels an order',
    input: z.strictObject({ order: orderId, reason: z.enum(cancelReasons) }),
    output: changed,
    run: ({ order, reason }, world) => change(world, order, { status: 'cancelled', reason }),
  }),
  defineTool(shopTables, {
    name: 'refund_order',
    description: 'pays a delivered order back',
    input: z.strictObject({ order: orderId, to: z.enum(refundWays) }),
    output: changed,
    run: ({ order, to }, world) => change(world, order, { status: 'refunded', refund: to }),
  }),
  defineTool(shopTables, {
    name: 'change_address',
    description: 'sends an order to another address',
    input: z.strictObject({ order: orderId, address: from('said', z.string().min(1).max(200)) }),
    output: changed,
    run: ({ order, address }, world) => change(world, order, { address }),
  }),
  defineTool(shopTables, {
    name: 'exchange_order',
    description: 'exchanges a delivered order for another product',
    input: z.strictObject({ order: orderId, product: productId }),
    output: changed,
    run: ({ order, product }, world) => {
      const wanted = world.get('products', product);
      if (wanted === undefined) return noProduct(product);
      if (wanted.stock === 0) return refuse('not_allowed', `There is no ${wanted.name} in stock.`);
      const result = change(world, order, { product, item: wanted.name, total: wanted.price });
      if ('order' in result) world.update('products', product, { stock: wanted.stock - 1 });
      return result;
    },
  }),
  defineTool(shopTables, {
    name: 'add_credit',
    description: 'gives a customer credit',
    input: z.strictObject({ customer: customerId, amount: z.int().min(1).max(1_000).describe('euros') }),
    output: z.strictObject({ customer: customerId, credit: z.int() }),
    run: ({ customer, amount }, world) => {
      const row = world.get('customers', customer);
      if (row === undefined) return noCustomer(customer);
      return {
        customer,
        credit: world.update('customers', customer, { credit: row.credit + amount }).credit,
      };
    },
  }),
];

/** Tools that no request needs. Each of them changes something. */
const distractors = [
  defineTool(shopTables, {
    name: 'archive_order',
    description: 'moves an order to the archive',
    input: z.strictObject({ order: orderId }),
    output: changed,
    run: ({ order }, world) => change(world, order, { isArchived: true }),
  }),
  defineTool(shopTables, {
    name: 'print_label',
    description: 'prints a parcel label for an order',
    input: z.strictObject({ order: orderId }),
    output: z.strictObject({ label: z.string() }),
    run: ({ order }, world) => {
      if (world.get('orders', order) === undefined) return noOrder(order);
      return { label: world.put('labels', { id: world.newId('labels', 'label_'), order }).id };
    },
  }),
];

export const shopTools = [...lookUps, ...changes, ...distractors];
