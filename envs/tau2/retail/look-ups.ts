import { z } from 'zod';
import { from } from '../../engines/tools/argument.ts';
import { defineTool, Refusal } from '../../engines/tools/tool.ts';
import type { RowOf } from '../../engines/tools/tables.ts';
import type { World } from '../../engines/tools/world.ts';
import { fail } from '../domain.ts';
import { printModel, printText } from '../python/print-model.ts';
import { inFileOrder, itemOf, sortedTexts } from '../rows.ts';
import { asText } from '../generic-tools.ts';
import { order, product, retailTables, user, variant, type RetailTables } from './models.ts';

export type RetailWorld = World<RetailTables>;
type Variant = RowOf<RetailTables, 'products'>['variants'][number][1];

export const orderId = z
  .string()
  .describe(
    "the order id, such as '#W0000000'. Be careful: there is a '#' at the beginning of the order id.",
  );
const userId = z.string().describe("the user id, such as 'sara_doe_496'");

export const orderIn = (world: RetailWorld, id: string): RowOf<RetailTables, 'orders'> | Refusal =>
  world.get('orders', id) ?? fail('Order not found');

export const userIn = (world: RetailWorld, id: string): RowOf<RetailTables, 'users'> | Refusal =>
  world.get('users', id) ?? fail('User not found');

export function variantIn(world: RetailWorld, productId: string, itemId: string): Variant | Refusal {
  const found = world.get('products', productId);
  if (found === undefined) return fail('Product not found');
  return itemOf(found.variants, itemId) ?? fail('Variant not found');
}

/** The first user in the order of the file who fits. */
function findUser(
  world: RetailWorld,
  fits: (row: RowOf<RetailTables, 'users'>) => boolean,
): string | Refusal {
  return inFileOrder(world.all('users')).find(fits)?.id ?? fail('User not found');
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const lookUps = [
  defineTool(retailTables, {
    name: 'find_user_id_by_name_zip',
    description:
      'Finds a user id by first name, last name and zip code. By default, find the user id by email, and only call this if the user is not found by email or cannot remember it.',
    input: z.strictObject({
      first_name: z.string().describe("the first name of the customer, such as 'John'"),
      last_name: z.string().describe("the last name of the customer, such as 'Doe'"),
      zip: z.string().describe("the zip code of the customer, such as '12345'"),
    }),
    output: from('user_id', z.string()),
    run: ({ first_name, last_name, zip }, world) =>
      findUser(
        world,
        ({ name, address }) =>
          same(name.first_name, first_name) && same(name.last_name, last_name) && address.zip === zip,
      ),
    print: asText,
  }),
  defineTool(retailTables, {
    name: 'find_user_id_by_email',
    description: 'Finds a user id by email.',
    input: z.strictObject({
      email: z.string().describe("the email of the user, such as 'something@example.com'"),
    }),
    output: from('user_id', z.string()),
    run: ({ email }, world) => findUser(world, (row) => same(row.email, email)),
    print: asText,
  }),
  defineTool(retailTables, {
    name: 'get_order_details',
    description: 'Gets the status and details of an order.',
    input: z.strictObject({ order_id: orderId }),
    output: order,
    run: ({ order_id }, world) => parsed(order, orderIn(world, order_id)),
    print: (value) => printModel(order, value),
  }),
  defineTool(retailTables, {
    name: 'get_product_details',
    description: 'Gets the inventory details of a product.',
    input: z.strictObject({
      product_id: z
        .string()
        .describe(
          "the product id, such as '6086499569'. Be careful: the product id is different from the item id.",
        ),
    }),
    output: product,
    run: ({ product_id }, world) =>
      parsed(product, world.get('products', product_id) ?? fail('Product not found')),
    print: (value) => printModel(product, value),
  }),
  defineTool(retailTables, {
    name: 'get_item_details',
    description: 'Gets the inventory details of an item.',
    input: z.strictObject({
      item_id: z
        .string()
        .describe(
          "the item id, such as '6086499569'. Be careful: the item id is different from the product id.",
        ),
    }),
    output: variant,
    run: ({ item_id }, world) => {
      for (const { variants } of inFileOrder(world.all('products'))) {
        const found = itemOf(variants, item_id);
        if (found !== undefined) return variant.parse(found);
      }
      return fail('Item not found');
    },
    print: (value) => printModel(variant, value),
  }),
  defineTool(retailTables, {
    name: 'get_user_details',
    description: 'Gets the details of a user, including their orders.',
    input: z.strictObject({ user_id: userId }),
    output: user,
    run: ({ user_id }, world) => parsed(user, userIn(world, user_id)),
    print: (value) => printModel(user, value),
  }),
  defineTool(retailTables, {
    name: 'list_all_product_types',
    description:
      'Lists the name and product id of all product types. Each product type has a variety of different items with unique item ids and options. There are only 50 product types in the store.',
    input: z.strictObject({}),
    output: z.record(z.string(), from('product_id', z.string())),
    run: (_args, world) => {
      const ids = new Map(inFileOrder(world.all('products')).map((row) => [row.name, row.product_id]));
      return Object.fromEntries(sortedTexts([...ids.keys()]).map((name) => [name, ids.get(name) ?? '']));
    },
    // the names are sorted again: an object puts names that are numbers first
    print: (ids) =>
      `{${sortedTexts(Object.keys(ids))
        .map((name) => `${printText(name)}: ${printText(ids[name] ?? '')}`)
        .join(', ')}}`,
  }),
];

/** The model of a row, or the error. */
function parsed<Schema extends z.ZodType>(schema: Schema, row: object): z.output<Schema> | Refusal {
  return row instanceof Refusal ? row : schema.parse(row);
}
