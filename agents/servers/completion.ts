import { z } from 'zod';
import { describeIssues } from '../../envs/core/issues.ts';
import type { TokenUsage } from '../core/agent.ts';
import type { WrittenCall } from '../prompt/tool-calls.ts';
import type { OptionalField } from './client-options.ts';
import type { AnswerReader } from './judge.ts';
import { passing, type ServerProblem } from './problem.ts';

const textPartsSchema = z.array(z.object({ type: z.literal('text'), text: z.string() }));

/** Joins content that is a list of texts. Other content is unchanged. */
function joinTextParts(content: unknown): unknown {
  const parts = textPartsSchema.safeParse(content);
  return parts.success ? parts.data.map(({ text }) => text).join('') : content;
}

/** The parts of a chat completion that are read; servers add others. */
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
          tool_calls: z.array(z.unknown()).nullish().catch(undefined),
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

/** The kind of the first content part that is not text; undefined if there is none. */
function otherPartIn(body: unknown): string | undefined {
  const content = partsSchema.safeParse(body).data?.choices[0]?.message.content ?? [];
  return content.find(({ type }) => type !== 'text')?.type;
}

/** No prompt or reply has this many: a greater count is wrong. */
const mostTokens = 100_000_000;

const count = z.int().nonnegative().max(mostTokens);

const usageSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
  completion_tokens_details: z.object({ reasoning_tokens: count.nullish() }).nullish(),
});

const callSchema = z.object({
  function: z.object({
    name: z.string(),
    // some servers write JSON instead of a text, or leave out the arguments of a tool that takes none
    arguments: z
      .union([z.string(), z.json().transform((given) => JSON.stringify(given ?? {}))])
      .default('{}'),
  }),
});

/** The tool calls of a message that can be read, in order. */
export const readCalls = (calls: readonly unknown[] | null | undefined): readonly WrittenCall[] =>
  (calls ?? []).flatMap((call) => callSchema.safeParse(call).data?.function ?? []);

/** The server's token counts; undefined if it gave none, or impossible ones. */
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

/** How to read chat completions of at most `maxTokens` tokens. */
export const chatReading = (maxTokens: number, fields: readonly string[]): AnswerReader<Completion> => ({
  form: 'json',
  fix: (words) => fixOfField(words, fields) ?? fixOfOwnField(words),
  read: (body, quoted) => {
    const otherPart = otherPartIn(body);
    if (otherPart !== undefined) return notText(quoted(otherPart));
    const completion = completionSchema.safeParse(body);
    if (completion.success)
      return validateCompletion(completion.data, maxTokens) ?? { kind: 'usable', result: completion.data };
    return passing(`its answer is not a chat completion (${quoted(describeIssues(completion.error))})`);
  },
});

/** The fix if the server names a field that the user added. */
function fixOfField(words: string, fields: readonly string[]): string | undefined {
  const named = fields.find((field) => words.split(/[^\w.-]+/).includes(field));
  return named === undefined
    ? undefined
    : `Remove it, or give a value that the server accepts: --request-field ${named}.`;
}

/** Fields that are sent by themselves, and have no other flag. */
const sentAlways = ['seed', 'stream', 'max_tokens'] as const satisfies readonly OptionalField[];

/** Where the server does not know a field that is sent by itself, such as `seed` or `max_tokens`. */
function fixOfOwnField(words: string): string | undefined {
  const isUnknown =
    /unrecogni[sz]ed|unknown|unexpected|unsupported|not (?:permitted|supported|allowed)|extra|forbidden|additional propert/i.test(
      words,
    );
  const isKnown = !isUnknown || words.includes('max_completion_tokens'); // which has a flag of its own
  const named = isKnown ? undefined : sentAlways.find((field) => words.split(/[^\w-]+/).includes(field));
  return named === undefined ? undefined : `Leave it out with --omit-field ${named}.`;
}

/** The longest tokens are runs of blanks; no text has this many characters per token. */
const charactersPerToken = 64;

/** The error of a well-formed completion, if any. */
function validateCompletion({ choices: [choice] }: Completion, maxTokens: number): ServerProblem | undefined {
  const ending = choice?.finish_reason ?? '';
  if (ending === 'abort' || ending === 'error') return passing(`it ended its reply early (${ending})`);
  const length = choice?.message.content?.length ?? 0;
  return length > charactersPerToken * (maxTokens + 16)
    ? passing(`its reply of ${length} characters is longer than ${maxTokens} tokens can be`)
    : undefined;
}

/** A property of the server or its model, so a retry does not help. */
function notText(part: string): ServerProblem {
  const fix = 'Configure the server to answer with text only; reasoning belongs into reasoning_content.';
  return {
    kind: 'problem',
    why: `its reply has a part of kind "${part}", and only text is supported`,
    fix,
    first: 'usage',
    later: 'fault',
  };
}
