import { z } from 'zod';
import { readHistory } from '../../agents/prompt/history.ts';
import { fewestObservationCharacters } from '../../agents/prompt/prompt.ts';
import { optionalFields } from '../../agents/servers/client-options.ts';
import { assertFields } from '../../agents/servers/request.ts';
import type { Flag } from '../command.ts';
import { readAssignments } from '../options/assignments.ts';
import { flagOf, numberBetween, wholeNumber } from '../options/option-values.ts';

const historyForms =
  'must be "all", an integer, or chunks such as "12:3" or "context:3", which carry fewer steps than they have';

/** The flags that go only with language models. */
export const textFlags: readonly Flag[] = [
  {
    flags: '--prompt <name>',
    says: 'for a language model: a prompt by name, or a file of your own (default: behind a server the one for the environment, its dialect and its observations; in a folder the one of its training here, else terse)',
  },
  {
    flags: '--history <steps>',
    says: 'language model: earlier steps that it sees: a number, "all", or "12:3" for chunks of 12 steps with 3 carried over (default: as the prompt says)',
  },
  {
    flags: '--observation-characters <number>',
    says: 'language model behind a server: longer observations are cut in the middle (default: as the prompt says)',
  },
  {
    flags: '--hide-admissible',
    says: 'language model behind a server: do not list the admissible actions (default: as the prompt says)',
  },
  {
    flags: '--restricted',
    says: 'for a language model in a folder: it can write only admissible actions (default: anything; the policy of a run writes as it was trained)',
  },
  {
    flags: '--slots <number>',
    says: 'for a language model in a folder: episodes for which tokens are generated at once; does not affect results (default: --concurrency, at most 32, or fewer where memory is short)',
  },
  {
    flags: '--context-length <tokens>',
    says: "for a language model in a folder: maximum tokens of prompt and reply together (default: the model's, at most 4096)",
  },
  {
    flags: '--max-tokens <number>',
    says: 'language model: maximum tokens of a reply, reasoning included (default: 1024 behind a server, 64 in a folder)',
  },
  {
    flags: '--max-tokens-field <name>',
    says: "the server's name of that field: max_tokens or max_completion_tokens (default: max_tokens)",
  },
  {
    flags: '--request-field <path=value>',
    says: 'for a language model behind a server: a further request field, its value as JSON or else as text, such as reasoning_effort=low (repeatable)',
    repeatable: true,
  },
  {
    flags: '--omit-field <name>',
    says: 'language model behind a server: leaves a field out of each request, such as seed, for servers that refuse it (repeatable)',
    repeatable: true,
  },
  {
    flags: '--request-timeout <seconds>',
    says: 'for a language model behind a server: timeout of one attempt; all attempts and waits together may take five times as long (default: 120)',
  },
  {
    flags: '--key-env <name>',
    says: 'the environment variable with the key of the server (default: OPENAI_API_KEY, if set)',
  },
];

/** The options that go with {@link textFlags}. */
export const textOptions = {
  prompt: z.string().optional(),
  history: z
    .string()
    .transform((text, context) => {
      const history = readHistory(text);
      if (history !== undefined) return history;
      context.addIssue({ code: 'custom', message: historyForms });
      return z.NEVER;
    })
    .optional(),
  observationCharacters: wholeNumber(fewestObservationCharacters).optional(),
  hideAdmissible: z.boolean().optional(),
  restricted: z.boolean().optional(),
  slots: wholeNumber(1).optional(),
  contextLength: wholeNumber(2).optional(),
  maxTokens: wholeNumber(1).optional(),
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  requestField: z
    .union(
      [z.array(z.string()), z.record(z.string(), z.json())],
      'must be an object of fields, or a list of texts such as "reasoning_effort=low"',
    )
    .optional(),
  omitField: z.array(z.enum(optionalFields)).optional(),
  requestTimeout: numberBetween(0.001, 400_000).optional(),
  keyEnv: z.string().optional(),
};

const schema = z.object(textOptions);
export type TextOptions = z.output<typeof schema>;

/** A value of an assignment is JSON or text. */
const fieldsSchema = z.record(z.string(), z.json());

/** The further request fields; undefined for none. */
export function readFields({ requestField }: TextOptions): z.output<typeof fieldsSchema> | undefined {
  if (requestField === undefined) return undefined;
  const fields = fieldsSchema.parse(readAssignments('--request-field', requestField));
  assertFields(fields, flagOf('requestField'));
  return Object.keys(fields).length === 0 ? undefined : fields;
}
