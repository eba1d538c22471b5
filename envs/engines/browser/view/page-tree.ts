/**
 * The content of a page as a person perceives it: roles and names of Chromium's own accessibility tree,
 * visible text, states and values. Plain JSON.
 */
export interface PageNode {
  /** Its id in actions, such as `e12`. It stays the same while its document exists. */
  readonly id: string;
  /** Such as `button`, `textbox`, `heading`; `generic` for a node that can only be clicked. */
  readonly role: string;
  /** Its accessible name; empty where it has none. */
  readonly name: string;
  /** The value, for fields. */
  readonly value?: string;
  /** Such as `checked`, `disabled`, `focused`, in alphabetical order. */
  readonly states: readonly string[];
  /** The options, for lists. */
  readonly options?: readonly PageOption[];
  /**
   * The fill colour of a node without text or, where it is empty, the colour of its frame, such as `rgb(255,
   * 0, 0)`.
   */
  readonly colour?: string;
  /**
   * The id and class names in the document, such as `id "star" class "icon starred"`. Present for clickable
   * nodes without name and text that are more than a patch of colour.
   */
  readonly mark?: string;
  /**
   * Present where the page listens for a click, a press or a drop on it or around it, or where the cursor
   * shows that.
   */
  readonly clickable?: true;
  /** Present where the document makes it focusable with a `tabindex` of at least 0. */
  readonly focusable?: true;
  /**
   * Present where it can be scrolled because it contains more than it shows, and for text areas with content.
   */
  readonly scrollable?: true;
  /** Left, top, width and height in CSS pixels of the visible part of the window. */
  readonly box: readonly [left: number, top: number, width: number, height: number];
  /** Its content in document order: child nodes, and text that belongs to none of them. */
  readonly children: readonly (PageNode | string)[];
}

export interface PageOption {
  readonly label: string;
  readonly selected: boolean;
  /** Present where it cannot be chosen. */
  readonly disabled?: true;
}

/** All nodes of a page, parents before children. */
export function* nodesOf(children: PageNode['children']): Generator<PageNode, void> {
  for (const child of children) {
    if (typeof child === 'string') continue;
    yield child;
    yield* nodesOf(child.children);
  }
}

/** The page in words, one line per node, children indented: `[e3] button "Send" disabled`. */
export function renderTree(children: PageNode['children']): readonly string[] {
  return renderBelow(undefined, children, '');
}

/** Parts of a drawing are printed with their positions on it, in the form of action offsets. */
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

/** A node in one line, without its content. */
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

/**
 * The description of a node without text: its colour, its size in CSS pixels, such as `60x60`, and its mark.
 */
export function describeFilling(node: PageNode): readonly string[] {
  const {
    colour,
    mark,
    box: [, , width, height],
  } = node;
  const size = colour !== undefined || isDrawing(node) ? `${width}x${height}` : undefined;
  return [colour, size, mark].filter((part) => part !== undefined);
}

/** Whether the effect of a click depends on the place within it. */
const isDrawing = ({ role, name }: PageNode): boolean => name === '' && (role === 'canvas' || role === 'img');
