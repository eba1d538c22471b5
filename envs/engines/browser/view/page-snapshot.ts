import type { CDPSession } from 'playwright-core';

/** Styles that decide what is visible and what can be pointed at, in the order of the request. */
const styles = [
  'visibility',
  'opacity',
  'background-color',
  'fill',
  'display',
  'position',
  'overflow-x',
  'overflow-y',
  'clip',
  'clip-path',
  'cursor',
  'border-top-width',
  'border-top-color',
  'background-image',
  'direction',
  'pointer-events',
  'transform',
  'filter',
] as const;
type Style = (typeof styles)[number];
const placeOf: ReadonlyMap<Style, number> = new Map(styles.map((style, place) => [style, place]));

/** The used parts of Chromium's answers, with its own names. Texts are indices into `strings`. */
export interface Snapshot {
  readonly documents: readonly DocumentRows[];
  readonly strings: readonly string[];
  readonly accessibility: readonly AccessibilityNode[];
  /** The browser's numbers of nodes on which scripts listen for presses and drops. */
  readonly grasped: ReadonlySet<number>;
}

export interface DocumentRows {
  readonly title: number;
  readonly scrollOffsetX?: number;
  readonly scrollOffsetY?: number;
  readonly nodes: {
    readonly parentIndex?: readonly number[];
    readonly nodeType?: readonly number[];
    readonly nodeName?: readonly number[];
    readonly nodeValue?: readonly number[];
    readonly backendNodeId?: readonly number[];
    readonly attributes?: readonly (readonly number[])[];
    readonly textValue?: SparseColumn;
    readonly inputValue?: SparseColumn;
    readonly inputChecked?: Pick<SparseColumn, 'index'>;
    readonly optionSelected?: Pick<SparseColumn, 'index'>;
    readonly contentDocumentIndex?: SparseColumn;
    readonly pseudoType?: SparseColumn;
    readonly isClickable?: Pick<SparseColumn, 'index'>;
  };
  readonly layout: {
    readonly nodeIndex: readonly number[];
    readonly styles: readonly (readonly number[])[];
    readonly bounds: readonly (readonly number[])[];
    readonly text: readonly number[];
  };
}

interface SparseColumn {
  readonly index: readonly number[];
  readonly value: readonly number[];
}

export interface AccessibilityNode {
  readonly backendDOMNodeId?: number;
  readonly ignored: boolean;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
  readonly value?: { readonly value?: unknown };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
}

/** Left, top, width and height in CSS pixels. */
export type Bounds = readonly [left: number, top: number, width: number, height: number];

/**
 * A page as Chromium describes it: its documents with their layout, styles and values, and the accessibility
 * tree with roles, names and states.
 */
export async function takeSnapshot(session: CDPSession): Promise<Snapshot> {
  const [grasped, { documents, strings }, { nodes }] = await Promise.all([
    graspedOf(session), // first, because it asks twice
    session.send('DOMSnapshot.captureSnapshot', { computedStyles: [...styles] }),
    session.send('Accessibility.getFullAXTree'),
  ]);
  const frames = documents
    .slice(1)
    .map(async ({ frameId }) =>
      session.send('Accessibility.getFullAXTree', { frameId: strings[frameId] ?? '' }),
    );
  const inFrames = await Promise.all(
    frames.map(async (frame) =>
      frame.then(
        (of) => of.nodes,
        () => [],
      ),
    ),
  ); // a frame may be gone by now
  return { documents, strings, accessibility: [...nodes, ...inFrames.flat()], grasped };
}

/**
 * The events with which presses and drags start and end. Chromium's snapshot itself reports clicks and the
 * mouse button.
 */
const graspTypes: ReadonlySet<string> = new Set(['dragenter', 'dragover', 'drop', 'pointerdown']);

/**
 * The nodes with such listeners in all documents of the tab, including frames and shadow trees. The query
 * uses no object group, so the page's functions are not kept alive.
 */
async function graspedOf(session: CDPSession): Promise<ReadonlySet<number>> {
  const { objectId = '' } = (await session.send('Runtime.evaluate', { expression: 'document' })).result;
  const { listeners } = await session.send('DOMDebugger.getEventListeners', {
    objectId,
    depth: -1,
    pierce: true,
  });
  session.send('Runtime.releaseObject', { objectId }).catch(() => undefined); // its document may be gone
  return new Set(
    listeners.flatMap(({ type, backendNodeId }) =>
      backendNodeId !== undefined && graspTypes.has(type) ? [backendNodeId] : [],
    ),
  );
}

/** The least overflow in CSS pixels that is more than a rounded edge. */
const leastReach = 1;

const elementNode = 1;
const textNode = 3;

/** One document of a snapshot. Its sparse columns are looked up by node. Node 0 is the document itself. */
export class SnapshotDocument {
  readonly #rows: DocumentRows;
  readonly #strings: Snapshot['strings'];
  readonly #children = new Map<number, number[]>();
  /** The layout row of each node. A node without one is not drawn. */
  readonly #layout = new Map<number, number>();
  readonly #texts: ReadonlyMap<number, number>;
  readonly #values: ReadonlyMap<number, number>;
  readonly #frames: ReadonlyMap<number, number>;
  readonly #generated: ReadonlyMap<number, number>;
  readonly #checked: ReadonlySet<number>;
  readonly #chosen: ReadonlySet<number>;
  readonly #listening: ReadonlySet<number>;
  readonly #grasped: Snapshot['grasped'];

  constructor(rows: DocumentRows, { strings, grasped }: Pick<Snapshot, 'strings' | 'grasped'>) {
    const { nodes, layout } = rows;
    this.#rows = rows;
    this.#strings = strings;
    nodes.parentIndex?.forEach((parent, node) => {
      const siblings = this.#children.get(parent);
      if (siblings === undefined) this.#children.set(parent, [node]);
      else siblings.push(node);
    });
    layout.nodeIndex.forEach((node, row) => {
      if (!this.#layout.has(node)) this.#layout.set(node, row); // texts that styles generate follow their box
    });
    this.#texts = sparse(nodes.textValue);
    this.#values = sparse(nodes.inputValue);
    this.#frames = sparse(nodes.contentDocumentIndex);
    this.#generated = sparse(nodes.pseudoType);
    this.#checked = new Set(nodes.inputChecked?.index);
    this.#chosen = new Set(nodes.optionSelected?.index);
    this.#listening = new Set(nodes.isClickable?.index);
    this.#grasped = grasped;
  }

  get scrolled(): readonly [left: number, top: number] {
    return [this.#rows.scrollOffsetX ?? 0, this.#rows.scrollOffsetY ?? 0];
  }

  /** In drawing order. */
  children(node: number): readonly number[] {
    const children = this.#children.get(node) ?? [];
    // listed before the element's own children
    const last = children.find((child) => this.generated(child) === 'after');
    return last === undefined ? children : [...children.filter((child) => child !== last), last];
  }

  /**
   * All descendants of a node in document order, without those of nodes for which `isEntered` is false. It
   * handles any depth that scripts create.
   */
  *below(node: number, isEntered: (child: number) => boolean = () => true): Generator<number, void> {
    const open = [...this.children(node)].reverse();
    for (let child = open.pop(); child !== undefined; child = open.pop()) {
      yield child;
      if (isEntered(child)) for (const inner of [...this.children(child)].reverse()) open.push(inner);
    }
  }

  parent(node: number): number {
    return this.#rows.nodes.parentIndex?.[node] ?? -1;
  }

  isElement(node: number): boolean {
    return this.#rows.nodes.nodeType?.[node] === elementNode;
  }

  isText(node: number): boolean {
    return this.#rows.nodes.nodeType?.[node] === textNode;
  }

  /** The text of a text node. */
  text(node: number): string {
    return this.#string(this.#rows.nodes.nodeValue?.[node]);
  }

  /** Upper case in HTML, lower case in SVG. */
  tag(node: number): string {
    return this.#string(this.#rows.nodes.nodeName?.[node]);
  }

  attribute(node: number, wanted: string): string | undefined {
    const namesAndValues = this.#rows.nodes.attributes?.[node] ?? [];
    const place = namesAndValues.findIndex((index, at) => at % 2 === 0 && this.#string(index) === wanted);
    return place < 0 ? undefined : this.#string(namesAndValues[place + 1]);
  }

  /** The browser's own number of a node. */
  backend(node: number): number {
    return this.#rows.nodes.backendNodeId?.[node] ?? -1;
  }

  isDrawn(node: number): boolean {
    return this.#layout.has(node);
  }

  /** Empty where the node is not drawn. */
  style(node: number, style: Style): string {
    return this.#string(this.#rows.layout.styles[this.#layout.get(node) ?? -1]?.[placeOf.get(style) ?? -1]);
  }

  /** In CSS pixels of the document. */
  bounds(node: number): Bounds {
    const [left = 0, top = 0, width = 0, height = 0] =
      this.#rows.layout.bounds[this.#layout.get(node) ?? -1] ?? [];
    return [left, top, width, height];
  }

  /**
   * Whether it scrolls and some content overflows its box. For text areas, whether they have any content. The
   * protocol's own scroll sizes take as long as everything else together.
   */
  isScrollable(node: number): boolean {
    const [x, y] = [isScrolled(this.style(node, 'overflow-x')), isScrolled(this.style(node, 'overflow-y'))];
    if (!x && !y) return false;
    if (this.tag(node) === 'TEXTAREA') return (this.value(node) ?? '') !== ''; // no snapshot has its lines
    const [left, top, width, height] = this.bounds(node);
    const isOfBox = (child: number): boolean =>
      this.isDrawn(child) && this.style(child, 'position') !== 'fixed';
    const isOpen = (child: number): boolean =>
      isOfBox(child) && (this.isText(child) || ['', 'visible'].includes(this.style(child, 'overflow-y')));
    for (const child of this.below(node, isOpen)) {
      if (!isOfBox(child)) continue;
      const [childLeft, childTop, childWidth, childHeight] = this.bounds(child);
      if (
        x &&
        (childLeft + childWidth > left + width + leastReach || childLeft < left - leastReach) &&
        childWidth > 0
      )
        return true;
      if (
        y &&
        (childTop + childHeight > top + height + leastReach || childTop < top - leastReach) &&
        childHeight > 0
      )
        return true;
    }
    return false;
  }

  /** The value of a field. */
  value(node: number): string | undefined {
    const value = this.#texts.get(node) ?? this.#values.get(node);
    return value === undefined ? undefined : this.#string(value);
  }

  /** The index of the document in a frame. */
  frame(node: number): number | undefined {
    return this.#frames.get(node);
  }

  isChecked(node: number): boolean {
    return this.#checked.has(node);
  }

  isChosen(node: number): boolean {
    return this.#chosen.has(node);
  }

  /** Whether scripts listen for clicks, presses or drops on the node, or it is editable. */
  isListening(node: number): boolean {
    return this.#listening.has(node) || this.#grasped.has(this.backend(node));
  }

  /** The generated part of an element that a node is, such as `before`. */
  generated(node: number): string | undefined {
    const part = this.#generated.get(node);
    return part === undefined ? undefined : this.#string(part);
  }

  /** The text of a generated node. */
  generatedText(node: number): string {
    const texts: string[] = [];
    const { nodeIndex, text } = this.#rows.layout;
    for (let row = (this.#layout.get(node) ?? nodeIndex.length) + 1; nodeIndex[row] === node; row += 1)
      texts.push(this.#string(text[row]));
    return texts.join('');
  }

  #string(index: number | undefined): string {
    return index === undefined || index < 0 ? '' : (this.#strings[index] ?? '');
  }
}

/** Whether content with that overflow style can be scrolled to. */
export const isScrolled = (overflow: string): boolean =>
  overflow === 'auto' || overflow === 'scroll' || overflow === 'overlay';

const sparse = (column: SparseColumn | undefined): ReadonlyMap<number, number> =>
  new Map((column?.index ?? []).map((node, place) => [node, column?.value[place] ?? -1]));
