import { z } from 'zod';
import { Refusal } from '../../engines/tools/tool.ts';
import { fail, type EnvFunction } from '../domain.ts';
import { draftOf } from '../rows.ts';
import { billIn, billsOf, customerIn, lineIn, lineOf, planIn, today, type TelecomWorld } from './look-ups.ts';
import { lineStatuses, networkStatuses, type Customer } from './models.ts';
import {
  appCalled,
  canSendMms,
  connectVpn,
  hasMobileData,
  permissionCalled,
  searchNetwork,
  speedOf,
  toggleAirplaneMode,
  type InHand,
} from './phone.ts';
import { synchronised } from './sync.ts';
import { handle, inHand } from './user-tools.ts';

type Result = boolean | Refusal | undefined;

/** A function of the account. */
const ofAccount = <Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (args: z.output<z.ZodObject<Shape>>, world: TelecomWorld) => Result,
): EnvFunction => {
  const input = z.strictObject(shape) as unknown as z.ZodObject<Shape>; // the same members, and no others
  return { input, run: (args, world) => run(input.parse(args), world as unknown as TelecomWorld) };
};

/** A function that changes the phone or its surroundings. */
const ofPhone = <Shape extends z.ZodRawShape>(
  shape: Shape,
  act: (hand: InHand, args: z.output<z.ZodObject<Shape>>) => void,
): EnvFunction =>
  ofAccount(shape, (args, world) => {
    const refused = handle(world, (hand) => {
      act(hand, args);
    });
    return refused instanceof Refusal ? refused : undefined;
  });

/** An assertion about the phone. */
const phoneHolds = <Shape extends z.ZodRawShape>(
  shape: Shape,
  holds: (hand: InHand, args: z.output<z.ZodObject<Shape>>) => boolean,
): EnvFunction => ofAccount(shape, (args, world) => holds(inHand(world), args));

const none = {};
const text = z.string();
const expected = { expected_status: z.boolean() };
const ofLine = { customer_id: text, line_id: text };

/** Turns a switch of the phone on or off, whatever it was. The network is searched for, as in the original. */
const setAirplaneMode = (isOn: boolean): EnvFunction =>
  ofPhone(none, (hand) => {
    // the original toggles once, and again where that was wrong
    if (toggleAirplaneMode(hand) !== isOn) toggleAirplaneMode(hand);
  });

const setRoaming = (isOn: boolean): EnvFunction =>
  ofPhone(none, (hand) => {
    hand.phone.roaming_enabled = isOn;
    searchNetwork(hand);
  });

const setDataSaver = (isOn: boolean): EnvFunction =>
  ofPhone(none, ({ phone }) => {
    phone.data_saver_mode = isOn;
  });

export const userFunctions: Readonly<Record<string, EnvFunction>> = {
  set_user_info: ofPhone({ name: text, phone_number: text }, ({ around }, { name, phone_number }) => {
    around.name = name;
    around.phone_number = phone_number;
  }),
  set_user_location: ofPhone({ abroad: z.boolean() }, ({ around }, { abroad }) => {
    around.is_abroad = abroad;
  }),
  simulate_network_search: ofPhone(none, searchNetwork),
  turn_airplane_mode_on: setAirplaneMode(true),
  turn_airplane_mode_off: setAirplaneMode(false),
  unseat_sim_card: ofPhone(none, (hand) => {
    hand.phone.sim_card_missing = true;
    searchNetwork(hand);
  }),
  lock_sim_card: ofPhone({ mode: z.enum(['pin', 'puk']) }, (hand, { mode }) => {
    hand.phone.sim_card_status = `locked_${mode}`;
    searchNetwork(hand);
  }),
  turn_data_on: ofPhone(none, ({ phone }) => {
    phone.data_enabled = true;
  }),
  turn_data_off: ofPhone(none, (hand) => {
    hand.phone.data_enabled = false;
    searchNetwork(hand);
  }),
  turn_roaming_on: setRoaming(true),
  turn_roaming_off: setRoaming(false),
  turn_data_saver_mode_on: setDataSaver(true),
  turn_data_saver_mode_off: setDataSaver(false),
  break_apn_settings: ofPhone(none, (hand) => {
    hand.phone.active_apn_settings.apn_name = 'broken';
    searchNetwork(hand);
  }),
  break_apn_mms_setting: ofPhone(none, ({ phone }) => {
    phone.active_apn_settings.mmsc_url = null;
  }),
  set_wifi_calling: ofPhone(
    { enabled: z.boolean(), mms_over_wifi: z.boolean().nullable().optional() },
    ({ phone }, { enabled, mms_over_wifi }) => {
      phone.wifi_calling_enabled = enabled;
      if (mms_over_wifi !== null && mms_over_wifi !== undefined)
        phone.wifi_calling_mms_over_wifi = mms_over_wifi;
    },
  ),
  break_vpn: ofPhone(none, ({ phone }) => {
    connectVpn(phone);
    if (phone.vpn_details !== null) phone.vpn_details.server_performance = 'poor';
    phone.new_vpn_performance = 'poor';
  }),
  remove_app_permission: ofPhone(
    { app_name: text, permission: text },
    ({ phone }, { app_name, permission }) => {
      const app = appCalled(phone, app_name);
      const name = permissionCalled(permission);
      if (app !== undefined && name !== undefined) app.permissions[name] = false;
    },
  ),
  assert_airplane_mode_status: phoneHolds(
    expected,
    ({ phone }, { expected_status }) => phone.airplane_mode === expected_status,
  ),
  assert_service_status: phoneHolds(
    { expected_status: z.enum(networkStatuses) },
    ({ phone }, { expected_status }) => phone.network_connection_status === expected_status,
  ),
  assert_mobile_data_status: phoneHolds(
    expected,
    (hand, { expected_status }) => hasMobileData(hand) === expected_status,
  ),
  assert_mobile_roaming_status: phoneHolds(
    expected,
    ({ phone }, { expected_status }) => phone.roaming_enabled === expected_status,
  ),
  assert_mobile_data_saver_mode_status: phoneHolds(
    expected,
    ({ phone }, { expected_status }) => phone.data_saver_mode === expected_status,
  ),
  assert_internet_speed: phoneHolds(
    { expected_speed: z.number(), expected_desc: text.nullable().optional() },
    (hand, { expected_speed, expected_desc }) => {
      const { speed = 0, word } = speedOf(hand);
      const isNamed = expected_desc?.toLowerCase() ?? word.toLowerCase();
      return speed >= expected_speed && word.toLowerCase() === isNamed;
    },
  ),
  assert_internet_not_excellent: phoneHolds(none, (hand) => speedOf(hand).word !== 'Excellent'),
  assert_can_send_mms: phoneHolds(
    expected,
    (hand, { expected_status }) => canSendMms(hand) === expected_status,
  ),
  assert_mobile_data_usage_exceeded: phoneHolds(
    expected,
    ({ around }, { expected_status }) => around.mobile_data_usage_exceeded === expected_status,
  ),
};

/** Suspends a line, with an overdue bill of the month before that of all tasks. */
function suspendForBill(
  of: {
    readonly customer_id: string;
    readonly line_id: string;
    readonly new_bill_id: string;
    readonly contract_ended: boolean;
  },
  world: TelecomWorld,
): Result {
  const { customer_id, line_id, new_bill_id, contract_ended } = of;
  const line = lineIn(world, line_id);
  if (line instanceof Refusal) return line;
  if (line.status !== 'Active') return fail('Line must be active to suspend for unpaid bill');
  const plan = planIn(world, line.plan_id);
  if (plan instanceof Refusal) return plan;
  const amount = plan.price_per_month;
  if (amount <= 0) return fail('Amount must be positive for overdue bill');
  const customer = customerIn(world, customer_id);
  if (customer instanceof Refusal) return customer;
  const bills = billsOf(world, customer);
  if (bills instanceof Refusal) return bills;
  if (bills.some(({ status }) => status === 'Overdue')) return fail('Customer already has an overdue bill');
  const [first, last] = ['2025-01-01', '2025-01-31'];
  world.put('bills', {
    id: new_bill_id,
    place: world.all('bills').length,
    bill_id: new_bill_id,
    customer_id,
    period_start: first,
    period_end: last,
    issue_date: first,
    total_due: amount,
    due_date: '2025-01-15',
    line_items: [{ description: `Charge for line ${line_id}`, amount, date: today, item_type: 'Charge' }],
    status: 'Overdue',
  });
  const owner = draftOf<Customer>(customer);
  world.put('customers', { ...owner, bill_ids: [...owner.bill_ids, new_bill_id] });
  world.update('lines', line_id, {
    status: 'Suspended',
    suspension_start_date: today,
    ...(contract_ended ? { contract_end_date: last } : {}),
  });
  return undefined;
}

export const agentFunctions: Readonly<Record<string, EnvFunction>> = {
  set_data_usage: ofAccount(
    { ...ofLine, data_used_gb: z.number() },
    synchronised(({ customer_id, line_id, data_used_gb }, world) => {
      const line = lineOf(world, customer_id, line_id);
      if (line instanceof Refusal) return line;
      world.update('lines', line_id, { data_used_gb });
      return undefined;
    }),
  ),
  suspend_line_for_overdue_bill: ofAccount(
    { ...ofLine, new_bill_id: text, contract_ended: z.boolean() },
    synchronised(suspendForBill),
  ),
  assert_data_refueling_amount: ofAccount(
    { ...ofLine, expected_amount: z.number() },
    ({ customer_id, line_id, expected_amount }, world) => {
      const line = lineOf(world, customer_id, line_id);
      return line instanceof Refusal ? line : Math.abs(line.data_refueling_gb - expected_amount) < 1e-6;
    },
  ),
  assert_line_status: ofAccount(
    { ...ofLine, expected_status: z.enum(lineStatuses) },
    ({ customer_id, line_id, expected_status }, world) => {
      const line = lineOf(world, customer_id, line_id);
      return line instanceof Refusal ? line : line.status === expected_status;
    },
  ),
  assert_overdue_bill_exists: ofAccount(
    { customer_id: text, overdue_bill_id: text },
    ({ customer_id, overdue_bill_id }, world) => {
      const customer = customerIn(world, customer_id);
      if (customer instanceof Refusal) return customer;
      if (!customer.bill_ids.includes(overdue_bill_id))
        return fail(`Overdue bill ${overdue_bill_id} not found`);
      const bill = billIn(world, overdue_bill_id);
      if (bill instanceof Refusal) return bill;
      return bill.status === 'Overdue' || fail(`Overdue bill ${overdue_bill_id} is not overdue`);
    },
  ),
  assert_no_overdue_bill: ofAccount({ overdue_bill_id: text }, ({ overdue_bill_id }, world) => {
    const bill = world.get('bills', overdue_bill_id);
    return bill === undefined || bill.status === 'Paid';
  }),
};
