import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { historySchema } from '../../../agents/prompt/history.ts';
import { playerDecodingSchema, resolveDecoding } from '../decoding.ts';
import { folderIn, isModelFolder } from '../named-folder.ts';
import { definePlayerKind } from '../player-kind.ts';

const schema = z.strictObject({
  kind: z.literal('model'),
  folder: z.string().min(1).describe('the folder of a checkpoint in the format of Hugging Face'),
  prompt: z
    .string()
    .optional()
    .describe(
      'name or file of a prompt; default: the prompt that the model was trained with here, else terse',
    ),
  history: historySchema
    .optional()
    .describe(
      'earlier steps in the prompt: all, a number, or {"chunk": 12, "carried": 3}; default: as the prompt says',
    ),
  maxTokens: z.int().min(1).optional().describe('tokens that a reply may have; default: 64'),
  slots: z
    .int()
    .min(1)
    .optional()
    .describe(
      'episodes for which tokens are generated at once; does not affect results; default: 32, or as many as fit into memory',
    ),
  contextLength: z
    .int()
    .min(2)
    .optional()
    .describe("maximum tokens of prompt and reply together; default: the model's, at most 4096"),
  restricted: z.boolean().optional().describe('the model can write admissible actions only; default: false'),
  decoding: playerDecodingSchema.optional().describe('default: sampled at temperature 1'),
});

const scheme = 'model:';

/** A language model in a folder. It belongs to no run. */
export const modelKind = definePlayerKind({
  kind: 'model',
  schema,
  words: [],
  scheme: 'model',
  usage: ['the folder of a language model'],
  parse: (text): z.output<typeof schema> | undefined => {
    if (text.startsWith(scheme) && text !== scheme)
      return { kind: 'model', folder: text.slice(scheme.length) };
    const folder = folderIn(text);
    return folder !== undefined && isModelFolder(folder) ? { kind: 'model', folder } : undefined;
  },
  describe: ({ folder }) => `${scheme}${folder}`,
  resolve: async (spec, options) => {
    const { policyConfigSchema } = await import('../../../trainers/policy/policy-config.ts');
    const { digestWeights } = await import('../../../models/token/checkpoint.ts');
    const { prompt, history, maxTokens, contextLength, restricted, slots } = spec;
    const folder = resolve(spec.folder);
    const policy = policyConfigSchema.parse({
      kind: 'token',
      model: folder,
      prompt,
      history,
      maxTokens,
      contextLength,
      restricted,
      slots,
    });
    const weights = await digestWeights(spec.folder);
    const decoding = resolveDecoding(spec.decoding, { decoding: 'sampled', temperature: 1 });
    return {
      kind: 'model',
      text: spec.folder,
      words: `the model in ${folder}`,
      sameAs: JSON.stringify({ ...spec, slots: undefined, folder: realpathSync(folder), decoding }),
      identity: { kind: 'model', weights },
      folder,
      names: (label) => [label],
      entry: (name) => name,
      open: async (name) => {
        const { openStoredPolicy } = await import('../open-stored.ts');
        return openStoredPolicy({ name, policy, folder, checkpoint: 'as given', decoding }, options);
      },
    };
  },
});
