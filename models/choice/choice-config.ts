import { z } from 'zod';

/** The shape of a choice network. */
export const choiceConfigSchema = z.strictObject({
  buckets: z
    .number()
    .int()
    .min(1)
    .max(1 << 26)
    .default(16_384)
    .describe('rows of the embedding table, into which features are hashed'),
  width: z.number().int().min(1).max(8192).default(64).describe('length of an embedding'),
  hidden: z.number().int().min(1).max(8192).default(64).describe('units of the hidden layer'),
  surroundings: z
    .boolean()
    .optional()
    .describe(
      'also encode the text around the actions in the observation, for environments whose actions are codes such as product numbers',
    ),
  features: z
    .boolean()
    .optional()
    .describe(
      'false: encode words alone, also where the environment declares a grid or fields; default: encode what it declares',
    ),
});
export type ChoiceConfig = z.output<typeof choiceConfigSchema>;
