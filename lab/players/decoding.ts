import { z } from 'zod';
import type { PolicyDecoding } from '../../trainers/results/estimate.ts';

/** How a policy of ours turns its distribution into actions. What is left out is as the run does it, or as a model is sampled. */
export const playerDecodingSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('greedy') }),
  z.strictObject({
    kind: z.literal('sampled'),
    temperature: z.number().positive().max(1000).optional(),
    topK: z.int().min(1).optional().describe('draw from this many of the most likely tokens'),
    topP: z
      .number()
      .positive()
      .max(1)
      .optional()
      .describe('draw from the fewest most likely tokens that have this probability together'),
    minP: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('draw from tokens that are at least this likely, as a share of the most likely one'),
  }),
]);
export type PlayerDecoding = Readonly<z.output<typeof playerDecodingSchema>>;

/** How it decodes where its spec does not say. */
export interface UsualDecoding {
  readonly decoding: 'sampled' | 'greedy';
  readonly temperature: number;
}

export function resolveDecoding(given: PlayerDecoding | undefined, usual: UsualDecoding): PolicyDecoding {
  const decoding: PlayerDecoding = given ?? { kind: usual.decoding };
  if (decoding.kind === 'greedy') return { kind: 'greedy' };
  const { temperature = usual.temperature, topK, topP, minP } = decoding;
  return {
    kind: 'sampled',
    temperature,
    ...(topK === undefined ? {} : { topK }),
    ...(topP === undefined ? {} : { topP }),
    ...(minP === undefined ? {} : { minP }),
  };
}
