// Facts about one element by itself: its purpose, whether it can be edited, its colour, mark, options and
// states.
import type { AccessibilityNode, SnapshotDocument } from './page-snapshot.ts';
import { squeeze } from './page-texts.ts';
import type { PageOption } from './page-tree.ts';

/** Roles that say nothing about the purpose of a node. */
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

/** The usual names of Chromium's own role names. */
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

/** Shapes of SVG that are filled. */
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

/** Elements that are visible without text. */
export const picturedTags: ReadonlySet<string> = new Set(['CANVAS', 'IMG', ...shapeTags]);

/** Chromium's roles of drawings with many parts. The tag name of the part is more informative. */
export const drawnRoles: ReadonlySet<string> = new Set([
  'graphics-symbol',
  'GraphicsSymbol',
  'graphics-object',
  'GraphicsObject',
]);

/** Widgets with a numeric value that their scripts keep. */
const numberedRoles: ReadonlySet<string> = new Set([
  'meter',
  'progressbar',
  'scrollbar',
  'slider',
  'spinbutton',
]);

/** Elements that pass clicks on to their content or to their field. */
export const passedOnTags: ReadonlySet<string> = new Set(['HTML', 'BODY', 'LABEL']);

/** Everything inside these is clicked with them. */
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

/** Properties of the accessibility tree that are states where they are true. */
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

/** Fields whose value is for forms. Their content is whether they are checked. */
export const ticked: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'menuitemcheckbox',
  'menuitemradio',
  'radio',
  'switch',
]);

/** The number of shapes of a drawing. */
export const shapesIn = (rows: SnapshotDocument, drawing: number): number =>
  [...rows.below(drawing, (node) => !shapeTags.has(rows.tag(node)))].filter((node) =>
    shapeTags.has(rows.tag(node)),
  ).length;

export const roleOf = (found: AccessibilityNode | undefined): string => textOf(found?.role?.value);

/** The text of a protocol value. Values may have any type; only texts are of use. */
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

/** Whether an editable region starts at a node. */
export function isEditor(rows: SnapshotDocument, node: number): boolean {
  const editable = rows.isListening(node) ? rows.attribute(node, 'contenteditable') : undefined;
  return editable !== undefined && editable !== 'false';
}

/** Whether people can focus it by the document itself. A `tabindex` below 0 is for scripts. */
export const isFocusable = (rows: SnapshotDocument, node: number): boolean =>
  /^\s*\+?\d/.test(rows.attribute(node, 'tabindex') ?? '');

/** Whether clicks go to what is under it. */
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

/** Whether an element is identified by its colour: it shows no picture, including pictures in fonts. */
export const isPatch = (rows: SnapshotDocument, node: number, colour: string | undefined): boolean =>
  colour !== undefined &&
  rows.style(node, 'background-image') === 'none' &&
  rows.children(node).every((child) => rows.generated(child) === undefined);

/** The id and class names of an element, which often describe its picture. */
export function markOf(rows: SnapshotDocument, node: number): string | undefined {
  const words = ['id', 'class'].flatMap((attribute) => {
    const given = squeeze(rows.attribute(node, attribute) ?? '');
    return given === '' ? [] : [`${attribute} ${JSON.stringify(given)}`];
  });
  return words.length === 0 ? undefined : words.join(' ');
}

/** The label of a form button, which is no text of the document: its value, or the browser's default. */
export function labelOf(rows: SnapshotDocument, node: number, name: string): string {
  if (rows.tag(node) !== 'INPUT') return '';
  const type = (rows.attribute(node, 'type') ?? '').toLowerCase();
  if (!['button', 'reset', 'submit'].includes(type)) return '';
  return rows.attribute(node, 'value') === undefined && type !== 'button' ? name : (rows.value(node) ?? '');
}

/** The value of a widget that scripts keep: its own text, else a number. */
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
    // together with everything inside it
    if (rows.attribute(node, 'disabled') !== undefined || disabled.has(rows.parent(node))) disabled.add(node);
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
