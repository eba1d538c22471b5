import type { CDPSession } from 'playwright-core';
import type { ElementIds } from './element-ids.ts';
import type { PageNode, PageOption } from './page-tree.ts';

/** Styles that decide what can be seen, in the order in which they are asked for. */
const styles = ['visibility', 'opacity', 'background-color', 'fill', 'display'] as const;

type Captured = Awaited<ReturnType<typeof captureRaw>>;
type DocumentSnapshot = Captured['documents'][number];
type AccessibilityNode = Captured['accessibility'][number];

/**
 * What is on a page now. Both parts come from Chromium itself, not from scripts in the page, which could be in their way: the document with its layout, styles and
 * values, and the accessibility tree with roles, names and states.
 */
export async function capturePage(session: CDPSession, ids: ElementIds): Promise<{ readonly content: PageNode['children']; readonly title: string }> {
  const raw = await captureRaw(session);
  const [main] = raw.documents;
  if (main === undefined) return { content: [], title: '' };
  return { content: new TreeBuilder(raw, ids).document(main, { left: 0, top: 0 }), title: raw.strings[main.title] ?? '' };
}

async function captureRaw(session: CDPSession) {
  const [{ documents, strings }, { nodes }] = await Promise.all([
    session.send('DOMSnapshot.captureSnapshot', { computedStyles: [...styles] }),
    session.send('Accessibility.getFullAXTree'),
  ]);
  const frames = documents.slice(1).map(async ({ frameId }) => session.send('Accessibility.getFullAXTree', { frameId: strings[frameId] ?? '' }));
  const inFrames = await Promise.all(frames.map(async (frame) => frame.then((of) => of.nodes, () => []))); // a frame may be gone by now
  return { documents, strings, accessibility: [...nodes, ...inFrames.flat()] };
}

/** Roles that say nothing of what a node is for. */
const plainRoles: ReadonlySet<string> = new Set(['', 'generic', 'none', 'InlineTextBox', 'StaticText', 'LineBreak', 'RootWebArea', 'LabelText', 'ListMarker', 'paragraph', 'LayoutTable', 'LayoutTableRow', 'LayoutTableCell', 'Section', 'Abbr', 'strong', 'emphasis', 'mark']);

/** Chromium's names of roles that have a usual one. */
const usualRoles: Readonly<Record<string, string>> = { image: 'img', Iframe: 'frame', IframePresentational: 'frame', SvgRoot: 'img', Canvas: 'canvas', ComboBoxSelect: 'combobox', DisclosureTriangle: 'button', graphics: 'img', Date: 'date', InputTime: 'time', ColorWell: 'colour', DescriptionList: 'list' };

/** Elements that are seen without having any text. */
const picturedTags: ReadonlySet<string> = new Set(['CANVAS', 'IMG', 'circle', 'ellipse', 'line', 'path', 'polygon', 'polyline', 'rect', 'text']);

/** Chromium's roles of what is drawn as a picture of many parts; the name of the part's element says more. */
const drawnRoles: ReadonlySet<string> = new Set(['graphics-symbol', 'GraphicsSymbol', 'graphics-object', 'GraphicsObject']);

/** Widgets that stand at a number, which scripts of their own keep. */
const numberedRoles: ReadonlySet<string> = new Set(['meter', 'progressbar', 'scrollbar', 'slider', 'spinbutton']);

/** Elements that pass clicks on to what they hold or stand for. */
const passedOnTags: ReadonlySet<string> = new Set(['HTML', 'BODY', 'LABEL']);

/** Properties of the accessibility tree that are states, where they are true. */
const trueStates: ReadonlySet<string> = new Set(['disabled', 'expanded', 'focused', 'modal', 'multiselectable', 'readonly', 'required', 'selected', 'checked', 'pressed']);

/** Their values are for forms; what they hold is whether they are checked. */
const ticked: ReadonlySet<string> = new Set(['button', 'checkbox', 'menuitemcheckbox', 'menuitemradio', 'radio', 'switch']);

/** Rows of a snapshot's sparse columns by node. */
interface Columns {
  readonly texts: ReadonlyMap<number, number>;
  readonly values: ReadonlyMap<number, number>;
  readonly frames: ReadonlyMap<number, number>;
  readonly checked: ReadonlySet<number>;
  readonly chosen: ReadonlySet<number>;
  readonly clickable: ReadonlySet<number>;
  /** Row of each node in the layout; a node without one is not drawn. */
  readonly layout: ReadonlyMap<number, number>;
  readonly children: ReadonlyMap<number, readonly number[]>;
}

interface Offset {
  readonly left: number;
  readonly top: number;
}

/** One document of a snapshot with its columns at hand. */
interface Page {
  readonly document: DocumentSnapshot;
  readonly columns: Columns;
  readonly offset: Offset;
}

class TreeBuilder {
  readonly #raw: Captured;
  readonly #ids: ElementIds;
  readonly #accessible: ReadonlyMap<number, AccessibilityNode>;

  constructor(raw: Captured, ids: ElementIds) {
    this.#raw = raw;
    this.#ids = ids;
    this.#accessible = new Map(raw.accessibility.flatMap((node) => (node.backendDOMNodeId === undefined ? [] : [[node.backendDOMNodeId, node] as const])));
  }

  document(document: DocumentSnapshot, offset: Offset): PageNode['children'] {
    const page = { document, columns: columnsOf(document), offset: { left: offset.left - (document.scrollOffsetX ?? 0), top: offset.top - (document.scrollOffsetY ?? 0) } };
    return joinTexts(this.#below(page, 0));
  }

  #below(page: Page, node: number): (PageNode | string)[] {
    return (page.columns.children.get(node) ?? []).flatMap((child) => this.#node(page, child));
  }

  #node(page: Page, node: number): (PageNode | string)[] {
    const type = page.document.nodes.nodeType?.[node];
    if (type === textNode) return this.#isSeen(page, node) ? [this.#string(page.document.nodes.nodeValue?.[node]).replaceAll(/\s+/g, ' ')] : [];
    if (type !== elementNode) return [];
    if (!this.#isSeen(page, node)) return this.#tagOf(page, node) === 'SELECT' ? [] : this.#below(page, node);
    if (this.#isKept(page, node)) return [this.#keep(page, node)];
    return this.#isInline(page, node) ? this.#childrenOf(page, node) : [newLine, ...this.#childrenOf(page, node), newLine];
  }

  #childrenOf(page: Page, node: number): (PageNode | string)[] {
    const frame = page.columns.frames.get(node);
    const inner = frame === undefined ? undefined : this.#raw.documents[frame];
    if (inner !== undefined) {
      const [left, top] = this.#boxOf(page, node);
      return [...this.document(inner, { left, top })];
    }
    const tag = this.#tagOf(page, node);
    return tag === 'SELECT' || tag === 'TEXTAREA' || tag === 'INPUT' ? [] : this.#below(page, node);
  }

  #isSeen({ document, columns }: Page, node: number): boolean {
    const row = columns.layout.get(node);
    if (row === undefined) return false;
    const [visibility, opacity] = (document.layout.styles[row] ?? []).map((style) => this.#string(style));
    return visibility !== 'hidden' && visibility !== 'collapse' && opacity !== '0';
  }

  #isInline(page: Page, node: number): boolean {
    const [, , , , display] = (page.document.layout.styles[page.columns.layout.get(node) ?? -1] ?? []).map((style) => this.#string(style));
    return this.#tagOf(page, node) !== 'BR' && (display === undefined || display === 'contents' || display.startsWith('inline'));
  }

  #isKept(page: Page, node: number): boolean {
    const found = this.#accessibleOf(page, node);
    const role = roleOf(found);
    const tag = this.#tagOf(page, node);
    if (tag === 'svg' && textOf(found?.name?.value) === '') return false; // what is drawn in it stands for itself
    if (found?.ignored === false && !plainRoles.has(role)) return true;
    return (page.columns.clickable.has(node) && !passedOnTags.has(tag)) || picturedTags.has(tag) || page.columns.frames.has(node);
  }

  #keep(page: Page, node: number): PageNode {
    const id = this.#ids.of(page.document.nodes.backendNodeId?.[node] ?? 0); // before those of what is in it
    const found = this.#accessibleOf(page, node);
    const role = roleOf(found);
    const name = found?.ignored === false ? squeeze(textOf(found.name?.value)) : '';
    const children = joinTexts(this.#childrenOf(page, node));
    const own = children.every((child) => typeof child === 'string') ? children.join(' ') : undefined;
    const value = ticked.has(role) ? undefined : (this.#valueOf(page, node) ?? this.#standOf(page, node, found));
    const options = this.#optionsOf(page, node);
    const shownName = name === '' && own !== undefined ? own : name;
    const colour = own === '' && value === undefined && options === undefined ? this.#colourOf(page, node) : undefined;
    return {
      id,
      role: plainRoles.has(role) || drawnRoles.has(role) ? plainRoleOf(this.#tagOf(page, node)) : (usualRoles[role] ?? role),
      name: shownName,
      ...(value === undefined ? {} : { value }),
      states: this.#statesOf(page, node, found),
      ...(options === undefined ? {} : { options }),
      ...(colour === undefined ? {} : { colour }),
      ...(page.columns.clickable.has(node) ? { clickable: true as const } : {}),
      box: this.#boxOf(page, node),
      children: own === shownName ? [] : children,
    };
  }

  #valueOf({ columns }: Page, node: number): string | undefined {
    const value = columns.texts.get(node) ?? columns.values.get(node);
    return value === undefined ? undefined : this.#string(value);
  }

  /** Where a widget that scripts keep stands: in its own words, else as a number. */
  #standOf(page: Page, node: number, found: AccessibilityNode | undefined): string | undefined {
    if (!numberedRoles.has(roleOf(found))) return undefined;
    const number: unknown = found?.value?.value;
    return this.#attributeOf(page, node, 'aria-valuetext') ?? (typeof number === 'number' ? String(number) : undefined);
  }

  #attributeOf({ document }: Page, node: number, wanted: string): string | undefined {
    const namesAndValues = document.nodes.attributes?.[node] ?? [];
    const place = namesAndValues.findIndex((index, at) => at % 2 === 0 && this.#string(index) === wanted);
    return place < 0 ? undefined : this.#string(namesAndValues[place + 1]);
  }

  #optionsOf(page: Page, node: number): readonly PageOption[] | undefined {
    if (this.#tagOf(page, node) !== 'SELECT') return undefined;
    const { columns, document } = page;
    const labels = (at: number): string => {
      const type = document.nodes.nodeType?.[at];
      return type === textNode ? this.#string(document.nodes.nodeValue?.[at]) : (columns.children.get(at) ?? []).map(labels).join('');
    };
    const within = (at: number): readonly PageOption[] =>
      (columns.children.get(at) ?? []).flatMap((child) => (this.#tagOf(page, child) === 'OPTION' ? [{ label: squeeze(labels(child)), selected: columns.chosen.has(child) }] : within(child)));
    return within(node);
  }

  #statesOf({ columns }: Page, node: number, found: AccessibilityNode | undefined): readonly string[] {
    const states = new Set<string>();
    for (const { name, value } of found?.properties ?? []) {
      if (trueStates.has(name) && (value.value === true || value.value === 'true')) states.add(name);
      if (name === 'invalid' && value.value === 'true') states.add(name);
    }
    if (columns.checked.has(node)) states.add('checked');
    return [...states].toSorted();
  }

  #colourOf({ document, columns }: Page, node: number): string | undefined {
    const [, , background, fill] = (document.layout.styles[columns.layout.get(node) ?? -1] ?? []).map((style) => this.#string(style));
    const isShape = document.nodes.nodeName?.[node] !== undefined && /^[a-z]/.test(this.#string(document.nodes.nodeName[node]));
    const colour = isShape ? fill : background;
    return colour === undefined || colour === 'none' || /^rgba\(.*, 0\)$/.test(colour) ? undefined : colour;
  }

  #boxOf({ document, columns, offset }: Page, node: number): PageNode['box'] {
    const [left = 0, top = 0, width = 0, height = 0] = document.layout.bounds[columns.layout.get(node) ?? -1] ?? [];
    return [Math.round(left + offset.left), Math.round(top + offset.top), Math.round(width), Math.round(height)];
  }

  #accessibleOf({ document }: Page, node: number): AccessibilityNode | undefined {
    return this.#accessible.get(document.nodes.backendNodeId?.[node] ?? -1);
  }

  #tagOf({ document }: Page, node: number): string {
    return this.#string(document.nodes.nodeName?.[node]);
  }

  #string(index: number | undefined): string {
    return index === undefined || index < 0 ? '' : (this.#raw.strings[index] ?? '');
  }
}

const elementNode = 1;
const textNode = 3;

const roleOf = (found: AccessibilityNode | undefined): string => textOf(found?.role?.value);

/** Values of the protocol are of any type; texts alone are of use. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const plainRoleOf = (tag: string): string => (/^[a-z]/.test(tag) ? tag : tag === 'CANVAS' ? 'canvas' : tag === 'IMG' ? 'img' : tag === 'IFRAME' ? 'frame' : 'generic');

const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Between texts of different lines. No text has it, since all blanks of texts are made plain ones. */
const newLine = '\u2028';

/** Texts side by side are one, where they are of one line; blank ones go. */
function joinTexts(children: readonly (PageNode | string)[]): readonly (PageNode | string)[] {
  const joined: (PageNode | string)[] = [];
  let text = '';
  const flush = (): void => {
    const squeezed = squeeze(text);
    if (squeezed !== '') joined.push(squeezed);
    text = '';
  };
  for (const child of children) {
    if (typeof child === 'string' && child !== newLine) {
      text += ` ${child}`;
      continue;
    }
    flush();
    if (child !== newLine) joined.push(child);
  }
  flush();
  return joined;
}

function columnsOf({ nodes, layout }: DocumentSnapshot): Columns {
  const children = new Map<number, number[]>();
  nodes.parentIndex?.forEach((parent, node) => {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [node]);
    else siblings.push(node);
  });
  const sparse = (column: { readonly index: readonly number[]; readonly value: readonly number[] } | undefined): ReadonlyMap<number, number> =>
    new Map((column?.index ?? []).map((node, place) => [node, column?.value[place] ?? -1]));
  return {
    texts: sparse(nodes.textValue),
    values: sparse(nodes.inputValue),
    frames: sparse(nodes.contentDocumentIndex),
    checked: new Set(nodes.inputChecked?.index),
    chosen: new Set(nodes.optionSelected?.index),
    clickable: new Set(nodes.isClickable?.index),
    layout: new Map(layout.nodeIndex.map((node, row) => [node, row])),
    children,
  };
}
