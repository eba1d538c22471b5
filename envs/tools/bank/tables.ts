import { z } from 'zod';
import { createRng } from '../../core/rng.ts';
import type { TableRows } from '../../engines/tools/tables.ts';
import { drawMail, drawNames, firstNames, IdDrawer, lastNames } from '../names.ts';

export const accountKinds = ['checking', 'savings'] as const;

export const bankTables = {
  clients: z.strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    identity: z.enum(['verified', 'unverified']),
    hasNewsletter: z.boolean(),
  }),
  accounts: z.strictObject({
    id: z.string(),
    client: z.string(),
    kind: z.enum(accountKinds),
    /** In euros. */
    balance: z.int(),
    state: z.enum(['active', 'shut']),
  }),
  payments: z.strictObject({
    id: z.string(),
    account: z.string(),
    payee: z.string(),
    amount: z.int(),
    /** Days since it was booked. */
    days: z.int(),
    state: z.enum(['booked', 'disputed']),
  }),
  cards: z.strictObject({
    id: z.string(),
    account: z.string(),
    client: z.string(),
    state: z.enum(['working', 'blocked']),
    limit: z.int(),
    hasLetter: z.boolean(),
  }),
};
export type BankTables = typeof bankTables;

const clientCount = 600;
const paymentsEach = 3;

/** 600 clients with two accounts and a card each, and three payments of each account. */
export function bankRows(seed: number): TableRows<BankTables> {
  const rng = createRng(seed).fork('bank-rows');
  const ids = new IdDrawer(rng.fork('ids'));
  const payees = drawNames(rng.fork('payees'), 80);
  const clients = Array.from({ length: clientCount }, (_, index) => {
    const [first, last] = [rng.pick(firstNames), rng.pick(lastNames)];
    return {
      id: ids.draw('cli'),
      name: `${first} ${last}`,
      email: drawMail(first, last, index),
      identity: rng.pick(['verified', 'unverified'] as const),
      hasNewsletter: false,
    };
  });
  const accounts = clients.flatMap((client) =>
    accountKinds.map((kind) => ({
      id: ids.draw('acc'),
      client: client.id,
      kind,
      balance: rng.int(3) === 0 ? 0 : 10 * (1 + rng.int(400)),
      state: 'active' as const,
    })),
  );
  const payments = clients.flatMap((client) => {
    const own = accounts.filter(({ client: owner }) => owner === client.id);
    const paid = rng.shuffle(payees).slice(0, own.length * paymentsEach);
    return paid.map((payee, at) => ({
      id: ids.draw('pay'),
      account: own[at % own.length]?.id ?? '',
      payee,
      amount: 5 + rng.int(400),
      days: 1 + rng.int(120),
      state: 'booked' as const,
    }));
  });
  const cards = accounts
    .filter(({ kind }) => kind === 'checking')
    .map((account) => ({
      id: ids.draw('crd'),
      account: account.id,
      client: account.client,
      state: 'working' as const,
      limit: 500,
      hasLetter: false,
    }));
  return { clients, accounts, payments, cards };
}
