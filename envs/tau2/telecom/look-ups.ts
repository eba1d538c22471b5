import type { RowOf } from '../../engines/tools/tables.ts';
import { Refusal } from '../../engines/tools/tool.ts';
import type { World } from '../../engines/tools/world.ts';
import { fail } from '../domain.ts';
import { inFileOrder } from '../rows.ts';
import type { TelecomTables } from './models.ts';

export type TelecomWorld = World<TelecomTables>;
export type LineRow = RowOf<TelecomTables, 'lines'>;
export type BillRow = RowOf<TelecomTables, 'bills'>;
export type CustomerRow = RowOf<TelecomTables, 'customers'>;

/** The day on which all tasks take place. */
export const today = '2025-02-25';

export const customerIn = (world: TelecomWorld, id: string): CustomerRow | Refusal =>
  world.get('customers', id) ?? fail(`Customer with ID ${id} not found`);

export const lineIn = (world: TelecomWorld, id: string): LineRow | Refusal =>
  world.get('lines', id) ?? fail(`Line with ID ${id} not found`);

export const billIn = (world: TelecomWorld, id: string): BillRow | Refusal =>
  world.get('bills', id) ?? fail(`Bill with ID ${id} not found`);

export const planIn = (world: TelecomWorld, id: string): RowOf<TelecomTables, 'plans'> | Refusal =>
  world.get('plans', id) ?? fail(`Plan with ID ${id} not found`);

export const deviceIn = (world: TelecomWorld, id: string): RowOf<TelecomTables, 'devices'> | Refusal =>
  world.get('devices', id) ?? fail(`Device with ID ${id} not found`);

/** The line of a customer. */
export function lineOf(world: TelecomWorld, customerId: string, lineId: string): LineRow | Refusal {
  const customer = customerIn(world, customerId);
  if (customer instanceof Refusal) return customer;
  return customer.line_ids.includes(lineId)
    ? lineIn(world, lineId)
    : fail(`Line ${lineId} not found for customer ${customerId}`);
}

export const lineWithNumber = (world: TelecomWorld, number: string): LineRow | Refusal =>
  inFileOrder(world.all('lines')).find((line) => line.phone_number === number) ??
  fail(`Line with phone number ${number} not found`);

/** The customer with a number as contact, or with a line of that number. */
export function customerWithNumber(world: TelecomWorld, number: string): CustomerRow | Refusal {
  for (const customer of inFileOrder(world.all('customers'))) {
    if (customer.phone_number === number) return customer;
    for (const id of customer.line_ids) {
      const line = lineIn(world, id);
      if (line instanceof Refusal) return line;
      if (line.phone_number === number) return customer;
    }
  }
  return fail(`Customer with phone number ${number} not found`);
}

/** The bills of a customer in the order of its list. */
export function billsOf(world: TelecomWorld, { bill_ids }: CustomerRow): readonly BillRow[] | Refusal {
  const bills: BillRow[] = [];
  for (const id of bill_ids) {
    const bill = billIn(world, id);
    if (bill instanceof Refusal) return bill;
    bills.push(bill);
  }
  return bills;
}
