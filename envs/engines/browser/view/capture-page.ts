import { clipsOf, clipsWithin, isClippedWhole, isCutAway, type Clips } from './clipping.ts';
import type { ElementIds } from './element-ids.ts';
import {
  closedRoles,
  drawnRoles,
  frameOf,
  isColour,
  isEditor,
  isFocusable,
  isPassedThrough,
  isPatch,
  isWithoutExtent,
  labelOf,
  markOf,
  optionsOf,
  passedOnTags,
  picturedTags,
  plainRoleOf,
  plainRoles,
  roleOf,
  shapeTags,
  shapesIn,
  standOf,
  statesOf,
  textOf,
  ticked,
  usualRoles,
} from './element-facts.ts';
import { withIds, withoutLoneLeaf, wordsOf, type Draft } from './node-draft.ts';
import { SnapshotDocument, type AccessibilityNode, type Snapshot } from './page-snapshot.ts';
import { cut, joinTexts, newLine, squeeze } from './page-texts.ts';
import type { PageNode } from './page-tree.ts';
import { mostDeep, mostOfTitle, ViewBounds } from './view-bounds.ts';

/**
 * Builds the tree of a page from a snapshot. All data come from Chromium itself, not from scripts in the
 * page, which the page could disturb. They are the document with its layout, styles and values, and the
 * accessibility tree with roles, names and states.
 */
export function capturePage(
  raw: Snapshot,
  ids: ElementIds,
): { readonly content: PageNode['children']; readonly title: string; readonly leftOut: readonly string[] } {
  const [main] = raw.documents;
  if (main === undefined) return { content: [], title: '', leftOut: [] };
  const bounds = new ViewBounds();
  const drafts = new TreeBuilder(raw, bounds).document(main, { left: 0, top: 0 }, 0);
  const content = drafts.flatMap((draft) => withIds(draft, ids, bounds));
  return { content, title: cut(raw.strings[main.title] ?? '', mostOfTitle), leftOut: bounds.told };
}

/** The least size in CSS pixels, in both directions, of an empty box that is more than a line. */
const leastBox = 5;

interface Offset {
  readonly left: number;
  readonly top: number;
}

/** One document of a snapshot. */
interface Page {
  readonly rows: SnapshotDocument;
  readonly offset: Offset;
}

/** The context of a node. */
interface Surroundings {
  readonly clips: Clips;
  /** Whether scripts on an ancestor listen for its clicks, presses or drops. */
  readonly isHeard: boolean;
  /** Whether the cursor of an ancestor already shows that a click has an effect. */
  readonly isPointer: boolean;
  /** Whether it belongs to something that is clicked as a whole. */
  readonly isClosed: boolean;
  /** Whether it belongs to a text that is edited as a whole. */
  readonly isEdited: boolean;
  /** The number of nested elements around it, including those of outer documents. */
  readonly depth: number;
  /** Whether text continues beside it. */
  readonly isAmidText: boolean;
}

class TreeBuilder {
  readonly #raw: Snapshot;
  readonly #accessible: ReadonlyMap<number, AccessibilityNode>;

  readonly #bounds: ViewBounds;

  constructor(raw: Snapshot, bounds: ViewBounds) {
    this.#raw = raw;
    this.#bounds = bounds;
    this.#accessible = new Map(
      raw.accessibility.flatMap((node) =>
        node.backendDOMNodeId === undefined ? [] : [[node.backendDOMNodeId, node] as const],
      ),
    );
  }

  document(document: Snapshot['documents'][number], offset: Offset, depth: number): Draft['children'] {
    const rows = new SnapshotDocument(document, this.#raw);
    const [left, top] = rows.scrolled;
    const around = {
      clips: clipsOf(rows),
      isHeard: rows.isListening(0),
      isPointer: false,
      isClosed: false,
      isEdited: false,
      depth,
      isAmidText: false,
    };
    return joinTexts(
      this.#below({ rows, offset: { left: offset.left - left, top: offset.top - top } }, 0, around),
    );
  }

  #below(page: Page, node: number, around: Surroundings): (Draft | string)[] {
    const { rows } = page;
    const children = rows.children(node);
    if (around.depth > mostDeep && children.length > 0) {
      this.#bounds.deepen();
      return [];
    }
    const hasText = children.some((child) => rows.isText(child) && rows.text(child).trim() !== '');
    return children.flatMap((child, place) => {
      const isAmidText =
        hasText || this.#isWord(page, children[place - 1]) || this.#isWord(page, children[place + 1]);
      return this.#node(page, child, isAmidText === around.isAmidText ? around : { ...around, isAmidText });
    });
  }

  /**
   * Whether it is part of a line and has no look of its own, so that adjacent text may be the rest of a word.
   */
  #isWord(page: Page, node: number | undefined): boolean {
    return (
      node !== undefined &&
      page.rows.isElement(node) &&
      page.rows.isDrawn(node) &&
      this.#isInline(page, node) &&
      !this.#isBox(page, node) &&
      !this.#isReplaced(page, node)
    );
  }

  #isReplaced({ rows }: Page, node: number): boolean {
    return /^(?:BUTTON|CANVAS|IFRAME|IMG|INPUT|SELECT|TEXTAREA|svg)$/.test(rows.tag(node));
  }

  #node(page: Page, node: number, around: Surroundings): (Draft | string)[] {
    const { rows } = page;
    if (rows.isText(node))
      return this.#isSeen(page, node, around) ? [rows.text(node).replaceAll(/\s+/g, ' ')] : [];
    if (!rows.isElement(node)) return [];
    if ((rows.style(node, 'opacity') === '0' || isClippedWhole(rows, node)) && !this.#isDressed(rows, node))
      return [];
    const isInline = this.#isInline(page, node);
    const isSeen = this.#isSeen(page, node, around);
    if (rows.generated(node) !== undefined) return isSeen ? this.#generated(page, node, isInline) : [];
    const within = this.#within(page, node, around);
    if (!isSeen) return rows.tag(node) === 'SELECT' ? [] : this.#below(page, node, within);
    if (this.#isKept(page, node, around)) return [this.#keep(page, node, around, within)];
    const content = this.#childrenOf(page, node, within);
    const leaf = this.#leaf(page, node, around, content);
    const shown = leaf === undefined ? content : [leaf];
    if (!isInline) return [newLine, ...shown, newLine];
    // a label and its field are two things, even where nothing separates them
    return rows.tag(node) === 'LABEL' ? [' ', ...shown, ' '] : shown;
  }

  /** Checkboxes are often hidden and drawn by the label on which they are clicked. */
  #isDressed(rows: SnapshotDocument, node: number): boolean {
    const found = this.#accessibleOf(rows, node);
    return (
      rows.tag(node) === 'INPUT' &&
      ['checkbox', 'radio', 'switch'].includes(roleOf(found)) &&
      textOf(found?.name?.value) !== ''
    );
  }

  /** Texts of styles come before or after others of their line. Pictures in fonts have no text. */
  #generated({ rows }: Page, node: number, isInline: boolean): string[] {
    const part = rows.generated(node);
    const text =
      part === 'before' || part === 'after' ? rows.generatedText(node).replaceAll(/[\s\p{Co}]+/gu, ' ') : '';
    return isInline ? [text] : [newLine, text, newLine];
  }

  #within({ rows }: Page, node: number, around: Surroundings): Surroundings {
    const isEdited = around.isEdited || isEditor(rows, node);
    return {
      clips: clipsWithin(rows, node, around.clips),
      isHeard: around.isHeard || rows.isListening(node),
      isPointer: rows.style(node, 'cursor') === 'pointer',
      isClosed:
        around.isClosed ||
        isEdited ||
        rows.tag(node) === 'LABEL' ||
        closedRoles.has(roleOf(this.#accessibleOf(rows, node))),
      isEdited,
      depth: around.depth + 1,
      isAmidText: false,
    };
  }

  #childrenOf(page: Page, node: number, within: Surroundings): (Draft | string)[] {
    const { rows } = page;
    const inner = this.#raw.documents[rows.frame(node) ?? -1];
    if (inner !== undefined) {
      const [left, top] = this.#boxOf(page, node);
      return [...this.document(inner, { left, top }, within.depth)];
    }
    const tag = rows.tag(node);
    return tag === 'SELECT' || tag === 'TEXTAREA' || tag === 'INPUT' ? [] : this.#below(page, node, within);
  }

  #isSeen({ rows }: Page, node: number, { clips }: Surroundings): boolean {
    if (!rows.isDrawn(node)) return false;
    const visibility = rows.style(node, 'visibility');
    return (
      visibility !== 'hidden' &&
      visibility !== 'collapse' &&
      !isCutAway(rows, node, clips) &&
      !(rows.isText(node) && isWithoutExtent(rows, node))
    );
  }

  #isInline({ rows }: Page, node: number): boolean {
    const display = rows.style(node, 'display');
    return (
      rows.tag(node) !== 'BR' && (display === '' || display === 'contents' || display.startsWith('inline'))
    );
  }

  /** Whether it is visible as a box: filled or framed. */
  #isBox({ rows }: Page, node: number): boolean {
    const [, , width, height] = rows.bounds(node);
    return (
      width >= leastBox &&
      height >= leastBox &&
      (isColour(rows.style(node, 'background-color')) ||
        frameOf(rows, node) !== undefined ||
        rows.style(node, 'background-image') !== 'none')
    );
  }

  #isKept({ rows }: Page, node: number, around: Surroundings): boolean {
    const tag = rows.tag(node);
    if (isEditor(rows, node)) return true;
    const isClicked = rows.isListening(node) && !around.isEdited && !passedOnTags.has(tag);
    const found = this.#accessibleOf(rows, node);
    // a single shape stands for itself; several are placed individually
    if (tag === 'svg' && textOf(found?.name?.value) === '') return isClicked || shapesIn(rows, node) > 1;
    if (found?.ignored === false && !plainRoles.has(roleOf(found))) return true;
    if (!around.isEdited && !passedOnTags.has(tag) && (isFocusable(rows, node) || rows.isScrollable(node)))
      return true;
    return isClicked || picturedTags.has(tag) || rows.frame(node) !== undefined;
  }

  /**
   * A node without role and script that is still visible on its own: a text, or an empty box. It is kept
   * where something around it listens for clicks, or the cursor shows that it can be clicked.
   */
  #leaf(
    page: Page,
    node: number,
    around: Surroundings,
    content: readonly (Draft | string)[],
  ): Draft | undefined {
    const { rows } = page;
    const texts = joinTexts(content);
    if (
      around.isClosed ||
      passedOnTags.has(rows.tag(node)) ||
      isPassedThrough(rows, node) ||
      !texts.every((text) => typeof text === 'string')
    )
      return undefined;
    const isPointer = rows.style(node, 'cursor') === 'pointer';
    const isClickable = around.isHeard || isPointer;
    const isBox = this.#isBox(page, node);
    const isAlone =
      !this.#isInline(page, node) || !around.isAmidText || isBox || (isPointer && !around.isPointer);
    if (!isClickable || (texts.length === 0 ? !isBox : !isAlone)) return undefined;
    const colour = texts.length === 0 ? this.#colourOf(page, node) : undefined;
    const mark = texts.length === 0 && !isPatch(rows, node, colour) ? markOf(rows, node) : undefined;
    return {
      backend: rows.backend(node),
      role: 'generic',
      name: texts.join(' '),
      states: [],
      ...(colour === undefined ? {} : { colour }),
      ...(mark === undefined ? {} : { mark }),
      clickable: true,
      box: this.#boxOf(page, node),
      children: [],
      ...(texts.length === 0 ? {} : { isLeaf: true as const }),
    };
  }

  #keep(page: Page, node: number, around: Surroundings, within: Surroundings): Draft {
    const { rows } = page;
    const found = this.#accessibleOf(rows, node);
    const role = roleOf(found);
    const name = found?.ignored === false ? squeeze(textOf(found.name?.value)) : '';
    const content = joinTexts(this.#childrenOf(page, node, within));
    const isEdited = isEditor(rows, node);
    const children = isEdited ? [] : withoutLoneLeaf(content);
    // it shows its content and is not named by it
    const isMereRegion = rows.isScrollable(node) && plainRoles.has(role) && !rows.isListening(node);
    const own =
      !isMereRegion && children.every((child) => typeof child === 'string') ? children.join(' ') : undefined;
    const value = isEdited
      ? wordsOf(content).join('\n')
      : ticked.has(role)
        ? undefined
        : (rows.value(node) ?? standOf(rows, node, found));
    const options = optionsOf(rows, node);
    const isPlain = value === undefined && options === undefined;
    const shownName = name === '' && own !== undefined ? own : name;
    const colour =
      own === '' && isPlain && labelOf(rows, node, name) === '' ? this.#colourOf(page, node) : undefined;
    const isHeard =
      own !== undefined &&
      isPlain &&
      !around.isClosed &&
      !isPassedThrough(rows, node) &&
      // headings are seldom clicked on behalf of their surroundings
      (within.isPointer || (around.isHeard && role !== 'heading'));
    const isClickable = (rows.isListening(node) && !isEdited) || isHeard;
    const isBare = shownName === '' && wordsOf(content).every((text) => text === '');
    const isWidget = closedRoles.has(role) || options !== undefined || isEdited;
    const mark =
      isBare && (isWidget || (isClickable && !isPatch(rows, node, colour))) ? markOf(rows, node) : undefined;
    return {
      backend: rows.backend(node),
      role:
        plainRoles.has(role) || drawnRoles.has(role) ? plainRoleOf(rows, node) : (usualRoles[role] ?? role),
      name: shownName,
      ...(value === undefined ? {} : { value }),
      states: statesOf(rows, node, found),
      ...(options === undefined ? {} : { options }),
      ...(colour === undefined ? {} : { colour }),
      ...(mark === undefined ? {} : { mark }),
      ...(isClickable ? { clickable: true as const } : {}),
      ...(isFocusable(rows, node) ? { focusable: true as const } : {}),
      ...(rows.isScrollable(node) ? { scrollable: true as const } : {}),
      box: this.#boxOf(page, node),
      children: own === shownName ? [] : children,
    };
  }

  #colourOf({ rows }: Page, node: number): string | undefined {
    const colour = rows.style(node, shapeTags.has(rows.tag(node)) ? 'fill' : 'background-color');
    if (isColour(colour)) return colour;
    // cells and the like are not identified by their frames
    return plainRoles.has(roleOf(this.#accessibleOf(rows, node))) ? frameOf(rows, node) : undefined;
  }

  #boxOf({ rows, offset }: Page, node: number): PageNode['box'] {
    const [left, top, width, height] = rows.bounds(node);
    return [
      Math.round(left + offset.left),
      Math.round(top + offset.top),
      Math.round(width),
      Math.round(height),
    ];
  }

  #accessibleOf(rows: SnapshotDocument, node: number): AccessibilityNode | undefined {
    return this.#accessible.get(rows.backend(node));
  }
}
