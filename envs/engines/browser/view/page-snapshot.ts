import type { CDPSession } from 'playwright-core';

/** Styles that decide what can be seen and pointed at, in the order in which they are asked for. */
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

/** What is used of Chromium's answers, by its own names. Texts are places in `strings`. */
export interface Snapshot {
  readonly documents: readonly DocumentRows[];
  readonly strings: readonly string[];
  readonly accessibility: readonly AccessibilityNode[];
  /** The browser's own numbers of nodes on which scripts hear of presses and drops. */
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

/** Left, top, width and height. */
export type Bounds = readonly [left: number, top: number, width: number, height: number];

/** A page as Chromium tells of it: its documents with their layout, styles and values, and the accessibility tree with roles, names and states. */
export async function takeSnapshot(session: CDPSession): Promise<Snapshot> {
  const [grasped, { documents, strings }, { nodes }] = await Promise.all([
    graspedOf(session), // first, since it asks twice
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

/** What scripts hear of that presses and drags begin and end with; of clicks and of the mouse's button the snapshot itself tells. */
const graspTypes: ReadonlySet<string> = new Set(['dragenter', 'dragover', 'drop', 'pointerdown']);

/** Those of all documents of the tab, frames and shadow trees too. Asked without a group of objects, the page's functions are not kept for us. */
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

/** CSS pixels that something is out of a box at least, to be more than a rounded edge. */
const leastReach = 1;

const elementNode = 1;
const textNode = 3;

/** One document of a snapshot, whose sparse columns are asked by node. Node 0 is the document itself. */
export class SnapshotDocument {
  readonly #rows: DocumentRows;
  readonly #strings: Snapshot['strings'];
  readonly #children = new Map<number, number[]>();
  /** Row of each node in the layout; a node without one is not drawn. */
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

  /** In the order in which they are drawn. */
  children(node: number): readonly number[] {
    const children = this.#children.get(node) ?? [];
    const last = children.find((child) => this.generated(child) === 'after'); // listed before the element's own
    return last === undefined ? children : [...children.filter((child) => child !== last), last];
  }

  /** All that is in a node, in the order of the document: also what is in that, where `isEntered` says so. As deep as scripts like to build. */
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

  /** What a text node says. */
  text(node: number): string {
    return this.#string(this.#rows.nodes.nodeValue?.[node]);
  }

  /** Capitals in HTML, small letters in SVG. */
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

  /** Whether it scrolls, and something in it reaches out of its box; of text areas, whether they hold anything. The protocol's own figures of that take as long as all the rest. */
  isScrollable(node: number): boolean {
    const [x, y] = [isScrolled(this.style(node, 'overflow-x')), isScrolled(this.style(node, 'overflow-y'))];
    if (!x && !y) return false;
    if (this.tag(node) === 'TEXTAREA') return (this.value(node) ?? '') !== ''; // whose lines no snapshot shows
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

  /** What a field holds. */
  value(node: number): string | undefined {
    const value = this.#texts.get(node) ?? this.#values.get(node);
    return value === undefined ? undefined : this.#string(value);
  }

  /** Place of the document that a frame shows. */
  frame(node: number): number | undefined {
    return this.#frames.get(node);
  }

  isChecked(node: number): boolean {
    return this.#checked.has(node);
  }

  isChosen(node: number): boolean {
    return this.#chosen.has(node);
  }

  /** Whether scripts hear of clicks, presses or drops on the node, or it can be written in. */
  isListening(node: number): boolean {
    return this.#listening.has(node) || this.#grasped.has(this.backend(node));
  }

  /** Which part of an element a node is that styles generate, such as `before`. */
  generated(node: number): string | undefined {
    const part = this.#generated.get(node);
    return part === undefined ? undefined : this.#string(part);
  }

  /** What a generated node says. */
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

/** Whether overflow of that style can be scrolled to. */
export const isScrolled = (overflow: string): boolean =>
  overflow === 'auto' || overflow === 'scroll' || overflow === 'overlay';

const sparse = (column: SparseColumn | undefined): ReadonlyMap<number, number> =>
  new Map((column?.index ?? []).map((node, place) => [node, column?.value[place] ?? -1]));
