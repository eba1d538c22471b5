import { createHash } from 'node:crypto';
import { z } from 'zod';
import { describeConfigKeys } from '../../envs/core/config-keys.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { canonicalJson } from '../../envs/core/json.ts';
import { checkTemplate } from './template.ts';

/** Text, or its lines. */
const lines = z.union([z.string(), z.array(z.string()).transform((parts) => parts.join('\n'))]);
const template = (required: readonly string[], optional: readonly string[] = []) =>
  lines.superRefine((text, context) => {
    const flaw = checkTemplate(text, required, optional);
    if (flaw !== undefined) context.addIssue({ code: 'custom', message: flaw });
  });

/** A prompt that shows less of what is seen shows nothing. */
export const fewestObservationCharacters = 100;

/** How a prompt file looks: how a language model is told of a task and its turns, and how its replies are read. */
const promptSchema = z.strictObject({
  format: z.literal(1).describe('of this file'),
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, 'lower-case letters, digits and hyphens are wanted')
    .describe('what tables call it'),
  summary: z.string().default('').describe('one line for people'),
  grammar: z
    .enum(['react', 'tags', 'command'])
    .describe(
      'how replies are read: lines of Thought and Action, tags of think and action, or the bare action',
    ),
  for: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      'ids of the environments that it is for, such as shop-v1; in others it is refused. Left out where it goes with any',
    ),
  requires: z
    .record(z.string().min(1), z.array(z.union([z.string(), z.number(), z.boolean()])).min(1))
    .default({})
    .describe(
      'values that it goes with, by keys of what the environment says of itself, such as dialect or observationMode; where that is another it is refused',
    ),
  system: lines.default('').describe('said first, as the system; left out where it is empty'),
  examples: z
    .array(
      z.strictObject({
        source: z.string().optional().describe('where it was recorded'),
        instruction: z.string().describe('the task in words'),
        turns: z
          .array(
            z.strictObject({
              observation: lines.describe('what was seen'),
              reply: lines.describe('what was answered'),
            }),
          )
          .min(1),
      }),
    )
    .default([])
    .describe('tasks that were solved, shown as a conversation before the task itself'),
  opening: template(['instruction', 'observation']).describe('the first message of the task'),
  turn: template(['observation'], ['instruction']).describe('every later one, which may say the task again'),
  actions: z
    .strictObject({
      shown: z
        .union([z.boolean(), z.literal('always')])
        .describe(
          'whether the admissible actions are listed where the environment gives them; always: without them a model would be blind, and nobody may hide them',
        ),
      text: template(['actions']).describe('the list, which only the newest message holds'),
      item: template(['action']).default('- {action}').describe('an entry of it'),
      most: z
        .int()
        .positive()
        .default(200)
        .describe('entries listed at most; the list says how many more there are'),
    })
    .describe('how the admissible actions are shown'),
  retry: template(['why']).describe('said behind the turn when the reply could not be read'),
  leftOut: template(['count']).describe('said in place of earlier steps that are not shown'),
  observationCharacters: z
    .int()
    .min(fewestObservationCharacters)
    .default(8000)
    .describe('what is longer is cut in the middle, and says so; the task itself never is'),
  history: z
    .union([z.literal('all'), z.int().nonnegative()])
    .default('all')
    .describe('earlier steps that are shown'),
  remember: z
    .enum(['reply', 'action'])
    .default('reply')
    .describe('what of its own replies the model sees again'),
  stop: z.array(z.string().min(1)).max(4).default([]).describe('texts before which the server ends a reply'),
});

/** A prompt that was checked. */
export type Prompt = Readonly<z.output<typeof promptSchema>> & {
  /** `sha256:` and 64 hexadecimal digits over all of the above that a model sees or that decides how it is asked. */
  readonly fingerprint: string;
};

export type ReplyGrammar = Prompt['grammar'];
export type History = Prompt['history'];

/** A prompt from outside; `where` names it in errors. */
export function parsePrompt(value: unknown, where: string): Prompt {
  const parsed = promptSchema.safeParse(value);
  if (parsed.success) return { ...parsed.data, fingerprint: fingerprintOf(parsed.data) };
  throw new UsageError({
    where,
    what: `it is no prompt: ${describeIssues(parsed.error, { value, keys: describeConfigKeys(promptSchema) })}.`,
    fix: 'Fix the keys named; the prompts that come with the package are examples.',
  });
}

function fingerprintOf(prompt: z.output<typeof promptSchema>): string {
  const { summary: _forPeople, for: _whichEnvs, requires: _ofWhichKind, ...rest } = prompt;
  const plain: unknown = JSON.parse(JSON.stringify(rest)); // a key that is absent and one that is undefined are the same
  return `sha256:${createHash('sha256').update(canonicalJson(plain)).digest('hex')}`;
}

/** `all steps`, `last 3 steps`, `none`: as tables say it. */
export function describeHistory(history: History): string {
  if (history === 'all') return 'all steps';
  return history === 0 ? 'none' : `last ${history} ${history === 1 ? 'step' : 'steps'}`;
}
