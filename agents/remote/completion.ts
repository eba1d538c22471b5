import { z } from 'zod';
import type { TokenUsage } from '../policy/agent.ts';

const textPartsSchema = z.array(z.object({ type: z.literal('text'), text: z.string() }));

/** Content that is a list of texts is one text, in their order; anything else is left as it is. */
function joinTextParts(content: unknown): unknown {
  const parts = textPartsSchema.safeParse(content);
  return parts.success ? parts.data.map(({ text }) => text).join('') : content;
}

/** As much of a chat completion as is read; servers add to it as they like. */
export const completionSchema = z.object({
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

const partsSchema = z.object({ choices: z.array(z.object({ message: z.object({ content: z.array(z.object({ type: z.string() })) }) })).min(1) });

/** The first kind of part in the content of a body that was parsed that is no text; undefined where there is none. */
export function otherPartIn(body: unknown): string | undefined {
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
  return { prompt, completion, ...(cached === undefined ? {} : { cached }), ...(reasoning === undefined ? {} : { reasoning }) };
}

const errorSchema = z.object({
  message: z.string().catch(''),
  type: z.string().catch(''),
  code: z.union([z.string(), z.number()]).transform(String).catch(''),
});

/** What a server says is wrong, in the shapes that servers use. */
export type ServerError = z.output<typeof errorSchema>;

const errorBodySchema = z.union([
  z.object({ error: errorSchema }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error, type: '', code: '' })),
  z.object({ detail: z.union([z.string(), z.array(z.unknown()).transform((issues) => JSON.stringify(issues))]) }).transform(({ detail }) => ({ message: detail, type: '', code: '' })),
  z.object({ object: z.literal('error'), ...errorSchema.shape }).transform(({ object: _mark, ...error }) => error),
]);

/** The error in a body that was parsed, or the first of a list of them; undefined where there is none. A field for errors that says nothing, as some servers always send it, is none. */
export function readServerError(body: unknown): ServerError | undefined {
  const error = errorBodySchema.safeParse(Array.isArray(body) ? body[0] : body).data;
  return error === undefined || `${error.message}${error.type}${error.code}`.trim() === '' ? undefined : error;
}
