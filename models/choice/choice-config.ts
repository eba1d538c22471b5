import { z } from 'zod';

/** The shape of a choice network. */
export const choiceConfigSchema = z.strictObject({
  buckets: z
    .number()
    .int()
    .min(1)
    .max(1 << 26)
    .default(16_384)
    .describe('rows of the table of embeddings; features are hashed into them'),
  width: z.number().int().min(1).max(8192).default(64).describe("length of a feature's embedding"),
  hidden: z.number().int().min(1).max(8192).default(64).describe('units of the hidden layer'),
  surroundings: z
    .boolean()
    .optional()
    .describe(
      'also reads what stands about the actions in the observation: for envs whose actions name things by signs, such as product numbers',
    ),
});
export type ChoiceConfig = z.output<typeof choiceConfigSchema>;
