import { z } from 'zod';
import type { Decision, TextDecision, TokenSpan } from '../../agents/core/agent.ts';
import type { Trajectory } from '../../agents/rollout/trajectory.ts';
import { grouped, plural } from './number-words.ts';

const count = z.int().min(0);

/** What text agents used, as their servers counted it, or, of policies of ours, as it was: nothing is estimated. */
export const tokenCountsSchema = z.strictObject({
  /** Replies that came. */
  replies: count,
  /** Replies of which the server did not say how many tokens they took, or said what cannot be: where there are any, the other counts are too low. */
  uncounted: count,
  prompt: count,
  completion: count,
  /** Of the prompts, taken from a cache; absent where no reply said so. */
  cached: count.optional(),
  /** Of the completions, spent on reasoning; absent where no reply said so. */
  reasoning: count.optional(),
  /** Length of what was reasoned apart from the replies, which nobody read. */
  reasoningCharacters: count,
  /** Prompts from which earlier steps were left out because a server's model refused a prompt as long, on that turn or an earlier one, or they did not fit the context of a model here. */
  shortened: count,
  /** Turns on which the prompt showed only a part of what was seen, however often they were asked again; absent where it showed all of it. */
  cutObservations: count.optional(),
  /** Prompts that listed only a part of the actions; absent where all listed all. */
  cutLists: count.optional(),
});
export type TokenCounts = Readonly<z.output<typeof tokenCountsSchema>>;

/** What an episode used; undefined where no text agent played it. */
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

/** What a reply took: as its server counted, or, of a policy of ours, as it was. */
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

/** The sum of what is known; undefined where nothing is. */
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
      : `${describeCounted(replaced)} in tries that were played again`;
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
      ? `the server gives no usable count of tokens for its ${grouped(replies)} ${plural(replies, 'reply', 'replies')}`
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
