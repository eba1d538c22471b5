// What is true of one element, of itself: what it is for, whether it can be written in, what colour, mark, options and states it has.
import type { AccessibilityNode, SnapshotDocument } from './page-snapshot.ts';
import { squeeze } from './page-texts.ts';
import type { PageOption } from './page-tree.ts';

/** Roles that say nothing of what a node is for. */
export const plainRoles: ReadonlySet<string> = new Set([
  '',
  'generic',
  'none',
  'InlineTextBox',
  'StaticText',
  'LineBreak',
  'RootWebArea',
  'LabelText',
  'ListMarker',
  'paragraph',
  'LayoutTable',
  'LayoutTableRow',
  'LayoutTableCell',
  'Section',
  'Abbr',
  'strong',
  'emphasis',
  'mark',
]);

/** Chromium's names of roles that have a usual one. */
export const usualRoles: Readonly<Record<string, string>> = {
  image: 'img',
  Iframe: 'frame',
  IframePresentational: 'frame',
  SvgRoot: 'img',
  Canvas: 'canvas',
  ComboBoxSelect: 'combobox',
  DisclosureTriangle: 'button',
  graphics: 'img',
  Date: 'date',
  InputTime: 'time',
  ColorWell: 'colour',
  DescriptionList: 'list',
};

/** Shapes of SVG, which are filled. */
export const shapeTags: ReadonlySet<string> = new Set([
  'circle',
  'ellipse',
  'line',
  'path',
  'polygon',
  'polyline',
  'rect',
  'text',
]);

/** Elements that are seen without having any text. */
export const picturedTags: ReadonlySet<string> = new Set(['CANVAS', 'IMG', ...shapeTags]);

/** Chromium's roles of what is drawn as a picture of many parts; the name of the part's element says more. */
export const drawnRoles: ReadonlySet<string> = new Set([
  'graphics-symbol',
  'GraphicsSymbol',
  'graphics-object',
  'GraphicsObject',
]);

/** Widgets that stand at a number, which scripts of their own keep. */
const numberedRoles: ReadonlySet<string> = new Set([
  'meter',
  'progressbar',
  'scrollbar',
  'slider',
  'spinbutton',
]);

/** Elements that pass clicks on to what they hold or stand for. */
export const passedOnTags: ReadonlySet<string> = new Set(['HTML', 'BODY', 'LABEL']);

/** What is in these is clicked with them. */
export const closedRoles: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
]);

/** Properties of the accessibility tree that are states, where they are true. */
const trueStates: ReadonlySet<string> = new Set([
  'disabled',
  'expanded',
  'focused',
  'modal',
  'multiline',
  'multiselectable',
  'readonly',
  'required',
  'selected',
  'checked',
  'pressed',
]);

/** Their values are for forms; what they hold is whether they are checked. */
export const ticked: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'menuitemcheckbox',
  'menuitemradio',
  'radio',
  'switch',
]);

/** Shapes of a drawing. */
export const shapesIn = (rows: SnapshotDocument, drawing: number): number =>
  [...rows.below(drawing, (node) => !shapeTags.has(rows.tag(node)))].filter((node) =>
    shapeTags.has(rows.tag(node)),
  ).length;

export const roleOf = (found: AccessibilityNode | undefined): string => textOf(found?.role?.value);

/** Values of the protocol are of any type; texts alone are of use. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function plainRoleOf(rows: SnapshotDocument, node: number): string {
  const tag = rows.tag(node);
  if (isEditor(rows, node)) return 'textbox';
  return tag === 'svg'
    ? 'img'
    : /^[a-z]/.test(tag)
      ? tag
      : tag === 'CANVAS'
        ? 'canvas'
        : tag === 'IMG'
          ? 'img'
          : tag === 'IFRAME'
            ? 'frame'
            : 'generic';
}

/** Whether a node is where something that is written in begins. */
export function isEditor(rows: SnapshotDocument, node: number): boolean {
  const editable = rows.isListening(node) ? rows.attribute(node, 'contenteditable') : undefined;
  return editable !== undefined && editable !== 'false';
}

/** Whether the document itself lets people give it the focus; below 0 a `tabindex` is for scripts. */
export const isFocusable = (rows: SnapshotDocument, node: number): boolean =>
  /^\s*\+?\d/.test(rows.attribute(node, 'tabindex') ?? '');

/** Whether clicks go to what lies under it. */
export const isPassedThrough = (rows: SnapshotDocument, node: number): boolean =>
  rows.style(node, 'pointer-events') === 'none';

export const isWithoutExtent = (rows: SnapshotDocument, node: number): boolean => {
  const [, , width, height] = rows.bounds(node);
  return (width === 0 || height === 0) && rows.text(node).trim() !== '';
};

export const isColour = (style: string): boolean =>
  style !== '' && style !== 'none' && !/^rgba\(.*, 0\)$/.test(style);

/** The colour of the frame around an element. */
export function frameOf(rows: SnapshotDocument, node: number): string | undefined {
  const colour = rows.style(node, 'border-top-color');
  return Number.parseFloat(rows.style(node, 'border-top-width')) > 0 && isColour(colour) ? colour : undefined;
}

/** Whether an element is known by its colour: it shows no picture, be it one in a font. */
export const isPatch = (rows: SnapshotDocument, node: number, colour: string | undefined): boolean =>
  colour !== undefined &&
  rows.style(node, 'background-image') === 'none' &&
  rows.children(node).every((child) => rows.generated(child) === undefined);

/** What the document calls an element, which is often what its picture shows. */
export function markOf(rows: SnapshotDocument, node: number): string | undefined {
  const words = ['id', 'class'].flatMap((attribute) => {
    const given = squeeze(rows.attribute(node, attribute) ?? '');
    return given === '' ? [] : [`${attribute} ${JSON.stringify(given)}`];
  });
  return words.length === 0 ? undefined : words.join(' ');
}

/** What buttons of forms say, which is no text of the document: their value, else what the browser says for it. */
export function labelOf(rows: SnapshotDocument, node: number, name: string): string {
  if (rows.tag(node) !== 'INPUT') return '';
  const type = (rows.attribute(node, 'type') ?? '').toLowerCase();
  if (!['button', 'reset', 'submit'].includes(type)) return '';
  return rows.attribute(node, 'value') === undefined && type !== 'button' ? name : (rows.value(node) ?? '');
}

/** Where a widget that scripts keep stands: in its own words, else as a number. */
export function standOf(
  rows: SnapshotDocument,
  node: number,
  found: AccessibilityNode | undefined,
): string | undefined {
  if (!numberedRoles.has(roleOf(found))) return undefined;
  const number: unknown = found?.value?.value;
  return rows.attribute(node, 'aria-valuetext') ?? (typeof number === 'number' ? String(number) : undefined);
}

export function optionsOf(rows: SnapshotDocument, list: number): readonly PageOption[] | undefined {
  if (rows.tag(list) !== 'SELECT') return undefined;
  const isOption = (node: number): boolean => rows.tag(node) === 'OPTION';
  const labelOfOption = (option: number): string =>
    squeeze([...rows.below(option)].map((node) => (rows.isText(node) ? rows.text(node) : '')).join(''));
  const disabled = new Set<number>();
  return [...rows.below(list, (node) => !isOption(node))].flatMap((node) => {
    if (rows.attribute(node, 'disabled') !== undefined || disabled.has(rows.parent(node))) disabled.add(node); // with all that is in it
    if (!isOption(node)) return [];
    return [
      {
        label: labelOfOption(node),
        selected: rows.isChosen(node),
        ...(disabled.has(node) ? { disabled: true as const } : {}),
      },
    ];
  });
}

export function statesOf(
  rows: SnapshotDocument,
  node: number,
  found: AccessibilityNode | undefined,
): readonly string[] {
  const states = new Set<string>();
  for (const { name, value } of found?.properties ?? []) {
    if (trueStates.has(name) && (value.value === true || value.value === 'true')) states.add(name);
    if (name === 'invalid' && value.value === 'true') states.add(name);
  }
  if (rows.isChecked(node)) states.add('checked');
  return [...states].toSorted();
}
