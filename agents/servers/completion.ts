import { z } from 'zod';
import { describeIssues } from '../../envs/core/issues.ts';
import type { TokenUsage } from '../core/agent.ts';
import type { OptionalField } from './client-options.ts';
import type { AnswerReader } from './judge.ts';
import { passing, type ServerProblem } from './problem.ts';

const textPartsSchema = z.array(z.object({ type: z.literal('text'), text: z.string() }));

/** Content that is a list of texts is one text, in their order; anything else is left as it is. */
function joinTextParts(content: unknown): unknown {
  const parts = textPartsSchema.safeParse(content);
  return parts.success ? parts.data.map(({ text }) => text).join('') : content;
}

/** As much of a chat completion as is read; servers add to it as they like. */
const completionSchema = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.preprocess(joinTextParts, z.string()).nullish(),
          refusal: z.string().nullish(),
          reasoning_content: z.string().nullish(), // SGLang, llama.cpp, earlier vLLM
          reasoning: z.string().nullish(), // later vLLM
          tool_calls: z.array(z.unknown()).nullish().catch(undefined), // counted, never read: no tools are offered
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.unknown().optional(),
});
export type Completion = z.output<typeof completionSchema>;

const partsSchema = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.array(z.object({ type: z.string() })) }) }))
    .min(1),
});

/** The first kind of part in the content of a body that was parsed that is no text; undefined where there is none. */
function otherPartIn(body: unknown): string | undefined {
  const content = partsSchema.safeParse(body).data?.choices[0]?.message.content ?? [];
  return content.find(({ type }) => type !== 'text')?.type;
}

/** No prompt and no reply has as many: who counts more counts something else. */
const mostTokens = 100_000_000;

const count = z.int().nonnegative().max(mostTokens);

const usageSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
  completion_tokens_details: z.object({ reasoning_tokens: count.nullish() }).nullish(),
});

/** The server's count of tokens; undefined where it gave none, or one that cannot be. */
export function readUsage(usage: unknown): TokenUsage | undefined {
  const parsed = usageSchema.safeParse(usage);
  if (!parsed.success) return undefined;
  const { prompt_tokens: prompt, completion_tokens: completion } = parsed.data;
  const cached = parsed.data.prompt_tokens_details?.cached_tokens ?? undefined;
  const reasoning = parsed.data.completion_tokens_details?.reasoning_tokens ?? undefined;
  if ((cached ?? 0) > prompt || (reasoning ?? 0) > completion) return undefined;
  return {
    prompt,
    completion,
    ...(cached === undefined ? {} : { cached }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

/** How chat completions are read that were to have `maxTokens` tokens at most. */
export const chatReading = (maxTokens: number, fields: readonly string[]): AnswerReader<Completion> => ({
  form: 'json',
  fix: (words) => fixOfField(words, fields) ?? fixOfOwnField(words),
  read: (body, quoted) => {
    const otherPart = otherPartIn(body);
    if (otherPart !== undefined) return notText(quoted(otherPart));
    const completion = completionSchema.safeParse(body);
    if (completion.success)
      return validateCompletion(completion.data, maxTokens) ?? { kind: 'usable', result: completion.data };
    return passing(`its answer is no chat completion (${quoted(describeIssues(completion.error))})`);
  },
});

/** Where the server names a field that the user added. */
function fixOfField(words: string, fields: readonly string[]): string | undefined {
  const named = fields.find((field) => words.split(/[^\w.-]+/).includes(field));
  return named === undefined
    ? undefined
    : `Leave it out, or give what the server takes: --request-field ${named}.`;
}

/** Fields that have no other flag. */
const sentAlways = ['seed', 'stream'] as const satisfies readonly OptionalField[];

/** Where the server refuses a field that is sent by itself, such as `seed`. */
function fixOfOwnField(words: string): string | undefined {
  const isUnknown =
    /unrecogni[sz]ed|unknown|unexpected|not (?:permitted|supported|allowed)|extra|invalid|forbidden/i.test(
      words,
    );
  const named = isUnknown ? sentAlways.find((field) => words.split(/[^\w-]+/).includes(field)) : undefined;
  return named === undefined ? undefined : `Leave it out with --omit-field ${named}.`;
}

/** The longest tokens are runs of blanks; no text has this many characters a token. */
const charactersPerToken = 64;

/** What is wrong with a completion that has the right form. */
function validateCompletion({ choices: [choice] }: Completion, maxTokens: number): ServerProblem | undefined {
  const ending = choice?.finish_reason ?? '';
  if (ending === 'abort' || ending === 'error') return passing(`it broke its reply off (${ending})`);
  const length = choice?.message.content?.length ?? 0;
  return length > charactersPerToken * (maxTokens + 16)
    ? passing(`its reply of ${length} characters is longer than ${maxTokens} tokens can be`)
    : undefined;
}

/** A way of the server or its model, which another try does not change. */
function notText(part: string): ServerProblem {
  const fix =
    'Have the server answer in text alone; reasoning, where there is any, belongs into reasoning_content.';
  return {
    kind: 'problem',
    why: `its reply has a part of the kind "${part}", and only text is read`,
    fix,
    first: 'usage',
    later: 'fault',
  };
}
