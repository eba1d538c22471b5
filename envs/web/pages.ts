import {
  actOnRow,
  answerDialog,
  clickButton,
  clickLink,
  clickShape,
  countShapes,
  hoverCards,
  hoverMenu,
  openMenu,
  openTab,
  openTree,
  pickColour,
} from './solutions/clicking.ts';
import { chooseOption, chooseRadio, chooseSeveral, tickBoxes } from './solutions/choosing.ts';
import { bookTrip, fillForm, placeOrder, signUp } from './solutions/forms.ts';
import type { Solution } from './solutions/look.ts';
import { actOnMail, answerMail, socialFeed } from './solutions/messages.ts';
import { dragPiece, scrollLoad, setQuantities, setSlider, sortPieces } from './solutions/moving.ts';
import { readHandbook, readTable, searchResults } from './solutions/reading.ts';
import {
  addNumbers,
  copyLine,
  editText,
  enterDate,
  enterText,
  enterTime,
  findSuggestion,
  guessNumber,
  pickDate,
  signIn,
} from './solutions/typing.ts';

/**
 * The difficulty of a page:
 * 1. one thing to do, named in the instruction, besides submitting it;
 * 2. several such things, or one whose value has to be converted, looked up in view, or done with the mouse
 * held;
 * 3. parts that appear only after other actions, or about twenty things to do;
 * 4. several steps that build on each other, something to remember or to work out, or about fifty things to
 * do;
 * 5. a hundred things to do without a mistake.
 */
export type Difficulty = 1 | 2 | 3 | 4 | 5;

export type PageFamily =
  | 'buttons'
  | 'links'
  | 'dialogs'
  | 'boxes'
  | 'lists'
  | 'text'
  | 'dates'
  | 'search'
  | 'menus'
  | 'tables'
  | 'mouse'
  | 'shapes'
  | 'sliders'
  | 'messages'
  | 'forms'
  | 'puzzles';

/** A page of our own. */
export interface WebPage {
  /** The name of its document in the folder of pages, without the ending. */
  readonly name: string;
  readonly summary: string;
  readonly family: PageFamily;
  readonly difficulty: Difficulty;
  /** The fewest steps of its solution, over many problems. */
  readonly steps: number;
  /** Plays it correctly from what an agent sees. */
  readonly solve: Solution;
}

/**
 * Steps after which a task of the page has failed: twice those of its solution, and some for looking around.
 */
export const stepLimitOf = ({ steps }: WebPage): number => 2 * steps + 10;

/** Our pages by name, easy ones first within a family. */
export const webPages: readonly WebPage[] = [
  {
    name: 'click-button',
    family: 'buttons',
    difficulty: 1,
    steps: 1,
    summary: 'one of six buttons by its name',
    solve: clickButton,
  },
  {
    name: 'pick-colour',
    family: 'buttons',
    difficulty: 2,
    steps: 1,
    summary: 'one of six boxes, which have a colour alone',
    solve: pickColour,
  },
  {
    name: 'click-link',
    family: 'links',
    difficulty: 1,
    steps: 1,
    summary: 'one of six links in a text',
    solve: clickLink,
  },
  {
    name: 'close-dialog',
    family: 'dialogs',
    difficulty: 1,
    steps: 1,
    summary: 'a dialog that is in the way, by one of its buttons',
    solve: clickButton,
  },
  {
    name: 'answer-dialog',
    family: 'dialogs',
    difficulty: 3,
    steps: 2,
    summary: 'a file to delete, and a dialog that asks whether it is meant',
    solve: answerDialog,
  },
  {
    name: 'choose-radio',
    family: 'boxes',
    difficulty: 1,
    steps: 2,
    summary: 'one of six circles',
    solve: chooseRadio,
  },
  {
    name: 'tick-boxes',
    family: 'boxes',
    difficulty: 2,
    steps: 3,
    summary: 'two to four of nine boxes, and no other',
    solve: tickBoxes,
  },
  {
    name: 'choose-option',
    family: 'lists',
    difficulty: 1,
    steps: 2,
    summary: 'an option of a list that folds',
    solve: chooseOption,
  },
  {
    name: 'choose-several',
    family: 'lists',
    difficulty: 2,
    steps: 3,
    summary: 'two or three options of an open list',
    solve: chooseSeveral,
  },
  {
    name: 'find-suggestion',
    family: 'lists',
    difficulty: 3,
    steps: 3,
    summary: 'a suggestion of which start and end are known',
    solve: findSuggestion,
  },
  {
    name: 'enter-text',
    family: 'text',
    difficulty: 1,
    steps: 2,
    summary: 'a text into a field',
    solve: enterText,
  },
  {
    name: 'sign-in',
    family: 'text',
    difficulty: 2,
    steps: 3,
    summary: 'a user name and a password',
    solve: signIn,
  },
  {
    name: 'edit-text',
    family: 'text',
    difficulty: 2,
    steps: 3,
    summary: 'another text in one of three fields that hold some',
    solve: editText,
  },
  {
    name: 'copy-line',
    family: 'text',
    difficulty: 2,
    steps: 2,
    summary: 'a line of a poem, copied',
    solve: copyLine,
  },
  {
    name: 'enter-date',
    family: 'dates',
    difficulty: 2,
    steps: 2,
    summary: 'a day in words into a date field',
    solve: enterDate,
  },
  {
    name: 'enter-time',
    family: 'dates',
    difficulty: 2,
    steps: 2,
    summary: 'a time of day in words into a time field',
    solve: enterTime,
  },
  {
    name: 'pick-date',
    family: 'dates',
    difficulty: 3,
    steps: 2,
    summary: 'a day in a calendar that shows another month',
    solve: pickDate,
  },
  {
    name: 'search-results',
    family: 'search',
    difficulty: 3,
    steps: 3,
    summary: 'the result at a place, three on a page',
    solve: searchResults,
  },
  {
    name: 'read-handbook',
    family: 'search',
    difficulty: 4,
    steps: 4,
    summary: 'a fact from one document, to be told in another',
    solve: readHandbook,
  },
  {
    name: 'open-tab',
    family: 'menus',
    difficulty: 3,
    steps: 1,
    summary: 'a link in one of four tabs',
    solve: openTab,
  },
  {
    name: 'open-menu',
    family: 'menus',
    difficulty: 3,
    steps: 2,
    summary: 'an item of a menu that opens by a click',
    solve: openMenu,
  },
  {
    name: 'open-tree',
    family: 'menus',
    difficulty: 3,
    steps: 3,
    summary: 'a file in a folder in a folder',
    solve: openTree,
  },
  {
    name: 'hover-menu',
    family: 'menus',
    difficulty: 4,
    steps: 3,
    summary: 'an item of a menu in a menu, which open under the mouse',
    solve: hoverMenu,
  },
  {
    name: 'read-table',
    family: 'tables',
    difficulty: 2,
    steps: 2,
    summary: 'a number at a row and a column',
    solve: readTable,
  },
  {
    name: 'act-on-row',
    family: 'tables',
    difficulty: 2,
    steps: 1,
    summary: 'one of three buttons in one of six rows',
    solve: actOnRow,
  },
  {
    name: 'set-quantities',
    family: 'tables',
    difficulty: 3,
    steps: 4,
    summary: 'four counts with buttons for more and less',
    solve: setQuantities,
  },
  {
    name: 'drag-piece',
    family: 'mouse',
    difficulty: 2,
    steps: 1,
    summary: 'a piece into one of three boxes',
    solve: dragPiece,
  },
  {
    name: 'sort-pieces',
    family: 'mouse',
    difficulty: 3,
    steps: 3,
    summary: 'two or three pieces into a box, the others left',
    solve: sortPieces,
  },
  {
    name: 'hover-cards',
    family: 'mouse',
    difficulty: 3,
    steps: 1,
    summary: 'the card whose word shows under the mouse alone',
    solve: hoverCards,
  },
  {
    name: 'scroll-load',
    family: 'mouse',
    difficulty: 3,
    steps: 1,
    summary: 'a name in a list that grows while it is scrolled',
    solve: scrollLoad,
  },
  {
    name: 'click-shape',
    family: 'shapes',
    difficulty: 2,
    steps: 1,
    summary: 'a shape by size, colour and kind',
    solve: clickShape,
  },
  {
    name: 'count-shapes',
    family: 'shapes',
    difficulty: 2,
    steps: 1,
    summary: 'how many of a colour and a kind there are',
    solve: countShapes,
  },
  {
    name: 'set-slider',
    family: 'sliders',
    difficulty: 3,
    steps: 3,
    summary: 'a slider moved by keys',
    solve: setSlider,
  },
  {
    name: 'act-on-mail',
    family: 'messages',
    difficulty: 3,
    steps: 2,
    summary: 'an e-mail to open and to archive, delete or star',
    solve: actOnMail,
  },
  {
    name: 'social-feed',
    family: 'messages',
    difficulty: 3,
    steps: 2,
    summary: 'every post of a person to like, share or bookmark',
    solve: socialFeed,
  },
  {
    name: 'answer-mail',
    family: 'messages',
    difficulty: 4,
    steps: 4,
    summary: 'an e-mail to answer or to pass on',
    solve: answerMail,
  },
  {
    name: 'add-numbers',
    family: 'puzzles',
    difficulty: 2,
    steps: 2,
    summary: 'a sum or a difference',
    solve: addNumbers,
  },
  {
    name: 'guess-number',
    family: 'puzzles',
    difficulty: 4,
    steps: 8,
    summary: 'a number in eight guesses, told too low or too high',
    solve: guessNumber,
  },
  {
    name: 'fill-form-5',
    family: 'forms',
    difficulty: 2,
    steps: 3,
    summary: 'a form of 5 fields',
    solve: fillForm,
  },
  {
    name: 'fill-form-20',
    family: 'forms',
    difficulty: 3,
    steps: 14,
    summary: 'a form of 20 fields',
    solve: fillForm,
  },
  {
    name: 'fill-form-50',
    family: 'forms',
    difficulty: 4,
    steps: 40,
    summary: 'a form of 50 fields',
    solve: fillForm,
  },
  {
    name: 'fill-form-100',
    family: 'forms',
    difficulty: 5,
    steps: 80,
    summary: 'a form of 100 fields',
    solve: fillForm,
  },
  {
    name: 'sign-up',
    family: 'forms',
    difficulty: 4,
    steps: 8,
    summary: 'a form over three documents',
    solve: signUp,
  },
  {
    name: 'book-trip',
    family: 'forms',
    difficulty: 4,
    steps: 7,
    summary: 'a train to search, to choose and to book',
    solve: bookTrip,
  },
  {
    name: 'place-order',
    family: 'forms',
    difficulty: 4,
    steps: 7,
    summary: 'goods to put into a basket, and where they go',
    solve: placeOrder,
  },
];
