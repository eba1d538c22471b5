import { z } from 'zod';
import type { Decision, TextDecision, TokenSpan } from '../../agents/core/agent.ts';
import type { Trajectory } from '../../agents/rollout/trajectory.ts';
import { grouped, plural } from './number-words.ts';

const count = z.int().min(0);

/**
 * Tokens that text agents used, as their servers counted them, or as counted here for our policies. Nothing
 * is estimated.
 */
export const tokenCountsSchema = z.strictObject({
  /** Received replies. */
  replies: count,
  /** Replies without a usable token count of the server. If there are any, the other counts are too low. */
  uncounted: count,
  prompt: count,
  completion: count,
  /** Prompt tokens taken from a cache; absent if no reply reported it. */
  cached: count.optional(),
  /** Completion tokens spent on reasoning; absent if no reply reported it. */
  reasoning: count.optional(),
  /** Characters of reasoning returned apart from the replies, which is not used. */
  reasoningCharacters: count,
  /**
   * Prompts with earlier steps left out. A server's model had refused a prompt of that length, or they
   * exceeded the context of a local model.
   */
  shortened: count,
  /**
   * Turns whose prompt showed only part of the observation, counted once for each turn; absent if there are
   * none.
   */
  cutObservations: count.optional(),
  /** Prompts that listed only part of the actions; absent if there are none. */
  cutLists: count.optional(),
});
export type TokenCounts = Readonly<z.output<typeof tokenCountsSchema>>;

/** Tokens of an episode; undefined if no text agent played it. */
export function tokensOf(trajectory: Trajectory): TokenCounts | undefined {
  let isCounted = false; // that on this turn something was cut
  return addTokens(
    trajectory.steps.map(({ decision }, index) => {
      if (trajectory.steps[index - 1]?.verdict !== 'malformed') isCounted = false; // else it is the same turn, asked again
      const spent = spentOn(decision);
      if (spent === undefined) return undefined;
      const { usage, reasoningCharacters, leftOut, charactersCut = 0, actionsLeftOut = 0 } = spent;
      const cut = charactersCut === 0 || isCounted ? {} : { cutObservations: 1 };
      isCounted ||= charactersCut > 0;
      return {
        replies: 1,
        uncounted: usage === undefined ? 1 : 0,
        prompt: 0,
        completion: 0,
        ...usage,
        reasoningCharacters,
        shortened: leftOut > 0 ? 1 : 0,
        ...cut,
        ...(actionsLeftOut === 0 ? {} : { cutLists: 1 }),
      };
    }),
  );
}

type Spent = Omit<TextDecision, 'kind' | 'text'>;

/** Tokens of a reply: as its server counted them, or as counted here for our policies. */
function spentOn(decision: Decision | undefined): Spent | undefined {
  if (decision?.kind === 'text') return decision;
  if (decision?.kind !== 'tokens') return undefined;
  const sum = (count: (span: TokenSpan) => number): number =>
    decision.spans.reduce((total, span) => total + count(span), 0);
  const usage = {
    prompt: sum(({ kept, appended }) => kept + appended.length),
    completion: sum(({ sampled }) => sampled.length),
  };
  return { ...decision, usage, reasoningCharacters: 0 };
}

/** The sum of the known counts; undefined if there are none. */
export function addTokens(all: readonly (TokenCounts | undefined)[]): TokenCounts | undefined {
  const known = all.filter((counts) => counts !== undefined);
  if (known.length === 0) return undefined;
  const sum = (name: keyof TokenCounts): number =>
    known.reduce((total, counts) => total + (counts[name] ?? 0), 0);
  const told = (name: 'cached' | 'reasoning' | 'cutObservations' | 'cutLists'): Partial<TokenCounts> =>
    known.some((counts) => counts[name] !== undefined) ? { [name]: sum(name) } : {};
  return {
    replies: sum('replies'),
    uncounted: sum('uncounted'),
    prompt: sum('prompt'),
    completion: sum('completion'),
    ...told('cached'),
    ...told('reasoning'),
    reasoningCharacters: sum('reasoningCharacters'),
    shortened: sum('shortened'),
    ...told('cutObservations'),
    ...told('cutLists'),
  };
}

/**
 * One sentence with the counts of an evaluation, without its full stop.
 * @param of.replaced those of tries that were played again, if there were any
 */
export function describeTokens(
  counts: TokenCounts | undefined,
  {
    replaced,
    countedBy,
  }: { readonly replaced?: TokenCounts | undefined; readonly countedBy: 'server' | 'us' },
): string {
  const again =
    replaced === undefined || replaced.replies === 0
      ? undefined
      : `${describeCounted(replaced)} in replaced attempts`;
  if (counts === undefined) return again ?? 'no reply came';
  return again === undefined
    ? describeOwn(counts, countedBy)
    : `${describeOwn(counts, countedBy)}; and ${again}`;
}

/** `9 prompt tokens and 8 completion tokens in 1 reply` */
function describeCounted({ replies, uncounted, prompt, completion }: TokenCounts): string {
  const words = `${grouped(replies)} ${plural(replies, 'reply', 'replies')}`;
  if (uncounted === replies) return `${words} without a usable count of tokens`;
  return `${uncounted > 0 ? 'over ' : ''}${grouped(prompt)} prompt tokens and ${grouped(completion)} completion tokens in ${words}`;
}

function describeOwn(counts: TokenCounts, countedBy: 'server' | 'us'): string {
  const {
    replies,
    uncounted,
    prompt,
    completion,
    cached,
    reasoning,
    reasoningCharacters,
    shortened,
    cutObservations = 0,
    cutLists = 0,
  } = counts;
  const inBrackets = (aside: string | undefined): string => (aside === undefined ? '' : ` (${aside})`);
  const counted =
    uncounted === replies
      ? `${countedBy === 'server' ? 'the server gives' : 'the agent gives'} no usable count of tokens for its ${grouped(replies)} ${plural(replies, 'reply', 'replies')}`
      : `${grouped(prompt)} prompt tokens${inBrackets(cached === undefined ? undefined : `${grouped(cached)} of them from a cache`)} and ` +
        `${grouped(completion)} completion tokens${inBrackets(reasoning === undefined ? undefined : `${grouped(reasoning)} of them reasoning`)} ` +
        `in ${grouped(replies)} ${plural(replies, 'reply', 'replies')}${countedBy === 'server' ? ', as the server counts' : ''}`;
  const asides = [
    ...(uncounted === 0 || uncounted === replies
      ? []
      : [
          `${grouped(uncounted)} ${plural(uncounted, 'reply', 'replies')} came without a usable count, so there were more`,
        ]),
    ...(reasoningCharacters === 0
      ? []
      : [
          `${grouped(reasoningCharacters)} ${plural(reasoningCharacters, 'character')} of reasoning ${plural(reasoningCharacters, 'was', 'were')} not read`,
        ]),
    ...(shortened === 0
      ? []
      : [
          `${grouped(shortened)} ${plural(shortened, 'prompt')} lacked earlier steps because ${countedBy === 'server' ? 'the model had refused one as long' : `${plural(shortened, 'it', 'they')} would not have fitted the context`}`,
        ]),
    ...(cutObservations === 0
      ? []
      : [
          `${grouped(cutObservations)} ${plural(cutObservations, 'observation was', 'observations were')} cut in the middle because ${plural(cutObservations, 'it is', 'they are')} longer than the prompt shows or the model takes`,
        ]),
    ...(cutLists === 0
      ? []
      : [
          `${grouped(cutLists)} ${plural(cutLists, 'prompt')} listed only a part of the actions because all are more than the prompt lists or the model takes`,
        ]),
  ];
  return [counted, ...asides].join('; ');
}
