import { z } from 'zod';
import type { Json } from '../../core/json.ts';
import type { ToolCall } from '../../core/textual.ts';

export type { ToolCall };

const jsonSchema: z.ZodType<Json> = z.json();

/** A call of a tool. Whether there is such a tool, and whether its arguments are right, is found out by doing it. */
export const toolCallSchema = z.strictObject({
  name: z.string().min(1).max(200),
  arguments: z.record(z.string(), jsonSchema),
});

/** Calls of one turn. */
export const mostCalls = 32;
/** Characters of a message to the user. */
export const longestMessage = 20_000;

/** An action: calls, which are done in order; a message to the user; or an end of the request. */
export const toolActionSchema: z.ZodType<ToolAction> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('calls'), calls: z.array(toolCallSchema).min(1).max(mostCalls) }),
  z.strictObject({ kind: z.literal('say'), text: z.string().regex(/\S/, 'is empty').max(longestMessage) }),
  z.strictObject({ kind: z.literal('done') }),
  z.strictObject({ kind: z.literal('refuse'), rule: z.string().min(1).max(200) }),
  z.strictObject({ kind: z.literal('transfer') }),
]);

export type ToolAction =
  | { readonly kind: 'calls'; readonly calls: readonly ToolCall[] }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'refuse'; readonly rule: string }
  | { readonly kind: 'transfer' };

/** Ends of a request: done; refused by a rule of the policy; or given to a person, because a tool is missing. */
export const ends = ['done', 'refuse', 'transfer'] as const;
export type End = (typeof ends)[number];

/** An action of one call. */
export const callAction = (name: string, given: ToolCall['arguments'] = {}): ToolAction => ({
  kind: 'calls',
  calls: [{ name, arguments: given }],
});
