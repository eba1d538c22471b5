import { z } from 'zod';
import { loraConfigSchema } from '../../models/token/lora.ts';
import { projections } from '../../models/token/weight-layout.ts';
import { tokenLossSchema } from '../update/tokens/token-loss-config.ts';
import { samplerSchema } from './sampler-config.ts';

const count = z.int().min(1).max(1_000_000_000);

const adapterSchema = z.strictObject({
  rank: count.default(16).describe('rank of the factors: a higher rank can learn more'),
  alpha: z
    .number()
    .positive()
    .max(1_000_000)
    .default(32)
    .describe("the adapter's change is multiplied by alpha / rank"),
  targets: loraConfigSchema.shape.targets
    .default([...projections])
    .describe('modules to change, in every layer'),
  from: z
    .string()
    .min(1)
    .optional()
    .describe(
      'initial adapter: a folder in PEFT format, or a run that trained one; default: factors that change nothing',
    ),
});

const resetSchema = z.strictObject({
  carriedTokens: z.int().min(0).max(1_000_000_000).describe('written tokens that a new context begins with'),
  contexts: z.int().min(2).max(1_000_000).describe('most contexts of a reply'),
});

/** The keys of a token policy, besides its kind. */
export const tokenPolicyShape = {
  model: z
    .string()
    .min(1)
    .describe(
      'folder of the initial checkpoint in Hugging Face format, or of a run that trained one; with an adapter: its base model',
    ),
  prompt: z
    .string()
    .min(1)
    .optional()
    .describe(
      'the prompt: a name or a file; default: the one that the model was trained with here, else terse',
    ),
  history: z
    .union([z.literal('all'), z.int().min(0).max(1_000_000)])
    .optional()
    .describe(
      'earlier steps to show: with all an episode is one training row, otherwise each step is one; default: as the prompt says',
    ),
  maxTokens: count.default(64).describe('most tokens of a reply'),
  contextLength: z
    .int()
    .min(2)
    .max(1_000_000_000)
    .optional()
    .describe("most tokens of prompt and reply together; default: the model's context, at most 4096"),
  reset: resetSchema
    .optional()
    .describe(
      'when maxTokens are written, the reply continues in a new context of the prompt and its last tokens (Delethink); default: it is cut off',
    ),
  restricted: z.boolean().default(false).describe('whether only admissible actions can be written'),
  slots: count.default(32).describe('episodes that sample tokens concurrently; it does not change results'),
  tokensAtOnce: count
    .default(8192)
    .describe('tokens in one pass of an update, as memory allows; it does not change results'),
  recompute: z
    .boolean()
    .default(false)
    .describe(
      'recompute each layer in the backward pass instead of storing it: less memory, a third more work',
    ),
  workers: z
    .int()
    .min(0)
    .max(64)
    .optional()
    .describe(
      'threads that share the work, each with a copy of the weights, on backend wasm; any number from 1 gives the same results, and 0 uses only the main thread; default: one per core, at most 8, and 0 on other backends',
    ),
  adapter: adapterSchema.optional().describe('train a LoRA adapter instead of all weights'),
  sampler: samplerSchema
    .optional()
    .describe(
      'a server that samples in rollouts with the current adapter; default: sampling in this process',
    ),
  loss: tokenLossSchema.prefault({}),
};
