import type { MalformedCode } from '../../envs/core/textual.ts';
import { isBlank } from './blank.ts';
import type { ReplyGrammar } from './prompt.ts';

/** The parsed text of a model. */
export type Spoken =
  | {
      readonly kind: 'command';
      readonly command: string;
      /** The text before the command. */
      readonly thought: string;
      /** The command with its code fence, for envs in which a fence has a meaning. */
      readonly fenced?: string;
    }
  | { readonly kind: 'malformed'; readonly why: string; readonly code: MalformedCode };

const malformed = (why: string, code: MalformedCode): Spoken => ({ kind: 'malformed', why, code });
const cutOff = (why: string): Spoken => malformed(why, 'cut-off');

/** How a reply is read. */
export interface Reading {
  readonly grammar: ReplyGrammar;
  /** True if the reply was cut off: then only commands that end before the cut count. */
  readonly cut: boolean;
  /** True if the env reads thoughts: a whole reply that is the command then keeps its thinking between tags. */
  readonly keepsThoughts?: boolean;
}

/**
 * Finds the one command in a reply. Thinking between tags is skipped first, even if only its end tag is
 * present. Of several commands the first counts: text after it answers observations that the model made up.
 */
export function readReply(text: string, { grammar, cut, keepsThoughts = false }: Reading): Spoken {
  const said = withoutThinking(text);
  if (said === undefined)
    return cut
      ? cutOff('it was cut off in its thinking.')
      : malformed('the thinking does not end.', 'thinking');
  if (keepsThoughts && grammar === 'command' && !cut && said !== text && !/\p{Surrogate}/u.test(text))
    return { kind: 'command', command: withStartTag(text).trim(), thought: '' };
  if (isBlank(said))
    return cut ? cutOff('it was cut off before it said anything.') : malformed('it is empty.', 'empty');
  if (/\p{Surrogate}/u.test(said))
    return malformed('it is no valid Unicode: half of a character is missing.', 'no-action');
  const found = readers[grammar](said, cut);
  if (found.kind === 'malformed') return found;
  return found.command === '' ? malformed('it names no action.', 'no-action') : found;
}

/** Some templates write the start tag of the thinking themselves. */
function withStartTag(text: string): string {
  const first = /<(\/?)(think(?:ing)?)>/i.exec(text);
  return first?.[1] === '/' ? `<${first[2] ?? ''}>${text}` : text;
}

/** Formats a command in the grammar, so that the model sees its own replies in one form. */
export function writeReply(
  { thought, command }: { readonly thought: string; readonly command: string },
  grammar: ReplyGrammar,
): string {
  switch (grammar) {
    case 'react':
      return thought === '' ? `Action: ${command}` : `${thought}\nAction: ${command}`;
    case 'tags':
      return `<action>${command}</action>`;
    case 'command':
      return command;
    case 'tools':
      return thought; // the call is sent beside it
    default:
      return grammar satisfies never;
  }
}

/**
 * The text without its thinking; undefined if the thinking has no end. Text before an end tag without a start
 * tag is thinking too, because some templates write the start tag themselves.
 */
export function withoutThinking(text: string): string | undefined {
  let [spoken, from, thinks] = ['', 0, false];
  for (const { 0: tag, index } of text.matchAll(/<\/?think(?:ing)?>/gi)) {
    const opens = tag[1] !== '/';
    if (opens && !thinks) spoken += text.slice(from, index);
    if (!opens && !thinks) spoken = '';
    thinks = opens;
    from = index + tag.length;
  }
  return thinks ? undefined : spoken + text.slice(from);
}

const readers: Readonly<Record<ReplyGrammar, (said: string, cut: boolean) => Spoken>> = {
  react: readAfterAction,
  tags: readBetweenTags,
  tools: (_said, cut) =>
    cut ? cutOff('it was cut off before it called a tool.') : malformed('no tool was called.', 'no-action'),
  command: (said, cut) =>
    cut
      ? cutOff('it was cut off.')
      : { kind: 'command', ...unfenced(said.replace(/^\s*>/, '')), thought: '' },
};

/** Allows emphasis and numbers: `**Action 3:** open the door`. */
const actionMark = /^[\s>*_#-]*action(?: \d+)?[\s*_]*:[*_]*/i;
const longestMark = 80; // the match is bounded, so that a line of a million blanks takes no time

const markOf = (line: string): string | undefined => actionMark.exec(line.slice(0, longestMark))?.[0];

function readAfterAction(said: string, cut: boolean): Spoken {
  const lines = said.split(/\r?\n/);
  const at = lines.findIndex((line) => markOf(line) !== undefined);
  if (at < 0)
    return cut
      ? cutOff('it was cut off before its action.')
      : malformed('it has no line that begins with "Action:".', 'no-action');
  const marked = lines[at] ?? '';
  const onLine = plain(marked.slice(markOf(marked)?.length ?? 0));
  const next = onLine === '' ? lines.findIndex((line, index) => index > at && line.trim() !== '') : at;
  if (next < 0)
    return cut
      ? cutOff('it was cut off before its action.')
      : malformed('nothing follows "Action:".', 'no-action');
  if (cut && next === lines.length - 1) return cutOff('its action was cut off.');
  return {
    kind: 'command',
    command: onLine === '' ? plain(lines[next] ?? '') : onLine,
    thought: lines.slice(0, at).join('\n').trim(),
  };
}

function readBetweenTags(said: string, cut: boolean): Spoken {
  const opening = /<action>/i.exec(said);
  if (opening === null)
    return cut
      ? cutOff('it was cut off before its action.')
      : malformed('nothing stands between <action> and </action>.', 'no-action');
  const rest = said.slice(opening.index + opening[0].length);
  const end = rest.search(/<\/action>/i);
  if (end < 0)
    return cut ? cutOff('its action was cut off.') : malformed('its <action> does not end.', 'no-action');
  return { kind: 'command', ...unfenced(rest.slice(0, end)), thought: said.slice(0, opening.index).trim() };
}

/** The text as {@link plain} returns it, and the original if that removed a fence. */
function unfenced(text: string): { readonly command: string; readonly fenced?: string } {
  const fenced = text.trim();
  const command = plain(text);
  return command !== fenced && /^```[^`\n]*\n/.test(fenced) ? { command, fenced } : { command };
}

/** Trims whitespace, and quotes or emphasis around the whole text. */
function plain(text: string): string {
  const trimmed = text.trim();
  const inner = /^(`{1,3}|"|'|\*{1,2})([\s\S]+)\1$/.exec(trimmed)?.[2];
  return inner === undefined || inner.includes(trimmed[0] ?? '') ? trimmed : inner.trim();
}
