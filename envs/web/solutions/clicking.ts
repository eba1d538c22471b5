import type { PageNode } from '../../engines/browser/view/page-tree.ts';
import { quoted, quotedAfter, quotedAt } from './instruction.ts';
import {
  click,
  clickOn,
  find,
  findAll,
  need,
  present,
  press,
  rowOf,
  within,
  type Seen,
  type Solution,
} from './look.ts';

export const clickButton: Solution = (seen) => press(seen, quotedAt(seen.instruction, 0));

export const clickLink: Solution = (seen) => clickOn(seen, 'link', quotedAt(seen.instruction, 0));

export const actOnRow: Solution = (seen) => {
  const [person = '', action = ''] = quoted(seen.instruction);
  return click(present(within(rowOf(seen, person), 'button', action)[0], `the button ${action}`));
};

export const answerDialog: Solution = (seen) =>
  find(seen, 'dialog') === undefined
    ? press(seen, `Delete ${quotedAt(seen.instruction, 0)}`)
    : press(seen, 'Delete it');

/** Colours by their usual names. */
const paints: Readonly<Record<string, string>> = {
  red: 'rgb(214, 40, 40)',
  orange: 'rgb(247, 127, 0)',
  yellow: 'rgb(252, 211, 25)',
  green: 'rgb(56, 142, 60)',
  blue: 'rgb(33, 100, 220)',
  purple: 'rgb(123, 44, 191)',
  pink: 'rgb(255, 143, 188)',
  brown: 'rgb(121, 85, 60)',
  black: 'rgb(20, 20, 20)',
  grey: 'rgb(150, 150, 150)',
};

const colourIn = (instruction: string): string | undefined =>
  paints[new RegExp(`\\b(${Object.keys(paints).join('|')})\\b`).exec(instruction)?.[1] ?? ''];

export const pickColour: Solution = (seen) => {
  const wanted = colourIn(seen.instruction);
  return click(
    present(
      findAll(seen, 'generic').find(({ colour }) => colour === wanted),
      `a box of ${wanted}`,
    ),
  );
};

/** Shapes of the colour and kind that the instruction names. */
function shapesMeant(seen: Seen): readonly PageNode[] {
  const wanted = colourIn(seen.instruction);
  const kind = /\b(circle|square|triangle)s?\b/.exec(seen.instruction)?.[1];
  return findAll(seen, 'img', kind).filter(({ colour }) => colour === wanted);
}

/** The width in pixels that separates small shapes from large ones. */
const halfway = 42;

export const clickShape: Solution = (seen) => {
  const isLarge = seen.instruction.includes('large');
  const meant = shapesMeant(seen).find(({ box: [, , width] }) => width > halfway === isLarge);
  return click(present(meant, 'the shape'));
};

export const countShapes: Solution = (seen) => press(seen, String(shapesMeant(seen).length));

export const openTab: Solution = (seen) => {
  const [tab = '', link = ''] = quoted(seen.instruction);
  return need(seen, 'tab', tab).states.includes('selected')
    ? clickOn(seen, 'link', link)
    : clickOn(seen, 'tab', tab);
};

export const openMenu: Solution = (seen) => {
  const menu = quotedAfter(seen.instruction, /the menu/);
  const item = present(
    quoted(seen.instruction).find((each) => each !== menu),
    'an item',
  );
  const opened = find(seen, 'menu', menu);
  return opened === undefined
    ? clickOn(seen, 'menuitem', menu)
    : click(present(within(opened, 'menuitem', item)[0], item));
};

/** Menus open under the mouse, which moves from each to the one within. */
export const hoverMenu: Solution = (seen) => {
  const [top = '', branch = '', leaf = ''] = quoted(seen.instruction);
  const outer = find(seen, 'menu', top);
  if (outer === undefined) return { kind: 'hover', element: need(seen, 'menuitem', top).id };
  const inner = within(outer, 'menu', branch)[0];
  if (inner === undefined)
    return { kind: 'hover', element: present(within(outer, 'menuitem', branch)[0], branch).id };
  return click(present(within(inner, 'menuitem', leaf)[0], leaf));
};

export const hoverCards: Solution = (seen) => {
  const wanted = quotedAt(seen.instruction, 0);
  const cards = findAll(seen, 'button');
  const open = cards.findIndex(({ name }) => name.includes(': '));
  const card = cards[open];
  if (card?.name.endsWith(`: ${wanted}`) === true) return click(card);
  return { kind: 'hover', element: present(cards[(open + 1) % cards.length], 'another card').id };
};

/**
 * Folders open when they are clicked. The instruction names the path to the file from the outside or from the
 * inside.
 */
export const openTree: Solution = (seen) => {
  const names = quoted(seen.instruction);
  const [top = '', folder = '', file = ''] = seen.instruction.startsWith('Open') ? names : names.toReversed();
  const listed = (role: string, name: string, among: readonly PageNode[]): PageNode =>
    present(among.flatMap((each) => within(each, role, name))[0], name);
  const outer = need(seen, 'button', top);
  if (!outer.states.includes('expanded')) return click(outer);
  const branch = findAll(seen, 'listitem').filter((item) => within(item, 'button', top).length > 0);
  const inner = listed('button', folder, branch);
  return inner.states.includes('expanded')
    ? click(
        listed(
          'link',
          file,
          branch
            .flatMap((item) => within(item, 'listitem'))
            .filter((item) => within(item, 'button', folder).length > 0),
        ),
      )
    : click(inner);
};
