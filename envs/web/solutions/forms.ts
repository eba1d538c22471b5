import type { PageNode } from '../../engines/browser/view/page-tree.ts';
import type { PageAction } from '../../engines/browser/actions/page-action.ts';
import { dayIn, isoDay, quoted, quotedAfter } from './instruction.ts';
import {
  choose,
  fill,
  find,
  findAll,
  firstOf,
  lookAgain,
  need,
  present,
  press,
  tick,
  within,
  type Seen,
  type Solution,
} from './look.ts';

/** Roles of fields. */
const fieldRoles: ReadonlySet<string> = new Set(['textbox', 'date', 'combobox', 'checkbox']);

function setField(field: PageNode, value: string): PageAction | undefined {
  if (field.role === 'combobox') return choose(field, value);
  if (field.role === 'checkbox') return tick(field, value === 'ticked');
  return fill(field, value);
}

/** Names and values alternate. */
export const fillForm: Solution = (seen) => {
  const pairs = new Map(
    [...seen.instruction.matchAll(/"([^"]*)": "([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
  const fields = findAll(seen, 'group').flatMap((group) =>
    [...fieldRoles].flatMap((role) => within(group, role)),
  );
  return (
    firstOf(...fields.map((field) => setField(field, present(pairs.get(field.name), field.name)))) ??
    press(seen, 'Send')
  );
};

export const signUp: Solution = (seen) => {
  const { instruction } = seen;
  const isShort = instruction.startsWith('Sign up');
  const names = quoted(instruction);
  const plan = quotedAfter(instruction, /the plan/);
  const [first = '', last = '', city = ''] = isShort ? names : names.filter((name) => name !== plan);
  const heading = find(seen, 'heading');
  if (heading === undefined) return lookAgain(seen); // the next document is loading
  const step = Number(/step (\d)/.exec(heading.name)?.[1]);
  if (step === 1)
    return (
      firstOf(
        fill(need(seen, 'textbox', 'First name'), first),
        fill(need(seen, 'textbox', 'Last name'), last),
      ) ?? press(seen, 'Continue')
    );
  if (step === 2)
    return (
      firstOf(
        fill(need(seen, 'textbox', 'City'), city),
        fill(need(seen, 'date', 'Date of birth'), isoDay(dayIn(instruction))),
      ) ?? press(seen, 'Continue')
    );
  const news = tick(
    need(seen, 'checkbox', 'Send me the newsletter'),
    instruction.includes('with the newsletter'),
  );
  return firstOf(tick(need(seen, 'radio', plan), true), news) ?? press(seen, 'Create the account');
};

export const bookTrip: Solution = (seen) => {
  const { instruction } = seen;
  if (find(seen, 'button', 'Search') !== undefined) {
    const [from, to] = [quotedAfter(instruction, /from/), quotedAfter(instruction, /to/)];
    return (
      firstOf(
        choose(need(seen, 'combobox', 'From'), from),
        choose(need(seen, 'combobox', 'To'), to),
        fill(need(seen, 'date', 'Day'), isoDay(dayIn(instruction))),
      ) ?? press(seen, 'Search')
    );
  }
  if (find(seen, 'table') !== undefined) return press(seen, `Choose ${bestTrain(seen).toLowerCase()}`);
  return tick(need(seen, 'radio', quotedAfter(instruction, /class/)), true) ?? press(seen, 'Book');
};

function bestTrain(seen: Seen): string {
  const column = seen.instruction.includes('cheapest') ? 2 : 1;
  const trains = findAll(seen, 'row').flatMap((row) => {
    const cells = within(row, 'cell').map(({ name }) => name);
    return cells.length === 0
      ? []
      : [{ train: cells[0] ?? '', worth: Number.parseInt(cells[column] ?? '', 10) }];
  });
  return present(trains.toSorted((a, b) => a.worth - b.worth)[0], 'a train').train;
}

export const placeOrder: Solution = (seen) => {
  const { instruction } = seen;
  const way = quotedAfter(instruction, /delivery|delivery is/);
  const city = quotedAfter(instruction, /in/);
  const name = quotedAfter(instruction, /for|receiver is/);
  const wanted = quoted(instruction).filter((each) => each !== way && each !== city && each !== name);
  if (find(seen, 'button', 'Go to checkout') !== undefined) {
    const missing = wanted.find((item) => find(seen, 'button', `Add ${item}`) !== undefined);
    return press(seen, missing === undefined ? 'Go to checkout' : `Add ${missing}`);
  }
  if (find(seen, 'button', 'Place the order') !== undefined) return press(seen, 'Place the order');
  return (
    firstOf(
      fill(need(seen, 'textbox', 'Name'), name),
      fill(need(seen, 'textbox', 'City'), city),
      choose(need(seen, 'combobox', 'Delivery'), way),
    ) ?? press(seen, 'Review the order')
  );
};
