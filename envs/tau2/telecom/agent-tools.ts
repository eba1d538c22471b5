import { z } from 'zod';
import { defineTool, Refusal } from '../../engines/tools/tool.ts';
import { shortDigest } from '../../kit/short-digest.ts';
import { fail } from '../domain.ts';
import { asText, transferToHuman } from '../generic-tools.ts';
import { floatText, roundToCents } from '../python/numbers.ts';
import { printModel } from '../python/print-model.ts';
import { draftOf, inFileOrder } from '../rows.ts';
import {
  billIn,
  billsOf,
  customerIn,
  customerWithNumber,
  deviceIn,
  lineIn,
  lineOf,
  planIn,
  today,
  type CustomerRow,
  type TelecomWorld,
} from './look-ups.ts';
import { bill, customer, device, line, plan, telecomTables, type Bill, type Customer } from './models.ts';
import { synchronised } from './sync.ts';

const customerId = z.string().describe('the ID of the customer');
const lineId = z.string().describe('the ID of the line');
const ofLine = z.strictObject({ customer_id: customerId, line_id: lineId });
const anyThing = z.union([line, device, bill, customer, plan]);
const changedLine = z.object({ message: z.string(), line });
const usage = z.object({
  line_id: z.string(),
  data_used_gb: z.string(),
  data_limit_gb: z.string(),
  data_refueling_gb: z.string(),
  cycle_end_date: z.string(),
});
const refuelled = z.object({ message: z.string(), new_data_refueling_gb: z.string(), charge: z.string() });

const lookUps = [
  defineTool(telecomTables, {
    name: 'get_customer_by_phone',
    description: 'Finds a customer by their primary contact or line phone number.',
    input: z.strictObject({ phone_number: z.string().describe('the phone number to search for') }),
    output: customer,
    run: ({ phone_number }, world) => {
      const row = customerWithNumber(world, phone_number);
      return row instanceof Refusal ? row : customer.parse(row);
    },
    print: (value) => printModel(customer, value),
  }),
  defineTool(telecomTables, {
    name: 'get_customer_by_id',
    description: 'Retrieves a customer directly by their unique ID.',
    input: z.strictObject({ customer_id: customerId }),
    output: customer,
    run: ({ customer_id }, world) => {
      const row = customerIn(world, customer_id);
      return row instanceof Refusal ? row : customer.parse(row);
    },
    print: (value) => printModel(customer, value),
  }),
  defineTool(telecomTables, {
    name: 'get_customer_by_name',
    description:
      'Searches for customers by name and date of birth. It may return several customers with similar names.',
    input: z.strictObject({
      full_name: z.string().describe('the full name of the customer'),
      dob: z.string().describe('the date of birth, in the format YYYY-MM-DD'),
    }),
    output: z.array(customer),
    run: ({ full_name, dob }, world) =>
      inFileOrder(world.all('customers'))
        .filter((row) => row.full_name.toLowerCase() === full_name.toLowerCase() && row.date_of_birth === dob)
        .map((row) => customer.parse(row)),
    print: (value) => printModel(z.array(customer), value),
  }),
  defineTool(telecomTables, {
    name: 'get_details_by_id',
    description: 'Retrieves the details of a customer, line, device, bill or plan by its ID.',
    input: z.strictObject({ id: z.string().describe('the ID of the object to retrieve') }),
    output: anyThing,
    run: ({ id }, world) => {
      const found = rowCalled(world, id);
      return found instanceof Refusal ? found : anyThing.parse(found);
    },
    print: (value) => printModel(anyThing, value),
  }),
  defineTool(telecomTables, {
    name: 'get_bills_for_customer',
    description: "Retrieves a list of the customer's bills, most recent first.",
    input: z.strictObject({
      customer_id: customerId,
      limit: z.int().optional().describe('maximum number of bills to return; default: 12'),
    }),
    output: z.array(bill),
    run: ({ customer_id, limit = 12 }, world) => {
      const owner = customerIn(world, customer_id);
      if (owner instanceof Refusal) return owner;
      const bills = billsOf(world, owner);
      if (bills instanceof Refusal) return bills;
      const newest = bills.toSorted((a, b) =>
        a.issue_date < b.issue_date ? 1 : a.issue_date > b.issue_date ? -1 : 0,
      );
      return newest.slice(0, limit).map((row) => bill.parse(row));
    },
    print: (value) => printModel(z.array(bill), value),
  }),
  defineTool(telecomTables, {
    name: 'get_data_usage',
    description:
      'Retrieves the data usage of a line in the current billing cycle, with the refuelled amount, the data limit and the end of the cycle.',
    input: ofLine,
    output: usage,
    run: ({ customer_id, line_id }, world) => {
      const row = lineOf(world, customer_id, line_id);
      if (row instanceof Refusal) return row;
      const owned = planIn(world, row.plan_id);
      if (owned instanceof Refusal) return owned;
      // the original writes numbers of such dictionaries as texts
      return {
        line_id,
        data_used_gb: floatText(row.data_used_gb),
        data_limit_gb: floatText(owned.data_limit_gb),
        data_refueling_gb: floatText(row.data_refueling_gb),
        cycle_end_date: '2025-02-28',
      };
    },
    print: (value) => printModel(usage, value),
  }),
];

/** The object that an ID names by its first letter. */
function rowCalled(world: TelecomWorld, id: string): object {
  if (id.startsWith('L')) return lineIn(world, id);
  if (id.startsWith('D')) return deviceIn(world, id);
  if (id.startsWith('B')) return billIn(world, id);
  if (id.startsWith('C')) return customerIn(world, id);
  if (id.startsWith('P')) return planIn(world, id);
  return fail(`Unknown ID format or type: ${id}`);
}

const changes = [
  defineTool(telecomTables, {
    name: 'suspend_line',
    description: 'Suspends a line that is active, for 6 months at most.',
    input: ofLine.extend({ reason: z.string().describe('the reason for the suspension') }),
    output: changedLine,
    run: synchronised(({ customer_id, line_id }: z.output<typeof ofLine>, world: TelecomWorld) => {
      const row = lineOf(world, customer_id, line_id);
      if (row instanceof Refusal) return row;
      if (row.status !== 'Active') return fail('Line must be active to suspend');
      const changed = world.update('lines', line_id, { status: 'Suspended', suspension_start_date: today });
      const message = 'Line suspended successfully. $5/month holding fee will apply.';
      return { message, line: line.parse(changed) };
    }),
    print: (value) => printModel(changedLine, value),
  }),
  defineTool(telecomTables, {
    name: 'resume_line',
    description: 'Resumes a line that is suspended or pending activation.',
    input: ofLine,
    output: changedLine,
    run: synchronised(({ customer_id, line_id }: z.output<typeof ofLine>, world: TelecomWorld) => {
      const row = lineOf(world, customer_id, line_id);
      if (row instanceof Refusal) return row;
      if (row.status !== 'Suspended' && row.status !== 'Pending Activation')
        return fail('Line must be suspended to resume');
      const changed = world.update('lines', line_id, { status: 'Active', suspension_start_date: null });
      return { message: 'Line resumed successfully', line: line.parse(changed) };
    }),
    print: (value) => printModel(changedLine, value),
  }),
  defineTool(telecomTables, {
    name: 'send_payment_request',
    description:
      'Sends the customer a payment request for a bill, unless another bill awaits payment. It does not check whether the bill is paid already.',
    input: z.strictObject({ customer_id: customerId, bill_id: z.string().describe('the ID of the bill') }),
    output: z.string(),
    run: synchronised(
      ({ customer_id, bill_id }: { customer_id: string; bill_id: string }, world: TelecomWorld) => {
        const owner = customerIn(world, customer_id);
        if (owner instanceof Refusal) return owner;
        const bills = billsOf(world, owner);
        if (bills instanceof Refusal) return bills;
        if (bills.some(({ status }) => status === 'Awaiting Payment'))
          return fail('A bill is already awaiting payment for this customer');
        if (!owner.bill_ids.includes(bill_id))
          return fail(`Bill ${bill_id} not found for customer ${customer_id}`);
        world.update('bills', bill_id, { status: 'Awaiting Payment' });
        return `Payment request sent to the customer for bill ${bill_id}`;
      },
    ),
    print: asText,
  }),
  ...(['enable', 'disable'] as const).map((verb) =>
    defineTool(telecomTables, {
      name: `${verb}_roaming`,
      description: `${verb === 'enable' ? 'Enables' : 'Disables'} international roaming on a line.`,
      input: ofLine,
      output: z.string(),
      run: synchronised(({ customer_id, line_id }: z.output<typeof ofLine>, world: TelecomWorld) => {
        const row = lineOf(world, customer_id, line_id);
        if (row instanceof Refusal) return row;
        const roaming_enabled = verb === 'enable';
        if (row.roaming_enabled === roaming_enabled) return `Roaming was already ${verb}d`;
        world.update('lines', line_id, { roaming_enabled });
        return `Roaming ${verb}d successfully`;
      }),
      print: asText,
    }),
  ),
  defineTool(telecomTables, {
    name: 'refuel_data',
    description: "Adds data to a line, and charges the customer by the plan's price for refuelling.",
    input: ofLine.extend({ gb_amount: z.number().describe('the amount of data to add, in gigabytes') }),
    output: refuelled,
    run: synchronised(refuel),
    print: (value) => printModel(refuelled, value),
  }),
];

function refuel(
  { customer_id, line_id, gb_amount }: z.output<typeof ofLine> & { readonly gb_amount: number },
  world: TelecomWorld,
): z.output<typeof refuelled> | Refusal {
  const row = lineOf(world, customer_id, line_id);
  if (row instanceof Refusal) return row;
  if (gb_amount <= 0) return fail('Refuel amount must be positive');
  const owned = planIn(world, row.plan_id);
  if (owned instanceof Refusal) return owned;
  const owner = customerIn(world, customer_id);
  if (owner instanceof Refusal) return owner;
  const price = owned.data_refueling_price_per_gb;
  const charge = gb_amount * price;
  const total = row.data_refueling_gb + gb_amount;
  world.update('lines', line_id, { data_refueling_gb: total });
  const refused = addCharge(world, owner, {
    amount: charge,
    description: `Data refueling: ${floatText(gb_amount)} GB at $${floatText(price)}/GB`,
  });
  if (refused !== undefined) return refused;
  return {
    message: `Successfully added ${floatText(gb_amount)} GB of data for line ${line_id} for $${roundToCents(charge).toFixed(2)}`,
    new_data_refueling_gb: floatText(total),
    charge: floatText(charge),
  };
}

/** Adds a charge to the customer's draft bill. A new one is for March 2025, the month after that of all tasks. */
function addCharge(
  world: TelecomWorld,
  owner: CustomerRow,
  { amount, description }: { readonly amount: number; readonly description: string },
): Refusal | undefined {
  const bills = billsOf(world, owner);
  if (bills instanceof Refusal) return bills;
  const drafted = bills.find(({ status }) => status === 'Draft');
  const item = { description, amount, date: today, item_type: amount < 0 ? 'Credit' : 'Charge' };
  if (drafted !== undefined) {
    const draft = draftOf<Bill>(drafted);
    world.put('bills', {
      ...draft,
      line_items: [...draft.line_items, item],
      total_due: draft.total_due + amount,
    });
    return undefined;
  }
  const { customer_id, bill_ids } = owner;
  // the original draws the ID at random
  const bill_id = `B${shortDigest(JSON.stringify([customer_id, bill_ids])).slice(0, 8)}`;
  world.put('bills', {
    id: bill_id,
    place: world.all('bills').length,
    bill_id,
    customer_id,
    period_start: '2025-03-01',
    period_end: '2025-03-31',
    issue_date: '2025-03-01',
    total_due: amount,
    due_date: '2025-03-15',
    line_items: [item],
    status: 'Draft',
  });
  const changed = draftOf<Customer>(owner);
  world.put('customers', { ...changed, bill_ids: [...changed.bill_ids, bill_id] });
  return undefined;
}

/** Tools that change data. */
export const agentChanges: ReadonlySet<string> = new Set(changes.map(({ name }) => name));
export const agentTools = [...lookUps, ...changes, transferToHuman];
