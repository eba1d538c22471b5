/** What is on a page, as a person meets it: roles and names as Chromium's own accessibility gives them, visible text, states and values. Plain JSON. */
export interface PageNode {
  /** By which actions name it, such as `e12`; stays its own while its document lives. */
  readonly id: string;
  /** Such as `button`, `textbox`, `heading`; `generic` for what only can be clicked. */
  readonly role: string;
  /** Its accessible name; empty where it has none. */
  readonly name: string;
  /** Of fields, what they hold. */
  readonly value?: string;
  /** Such as `checked`, `disabled`, `focused`, in alphabetical order. */
  readonly states: readonly string[];
  /** Of lists to choose from, what there is. */
  readonly options?: readonly PageOption[];
  /** Of what has no text of its own, the colour that it is filled with, such as `rgb(255, 0, 0)`. */
  readonly colour?: string;
  /** Present where the page itself does something when it is clicked. */
  readonly clickable?: true;
  /** Left, top, width and height in CSS pixels of the window's visible part. */
  readonly box: readonly [left: number, top: number, width: number, height: number];
  /** What is in it, in the order of the document: further nodes, and text that belongs to none of them. */
  readonly children: readonly (PageNode | string)[];
}

export interface PageOption {
  readonly label: string;
  readonly selected: boolean;
}

/** All nodes of a page, each before what is in it. */
export function* nodesOf(children: PageNode['children']): Generator<PageNode, void> {
  for (const child of children) {
    if (typeof child === 'string') continue;
    yield child;
    yield* nodesOf(child.children);
  }
}

/** The page in words, one line a node, what is in a node indented below it: `[e3] button "Send" disabled`. */
export function renderTree(children: PageNode['children'], depth = 0): readonly string[] {
  const indent = '  '.repeat(depth);
  return children.flatMap((child) => (typeof child === 'string' ? [`${indent}${child}`] : [`${indent}${describeNode(child)}`, ...renderTree(child.children, depth + 1)]));
}

/** A node in one line, without what is in it. */
export function describeNode(node: PageNode): string {
  const { id, role, name, value, states, options } = node;
  const parts = [`[${id}]`, role];
  if (name !== '') parts.push(JSON.stringify(name));
  if (value !== undefined) parts.push(`holds ${JSON.stringify(value)}`);
  if (options !== undefined) parts.push(`of ${options.map(({ label, selected }) => `${JSON.stringify(label)}${selected ? ' (chosen)' : ''}`).join(', ')}`);
  return [...parts, ...describeFilling(node), ...states].join(' ');
}

/** What a person sees of a node that has no text of its own: its colour, and its size in CSS pixels, such as `60x60`. */
export function describeFilling({ colour, box: [, , width, height] }: PageNode): readonly string[] {
  return colour === undefined ? [] : [colour, `${width}x${height}`];
}
