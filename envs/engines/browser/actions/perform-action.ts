import type { CDPSession } from 'playwright-core';
import { z } from 'zod';
import { dragMouse, type Dragged } from './drag-mouse.ts';
import type { ElementIds } from '../view/element-ids.ts';
import { isCovered } from './covered-node.ts';
import { keysOf, pressKeys } from './key-press.ts';
import { clickMouse, type Point } from './mouse.ts';
import { inOwnWorld } from '../page/own-world.ts';
import { longestText, type PageAction } from './page-action.ts';
import { isNodeGone } from '../page/page-faults.ts';
import { cut, mostQuoted } from '../view/page-texts.ts';
import { typeText } from './type-text.ts';

/** A page with everything that actions need. */
export interface ActingPage extends Dragged {
  readonly ids: ElementIds;
  readonly viewport: { readonly width: number; readonly height: number };
  /** Whether texts of any length are entered at once. */
  readonly pastes: boolean;
}

/** Why an action could not be done, in words for the agent; undefined when it was done. */
export type Refusal = string | undefined;

type ElementAction = Extract<
  PageAction,
  { readonly kind: 'click' | 'type' | 'clear' | 'select' | 'press' | 'scroll' | 'hover' | 'drag' }
>;

/**
 * Performs an action on the page that is shown, with mouse and keyboard as a person would. Errors of the
 * browser are thrown.
 */
export async function performAction(on: ActingPage, action: ElementAction): Promise<Refusal> {
  switch (action.kind) {
    case 'click':
      return click(on, action);
    case 'hover':
      return onElement(on, action, async ({ x, y }) => on.page.mouse.move(x, y));
    case 'type':
      return onField(on, action.element, {
        act: async () => typeText(on, action.text),
        set: action.text,
        adds: action.text.length,
      });
    case 'clear':
      return onField(on, action.element, { act: async () => emptyField(on), set: '' });
    case 'select':
      return select(on, action.element, action.option);
    case 'press':
      await pressKeys(on, keysOf(action.key));
      return undefined;
    case 'scroll':
      return scroll(on, action);
    case 'drag':
      return drag(on, action);
    default:
      return action satisfies never;
  }
}

const gone = (id: string): string => `there is no element ${id} on this page`;
const unseen = (id: string): string => `${id} is not to be seen on this page now`;

/** An element, and an optional place on it. The default is its middle. */
interface Place {
  readonly element: string;
  readonly at?: Point | undefined;
}

async function onElement(on: ActingPage, place: Place, act: (at: Point) => Promise<void>): Promise<Refusal> {
  const { element } = place;
  const node = on.ids.find(element);
  if (node === undefined) return gone(element);
  const at = await pointOf(on, node, place);
  if (typeof at === 'string') return at;
  if (await isCovered(on.session, node, at)) return `${element} lies under something else`;
  await act(at);
  return undefined;
}

async function click(on: ActingPage, place: Place): Promise<Refusal> {
  const node = on.ids.find(place.element);
  const dead = node === undefined ? undefined : await deadnessOf(on, node);
  return dead === undefined
    ? onElement(on, place, async (at) => clickMouse(on, at))
    : `${place.element} ${dead}`;
}

/**
 * Why neither mouse nor keyboard can affect an element, in words that follow its name. Undefined where they
 * can, or where the element is gone.
 */
async function deadnessOf(on: ActingPage, node: number): Promise<string | undefined> {
  try {
    const answer = await callOn(on, node, deadness);
    return typeof answer === 'string' ? answer : undefined;
  } catch (thrown) {
    if (isNodeGone(thrown)) return undefined;
    throw thrown;
  }
}

/**
 * Fields and buttons are disabled by themselves or by an ancestor. Everything inside a disabled one is
 * disabled too.
 */
const deadness = `function () {
  const element = this instanceof Element ? this : this.parentElement;
  if (element?.closest('button:disabled, input:disabled, select:disabled, textarea:disabled, option:disabled') !== null) return 'is disabled';
  if (element.closest('[inert]') !== null) return 'is out of use: what it stands in is inert';
}`;

/**
 * The place on an element, which is scrolled into view. A reason where the element is gone, has no extent, or
 * is smaller than the offset.
 */
async function pointOf(
  { session }: ActingPage,
  node: number,
  { element, at }: Place,
): Promise<Point | string> {
  try {
    await session.send('DOM.scrollIntoViewIfNeeded', {
      backendNodeId: node,
      ...(at === undefined ? {} : { rect: { ...at, width: 1, height: 1 } }),
    });
    const { quads } = await session.send('DOM.getContentQuads', { backendNodeId: node });
    const [x1 = 0, y1 = 0, , , x2 = 0, y2 = 0] = quads[0] ?? [];
    if (x1 === x2 && y1 === y2) return unseen(element);
    if (at === undefined) return { x: (x1 + x2) / 2, y: (y1 + y2) / 2 };
    const [left, top, right, bottom] = edgesOf(quads);
    if (at.x > right - left || at.y > bottom - top)
      return `${element} is ${Math.round(right - left)}x${Math.round(bottom - top)}, and ${at.x} ${at.y} lies outside`;
    return { x: left + at.x, y: top + at.y };
  } catch (thrown) {
    if (isNodeGone(thrown)) return unseen(element);
    throw thrown;
  }
}

/** The bounding edges of all boxes of an element; texts have one box per line. */
function edgesOf(
  quads: readonly (readonly number[])[],
): readonly [left: number, top: number, right: number, bottom: number] {
  const across = quads.flatMap((quad) => quad.filter((_, place) => place % 2 === 0));
  const down = quads.flatMap((quad) => quad.filter((_, place) => place % 2 === 1));
  return [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
}

/**
 * Whether the protocol reports that a node cannot have the focus, for example because it is not a field or is
 * behind a dialog.
 */
const isUnfocusable = (thrown: unknown): boolean =>
  thrown instanceof Error && /not focusable/i.test(thrown.message);

async function emptyField(on: ActingPage): Promise<void> {
  await pressKeys(on, ['Control', 'a']);
  await pressKeys(on, ['Delete']);
}

/** `set` is the final value of a field that has no text for a keyboard, such as a date. */
async function onField(
  on: ActingPage,
  id: string,
  { act, set, adds = 0 }: { readonly act: () => Promise<void>; readonly set: string; readonly adds?: number },
): Promise<Refusal> {
  const node = on.ids.find(id);
  if (node === undefined) return gone(id);
  try {
    await on.session.send('DOM.scrollIntoViewIfNeeded', { backendNodeId: node });
    await on.session.send('DOM.focus', { backendNodeId: node });
  } catch (thrown) {
    if (isNodeGone(thrown)) return unseen(id);
    if (isUnfocusable(thrown)) return `${id} ${(await deadnessOf(on, node)) ?? 'is no field'}`;
    throw thrown;
  }
  await on.rest('come');
  const { refusal, type, holds } = cursorSchema.parse(await callOn(on, node, toEnd));
  if (refusal !== undefined) return `${id} ${refusal}`;
  if (holds !== undefined && adds > 0 && holds + adds > longestText)
    return `${id} holds ${holds} characters, and with these it would be more than ${longestText}`;
  if (type === undefined) await act();
  else if ((await callOn(on, node, setValue, asFieldHas(type, set))) !== true)
    return `${id} ${set === '' ? 'cannot be emptied' : `does not take ${JSON.stringify(cut(set, mostQuoted))}`}: ${formOf[type] ?? 'it makes something else of it'}`;
  return undefined;
}

/** The format of each field type's value. */
const formOf: Readonly<Record<string, string>> = {
  date: 'a date is given as 2024-01-31 or 01/31/2024',
  time: 'a time is given as 20:35 or 8:35 PM',
  month: 'a month is given as 2024-01',
  week: 'a week is given as 2024-W05',
  'datetime-local': 'date and time are given as 2024-01-31T20:35',
  range: 'it takes numbers within its bounds, on its steps',
  color: 'a colour is given as #1f77b4',
};

/**
 * Converts dates and times from the form that the field shows to people into the form of its value. Other
 * texts stay as they are.
 */
function asFieldHas(type: string, text: string): string {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  if (type === 'date' && month !== undefined && day !== undefined)
    return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  // a time on a twelve-hour clock
  const [, hour, minute, half] = /^(0?[1-9]|1[0-2]):(\d{2}) ?([AP])M$/i.exec(text) ?? [];
  if (type === 'time' && hour !== undefined)
    return `${String((Number(hour) % 12) + (half?.toUpperCase() === 'P' ? 12 : 0)).padStart(2, '0')}:${minute}`;
  return text;
}

/** Fields with a picker of the browser in place of a cursor. */
const pickerTypes = "['date', 'time', 'month', 'week', 'datetime-local', 'range', 'color']";

/** Returns false and does nothing where the field would change the value. */
const setValue = `function (value) {
  const like = this.cloneNode(); // in no document: nobody hears of it
  like.value = value;
  if (like.value !== value) return false;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(this, value);
  this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  this.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}`;

/**
 * Prepares a field for typing. The result is the reason why nothing can be typed into it, or its type where
 * it is set as a whole. Otherwise the cursor is at the end of its content. For fields that lay characters out
 * in lines, the result then has their number: a browser needs a minute for a million characters in lines, and
 * no time for one line.
 */
const cursorSchema = z.object({
  refusal: z.string().optional(),
  type: z.string().optional(),
  holds: z.number().optional(),
});
const toEnd = `function () {
  if (this.matches(':disabled')) return { refusal: 'is disabled' };
  if (this.readOnly) return { refusal: 'can only be read' };
  if (${pickerTypes}.includes(this.type)) return { type: this.type };
  if (this.isContentEditable) { getSelection().selectAllChildren(this); getSelection().collapseToEnd(); return { holds: this.textContent.length }; }
  if (!('value' in this) || this.tagName === 'SELECT' || ['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'image'].includes(this.type)) return { refusal: 'takes no text' };
  try { this.setSelectionRange(this.value.length, this.value.length); } catch { this.select(); getSelection().collapseToEnd?.(); }
  return this.tagName === 'TEXTAREA' ? { holds: this.value.length } : {};
}`;

async function callOn(
  { session }: ActingPage,
  node: number,
  functionDeclaration: string,
  ...values: readonly unknown[]
): Promise<unknown> {
  const { object } = await session.send('DOM.resolveNode', { backendNodeId: node });
  const { result } = await session.send('Runtime.callFunctionOn', {
    ...(object.objectId === undefined ? {} : { objectId: object.objectId }),
    functionDeclaration,
    arguments: values.map((value) => ({ value })),
    returnByValue: true,
    userGesture: true,
  });
  return result.value as unknown;
}

/** The value of a list's option with a label, where it may be chosen; else the reason. */
const optionOf = `
  const squeeze = (text) => text.replace(/\\s+/g, ' ').trim();
  const optionOf = (list, label) => {
    const quoted = JSON.stringify(label.length > ${mostQuoted} ? label.slice(0, ${mostQuoted}) + '…' : label);
    if (list.tagName !== 'SELECT') return 'is no list to choose from';
    if (list.matches(':disabled')) return 'is disabled';
    const option = [...list.options].find((each) => squeeze(each.textContent) === label || each.label === label);
    if (option === undefined) return 'has no option ' + quoted;
    return option.matches(':disabled') ? 'does not let ' + quoted + ' be chosen' : option;
  };`;

const refuseOption = `function (label) {
  ${optionOf}
  const found = optionOf(this, label);
  return typeof found === 'string' ? found : true;
}`;

/**
 * Chooses an option as the browser's own menu does, which is not part of the page: sets the value and
 * dispatches the events.
 */
const choose = `function (label) {
  ${optionOf}
  const option = optionOf(this, label);
  if (typeof option === 'string') return option;
  if (this.multiple) option.selected = !option.selected;
  else if (option.selected) return true;
  else option.selected = true;
  this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  this.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}`;

async function select(on: ActingPage, id: string, option: string): Promise<Refusal> {
  const node = on.ids.find(id);
  if (node === undefined) return gone(id);
  try {
    const refusal = await callOn(on, node, refuseOption, option);
    if (typeof refusal === 'string') return `${id} ${refusal}`;
    await on.session.send('DOM.scrollIntoViewIfNeeded', { backendNodeId: node });
    await on.session.send('DOM.focus', { backendNodeId: node });
    await on.rest('come');
    const answer = await callOn(on, node, choose, option); // the focus may have changed the list
    return typeof answer === 'string' ? `${id} ${answer}` : undefined;
  } catch (thrown) {
    if (isNodeGone(thrown)) return unseen(id);
    if (isUnfocusable(thrown)) return `${id} ${(await deadnessOf(on, node)) ?? 'cannot be reached now'}`;
    throw thrown;
  }
}

async function scroll(
  on: ActingPage,
  { direction, element }: Extract<PageAction, { readonly kind: 'scroll' }>,
): Promise<Refusal> {
  const { width, height } = on.viewport;
  const wheel = async ({ x, y }: Point): Promise<void> => {
    await on.page.mouse.move(x, y);
    await on.rest('shown');
    const [dx, dy] = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }[direction] as [
      number,
      number,
    ];
    await on.page.mouse.wheel(dx * Math.round(width * 0.8), dy * Math.round(height * 0.8));
    await drawn(on.session);
  };
  if (element !== undefined) return onElement(on, { element }, wheel);
  await wheel({ x: width / 2, y: height / 2 });
  return undefined;
}

/**
 * Waits until the page has been drawn again. A wheel scrolls with the next frame, and pages receive the event
 * with the frame after that.
 */
async function drawn(session: CDPSession): Promise<void> {
  await inOwnWorld(
    session,
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))',
  );
}

async function drag(
  on: ActingPage,
  { element, at, to, toAt }: Extract<PageAction, { readonly kind: 'drag' }>,
): Promise<Refusal> {
  const target = on.ids.find(to);
  if (target === undefined) return gone(to);
  // an unreachable target is found before anything is pressed
  const reach = await pointOf(on, target, { element: to, at: toAt });
  if (typeof reach === 'string') return reach;
  let lost: Refusal;
  const refusal = await onElement(on, { element, at }, async (from) => {
    await dragMouse(on, from, async () => {
      const end = await pointOf(on, target, { element: to, at: toAt });
      if (typeof end !== 'string') return end;
      lost = end;
      return undefined;
    });
  });
  return refusal ?? lost;
}
