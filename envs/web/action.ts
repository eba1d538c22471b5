import { z } from 'zod';
import { canonicalJson } from '../core/json.ts';
import { readReply } from '../core/read-reply.ts';
import type { Reply } from '../core/textual.ts';
import { pageActionSchema, type PageAction } from '../engines/browser/actions/page-action.ts';

const longestAbout = 1000;

/** The description of the element, for readers. An action uses its id alone. */
const about = {
  about: z.string().max(longestAbout).optional().describe('what the element is, in words; for readers alone'),
};

const [click, type, clear, select, press, scroll, hover, drag, wait, goTo, back, tab, close] =
  pageActionSchema.options;

/** The actions of an agent on a page, as typed tool calls. */
export const webActionSchema = z.discriminatedUnion('kind', [
  click.extend(about),
  type.extend(about),
  clear.extend(about),
  select.extend(about),
  press,
  scroll.extend(about),
  hover.extend(about),
  drag.extend(about),
  wait,
  goTo,
  back,
  tab,
  close,
  z.strictObject({ kind: z.literal('stop') }).describe('gives up; the episode ends as the page has it'),
]);

export type WebAction = Readonly<z.output<typeof webActionSchema>>;

/** The action without the description of its element, for a browser. */
export function bareAction(action: Exclude<WebAction, { readonly kind: 'stop' }>): PageAction {
  if (!('about' in action)) return action;
  const { about: _words, ...bare } = action;
  return bare;
}

/** Whether two actions do the same. */
export function isSameAction(one: WebAction, other: WebAction): boolean {
  if (one.kind === 'stop' || other.kind === 'stop') return one.kind === other.kind;
  return canonicalJson(bareAction(one)) === canonicalJson(bareAction(other));
}

/** An action in words: what is done, to which element, with what, and then the description of the element. */
export function describeAction(action: WebAction): string {
  switch (action.kind) {
    case 'click':
      return words('click', `[${action.element}]`, placeOf(action.at), action.about);
    case 'clear':
    case 'hover':
      return words(action.kind, `[${action.element}]`, action.about);
    case 'type':
      return words('type', `[${action.element}]`, JSON.stringify(action.text), action.about);
    case 'select':
      return words('select', `[${action.element}]`, JSON.stringify(action.option), action.about);
    case 'drag':
      return words(
        'drag',
        `[${action.element}]`,
        placeOf(action.at),
        `[${action.to}]`,
        placeOf(action.toAt),
        action.about,
      );
    case 'scroll':
      return words(
        'scroll',
        action.direction,
        action.element === undefined ? undefined : `[${action.element}]`,
        action.about,
      );
    case 'press':
      return words('press', action.key);
    case 'goto':
      return words('goto', action.url);
    case 'tab':
      return words('tab', String(action.tab));
    case 'wait':
    case 'back':
    case 'close':
    case 'stop':
      return action.kind;
    default:
      return action satisfies never;
  }
}

const words = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' ');

const placeOf = (at: { readonly x: number; readonly y: number } | undefined): string | undefined =>
  at === undefined ? undefined : `at ${at.x} ${at.y}`;

const help =
  'Say one of: click [e3], click [e3] at 10 20, type [e3] "text", clear [e3], select [e3] "option", press Enter, scroll down, hover [e3], drag [e3] [e5], wait, goto /path, back, tab 2, close, stop; or the same as JSON, such as {"kind":"click","element":"e3"}.';

/** Parses words, or a tool call in JSON. A description of the element may follow. */
export const readAction = (text: string): Reply<WebAction> =>
  readReply(text, { schema: webActionSchema, fieldsOf, help });

const element = String.raw`\[?\s*(e\d+)\s*\]?`;
/**
 * Pixels from the left and from the top. Anything that is not a place on an element is refused and not taken
 * for a description.
 */
const place = String.raw`(?:\s*at\s*\(?\s*(-?\d+(?:\.\d+)?)\s*[ ,]\s*(-?\d+(?:\.\d+)?)\s*\)?)?`;
const forms = {
  onElement: new RegExp(`^(click|clear|hover)\\s*${element}${place}(.*)$`, 'is'),
  withText: new RegExp(`^(type|select)\\s*${element}\\s*(.*)$`, 'is'),
  drag: new RegExp(`^drag\\s*${element}${place}\\s*(?:to|onto|,)?\\s*${element}${place}(.*)$`, 'is'),
  scroll: new RegExp(`^scroll\\s*\\[?\\s*(up|down|left|right)\\s*\\]?\\s*(?:${element}(.*))?$`, 'is'),
  press: /^press\s*\[?\s*(\S+?)\s*\]?$/i,
  goto: /^goto\s*\[?\s*(\S+?)\s*\]?$/i,
  tab: /^tab\s*\[?\s*(\d{1,6})\s*\]?$/i,
  bare: /^(wait|back|close|stop)$/i,
} as const;

/** The fields of an action, from its words. */
function fieldsOf(said: string): unknown {
  const onElement = forms.onElement.exec(said);
  if (onElement !== null)
    return {
      kind: onElement[1]?.toLowerCase(),
      element: onElement[2],
      ...offset('at', onElement[3], onElement[4]),
      ...aboutOf(onElement[5]),
    };
  const withText = forms.withText.exec(said);
  if (withText !== null) {
    const { text, rest } = textOf(withText[3] ?? '');
    const kind = withText[1]?.toLowerCase();
    return {
      kind,
      element: withText[2],
      ...(kind === 'type' ? { text } : { option: text }),
      ...aboutOf(rest),
    };
  }
  const drag = forms.drag.exec(said);
  if (drag !== null)
    return {
      kind: 'drag',
      element: drag[1],
      ...offset('at', drag[2], drag[3]),
      to: drag[4],
      ...offset('toAt', drag[5], drag[6]),
      ...aboutOf(drag[7]),
    };
  const scroll = forms.scroll.exec(said);
  if (scroll !== null)
    return {
      kind: 'scroll',
      direction: scroll[1]?.toLowerCase(),
      ...(scroll[2] === undefined ? {} : { element: scroll[2], ...aboutOf(scroll[3]) }),
    };
  const press = forms.press.exec(said);
  if (press !== null) return { kind: 'press', key: press[1] };
  const goTo = forms.goto.exec(said);
  if (goTo !== null) return { kind: 'goto', url: goTo[1] };
  const tab = forms.tab.exec(said);
  if (tab !== null) return { kind: 'tab', tab: Number(tab[1]) };
  const bare = forms.bare.exec(said);
  return bare === null ? undefined : { kind: bare[1]?.toLowerCase() };
}

const offset = (field: 'at' | 'toAt', x: string | undefined, y: string | undefined): object =>
  x === undefined || y === undefined ? {} : { [field]: { x: Number(x), y: Number(y) } };

/** The description of the element after an action. A text that is too long is no description. */
function aboutOf(rest: string | undefined): { readonly about?: string } {
  const words = (rest ?? '').trim();
  return words === '' || words.length > longestAbout ? {} : { about: words };
}

/** A text in quotes, as in JSON, and what follows it; otherwise everything, or what is in brackets. */
function textOf(said: string): { readonly text: string; readonly rest?: string } {
  const quoted = /^"(?:[^"\\]|\\.)*"/s.exec(said)?.[0];
  if (quoted === undefined) return { text: /^\[(.*)\]$/s.exec(said)?.[1] ?? said };
  const rest = said.slice(quoted.length);
  try {
    return { text: z.string().parse(JSON.parse(quoted)), rest };
  } catch {
    return { text: quoted.slice(1, -1), rest }; // a backslash of the text itself
  }
}
