import { Refusal } from '../../engines/tools/tool.ts';
import { draftOf } from '../rows.ts';
import { billsOf, customerWithNumber, lineWithNumber, planIn, type TelecomWorld } from './look-ups.ts';
import type { Surroundings } from './models.ts';

/**
 * Brings the surroundings of the user in line with the account, and the account in line with payments, as the original does
 * after each call. It returns a refusal where the account has no line of the user's number.
 */
export function synchronise(world: TelecomWorld): Refusal | undefined {
  const row = world.get('surroundings', 'surroundings');
  if (row === undefined || row.phone_number === null) return undefined;
  const around = draftOf<Surroundings>(row);
  const line = lineWithNumber(world, row.phone_number);
  if (line instanceof Refusal) return line;
  around.line_active = line.status === 'Active';
  around.roaming_allowed = line.roaming_enabled;
  const plan = planIn(world, line.plan_id);
  if (plan instanceof Refusal) return plan;
  around.mobile_data_usage_exceeded = line.data_used_gb >= plan.data_limit_gb + line.data_refueling_gb;
  if (around.payment_request?.paid === true) {
    const { bill_id } = around.payment_request;
    if (world.get('bills', bill_id) !== undefined) world.update('bills', bill_id, { status: 'Paid' });
    around.payment_request = null;
  }
  if (around.payment_request === null) {
    const customer = customerWithNumber(world, row.phone_number);
    if (customer instanceof Refusal) return customer;
    const bills = billsOf(world, customer);
    if (bills instanceof Refusal) return bills;
    const bill = bills.find(({ status }) => status === 'Awaiting Payment');
    if (bill !== undefined)
      around.payment_request = { bill_id: bill.bill_id, amount_due: bill.total_due, paid: false };
  }
  if (JSON.stringify(around) !== JSON.stringify(row)) world.put('surroundings', around);
  return undefined;
}

/** A change followed by {@link synchronise}, where it was not refused. */
export const synchronised =
  <Args, Result>(run: (args: Args, world: TelecomWorld) => Result | Refusal) =>
  (args: Args, world: TelecomWorld): Result | Refusal => {
    const result = run(args, world);
    return result instanceof Refusal ? result : (synchronise(world) ?? result);
  };
