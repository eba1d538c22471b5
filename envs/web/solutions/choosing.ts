import { quoted, quotedAt } from './instruction.ts';
import { choose, findAll, firstOf, need, press, tick, type Solution } from './look.ts';

export const tickBoxes: Solution = (seen) => {
  const wanted = quoted(seen.instruction);
  return (
    firstOf(...findAll(seen, 'checkbox').map((box) => tick(box, wanted.includes(box.name)))) ??
    press(seen, 'Submit')
  );
};

export const chooseRadio: Solution = (seen) =>
  tick(need(seen, 'radio', quotedAt(seen.instruction, 0)), true) ?? press(seen, 'Submit');

export const chooseOption: Solution = (seen) =>
  choose(need(seen, 'combobox', 'City'), quotedAt(seen.instruction, 0)) ?? press(seen, 'Submit');

export const chooseSeveral: Solution = (seen) => {
  const list = need(seen, 'listbox', 'Guests');
  return firstOf(...quoted(seen.instruction).map((name) => choose(list, name))) ?? press(seen, 'Submit');
};
