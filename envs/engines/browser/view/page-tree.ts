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
  /** Of what has no text of its own, the colour that it is filled with or, where it is empty, framed in, such as `rgb(255, 0, 0)`. */
  readonly colour?: string;
  /** Of what can be clicked and has neither name nor text, and is no mere patch of colour, its id and class names in the document, such as `id "star" class "icon starred"`. */
  readonly mark?: string;
  /** Present where the page itself hears of a click, a press or a drop on it, there or around it, or the cursor says so. */
  readonly clickable?: true;
  /** Present where the document gives it the focus as a thing of its own, by a `tabindex` from 0. */
  readonly focusable?: true;
  /** Present where it holds more than it shows at once and can be scrolled, and at text areas that hold something. */
  readonly scrollable?: true;
  /** Left, top, width and height in CSS pixels of the window's visible part. */
  readonly box: readonly [left: number, top: number, width: number, height: number];
  /** What is in it, in the order of the document: further nodes, and text that belongs to none of them. */
  readonly children: readonly (PageNode | string)[];
}

export interface PageOption {
  readonly label: string;
  readonly selected: boolean;
  /** Present where it cannot be chosen. */
  readonly disabled?: true;
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
export function renderTree(children: PageNode['children']): readonly string[] {
  return renderBelow(undefined, children, '');
}

/** Parts of a drawing are told with their places on it, as offsets name them. */
function renderBelow(
  parent: PageNode | undefined,
  children: PageNode['children'],
  indent: string,
): readonly string[] {
  const [left, top] = parent !== undefined && isDrawing(parent) ? parent.box : [];
  return children.flatMap((child) => {
    if (typeof child === 'string') return [indent + child];
    const place =
      left === undefined || top === undefined ? '' : ` at ${child.box[0] - left} ${child.box[1] - top}`;
    return [indent + describeNode(child) + place, ...renderBelow(child, child.children, `${indent}  `)];
  });
}

/** A node in one line, without what is in it. */
export function describeNode(node: PageNode): string {
  const { id, role, name, value, states, options } = node;
  const parts = [`[${id}]`, role];
  if (name !== '') parts.push(JSON.stringify(name));
  if (value !== undefined) parts.push(`holds ${JSON.stringify(value)}`);
  if (options !== undefined)
    parts.push(
      `of ${options.map(({ label, selected, disabled }) => `${JSON.stringify(label)}${selected ? ' (chosen)' : ''}${disabled === true ? ' (disabled)' : ''}`).join(', ')}`,
    );
  return [...parts, ...describeFilling(node), ...states].join(' ');
}

/** What is known of a node that has no text of its own: its colour, its size in CSS pixels, such as `60x60`, and its mark. */
export function describeFilling(node: PageNode): readonly string[] {
  const {
    colour,
    mark,
    box: [, , width, height],
  } = node;
  const size = colour !== undefined || isDrawing(node) ? `${width}x${height}` : undefined;
  return [colour, size, mark].filter((part) => part !== undefined);
}

/** Whether one place of it is not like another. */
const isDrawing = ({ role, name }: PageNode): boolean => name === '' && (role === 'canvas' || role === 'img');
