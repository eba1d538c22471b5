import { z } from 'zod';
import type { Trajectory } from '../../agents/rollout/trajectory.ts';
import { terminalLine } from '../../envs/core/terminal-text.ts';
import { grouped, percentOf, plural } from './number-words.ts';

const count = z.int().min(0);

const unreadableReplySchema = z.strictObject({
  why: z.string(),
  code: z.string().optional(),
  /** How it began, without control characters. */
  text: z.string(),
  /** Length of what was reasoned apart from it. */
  reasoningCharacters: count,
});
export type UnreadableReply = Readonly<z.output<typeof unreadableReplySchema>>;

/** Replies of an episode that could not be read as an action, and the first of them. */
export const unreadableSchema = z.strictObject({ replies: count.min(1), first: unreadableReplySchema });
export type Unreadable = Readonly<z.output<typeof unreadableSchema>>;

/** How many replies of a text agent could not be read as an action. */
export const readingSchema = z.strictObject({
  replies: count,
  unreadable: count,
  /** Episodes that ended because too many in a row could not be read. */
  episodesEnded: count,
  /** The first in the order of seeds and tasks; absent where all could be read. */
  first: unreadableReplySchema.optional(),
  /** Replies that called tools and said nothing, as far as the sessions counted them (one that was killed up to its last second); absent where there was none. */
  toolCallsOnly: count.optional(),
});
export type AgentReading = Readonly<z.output<typeof readingSchema>>;

/** Characters of a reply that are kept. */
const longestQuote = 160;

/** Undefined where all could be read, or no text agent played. */
export function unreadableOf({ steps }: Trajectory): Unreadable | undefined {
  const all = steps.flatMap(({ decision, reply, verdict }): readonly UnreadableReply[] => {
    if (verdict !== 'malformed' || decision === undefined || decision.kind === 'choice') return [];
    const whole = decision.kind === 'text' ? decision.text : reply.kind === 'malformed' ? reply.text : '';
    const text = terminalLine(whole).trim();
    const beginning =
      text.length > longestQuote ? text.slice(0, longestQuote).replace(/[\ud800-\udbff]$/, '') : text; // no character is cut in two
    return [
      {
        why: reply.kind === 'malformed' ? terminalLine(reply.why) : '',
        ...(reply.kind === 'malformed' && reply.code !== undefined ? { code: reply.code } : {}),
        text: beginning.length < text.length ? `${beginning}…` : text,
        reasoningCharacters: decision.kind === 'text' ? decision.reasoningCharacters : 0,
      },
    ];
  });
  const [first] = all;
  return first === undefined ? undefined : { replies: all.length, first };
}

interface ReadRow {
  readonly cause?: string | undefined;
  readonly tokens?: { readonly replies: number } | undefined;
  readonly unreadable?: Unreadable | undefined;
}

/** Over all episodes; undefined where no text agent played. */
export function readingOf(rows: readonly ReadRow[]): AgentReading | undefined {
  const written = rows.filter(({ tokens }) => tokens !== undefined);
  if (written.length === 0) return undefined;
  const first = written.find(({ unreadable }) => unreadable !== undefined)?.unreadable?.first;
  return {
    replies: written.reduce((sum, { tokens }) => sum + (tokens?.replies ?? 0), 0),
    unreadable: written.reduce((sum, { unreadable }) => sum + (unreadable?.replies ?? 0), 0),
    episodesEnded: written.filter(({ cause }) => cause === 'malformed-cap').length,
    ...(first === undefined ? {} : { first }),
  };
}

/** True if no reply could be parsed: nothing was measured. */
export const nothingRead = (reading: AgentReading | undefined): boolean =>
  reading !== undefined && reading.replies > 0 && reading.unreadable === reading.replies;

/** `12 of 12 replies (100.0 %) could not be read; 4 of 4 episodes ended by it`. */
export function describeReading(
  { replies, unreadable, episodesEnded }: AgentReading,
  episodes: number,
): string {
  if (unreadable === 0)
    return `${replies === 1 ? 'the one reply' : `all ${grouped(replies)} replies`} could be read`;
  return `${grouped(unreadable)} of ${grouped(replies)} ${plural(replies, 'reply', 'replies')} (${percentOf(unreadable / replies)}) could not be read; ${grouped(episodesEnded)} of ${grouped(episodes)} ${plural(episodes, 'episode')} ended by it`;
}

/** What the first unreadable reply was like, with the reply as its subject. */
export function describeUnreadable(
  { why, text, reasoningCharacters }: UnreadableReply,
  toolCallsOnly = 0,
): string {
  if (text !== '') return `the first began ${JSON.stringify(text)}: ${why.replace(/\.$/, '')}`;
  if (toolCallsOnly > 0)
    return `${grouped(toolCallsOnly)} ${plural(toolCallsOnly, 'reply', 'replies')} called tools and said nothing`;
  if (reasoningCharacters > 0)
    return `the first had no content, only ${grouped(reasoningCharacters)} characters of reasoning apart from it`;
  return `the first had no content (${why.replace(/\.$/, '')})`;
}
