import { z } from 'zod';
import { loraConfigSchema } from '../../models/token/lora.ts';
import { projections } from '../../models/token/weight-layout.ts';
import { tokenLossSchema } from '../update/tokens/token-loss-config.ts';
import { samplerSchema } from './sampler-config.ts';

const count = z.int().min(1).max(1_000_000_000);

const adapterSchema = z.strictObject({
  rank: count.default(16).describe('of the factors: the more, the more it can learn'),
  alpha: z
    .number()
    .positive()
    .max(1_000_000)
    .default(32)
    .describe('what the adapter adds is multiplied by alpha / rank'),
  targets: loraConfigSchema.shape.targets
    .default([...projections])
    .describe('modules that are changed, in every layer'),
  from: z
    .string()
    .min(1)
    .optional()
    .describe(
      'folder of an adapter in the format of PEFT, or of a run that trained one, with whose factors it begins; left out: with factors that change nothing yet',
    ),
});

const resetSchema = z.strictObject({
  carriedTokens: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .describe('tokens of what was written that a new context begins with'),
  contexts: z.int().min(2).max(1_000_000).describe('contexts that a reply may have'),
});

/** The keys of a token policy, besides its kind. */
export const tokenPolicyShape = {
  model: z
    .string()
    .min(1)
    .describe(
      'folder of the checkpoint that it begins from, in the format of Hugging Face, or of a run that trained one; of an adapter: the model that it changes, with the adapter',
    ),
  prompt: z
    .string()
    .min(1)
    .optional()
    .describe(
      'how it is told of tasks: the name of a prompt, or a file; left out: that which the model was trained with here, else terse',
    ),
  history: z
    .union([z.literal('all'), z.int().min(0).max(1_000_000)])
    .optional()
    .describe(
      'earlier steps that it is shown: with all an episode is one row of training, else each step is one; left out: as the prompt says',
    ),
  maxTokens: count.default(64).describe('tokens of a reply at most'),
  contextLength: z
    .int()
    .min(2)
    .max(1_000_000_000)
    .optional()
    .describe(
      'tokens of what it is shown and a reply together; left out: those that the model was made for, 4096 at most',
    ),
  reset: resetSchema
    .optional()
    .describe(
      'whenever maxTokens are written, the reply goes on in a new context of the prompt and the last of it (Delethink); left out: it is cut off there',
    ),
  restricted: z.boolean().default(false).describe('whether only admissible actions can be written'),
  slots: count.default(32).describe('episodes for which tokens are written at once; it changes no result'),
  tokensAtOnce: count
    .default(8192)
    .describe('tokens of one pass in an update, as far as memory goes; it changes no result'),
  recompute: z
    .boolean()
    .default(false)
    .describe(
      'compute each layer again in the backward pass instead of keeping it: less memory, a third more work',
    ),
  workers: z
    .int()
    .min(0)
    .max(64)
    .optional()
    .describe(
      'threads that share the work, each with a copy of the weights, on backend wasm; any number from 1 gives the same results, and 0 those of this thread alone; left out: one a core, 8 at most, and on other backends 0',
    ),
  adapter: adapterSchema.optional().describe('trains a LoRA adapter in place of all weights'),
  sampler: samplerSchema
    .optional()
    .describe('a server that samples in rollouts, with the adapter of then; left out: they are sampled here'),
  loss: tokenLossSchema.prefault({}),
};
