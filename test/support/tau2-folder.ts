import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// Small domains of our own in the form of τ²-bench's data folder.

const street = (zip: string) => ({
  address1: '1 Quay Lane',
  address2: '',
  city: 'Porthaven',
  country: 'USA',
  state: 'ME',
  zip,
});

/** The keys of the variants are numbers that JavaScript would sort. */
const variants = {
  '9900000001': { item_id: '9900000001', options: { ink: 'blue' }, available: true, price: 12 },
  '100000002': { item_id: '100000002', options: { ink: 'gr\u00fcn' }, available: true, price: 14.35 },
  '100000001': { item_id: '100000001', options: { ink: 'red' }, available: false, price: 9.5 },
};

const order = (id: string, user: string, status: string, method: string) => ({
  order_id: id,
  user_id: user,
  address: street('04001'),
  items: [
    { name: 'Pen', product_id: '77', item_id: '9900000001', price: 12, options: { ink: 'blue' } },
    { name: 'Pen', product_id: '77', item_id: '9900000001', price: 12, options: { ink: 'blue' } },
  ],
  status,
  fulfillments: [],
  payment_history: [{ transaction_type: 'payment', amount: 24, payment_method_id: method }],
});

const retailDb = {
  products: {
    '77': { name: 'Pen', product_id: '77', variants },
    '5': { name: 'Ink', product_id: '5', variants: {} },
  },
  users: {
    zoe_quill_1: {
      user_id: 'zoe_quill_1',
      name: { first_name: 'Zoe', last_name: 'Quill' },
      address: street('04001'),
      email: 'zoe@example.com',
      payment_methods: {
        gift_card_1: { source: 'gift_card', id: 'gift_card_1', balance: 20 },
        paypal_1: { source: 'paypal', id: 'paypal_1' },
      },
      orders: ['#W1', '#W2'],
    },
    amy_nib_2: {
      user_id: 'amy_nib_2',
      name: { first_name: 'Amy', last_name: 'Nib' },
      address: street('04002'),
      email: 'amy@example.com',
      payment_methods: {
        credit_card_2: { source: 'credit_card', id: 'credit_card_2', brand: 'visa', last_four: '0002' },
      },
      orders: ['#W3'],
    },
  },
  orders: {
    '#W1': order('#W1', 'zoe_quill_1', 'pending', 'gift_card_1'),
    '#W2': order('#W2', 'zoe_quill_1', 'delivered', 'paypal_1'),
    '#W3': order('#W3', 'amy_nib_2', 'pending', 'credit_card_2'),
  },
};

const call = (name: string, given: object, more: object = {}) => ({
  action_id: name,
  name,
  arguments: given,
  ...more,
});

const scenario = (reason: string) => ({
  persona: null,
  instructions: {
    domain: 'retail',
    reason_for_call: reason,
    known_info: 'You are Zoe Quill, zip code 04001.',
    unknown_info: null,
    task_instructions: 'Be brief.',
  },
});

const find = call('find_user_id_by_name_zip', { first_name: 'zoe', last_name: 'Quill', zip: '04001' });
const cancel = (id: string) => call('cancel_pending_order', { order_id: id, reason: 'no longer needed' });

const retailTask = (id: string, actions: readonly object[], criteria: object = {}) => ({
  id,
  user_scenario: scenario(`Task ${id}: you want to change what you ordered.`),
  initial_state: null,
  evaluation_criteria: { actions, communicate_info: [], nl_assertions: null, ...criteria },
});

const retailTasks = [
  retailTask('cancel', [find, call('get_order_details', { order_id: '#W1' }), cancel('#W1')]),
  retailTask(
    'exchange',
    [
      find,
      call('exchange_delivered_order_items', {
        order_id: '#W2',
        item_ids: ['9900000001'],
        new_item_ids: ['100000002'],
        payment_method_id: 'gift_card_1',
      }),
    ],
    { communicate_info: ['2.35'] },
  ),
  retailTask('missing order', [call('get_order_details', { order_id: '#W9' }), cancel('#W3')]),
  retailTask('judged', [cancel('#W3')], {
    communicate_info: ['24'],
    nl_assertions: ['The agent says that 24 dollars come back.'],
    reward_basis: ['DB', 'NL_ASSERTION'],
  }),
  retailTask('transfer', [call('transfer_to_human_agents', { summary: 'x' }, { compare_args: [] })], {
    reward_basis: ['DB', 'ACTION'],
  }),
  retailTask('modify', [
    call('modify_pending_order_items', {
      order_id: '#W1',
      item_ids: ['9900000001', '9900000001'],
      new_item_ids: ['100000002', '100000002'],
      payment_method_id: 'gift_card_1',
    }),
  ]),
];

const retailSplit = {
  train: ['cancel', 'exchange', 'missing order', 'judged'],
  test: ['transfer', 'modify'],
  base: retailTasks.map(({ id }) => id),
};

const mockDb = {
  tasks: { task_1: { task_id: 'task_1', title: 'Sharpen', description: null, status: 'pending' } },
  users: { nib: { user_id: 'nib', name: 'Nib', tasks: ['task_1'] } },
};
const mockUserDb = {
  notifications: { n1: { notification_id: 'n1', message: 'Task for you', task_id: 'task_1' } },
};

const update = (id: string) => call('update_task_status', { task_id: id, status: 'completed' });
const told = (instructions: string) => ({ instructions });

const mockTasks = [
  {
    id: 'history',
    user_scenario: told('Mark the task as completed.'),
    initial_state: {
      message_history: [
        { role: 'user', content: 'Make a task.' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c1', name: 'create_task', arguments: { user_id: 'nib', title: 'Refill' } }],
        },
        {
          role: 'tool',
          id: 'c1',
          content: '{"task_id":"task_2","title":"Refill","description":null,"status":"pending"}',
        },
        { role: 'assistant', content: 'I made task_2.' },
      ],
    },
    evaluation_criteria: { actions: [update('task_2')], communicate_info: ['i made task_2'] },
  },
  {
    id: 'data',
    user_scenario: told('Mark task_9 as completed.'),
    initial_state: {
      initialization_data: {
        agent_data: {
          tasks: { task_9: { task_id: 'task_9', title: 'Blot', status: 'pending' } },
          users: { nib: { tasks: ['task_1', 'task_9'] } },
        },
      },
    },
    evaluation_criteria: { actions: [update('task_9')] },
  },
  {
    id: 'dismiss',
    user_scenario: told('Dismiss the notification, then have task_1 marked as completed.'),
    initial_state: {
      initialization_actions: [
        {
          env_type: 'user',
          func_name: 'add_notification',
          arguments: { notification_id: 'n2', message: 'More', task_id: 'task_1' },
        },
      ],
    },
    evaluation_criteria: {
      actions: [
        call('dismiss_notification', { notification_id: 'n2' }, { requestor: 'user' }),
        update('task_1'),
      ],
      env_assertions: [
        {
          env_type: 'user',
          func_name: 'assert_notification_status',
          arguments: { notification_id: 'n2', expected_status: 'read' },
        },
        {
          env_type: 'assistant',
          func_name: 'assert_number_of_tasks',
          arguments: { user_id: 'nib', expected_number: 2 },
          assert_value: false,
        },
      ],
      reward_basis: ['DB', 'ACTION', 'ENV_ASSERTION'],
    },
  },
  { id: 'free', user_scenario: told('Say hello.') },
];

const seats = { basic_economy: 3, economy: 1, business: 0 };
const prices = { basic_economy: 50, economy: 100, business: 300 };
const flight = (number: string, from: string, to: string, times: readonly [string, string]) => ({
  flight_number: number,
  origin: from,
  destination: to,
  scheduled_departure_time_est: times[0],
  scheduled_arrival_time_est: times[1],
  dates: {
    '2024-05-16': { status: 'available', available_seats: seats, prices },
    '2024-05-10': { status: 'cancelled' },
  },
});

const airlineDb = {
  flights: {
    HAT2: flight('HAT2', 'SEA', 'BOS', ['12:00:00', '18:00:00']),
    HAT1: flight('HAT1', 'SFO', 'SEA', ['08:00:00', '10:00:00']),
  },
  users: {
    ida_sky_3: {
      user_id: 'ida_sky_3',
      name: { first_name: 'Ida', last_name: 'Sky' },
      address: street('94016'),
      email: 'ida@example.com',
      dob: '1990-01-01',
      payment_methods: {
        certificate_1: { source: 'certificate', id: 'certificate_1', amount: 50 },
        gift_card_3: { source: 'gift_card', id: 'gift_card_3', amount: 70 },
      },
      saved_passengers: [],
      membership: 'gold',
      reservations: [],
    },
  },
  reservations: {},
};

const book = call('book_reservation', {
  user_id: 'ida_sky_3',
  origin: 'SFO',
  destination: 'SEA',
  flight_type: 'one_way',
  cabin: 'economy',
  flights: [{ flight_number: 'HAT1', date: '2024-05-16' }],
  passengers: [{ first_name: 'Ida', last_name: 'Sky', dob: '1990-01-01' }],
  payment_methods: [
    { payment_id: 'certificate_1', amount: 50 },
    { payment_id: 'gift_card_3', amount: 50 },
  ],
  total_baggages: 0,
  nonfree_baggages: 0,
  insurance: 'no',
});

const airlineTasks = [
  retailTask('book', [book, call('cancel_reservation', { reservation_id: 'HATHAT' })]),
  retailTask('compensate', [call('send_certificate', { user_id: 'ida_sky_3', amount: 50 })]),
];

const telecomDb = `
[[plans]]
plan_id = "P1"
name = "Small"
data_limit_gb = 2.0
price_per_month = 20.0
data_refueling_price_per_gb = 1.5

[[plans]]
plan_id = "P2"
name = "Large"
data_limit_gb = 40.0
price_per_month = 60.0
data_refueling_price_per_gb = 0.5

[[plans]]
plan_id = "P3"
name = "Watch"
data_limit_gb = 1.0
price_per_month = 8.0
data_refueling_price_per_gb = 4.0

[[devices]]
device_id = "D2"
device_type = "tablet"
model = "Board"
is_esim_capable = false

[[devices]]
device_id = "D3"
device_type = "watch"
model = "Band"
is_esim_capable = true

[[devices]]
device_id = "D1"
device_type = "phone"
model = "Slate"
is_esim_capable = true
activated = true
activation_date = "2025-01-20T14:30:00"

[[lines]]
line_id = "L2"
phone_number = "555-2"
status = "Pending Activation"
plan_id = "P1"

[[lines]]
line_id = "L1"
phone_number = "555-1"
status = "Active"
plan_id = "P1"
device_id = "D1"
data_used_gb = 2.25
contract_end_date = "2026-01-31"

[[bills]]
bill_id = "B1"
customer_id = "C1"
period_start = "2024-12-01"
period_end = "2024-12-31"
issue_date = "2024-12-01"
total_due = 20.0
due_date = "2024-12-15"
status = "Overdue"

[[bills]]
bill_id = "B2"
customer_id = "C1"
period_start = "2025-01-01"
period_end = "2025-01-31"
issue_date = "2025-01-01"
total_due = 20.5
due_date = "2025-01-15"
status = "Issued"

[[customers]]
customer_id = "C1"
full_name = "Ann Nib"
date_of_birth = "1990-01-01"
email = "ann@example.com"
phone_number = "555-9"
account_status = "Active"
line_ids = ["L2", "L1"]
bill_ids = ["B1", "B2"]
created_at = "2024-01-15T10:30:00"

[customers.address]
street = "1 Quay Lane"
city = "Porthaven"
state = "ME"
zip_code = "04001"
`;

const telecomUserDb = `
[device]
battery_level = 61

[device.app_statuses.messaging]
app_name = "messaging"

[device.app_statuses.messaging.permissions]
sms = true
storage = true
`;

const phoneCall = (env_type: string, func_name: string, given: object = {}) => ({
  env_type,
  func_name,
  arguments: given,
});

const telecomTasks = [
  {
    id: 'slow',
    user_scenario: told('The mobile data of 555-1 does not work. Refuel one gigabyte if that helps.'),
    initial_state: {
      initialization_actions: [
        phoneCall('user', 'set_user_info', { name: 'Ann Nib', phone_number: '555-1' }),
        phoneCall('user', 'set_network_mode_preference', { mode: '2g_only' }),
        phoneCall('user', 'break_vpn'),
        phoneCall('user', 'turn_data_saver_mode_on'),
        phoneCall('user', 'remove_app_permission', { app_name: 'messaging', permission: 'storage' }),
      ],
    },
    evaluation_criteria: {
      actions: [
        call('set_network_mode_preference', { mode: '4g_5g_preferred' }, { requestor: 'user' }),
        call('toggle_data_saver_mode', {}, { requestor: 'user' }),
        call('disconnect_vpn', {}, { requestor: 'user' }),
        call('refuel_data', { customer_id: 'C1', line_id: 'L1', gb_amount: 1.5 }),
      ],
      env_assertions: [
        phoneCall('user', 'assert_internet_speed', { expected_speed: 200, expected_desc: 'excellent' }),
        phoneCall('assistant', 'assert_data_refueling_amount', {
          customer_id: 'C1',
          line_id: 'L1',
          expected_amount: 1.5,
        }),
      ],
      reward_basis: ['ENV_ASSERTION'],
    },
  },
  {
    id: 'overdue',
    user_scenario: told('There is no service. My number is 555-1.'),
    initial_state: {
      initialization_actions: [
        phoneCall('user', 'set_user_info', { name: 'Ann Nib', phone_number: '555-1' }),
        phoneCall('assistant', 'set_data_usage', { customer_id: 'C1', line_id: 'L1', data_used_gb: 0.5 }),
        phoneCall('user', 'turn_airplane_mode_on'),
        phoneCall('user', 'unseat_sim_card'),
        phoneCall('user', 'break_apn_mms_setting'),
      ],
    },
    evaluation_criteria: {
      actions: [
        call('toggle_airplane_mode', {}, { requestor: 'user' }),
        call('reseat_sim_card', {}, { requestor: 'user' }),
        call('send_payment_request', { customer_id: 'C1', bill_id: 'B1' }),
        call('make_payment', {}, { requestor: 'user' }),
      ],
      env_assertions: [
        phoneCall('user', 'assert_service_status', { expected_status: 'connected' }),
        phoneCall('assistant', 'assert_no_overdue_bill', { overdue_bill_id: 'B1' }),
      ],
      reward_basis: ['ENV_ASSERTION'],
    },
  },
];

const telecomSplit = { train: ['slow'], test: ['overdue'], base: ['slow', 'overdue'], small: ['overdue'] };

const files: Readonly<Record<string, unknown>> = {
  'retail/db.json': retailDb,
  'retail/tasks.json': retailTasks,
  'retail/split_tasks.json': retailSplit,
  'retail/policy.md': '# Pens\n\nAsk for a yes before you change an order.\n',
  'mock/db.json': mockDb,
  'mock/user_db.json': mockUserDb,
  'mock/tasks.json': mockTasks,
  'mock/policy.md': '# Tasks\n',
  'airline/db.json': airlineDb,
  'airline/tasks.json': airlineTasks,
  'airline/policy.md': '# Flights\n',
  'telecom/db.toml': telecomDb,
  'telecom/user_db.toml': telecomUserDb,
  'telecom/tasks.json': telecomTasks,
  'telecom/split_tasks.json': telecomSplit,
  'telecom/main_policy.md': '# Phones\n',
  'telecom/tech_support_manual.md': 'Look at the status bar first.\n',
  'telecom/tech_support_workflow.md': '1. Status bar\n',
};

/** A temporary data folder of τ²-bench's form; remove it after. A file can be replaced, or left out with undefined. */
export function writeTau2Folder(changed: Readonly<Record<string, unknown>> = {}): {
  readonly folder: string;
  readonly remove: () => void;
} {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-tau2-'));
  for (const [name, content] of Object.entries({ ...files, ...changed })) {
    if (content === undefined) continue;
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : keepingOrder(content));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** JSON with the variants in the order of this file, which JavaScript loses: red and green were put behind blue. */
const keepingOrder = (content: unknown): string => {
  if (content !== retailDb) return JSON.stringify(content);
  const written = ['9900000001', '100000002', '100000001'].map(
    (id) => `${JSON.stringify(id)}: ${JSON.stringify(variants[id as keyof typeof variants])}`,
  );
  const text = JSON.stringify(content);
  return text.replace(JSON.stringify(variants), `{${written.join(', ')}}`);
};

/** Content of the files, for tests that change some of it. */
export const tau2Files = { retailDb, retailTasks, retailSplit, mockTasks, airlineTasks };
