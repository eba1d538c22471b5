import { z } from 'zod';
import { fewestObservationCharacters } from '../../agents/prompt/prompt.ts';
import { assertFields } from '../../agents/servers/request.ts';
import type { Flag } from '../command.ts';
import { readAssignments } from '../options/assignments.ts';
import { flagOf, numberBetween, wholeNumber } from '../options/option-values.ts';

/** The flags that go only with language models. */
export const textFlags: readonly Flag[] = [
  {
    flags: '--prompt <name>',
    says: 'of a language model: a prompt by its name or a file of your own (default: behind a server that of the environment, its dialect and what is seen of it; in a folder that which it was trained with here, else terse)',
  },
  {
    flags: '--history <steps>',
    says: 'language model: number of earlier steps that it sees, or "all" (default: as the prompt says)',
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
    says: 'of a language model in a folder: it can write admissible actions only (default: anything; the policy of a run writes as it was trained)',
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
    says: 'of a language model behind a server: one more field of what it is asked, its value as JSON or else as text, such as reasoning_effort=low (repeatable)',
    repeatable: true,
  },
  {
    flags: '--request-timeout <seconds>',
    says: 'of a language model behind a server: for one try of a request; tries and waits together take at most five times as long (default: 120)',
  },
  {
    flags: '--key-env <name>',
    says: 'the environment variable that holds the key of the server (default: OPENAI_API_KEY, where it is set)',
  },
];

/** The options that go with {@link textFlags}. */
export const textOptions = {
  prompt: z.string().optional(),
  history: z.union([z.literal('all'), wholeNumber(0)], 'a whole number is wanted, or all').optional(),
  observationCharacters: wholeNumber(fewestObservationCharacters).optional(),
  hideAdmissible: z.boolean().optional(),
  restricted: z.boolean().optional(),
  maxTokens: wholeNumber(1).optional(),
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  requestField: z
    .union(
      [z.array(z.string()), z.record(z.string(), z.json())],
      'an object of fields is wanted, or a list of texts such as "reasoning_effort=low"',
    )
    .optional(),
  requestTimeout: numberBetween(0.001, 400_000).optional(),
  keyEnv: z.string().optional(),
};

const schema = z.object(textOptions);
export type TextOptions = z.output<typeof schema>;

/** A value of an assignment is JSON or text. */
const fieldsSchema = z.record(z.string(), z.json());

/** The fields that servers are asked with beside the usual ones; undefined for none. */
export function readFields({ requestField }: TextOptions): z.output<typeof fieldsSchema> | undefined {
  if (requestField === undefined) return undefined;
  const fields = fieldsSchema.parse(readAssignments('--request-field', requestField));
  assertFields(fields, flagOf('requestField'));
  return Object.keys(fields).length === 0 ? undefined : fields;
}
