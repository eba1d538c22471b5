import type { Rng } from '../../core/rng.ts';
import type { TableRows } from '../../engines/tools/tables.ts';
import { gold, inShare, type Form } from '../form.ts';
import { wrongId } from '../names.ts';
import { act, call, done, findAmong, forbidden, listIn, lookUp, tell, type Asked } from '../procedure.ts';
import { accountKinds, type BankTables } from './tables.ts';
import { disputeDays } from './tools.ts';

type Rows = TableRows<BankTables>;

export const bankRules = {
  too_little: 'No more than the balance can be moved from an account.',
  too_old: 'No dispute of a payment that is old.',
  unverified: 'No new limit for a client who is unverified.',
  not_empty: 'Only an account that is empty can be shut.',
};

const emailSlot = { name: 'email', label: 'email address', wrong: () => 'no.body@mail.example' };
const cardSlot = { name: 'card', label: 'card id', wrong: (rng: Rng) => wrongId(rng, 'crd') };
const accountSlot = { name: 'account', label: 'account id', wrong: (rng: Rng) => wrongId(rng, 'acc') };

const accountsOf = (rows: Rows, client: string) => {
  const own = rows.accounts.filter((account) => account.client === client);
  return {
    checking: own.find(({ kind }) => kind === 'checking'),
    savings: own.find(({ kind }) => kind === 'savings'),
  };
};
const emailOf = (rows: Rows, client: string): string =>
  rows.clients.find(({ id }) => id === client)?.email ?? '';

function* findAccounts(asked: Asked) {
  const { found } = yield* lookUp(asked, emailSlot, { tool: 'find_client', argument: 'email' });
  return listIn(yield* call('list_accounts', { client: found['client'] ?? '' }), 'accounts');
}

const move: Form<BankTables> = {
  name: 'move',
  kind: 'act',
  wordings: [
    'Please move {amount} euros from my {source} account to the other one.[ My email address is {email}.]',
    '[I am {email}. ]Take {amount} euros out of {source} and put them into my other account.',
    '[This is {email}. ]My {source} account should lose {amount} euros to the other.',
  ],
  slot: emailSlot,
  needs: 'move_money',
  isRuled: true,
  draw: (rng, { share, isForbidden, rows }) => {
    const kind = rng.pick(accountKinds);
    const source = rng.pick(
      inShare(rows.accounts, share).filter((one) => one.kind === kind && one.balance > 20),
    );
    const accounts = accountsOf(rows, source.client);
    const target = (kind === 'checking' ? accounts.savings : accounts.checking)?.id ?? '';
    const amount = isForbidden ? source.balance + 10 + rng.int(90) : 5 + rng.int(source.balance - 5);
    const email = emailOf(rows, source.client);
    return {
      values: { amount: String(amount), source: kind, email },
      lookUps: [
        gold('find_client', { email }),
        gold('list_accounts', { client: source.client }),
        gold('get_account', { account: source.id }),
      ],
      acts: [gold('move_money', { source: source.id, target, amount })],
      read: [`accounts/${source.id}`],
      ...(isForbidden ? { rule: 'too_little' } : {}),
    };
  },
  *solve(asked) {
    const { source: kind } = asked.values;
    const accounts = yield* findAccounts(asked);
    const look = { tool: 'get_account', argument: 'account' };
    const source = yield* findAmong(asked, accounts, look, (found) => found['kind'] === kind);
    const target = accounts.find((id) => id !== source?.id) ?? '';
    const amount = Number(asked.values['amount']);
    if (amount > Number(source?.found['balance'] ?? 0)) return forbidden('too_little');
    yield* act(asked, 'move_money', { source: source?.id ?? '', target, amount });
    return done;
  },
};

const dispute: Form<BankTables> = {
  name: 'dispute',
  kind: 'act',
  wordings: [
    'I never paid "{payee}". Please dispute the payment.[ My email address is {email}.]',
    '[I am {email}. ]Somebody paid "{payee}" with my money, so dispute it.',
    '[This is {email}. ]The payment to "{payee}" was not mine and must be disputed.',
  ],
  slot: emailSlot,
  needs: 'dispute_payment',
  isRuled: true,
  draw: (rng, { share, isForbidden, rows }) => {
    const payment = rng.pick(
      inShare(rows.payments, share).filter(({ days }) => days > disputeDays === isForbidden),
    );
    const client = rows.accounts.find(({ id }) => id === payment.account)?.client ?? '';
    const email = emailOf(rows, client);
    return {
      values: { payee: payment.payee, email },
      lookUps: [
        gold('find_client', { email }),
        gold('list_accounts', { client }),
        gold('list_payments', { account: payment.account }),
        gold('get_payment', { payment: payment.id }),
      ],
      acts: [gold('dispute_payment', { payment: payment.id })],
      read: [`payments/${payment.id}`],
      ...(isForbidden ? { rule: 'too_old' } : {}),
    };
  },
  *solve(asked) {
    for (const account of asked.order(yield* findAccounts(asked))) {
      const payments = listIn(yield* call('list_payments', { account }), 'payments');
      const look = { tool: 'get_payment', argument: 'payment' };
      const found = yield* findAmong(asked, payments, look, ({ payee }) => payee === asked.values['payee']);
      if (found === undefined) continue;
      if (found.found['age'] === 'old') return forbidden('too_old');
      yield* act(asked, 'dispute_payment', { payment: found.id });
      return done;
    }
    return done;
  },
};

const block: Form<BankTables> = {
  name: 'block',
  kind: 'act',
  wordings: [
    'I lost my card[ {card}]. Please block it.',
    'A card of mine is gone[, it is {card}]. Block it at once.',
    'Could you stop a stolen card[: {card}]?',
  ],
  slot: cardSlot,
  needs: 'block_card',
  isRuled: false,
  draw: (rng, { share, rows }) => {
    const { id } = rng.pick(inShare(rows.cards, share));
    return {
      values: { card: id },
      lookUps: [gold('get_card', { card: id })],
      acts: [gold('block_card', { card: id })],
      read: [`cards/${id}`],
    };
  },
  *solve(asked) {
    const { value } = yield* lookUp(asked, cardSlot, { tool: 'get_card', argument: 'card' });
    yield* act(asked, 'block_card', { card: value });
    return done;
  },
};

const limit: Form<BankTables> = {
  name: 'limit',
  kind: 'act',
  wordings: [
    'Please set the limit of my card[ {card}] to {limit} euros.',
    'I want a limit of {limit} euros on a card[, {card}].',
    'Let me spend up to {limit} euros with a card of mine[: {card}].',
  ],
  slot: cardSlot,
  needs: 'set_limit',
  isRuled: true,
  draw: (rng, { share, isForbidden, rows }) => {
    const isRight = (client: string): boolean =>
      (rows.clients.find(({ id }) => id === client)?.identity === 'unverified') === isForbidden;
    const card = rng.pick(inShare(rows.cards, share).filter(({ client }) => isRight(client)));
    const amount = 100 * (6 + rng.int(30));
    return {
      values: { card: card.id, limit: String(amount) },
      lookUps: [gold('get_card', { card: card.id }), gold('get_client', { client: card.client })],
      acts: [gold('set_limit', { card: card.id, limit: amount })],
      read: [`clients/${card.client}`],
      ...(isForbidden ? { rule: 'unverified' } : {}),
    };
  },
  *solve(asked) {
    const { value, found } = yield* lookUp(asked, cardSlot, { tool: 'get_card', argument: 'card' });
    const client = yield* call('get_client', { client: found['client'] ?? '' });
    if (client?.['identity'] === 'unverified') return forbidden('unverified');
    yield* act(asked, 'set_limit', { card: value, limit: Number(asked.values['limit']) });
    return done;
  },
};

const shut: Form<BankTables> = {
  name: 'shut',
  kind: 'act',
  wordings: [
    'Please shut my account[ {account}].',
    'I do not need an account any more[, {account}]. Shut it.',
    'One of my accounts can go[: {account}].',
  ],
  slot: accountSlot,
  needs: 'shut_account',
  isRuled: true,
  draw: (rng, { share, isForbidden, rows }) => {
    const { id } = rng.pick(
      inShare(rows.accounts, share).filter(({ balance }) => balance > 0 === isForbidden),
    );
    return {
      values: { account: id },
      lookUps: [gold('get_account', { account: id })],
      acts: [gold('shut_account', { account: id })],
      read: [`accounts/${id}`],
      ...(isForbidden ? { rule: 'not_empty' } : {}),
    };
  },
  *solve(asked) {
    const { value, found } = yield* lookUp(asked, accountSlot, { tool: 'get_account', argument: 'account' });
    if (found['money'] !== 'empty') return forbidden('not_empty');
    yield* act(asked, 'shut_account', { account: value });
    return done;
  },
};

const balance: Form<BankTables> = {
  name: 'balance',
  kind: 'tell',
  wordings: [
    'What is the balance of my {kind} account?[ My email address is {email}.]',
    '[I am {email}. ]Tell me the balance of {kind}.',
    '[This is {email}. ]I need to know the balance on my {kind} account.',
  ],
  slot: emailSlot,
  needs: 'get_account',
  isRuled: false,
  draw: (rng, { share, rows }) => {
    const account = rng.pick(inShare(rows.accounts, share));
    const email = emailOf(rows, account.client);
    return {
      values: { kind: account.kind, email },
      lookUps: [
        gold('find_client', { email }),
        gold('list_accounts', { client: account.client }),
        gold('get_account', { account: account.id }),
      ],
      acts: [],
      tell: [String(account.balance)],
      read: [`accounts/${account.id}`],
    };
  },
  *solve(asked) {
    const accounts = yield* findAccounts(asked);
    const look = { tool: 'get_account', argument: 'account' };
    const account = yield* findAmong(asked, accounts, look, ({ kind }) => kind === asked.values['kind']);
    yield* tell('balance', account?.found['balance']);
    return done;
  },
};

const cardLimit: Form<BankTables> = {
  name: 'card-limit',
  kind: 'tell',
  wordings: [
    'What is the limit of my card[ {card}]?',
    'Tell me the limit on a card[, {card}].',
    'I forgot which limit a card has[: {card}].',
  ],
  slot: cardSlot,
  needs: 'get_card',
  isRuled: false,
  draw: (rng, { share, rows }) => {
    const card = rng.pick(inShare(rows.cards, share));
    return {
      values: { card: card.id },
      lookUps: [gold('get_card', { card: card.id })],
      acts: [],
      tell: [String(card.limit)],
      read: [`cards/${card.id}`],
    };
  },
  *solve(asked) {
    const { found } = yield* lookUp(asked, cardSlot, { tool: 'get_card', argument: 'card' });
    yield* tell('limit', found['limit']);
    return done;
  },
};

export const bankForms = [move, dispute, block, limit, shut, balance, cardLimit];
