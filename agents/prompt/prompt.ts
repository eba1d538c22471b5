import { createHash } from 'node:crypto';
import { z } from 'zod';
import { describeConfigKeys } from '../../envs/core/config-keys.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { canonicalJson } from '../../envs/core/json.ts';
import { historySchema } from './history.ts';
import { checkTemplate } from './template.ts';

/** A text or its lines. */
const lines = z.union([z.string(), z.array(z.string()).transform((parts) => parts.join('\n'))]);
const template = (required: readonly string[], optional: readonly string[] = []) =>
  lines.superRefine((text, context) => {
    const flaw = checkTemplate(text, required, optional);
    if (flaw !== undefined) context.addIssue({ code: 'custom', message: flaw });
  });

/** A prompt must show at least this many characters of an observation to be useful. */
export const fewestObservationCharacters = 100;

/**
 * Schema of a prompt file: how tasks and turns are presented to a language model, and how its replies are
 * parsed.
 */
const promptSchema = z.strictObject({
  format: z.literal(1).describe('version of the file format'),
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, 'it must be lower-case letters, digits and hyphens')
    .describe('name in tables'),
  summary: z.string().default('').describe('one-line description for people'),
  grammar: z
    .enum(['react', 'tags', 'command', 'tools'])
    .describe(
      'how replies are parsed: lines of Thought and Action, tags of think and action, the bare action, or native tool calls, which only models behind a server make',
    ),
  for: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      'ids of the environments that it is for, such as shop-v1; others are refused. Omit it for any environment',
    ),
  requires: z
    .record(z.string().min(1), z.array(z.union([z.string(), z.number(), z.boolean()])).min(1))
    .default({})
    .describe(
      'values that it requires of what the environment reports about itself, by key, such as dialect or observationMode; other values are refused',
    ),
  system: lines.default('').describe('system message; omitted if it is empty'),
  examples: z
    .array(
      z.strictObject({
        source: z.string().optional().describe('source of the recording'),
        instruction: z.string().describe('the task as text'),
        turns: z
          .array(
            z.strictObject({
              observation: lines.describe('the observation'),
              reply: lines.describe('the reply'),
            }),
          )
          .min(1),
      }),
    )
    .default([])
    .describe('solved tasks, shown as a conversation before the task'),
  opening: template(['instruction', 'observation']).describe('the first message of the task'),
  turn: template(['observation'], ['instruction']).describe('every later message; it may repeat the task'),
  actions: z
    .strictObject({
      shown: z
        .union([z.boolean(), z.literal('always')])
        .describe(
          'whether to list the admissible actions if the environment gives them; always: the list is required and cannot be hidden',
        ),
      text: template(['actions']).describe('the list, which only the newest message contains'),
      item: template(['action']).default('- {action}').describe('one entry of the list'),
      most: z
        .int()
        .positive()
        .default(200)
        .describe('most entries to list; the list says how many more there are'),
    })
    .describe('how the admissible actions are listed'),
  retry: template(['why']).describe('added after the turn if the reply could not be parsed'),
  leftOut: template(['count']).describe('replaces earlier steps that are not shown'),
  observationCharacters: z
    .int()
    .min(fewestObservationCharacters)
    .default(8000)
    .describe('longer observations are cut in the middle, with a note; the task is never cut'),
  history: historySchema
    .default('all')
    .describe(
      'earlier steps that are shown: all, a number, or {"chunk": 12, "carried": 3} for a context that begins again with the last 3 when it has 12',
    ),
  remember: z
    .enum(['reply', 'action'])
    .default('reply')
    .describe('what the model sees of its own earlier replies'),
  stop: z.array(z.string().min(1)).max(4).default([]).describe('texts before which the server ends a reply'),
});

/** A validated prompt. */
export type Prompt = Readonly<z.output<typeof promptSchema>> & {
  /**
   * `sha256:` and 64 hexadecimal digits over everything above that changes what a model sees or how it is
   * asked.
   */
  readonly fingerprint: string;
};

export type ReplyGrammar = Prompt['grammar'];

/** Validates a prompt from outside; `where` names it in errors. @throws UsageError */
export function parsePrompt(value: unknown, where: string): Prompt {
  const parsed = promptSchema.safeParse(value);
  if (parsed.success) return { ...parsed.data, fingerprint: fingerprintOf(parsed.data) };
  throw new UsageError({
    where,
    what: `it is not a valid prompt: ${describeIssues(parsed.error, { value, keys: describeConfigKeys(promptSchema) })}.`,
    fix: 'Fix the keys named. The built-in prompts are examples.',
  });
}

function fingerprintOf(prompt: z.output<typeof promptSchema>): string {
  const { summary: _forPeople, for: _whichEnvs, requires: _ofWhichKind, ...rest } = prompt;
  const plain: unknown = JSON.parse(JSON.stringify(rest)); // an absent key and an undefined key are the same
  return `sha256:${createHash('sha256').update(canonicalJson(plain)).digest('hex')}`;
}
