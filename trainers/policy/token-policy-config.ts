import { z } from 'zod';
import { historySchema } from '../../agents/prompt/history.ts';
import { loraConfigSchema } from '../../models/token/lora.ts';
import { projections } from '../../models/token/weight-layout.ts';
import { tokenLossSchema } from '../update/tokens/token-loss-config.ts';
import { samplerSchema } from './sampler-config.ts';

const count = z.int().min(1).max(1_000_000_000);

const adapterSchema = z.strictObject({
  rank: count.default(16).describe('rank of the factors: a higher one can learn more'),
  alpha: z
    .number()
    .positive()
    .max(1_000_000)
    .default(32)
    .describe("the adapter's output is multiplied by alpha / rank"),
  targets: loraConfigSchema.shape.targets
    .default([...projections])
    .describe('modules that the adapter changes, in every layer'),
  from: z
    .string()
    .min(1)
    .optional()
    .describe(
      'folder of an initial adapter in PEFT format, or of a run that trained one; default: factors that change nothing yet',
    ),
});

const resetSchema = z.strictObject({
  carriedTokens: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .describe('number of written tokens with which a new context starts'),
  contexts: z.int().min(2).max(1_000_000).describe('maximum contexts of a reply'),
});

/** The keys of a token policy, besides its kind. */
export const tokenPolicyShape = {
  model: z
    .string()
    .min(1)
    .describe(
      'folder of the initial checkpoint in Hugging Face format, or of a run that trained one; for an adapter: its base model with the adapter',
    ),
  prompt: z
    .string()
    .min(1)
    .optional()
    .describe(
      'name or file of the prompt; default: the one that the model was trained with here, else terse',
    ),
  history: historySchema
    .optional()
    .describe(
      'earlier steps that are shown: with all, an episode is one training row; with a number, each step is one; with {"chunk": 12, "carried": 3}, the context begins again with the last 3 when it has 12, and each chunk is one; default: as the prompt says',
    ),
  maxTokens: count.default(64).describe('maximum tokens of a reply'),
  contextLength: z
    .int()
    .min(2)
    .max(1_000_000_000)
    .optional()
    .describe(
      "maximum tokens of prompt and reply together; default: the model's context length, at most 4096",
    ),
  reset: resetSchema
    .optional()
    .describe(
      'when maxTokens are written, the reply continues in a new context of the prompt and its last tokens (Delethink); default: it is cut off',
    ),
  restricted: z.boolean().default(false).describe('write only admissible actions'),
  slots: count
    .optional()
    .describe(
      'episodes for which tokens are generated at once; default: 32, or as many as fit into memory; does not affect results',
    ),
  tokensAtOnce: count
    .default(8192)
    .describe('tokens of one pass in an update, as memory allows; does not affect results'),
  recompute: z
    .boolean()
    .default(false)
    .describe('recompute each layer in the backward pass: less memory, a third more work'),
  workers: z
    .int()
    .min(0)
    .max(64)
    .optional()
    .describe(
      'threads that share the work on backend wasm, each with a copy of the weights; all numbers from 1 give equal results, 0 those of this thread alone; default: one a core, at most 8, and 0 on other backends',
    ),
  adapter: adapterSchema.optional().describe('train a LoRA adapter instead of all weights'),
  sampler: samplerSchema
    .optional()
    .describe('server that samples in rollouts with the current adapter; default: sampled locally'),
  loss: tokenLossSchema.prefault({}),
};
