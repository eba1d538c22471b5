import { RunError } from '../../core/errors.ts';
import type { PageView } from '../../engines/browser/view/page-view.ts';
import type { PageAction } from '../../engines/browser/actions/page-action.ts';
import { nodesOf, type PageNode } from '../../engines/browser/view/page-tree.ts';

/** All inputs of a solution: what an agent sees too, and its own notes from earlier in the episode. */
export interface Seen {
  readonly view: PageView;
  readonly instruction: string;
  readonly memory: Map<string, string>;
}

/**
 * The next action towards the goal of the instruction.
 *
 * @throws RunError when the page differs from what is expected
 */
export type Solution = (seen: Seen) => PageAction;

/** Elements of a role, and of a name where one is given, in page order. */
export function findAll({ view }: Pick<Seen, 'view'>, role: string, name?: string): readonly PageNode[] {
  return [...nodesOf(view.content)].filter(
    (node) => node.role === role && (name === undefined || node.name === name),
  );
}

export function find(seen: Pick<Seen, 'view'>, role: string, name?: string): PageNode | undefined {
  return findAll(seen, role, name)[0];
}

export function need(seen: Pick<Seen, 'view'>, role: string, name?: string): PageNode {
  return present(find(seen, role, name), `a ${role} ${JSON.stringify(name ?? '')}`);
}

/**
 * Returns the value.
 *
 * @throws RunError where it is undefined
 */
export function present<T>(value: T | undefined, what: string): T {
  if (value !== undefined) return value;
  throw new RunError({
    where: 'a scripted solution',
    what: `it did not find ${what}.`,
    fix: 'Play it on its own page.',
  });
}

/** Elements of a role within another. */
export const within = (node: PageNode, role: string, name?: string): readonly PageNode[] =>
  [...nodesOf(node.children)].filter(
    (each) => each.role === role && (name === undefined || each.name === name),
  );

export const click = (node: PageNode): PageAction => ({ kind: 'click', element: node.id });

export const clickOn = (seen: Seen, role: string, name?: string): PageAction => click(need(seen, role, name));

export const press = (seen: Seen, name: string): PageAction => clickOn(seen, 'button', name);

/** An action that only looks at the current page. */
export const lookAgain = ({ view }: Seen): PageAction => ({ kind: 'tab', tab: view.tab });

/** The action that puts a text into a field; undefined when it is there. */
export function fill(field: PageNode, text: string): PageAction | undefined {
  const held = field.value ?? '';
  const hidden = /^•+$/.test(held) && held.length === text.length; // a password is shown as dots
  if (held === text || hidden) return undefined;
  const hasCursor = !pickers.has(field.role);
  return held !== '' && hasCursor
    ? { kind: 'clear', element: field.id }
    : { kind: 'type', element: field.id, text };
}

/** Fields whose value is set as a whole. */
const pickers: ReadonlySet<string> = new Set(['date', 'time']);

/** The action that chooses an option of a list; undefined when it is chosen. */
export function choose(list: PageNode, option: string): PageAction | undefined {
  const isChosen = list.options?.some(({ label, selected }) => selected && label === option) === true;
  return isChosen ? undefined : { kind: 'select', element: list.id, option };
}

/** The action that checks or unchecks a box or a radio button; undefined when its state is right. */
export const tick = (box: PageNode, wanted: boolean): PageAction | undefined =>
  box.states.includes('checked') === wanted ? undefined : click(box);

/** The first action that still has to be done. */
export function firstOf(...actions: readonly (PageAction | undefined)[]): PageAction | undefined {
  return actions.find((action) => action !== undefined);
}

/** The row of a table with a cell of this text. */
export function rowOf(seen: Seen, text: string): PageNode {
  const row = findAll(seen, 'row').find((each) => within(each, 'cell', text).length > 0);
  return present(row, `a row with ${JSON.stringify(text)}`);
}

/** All text below an element, in page order. */
export function textOf(children: PageNode['children']): string {
  return children
    .map((child) =>
      typeof child === 'string' ? child : child.children.length === 0 ? child.name : textOf(child.children),
    )
    .join(' ');
}
