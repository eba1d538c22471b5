import type { PageView } from '../engines/browser/view/page-view.ts';
import { describeFilling, nodesOf, type PageNode } from '../engines/browser/view/page-tree.ts';
import type { WebAction } from './action.ts';
import type { InstructionValues } from './instruction-values.ts';

/** Kinds of offered actions. All other kinds are accepted as well. */
export const candidateKinds = [
  'click',
  'type',
  'clear',
  'select',
  'press',
  'hover',
  'drag',
  'scroll',
  'wait',
  'back',
] as const;
export type CandidateKind = (typeof candidateKinds)[number];

/**
 * The most pairs of a field and a value. Beyond that, values are offered only for the field with the focus.
 */
const mostTyped = 400;

/** The most pairs of a drag. Their number grows with the square of the draggable elements. */
const mostDragged = 400;

const clickedRoles: ReadonlySet<string> = new Set([
  'button',
  'link',
  'checkbox',
  'radio',
  'switch',
  'tab',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'treeitem',
  'slider',
  'spinbutton',
]);
const textRoles: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'combobox']);
const steppedRoles: ReadonlySet<string> = new Set(['slider', 'spinbutton', 'scrollbar']);

/** A node with its ancestors. */
interface Placed {
  readonly node: PageNode;
  readonly within: readonly PageNode[];
}

/**
 * The offered actions on a page: click what is clickable, type what the instruction names, choose options,
 * press the keys that the focus uses. In page order. They depend only on what a view shows and on the
 * instruction.
 */
export function candidatesOn(
  view: Pick<PageView, 'content'>,
  values: InstructionValues,
  kinds: ReadonlySet<CandidateKind>,
): readonly WebAction[] {
  const all = [...placedIn(view.content, [])];
  const placed = all.filter(({ node }) => !node.states.includes('disabled'));
  // disabled or not
  const scrolled = kinds.has('scroll') ? all.filter(({ node }) => node.scrollable === true) : [];
  const describe = describerOf([...new Set([...placed, ...scrolled])], view.content);
  const fields = placed.filter(({ node }) => isField(node));
  const names = new Set([...nodesOf(view.content)].filter(isWorked).map(({ name }) => name));
  const typed = fields.map(({ node }) => valuesFor(node, values, names));
  const isLong = typed.reduce((sum, { length }) => sum + length, 0) > mostTyped;
  const actions: WebAction[] = [];
  for (const each of placed) {
    const { node } = each;
    const about = describe(each);
    const isFocused = node.states.includes('focused');
    const place = fields.indexOf(each);
    if (kinds.has('click') && (isClicked(node) || (isLong && place >= 0 && !isFocused)))
      actions.push({ kind: 'click', element: node.id, about });
    if (kinds.has('clear') && place >= 0 && isText(node) && (node.value ?? '') !== '')
      actions.push({ kind: 'clear', element: node.id, about });
    if (kinds.has('type') && place >= 0 && (!isLong || isFocused))
      for (const text of typed[place] ?? []) actions.push({ kind: 'type', element: node.id, text, about });
    if (kinds.has('select'))
      for (const { label, selected, disabled } of node.options ?? [])
        if (disabled !== true && (!selected || node.states.includes('multiselectable')))
          actions.push({ kind: 'select', element: node.id, option: label, about });
    if (kinds.has('hover') && isPointedAt(node)) actions.push({ kind: 'hover', element: node.id, about });
    if (kinds.has('press') && isFocused)
      actions.push(...keysFor(node).map((key) => ({ kind: 'press' as const, key })));
  }
  if (kinds.has('drag')) actions.push(...drags(placed, describe));
  if (kinds.has('scroll'))
    actions.push(
      ...scrolls(undefined),
      ...scrolled.flatMap((each) => scrolls({ element: each.node.id, about: describe(each) })),
    );
  if (kinds.has('wait')) actions.push({ kind: 'wait' });
  if (kinds.has('back')) actions.push({ kind: 'back' });
  return actions.length > 0 ? actions : [{ kind: 'press', key: 'Tab' }];
}

function* placedIn(children: PageNode['children'], within: readonly PageNode[]): Generator<Placed, void> {
  for (const child of children) {
    if (typeof child === 'string') continue;
    yield { node: child, within };
    yield* placedIn(child.children, [...within, child]);
  }
}

const isClicked = (node: PageNode): boolean =>
  !isField(node) && (clickedRoles.has(node.role) || node.clickable === true || hearsKeys(node));

const isText = (node: PageNode): boolean => textRoles.has(node.role);

const isField = (node: PageNode): boolean =>
  node.options === undefined &&
  !node.states.includes('readonly') &&
  (isText(node) ||
    ['date', 'time'].includes(node.role) ||
    (node.role === 'spinbutton' && node.value === undefined));

const isPointedAt = (node: PageNode): boolean =>
  node.clickable === true ||
  clickedRoles.has(node.role) ||
  ['generic', 'img', 'listitem', 'group'].includes(node.role);

/** Controls whose names an instruction contains because they are to be pressed, chosen or filled in. */
const isWorked = (node: PageNode): boolean =>
  clickedRoles.has(node.role) ||
  node.options !== undefined ||
  isText(node) ||
  ['date', 'time'].includes(node.role);

/**
 * Values to type into an empty field, or to set in one that is set as a whole. Names of controls are no
 * values, unless the instruction contains nothing else.
 */
function valuesFor(node: PageNode, values: InstructionValues, names: ReadonlySet<string>): readonly string[] {
  const held = node.value ?? '';
  if (node.role === 'date') return values.dates.filter((date) => date !== held);
  if (node.role === 'time') return values.times.filter((time) => time !== held);
  if (held !== '') return [];
  if (node.role === 'spinbutton') return values.numbers;
  const texts = values.texts.filter((text) => !names.has(text));
  return [
    ...(texts.length > 0 ? texts : values.texts),
    ...values.numbers.filter((number) => !values.texts.includes(number)),
  ];
}

/**
 * Whether the document makes it focusable although browsers do not handle it, or it scrolls. Its own scripts
 * then listen to the keyboard.
 */
const hearsKeys = (node: PageNode): boolean =>
  node.focusable === true && node.scrollable !== true && !isWorked(node) && node.role !== 'dialog';

function keysFor(node: PageNode): readonly string[] {
  if (steppedRoles.has(node.role) || hearsKeys(node))
    return ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
  if (node.role === 'menuitem' || node.role === 'option' || node.role === 'tab')
    return ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
  return isText(node) && node.options === undefined ? ['Enter'] : [];
}

/** States that another click changes. */
const toldStates: ReadonlySet<string> = new Set(['checked', 'expanded', 'pressed', 'selected']);

/**
 * Describes an element by role, name, colour, size and state, and by its table row. Where several elements
 * have the same description, other ancestors are added. After that the texts before them distinguish them,
 * and finally their number.
 */
function describerOf(placed: readonly Placed[], content: PageNode['children']): (each: Placed) => string {
  const plain = ({ node }: Placed): string =>
    [node.role, ...(node.name === '' ? [] : [JSON.stringify(node.name)]), ...describeFilling(node)].join(' ');
  const counts = countOf(placed.map(plain));
  const first = placed.map((each) => ({
    each,
    words: describeWithin(each, plain(each), (counts.get(plain(each)) ?? 0) > 1),
  }));
  const groups = new Map<string, PageNode[]>();
  for (const { each, words } of first) {
    const group = groups.get(words);
    if (group === undefined) groups.set(words, [each.node]);
    else group.push(each.node);
  }
  const alike = [...groups.values()].filter(({ length }) => length > 1);
  const before = alike.length > 0 ? textsBefore(content) : undefined;
  const told = new Map(before === undefined ? [] : alike.flatMap((nodes) => tellingTexts(nodes, before)));
  const second = first.map(({ each, words }) => ({
    each,
    words: told.has(each.node) ? shorten(`${words} after ${JSON.stringify(told.get(each.node))}`) : words,
  }));
  const still = countOf(second.map(({ words }) => words));
  const numbers = new Map<string, number>();
  const named = new Map<Placed, string>();
  for (const { each, words } of second) {
    const number = (numbers.get(words) ?? 0) + 1;
    numbers.set(words, number);
    named.set(each, (still.get(words) ?? 0) > 1 ? `${words}, number ${number}` : words);
  }
  return (each) => named.get(each) ?? plain(each);
}

function describeWithin({ node, within }: Placed, plain: string, isAlike: boolean): string {
  const own = [plain, ...node.states.filter((state) => toldStates.has(state))].join(' ');
  const around = within.findLast(({ role }) => (isAlike ? holdingRoles.has(role) : role === 'row'));
  if (around === undefined) return shorten(own);
  const texts = [around.name, ...textsOf(around, node.name)].filter((text) => text !== '');
  return shorten(
    texts.length === 0
      ? own
      : `${own} in ${around.role} ${texts.map((text) => JSON.stringify(text)).join(' ')}`,
  );
}

function countOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const each of words) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

/** Containers whose content distinguishes the buttons in them. */
const holdingRoles: ReadonlySet<string> = new Set([
  'row',
  'listitem',
  'article',
  'group',
  'region',
  'dialog',
  'form',
  'treeitem',
  'radiogroup',
  'generic',
]);

/** Longer descriptions are shortened. */
const longestAbout = 200;
const shorten = (text: string): string =>
  text.length > longestAbout ? `${text.slice(0, longestAbout - 1)}…` : text;

/** The texts of a node except those that repeat a name, as many as fit into a description. */
function textsOf(around: PageNode, but: string): readonly string[] {
  const texts: string[] = [];
  let length = 0;
  for (const text of wordsIn(around.children)) {
    if (text === but) continue;
    texts.push(text);
    length += text.length;
    if (length > longestAbout) break;
  }
  return texts;
}

function* wordsIn(children: PageNode['children']): Generator<string, void> {
  for (const child of children) {
    if (typeof child === 'string') yield child;
    else if (child.children.length > 0) yield* wordsIn(child.children);
    else if (!clickedRoles.has(child.role)) yield child.name;
  }
}

/**
 * The texts and names of a page in order, without immediate repeats, and how many of them precede each node.
 */
interface TextsBefore {
  readonly texts: readonly string[];
  readonly counts: ReadonlyMap<PageNode, number>;
}

function textsBefore(content: PageNode['children']): TextsBefore {
  const texts: string[] = [];
  const counts = new Map<PageNode, number>();
  const pass = (text: string): void => {
    if (text !== '' && text !== texts.at(-1)) texts.push(text);
  };
  const walk = (children: PageNode['children']): void => {
    for (const child of children) {
      if (typeof child === 'string') pass(child);
      else {
        counts.set(child, texts.length);
        pass(child.name);
        walk(child.children);
      }
    }
  };
  walk(content);
  return { texts, counts };
}

/** A text that is further before an element is seldom about it. */
const furthestBefore = 20;

/**
 * For each of several similar nodes, the nearest text after the previous one that is unique to it; else the
 * nearest of all. Its own name does not count.
 */
function tellingTexts(
  alike: readonly PageNode[],
  { texts, counts }: TextsBefore,
): readonly (readonly [PageNode, string])[] {
  const found = alike.map((node, place) => {
    const end = counts.get(node) ?? 0;
    const start = Math.max(0, end - furthestBefore);
    const previous = alike[place - 1];
    const others = (from: number): readonly string[] =>
      texts
        .slice(from, end)
        .filter((text) => text !== node.name)
        .toReversed();
    return {
      node,
      near: others(start),
      since: others(previous === undefined ? start : Math.max(start, counts.get(previous) ?? 0)),
    };
  });
  const times = countOf(found.flatMap(({ since }) => [...new Set(since)]));
  return found.flatMap(({ node, near: [nearest], since }) => {
    const text = since.find((each) => times.get(each) === 1) ?? nearest;
    return text === undefined ? [] : [[node, text] as const];
  });
}

/** Down and up, of the page or of an element. */
const scrolls = (
  of: { readonly element: string; readonly about: string } | undefined,
): readonly WebAction[] =>
  (['down', 'up'] as const).map((direction) => ({ kind: 'scroll', direction, ...of }));

function drags(placed: readonly Placed[], describe: (each: Placed) => string): readonly WebAction[] {
  const ends = placed.filter(
    ({ node }) =>
      node.clickable === true ||
      ['generic', 'img', 'listitem', 'group', 'button', 'slider'].includes(node.role),
  );
  if (ends.length ** 2 > mostDragged) return [];
  return ends.flatMap((from) =>
    ends
      .filter((to) => to !== from)
      .map((to) => ({
        kind: 'drag' as const,
        element: from.node.id,
        to: to.node.id,
        about: `${describe(from)} to ${describe(to)}`,
      })),
  );
}
