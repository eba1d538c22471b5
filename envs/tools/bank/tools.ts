import { z } from 'zod';
import { from } from '../../engines/tools/argument.ts';
import { defineTool, refuse, type Refusal } from '../../engines/tools/tool.ts';
import { emailPattern, idPattern } from '../names.ts';
import { accountKinds, bankTables } from './tables.ts';

const clientId = from('clients.id', z.string().regex(idPattern('cli')).describe('id of a client'));
const accountId = from('accounts.id', z.string().regex(idPattern('acc')).describe('id of an account'));
const paymentId = from('payments.id', z.string().regex(idPattern('pay')).describe('id of a payment'));
const cardId = from('cards.id', z.string().regex(idPattern('crd')).describe('id of a card'));

const no = (what: string, id: string): Refusal => refuse('not_found', `There is no ${what} ${id}.`);

/** Days after which a payment cannot be disputed any more. */
export const disputeDays = 60;

const lookUps = [
  defineTool(bankTables, {
    name: 'find_client',
    description: 'finds the client with an email address',
    input: z.strictObject({ email: z.string().regex(emailPattern).describe('email address') }),
    output: z.strictObject({ client: clientId, name: z.string() }),
    run: ({ email }, world) => {
      const [found] = world.where('clients', 'email', email);
      return found === undefined ? no('client', email) : { client: found.id, name: found.name };
    },
  }),
  defineTool(bankTables, {
    name: 'get_client',
    description: 'shows whether the identity of a client is verified',
    input: z.strictObject({ client: clientId }),
    output: z.strictObject({
      client: clientId,
      email: z.string(),
      identity: z.enum(['verified', 'unverified']),
    }),
    run: ({ client }, world) => {
      const row = world.get('clients', client);
      return row === undefined ? no('client', client) : { client, email: row.email, identity: row.identity };
    },
  }),
  defineTool(bankTables, {
    name: 'list_accounts',
    description: 'lists the accounts of a client',
    input: z.strictObject({ client: clientId }),
    output: z.strictObject({ accounts: z.array(accountId) }),
    run: ({ client }, world) =>
      world.get('clients', client) === undefined
        ? no('client', client)
        : { accounts: world.where('accounts', 'client', client).map(({ id }) => id) },
  }),
  defineTool(bankTables, {
    name: 'get_account',
    description: 'shows kind, balance and state of an account',
    input: z.strictObject({ account: accountId }),
    output: z.strictObject({
      account: accountId,
      kind: z.enum(accountKinds),
      balance: z.int(),
      money: z.enum(['some', 'empty']),
      state: z.enum(['active', 'shut']),
    }),
    run: ({ account }, world) => {
      const row = world.get('accounts', account);
      if (row === undefined) return no('account', account);
      const { kind, balance, state } = row;
      return { account, kind, balance, money: balance > 0 ? 'some' : 'empty', state } as const;
    },
  }),
  defineTool(bankTables, {
    name: 'list_payments',
    description: 'lists the payments from an account',
    input: z.strictObject({ account: accountId }),
    output: z.strictObject({ payments: z.array(paymentId) }),
    run: ({ account }, world) =>
      world.get('accounts', account) === undefined
        ? no('account', account)
        : { payments: world.where('payments', 'account', account).map(({ id }) => id) },
  }),
  defineTool(bankTables, {
    name: 'get_payment',
    description: 'shows payee, amount, days since booking and state of a payment',
    input: z.strictObject({ payment: paymentId }),
    output: z.strictObject({
      payment: paymentId,
      payee: z.string(),
      amount: z.int(),
      days: z.int(),
      age: z.enum(['recent', 'old']),
      state: z.enum(['booked', 'disputed']),
    }),
    run: ({ payment }, world) => {
      const row = world.get('payments', payment);
      if (row === undefined) return no('payment', payment);
      const { payee, amount, days, state } = row;
      return { payment, payee, amount, days, age: days > disputeDays ? 'old' : 'recent', state } as const;
    },
  }),
  defineTool(bankTables, {
    name: 'get_card',
    description: 'shows client, limit and state of a card',
    input: z.strictObject({ card: cardId }),
    output: z.strictObject({
      card: cardId,
      client: clientId,
      limit: z.int(),
      state: z.enum(['working', 'blocked']),
    }),
    run: ({ card }, world) => {
      const row = world.get('cards', card);
      if (row === undefined) return no('card', card);
      return { card, client: row.client, limit: row.limit, state: row.state };
    },
  }),
];

const changes = [
  defineTool(bankTables, {
    name: 'move_money',
    description: 'moves money from an account to another',
    input: z.strictObject({
      source: accountId,
      target: accountId,
      amount: from('said', z.int().min(1).describe('euros')),
    }),
    output: z.strictObject({ source: accountId, balance: z.int() }),
    run: ({ source, target, amount }, world) => {
      const [one, other] = [world.get('accounts', source), world.get('accounts', target)];
      if (one === undefined) return no('account', source);
      if (other === undefined) return no('account', target);
      if (source === target) return refuse('bad_argument', 'Both accounts are the same.');
      world.update('accounts', target, { balance: other.balance + amount });
      return { source, balance: world.update('accounts', source, { balance: one.balance - amount }).balance };
    },
  }),
  defineTool(bankTables, {
    name: 'dispute_payment',
    description: 'disputes a payment that the client did not make',
    input: z.strictObject({ payment: paymentId }),
    output: z.strictObject({ payment: paymentId, state: z.literal('disputed') }),
    run: ({ payment }, world) => {
      if (world.get('payments', payment) === undefined) return no('payment', payment);
      world.update('payments', payment, { state: 'disputed' });
      return { payment, state: 'disputed' } as const;
    },
  }),
  defineTool(bankTables, {
    name: 'block_card',
    description: 'blocks a card that was lost',
    input: z.strictObject({ card: cardId }),
    output: z.strictObject({ card: cardId, state: z.literal('blocked') }),
    run: ({ card }, world) => {
      if (world.get('cards', card) === undefined) return no('card', card);
      world.update('cards', card, { state: 'blocked' });
      return { card, state: 'blocked' } as const;
    },
  }),
  defineTool(bankTables, {
    name: 'set_limit',
    description: 'sets the limit of a card',
    input: z.strictObject({
      card: cardId,
      limit: from('said', z.int().min(0).max(10_000).describe('euros a week')),
    }),
    output: z.strictObject({ card: cardId, limit: z.int() }),
    run: ({ card, limit }, world) => {
      if (world.get('cards', card) === undefined) return no('card', card);
      return { card, limit: world.update('cards', card, { limit }).limit };
    },
  }),
  defineTool(bankTables, {
    name: 'shut_account',
    description: 'shuts an account for good',
    input: z.strictObject({ account: accountId }),
    output: z.strictObject({ account: accountId, state: z.literal('shut') }),
    run: ({ account }, world) => {
      if (world.get('accounts', account) === undefined) return no('account', account);
      world.update('accounts', account, { state: 'shut' });
      return { account, state: 'shut' } as const;
    },
  }),
];

/** Tools that no request needs. Each of them changes something. */
const distractors = [
  defineTool(bankTables, {
    name: 'send_letter',
    description: 'sends the secret number of a card by letter',
    input: z.strictObject({ card: cardId }),
    output: z.strictObject({ card: cardId }),
    run: ({ card }, world) => {
      if (world.get('cards', card) === undefined) return no('card', card);
      world.update('cards', card, { hasLetter: true });
      return { card };
    },
  }),
  defineTool(bankTables, {
    name: 'add_newsletter',
    description: 'sends a client the newsletter',
    input: z.strictObject({ client: clientId }),
    output: z.strictObject({ client: clientId }),
    run: ({ client }, world) => {
      if (world.get('clients', client) === undefined) return no('client', client);
      world.update('clients', client, { hasNewsletter: true });
      return { client };
    },
  }),
];

export const bankTools = [...lookUps, ...changes, ...distractors];
