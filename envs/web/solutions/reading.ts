import { placeIn, quoted, quotedAfter, quotedAt } from './instruction.ts';
import {
  click,
  clickOn,
  fill,
  find,
  findAll,
  lookAgain,
  need,
  present,
  press,
  rowOf,
  textOf,
  within,
  type Solution,
} from './look.ts';

export const readTable: Solution = (seen) => {
  const asked = seen.instruction.startsWith('What');
  const [first = '', second = ''] = quoted(seen.instruction);
  const [who, what] = asked ? [first, second] : [second, first];
  const column = findAll(seen, 'columnheader').findIndex(({ name }) => name === what);
  const cell = present(within(rowOf(seen, who), 'cell')[column], 'the cell');
  return fill(need(seen, 'textbox', 'Answer'), cell.name) ?? press(seen, 'Submit');
};

/** Results per page of the search. */
const resultsOnPage = 3;

export const searchResults: Solution = (seen) => {
  const topic = quotedAfter(seen.instruction, /Search for|Look up/);
  const place = placeIn(seen.instruction);
  const wantedPage = Math.floor(place / resultsOnPage) + 1;
  const heading = find(seen, 'heading')?.name ?? '';
  if (!heading.startsWith(`Results for ${topic},`))
    return fill(need(seen, 'searchbox'), topic) ?? press(seen, 'Search');
  if (!heading.includes(`page ${wantedPage} of`)) return press(seen, `Page ${wantedPage}`);
  return click(present(findAll(seen, 'link')[place % resultsOnPage], 'the result'));
};

/** Reads the article, notes the fact, and goes back to answer. */
export const readHandbook: Solution = (seen) => {
  const noted = seen.memory.get('fact');
  const city = quotedAt(seen.instruction, 0);
  const heading = find(seen, 'heading')?.name;
  if (heading === undefined) return lookAgain(seen); // the next document is loading
  if (heading === city) {
    const [, fact] = /How many (\w+)/.exec(seen.instruction) ?? [];
    const told = fact === undefined ? /founded in (\d+)/ : new RegExp(`has (\\d+) ${fact}`);
    seen.memory.set('fact', present(told.exec(textOf(seen.view.content))?.[1], 'the fact'));
    return clickOn(seen, 'link', 'Back to the first page');
  }
  return noted === undefined
    ? clickOn(seen, 'link', city)
    : (fill(need(seen, 'textbox', 'Answer'), noted) ?? press(seen, 'Submit'));
};
