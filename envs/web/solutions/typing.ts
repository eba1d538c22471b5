import {
  dayIn,
  isoDay,
  monthsOfHeading,
  placeIn,
  quoted,
  quotedAfter,
  quotedAt,
  timeIn,
} from './instruction.ts';
import {
  click,
  fill,
  find,
  findAll,
  firstOf,
  need,
  present,
  press,
  textOf,
  type Seen,
  type Solution,
} from './look.ts';

export const enterText: Solution = (seen) =>
  fill(need(seen, 'textbox', 'Text'), quotedAt(seen.instruction, 0)) ?? press(seen, 'Submit');

export const editText: Solution = (seen) => {
  const [field = '', text = ''] = quoted(seen.instruction);
  return fill(need(seen, 'textbox', field), text) ?? press(seen, 'Save');
};

export const signIn: Solution = (seen) => {
  const [user = '', password = ''] = quoted(seen.instruction);
  return (
    firstOf(
      fill(need(seen, 'textbox', 'User name'), user),
      fill(need(seen, 'textbox', 'Password'), password),
    ) ?? press(seen, 'Sign in')
  );
};

export const copyLine: Solution = (seen) => {
  const line = present(findAll(seen, 'listitem')[placeIn(seen.instruction)], 'the line');
  return fill(need(seen, 'textbox', 'Your copy'), line.name) ?? press(seen, 'Submit');
};

export const addNumbers: Solution = (seen) => {
  const [, left, sign, right] = present(
    /(\d+) (plus|minus) (\d+)/.exec(textOf(seen.view.content)) ?? undefined,
    'a sum',
  );
  const result = Number(left) + (sign === 'plus' ? Number(right) : -Number(right));
  return fill(need(seen, 'textbox', 'Result'), String(result)) ?? press(seen, 'Submit');
};

export const enterDate: Solution = (seen) =>
  fill(need(seen, 'date', 'Arrival'), isoDay(dayIn(seen.instruction))) ?? press(seen, 'Submit');

export const enterTime: Solution = (seen) =>
  fill(need(seen, 'time', 'Alarm'), timeIn(seen.instruction)) ?? press(seen, 'Submit');

export const pickDate: Solution = (seen) => {
  const { year, month, day } = dayIn(seen.instruction);
  const away = year * 12 + month - monthsOfHeading(need(seen, 'heading').name);
  if (away !== 0) return press(seen, away < 0 ? 'Previous month' : 'Next month');
  return press(seen, String(day));
};

/** Types the start of the suggestion, and takes the one with the right ending. */
export const findSuggestion: Solution = (seen) => {
  const [start, end] = [
    quotedAfter(seen.instruction, /starts with/),
    quotedAfter(seen.instruction, /ends with/),
  ];
  const field = need(seen, 'combobox', 'Item');
  const held = field.value ?? '';
  if (held.length > 2 && held.endsWith(end)) return press(seen, 'Submit');
  const fitting = findAll(seen, 'option').find(({ name }) => name.startsWith(start) && name.endsWith(end));
  return fitting === undefined ? present(fill(field, start), 'a suggestion') : click(fitting);
};

/** Halves the remaining range after each guess. */
export const guessNumber: Solution = (seen) => {
  const field = need(seen, 'textbox', 'Your guess');
  const middle = guessFrom(seen);
  return fill(field, String(middle)) ?? press(seen, 'Guess');
};

function guessFrom(seen: Seen): number {
  let [low, high] = [1, 100];
  const told = find(seen, 'list', 'Guesses')?.children ?? [];
  for (const [, guess, way] of textOf(told).matchAll(/(\d+) is too (low|high)/g)) {
    if (way === 'low') low = Math.max(low, Number(guess) + 1);
    else high = Math.min(high, Number(guess) - 1);
  }
  return Math.floor((low + high) / 2);
}
