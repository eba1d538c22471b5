import { RunError } from '../../core/errors.ts';
import type { PageView } from '../../engines/browser/view/page-view.ts';
import type { PageAction } from '../../engines/browser/actions/page-action.ts';
import { nodesOf, type PageNode } from '../../engines/browser/view/page-tree.ts';

/** All that a solution goes by: what an agent sees too, and what it noted itself earlier in the episode. */
export interface Seen {
  readonly view: PageView;
  readonly instruction: string;
  readonly memory: Map<string, string>;
}

/** The next action towards what the instruction wants. @throws RunError when the page is not as it should be */
export type Solution = (seen: Seen) => PageAction;

/** Elements of a role, and of a name where one is given, in the order of the page. */
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

/** Refuses to go on without it. */
export function present<T>(value: T | undefined, what: string): T {
  if (value !== undefined) return value;
  throw new RunError({
    where: 'a scripted solution',
    what: `it looked for ${what} in vain.`,
    fix: 'Play it on the page that it was written for.',
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

/** Does nothing but to look at what is shown by then. */
export const lookAgain = ({ view }: Seen): PageAction => ({ kind: 'tab', tab: view.tab });

/** What makes a field hold a text; undefined when it does. */
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

/** What makes a list stand at an option; undefined when it does. */
export function choose(list: PageNode, option: string): PageAction | undefined {
  const isChosen = list.options?.some(({ label, selected }) => selected && label === option) === true;
  return isChosen ? undefined : { kind: 'select', element: list.id, option };
}

/** What makes a box or a circle be checked or not; undefined when it is so. */
export const tick = (box: PageNode, wanted: boolean): PageAction | undefined =>
  box.states.includes('checked') === wanted ? undefined : click(box);

/** The first action of those that are still to be done. */
export function firstOf(...actions: readonly (PageAction | undefined)[]): PageAction | undefined {
  return actions.find((action) => action !== undefined);
}

/** The row of a table that has a cell of this text. */
export function rowOf(seen: Seen, text: string): PageNode {
  const row = findAll(seen, 'row').find((each) => within(each, 'cell', text).length > 0);
  return present(row, `a row with ${JSON.stringify(text)}`);
}

/** All text below an element, in the order of the page. */
export function textOf(children: PageNode['children']): string {
  return children
    .map((child) =>
      typeof child === 'string' ? child : child.children.length === 0 ? child.name : textOf(child.children),
    )
    .join(' ');
}
