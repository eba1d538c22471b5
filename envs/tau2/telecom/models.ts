import { z } from 'zod';
import { from } from '../../engines/tools/argument.ts';
import { dictionaryOf, rowOf } from '../rows.ts';

// The fields and their order are those of τ²-bench's models. `z.number()` stands for a float of Python, `z.int()` for an integer.

const iso = z.iso.date();
/** A date. */
const day = iso;
/** A time as Python's `str` writes it: with a blank between date and time. */
const time = z.string().transform((text, context) => {
  const [, date = '', clock = '00:00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2}))?$/.exec(text) ?? [];
  if (iso.safeParse(date).success) return `${date} ${clock}`;
  context.addIssue({ code: 'custom', message: `${JSON.stringify(text.slice(0, 80))} is no time` });
  return z.NEVER;
});

export const plan = z.object({
  plan_id: z.string(),
  name: z.string(),
  data_limit_gb: z.number(),
  price_per_month: z.number(),
  data_refueling_price_per_gb: z.number(),
});

export const device = z.object({
  device_id: z.string(),
  device_type: z.enum(['phone', 'router', 'tablet', 'watch', 'other']),
  model: z.string(),
  imei: z.string().nullable().default(null),
  is_esim_capable: z.boolean(),
  activated: z.boolean().default(false),
  activation_date: time.nullable().default(null),
  last_esim_transfer_date: time.nullable().default(null),
});

export const lineStatuses = ['Active', 'Suspended', 'Pending Activation', 'Closed'] as const;

export const line = z.object({
  line_id: z.string(),
  phone_number: z.string(),
  status: z.enum(lineStatuses).default('Pending Activation'),
  plan_id: z.string(),
  device_id: z.string().nullable().default(null),
  data_used_gb: z.number().default(0),
  data_refueling_gb: z.number().default(0),
  roaming_enabled: z.boolean().default(false),
  contract_end_date: day.nullable().default(null),
  last_plan_change_date: day.nullable().default(null),
  last_sim_replacement_date: day.nullable().default(null),
  suspension_start_date: day.nullable().default(null),
});

export const bill = z.object({
  bill_id: z.string(),
  customer_id: z.string(),
  period_start: day,
  period_end: day,
  issue_date: day,
  total_due: z.number(),
  due_date: day,
  line_items: z
    .array(z.object({ description: z.string(), amount: z.number(), date: day, item_type: z.string() }))
    .default([]),
  status: z.enum(['Draft', 'Issued', 'Awaiting Payment', 'Paid', 'Overdue', 'Disputed']).default('Draft'),
});

export const customer = z.object({
  customer_id: z.string(),
  full_name: z.string(),
  date_of_birth: z.string(),
  email: z.string(),
  phone_number: z.string(),
  address: z.object({ street: z.string(), city: z.string(), state: z.string(), zip_code: z.string() }),
  account_status: z
    .enum(['Active', 'Suspended', 'Pending Verification', 'Closed'])
    .default('Pending Verification'),
  payment_methods: z
    .array(
      z.object({
        method_type: z.enum(['Credit Card', 'Debit Card', 'PayPal']),
        account_number_last_4: z.string(),
        expiration_date: z.string(),
      }),
    )
    .default([]),
  line_ids: z.array(from('line_id', z.string())).default([]),
  bill_ids: z.array(from('bill_id', z.string())).default([]),
  created_at: time.default('2025-01-01 00:00:00'),
  last_extension_date: day.nullable().default(null),
  goodwill_credit_used_this_year: z.number().default(0),
});

export const agentTables = {
  plans: rowOf(plan),
  customers: rowOf(customer),
  lines: rowOf(line),
  bills: rowOf(bill),
  devices: rowOf(device),
};
/** The field of each table that names its rows. */
export const keyFields: Readonly<Record<string, string>> = {
  plans: 'plan_id',
  customers: 'customer_id',
  lines: 'line_id',
  bills: 'bill_id',
  devices: 'device_id',
};

export const simStatuses = ['active', 'missing', 'locked_pin', 'locked_puk'] as const;
export const technologies = ['none', '2G', '3G', '4G', '5G'] as const;
export const networkModes = ['4g_5g_preferred', '4g_only', '3g_only', '2g_only'] as const;
export const signals = ['none', 'poor', 'fair', 'good', 'excellent'] as const;
export const networkStatuses = ['connected', 'searching', 'no_service', 'emergency_only'] as const;
const performances = ['unknown', 'poor', 'fair', 'good', 'excellent'] as const;

export const apnSettings = z.object({
  apn_name: z.enum(['internet', 'broken']).default('internet'),
  reset_at_reboot: z.boolean().default(false),
  mms_apn: z.string().nullable().default('mms'),
  mmsc_url: z.string().nullable().default('http://mms.carrier.com/mms/wapenc'),
  mms_proxy: z.string().nullable().default(null),
  mms_port: z.int().nullable().default(null),
});

export const permissions = z.object({
  sms: z.boolean().default(false),
  storage: z.boolean().default(false),
  phone: z.boolean().default(false),
  network: z.boolean().default(false),
});

const vpnDetails = z.object({
  server_address: z.string().nullable().default(null),
  protocol: z.string().nullable().default(null),
  server_performance: z.enum(performances).default('unknown'),
});

const phone = z.object({
  sim_card_status: z.enum(simStatuses).default('active'),
  sim_card_missing: z.boolean().default(false),
  airplane_mode: z.boolean().default(false),
  network_signal_strength: z.enum(signals).default('good'),
  network_technology_connected: z.enum(technologies).default('5G'),
  network_connection_status: z.enum(networkStatuses).default('connected'),
  battery_level: z.int().default(80),
  data_enabled: z.boolean().default(true),
  roaming_enabled: z.boolean().default(false),
  network_mode_preference: z.enum(networkModes).default('4g_5g_preferred'),
  active_apn_settings: apnSettings.prefault({}),
  wifi_enabled: z.boolean().default(false),
  wifi_connected: z.boolean().default(false),
  wifi_ssid: z.string().nullable().default(null),
  wifi_signal_strength: z.enum(signals).default('none'),
  wifi_calling_enabled: z.boolean().default(false),
  wifi_calling_mms_over_wifi: z.boolean().default(false),
  data_saver_mode: z.boolean().default(false),
  vpn_enabled_setting: z.boolean().default(false),
  vpn_connected: z.boolean().default(false),
  vpn_details: vpnDetails.nullable().default(null),
  app_statuses: dictionaryOf(z.object({ app_name: z.string(), permissions: permissions.prefault({}) })),
  /** Ours: what a new VPN connection is like. In the original, breaking one breaks all later ones of the process. */
  new_vpn_performance: z.enum(performances).default('excellent'),
});

const surroundings = z.object({
  name: z.string().nullable().default(null),
  phone_number: z.string().nullable().default(null),
  is_abroad: z.boolean().default(false),
  roaming_allowed: z.boolean().default(false),
  signal_strength: z
    .partialRecord(z.enum(technologies), z.enum(signals))
    .default({ '2G': 'poor', '3G': 'fair', '4G': 'good', '5G': 'excellent' }),
  mobile_data_usage_exceeded: z.boolean().default(false),
  line_active: z.boolean().default(true),
  payment_request: z
    .object({ bill_id: z.string(), amount_due: z.number(), paid: z.boolean().default(false) })
    .nullable()
    .default(null),
});

/** The apps of a phone that the file does not describe. */
export const usualApps = {
  messaging: { app_name: 'messaging', permissions: { sms: true, storage: true, phone: true } },
  browser: { app_name: 'browser', permissions: { network: true, storage: true } },
};

/** The tables of the user have one row each, whose key is the name of the table. */
export const userTables = { device: rowOf(phone), surroundings: rowOf(surroundings) };

export const telecomTables = { ...agentTables, ...userTables };
export type TelecomTables = typeof telecomTables;
export type Phone = z.output<TelecomTables['device']>;
export type Surroundings = z.output<TelecomTables['surroundings']>;
export type Line = z.output<TelecomTables['lines']>;
export type Bill = z.output<TelecomTables['bills']>;
export type Customer = z.output<TelecomTables['customers']>;
